"""The last letter's account: how a battle began, what turned it, and who fell."""

from types import SimpleNamespace
from typing import Any

from engine.letter_texts import CHANGE, END, HARM
from pbem.games.reports import turning_points
from pbem.games.reports.opening import tale
from tests.support.letter_samples import RULES, Duel


def told(most: int) -> list[dict[str, Any]]:
    duel = Duel().play(most)
    steps: list[Any] = duel.steps
    return tale(RULES, steps, turning_points.found(RULES, duel.states))


def test_a_turning_point_stands_behind_what_led_to_it() -> None:
    beats = told(500)
    turns = [at for at, beat in enumerate(beats) if beat["kind"] == "turn"]
    assert 1 <= len(turns) <= 2
    assert all(at and beats[at - 1]["last"] == beats[at]["first"] for at in turns)


def test_the_account_has_the_beginning_and_the_end_in_their_order() -> None:
    beats = told(500)
    assert beats[0]["kind"] == "found"
    assert "out" in [beat["kind"] for beat in beats[-2:]]
    assert [beat["first"] for beat in beats] == sorted(beat["first"] for beat in beats)
    assert 8 <= len(beats) <= 10


def test_nothing_is_told_of_a_battle_without_steps() -> None:
    assert told(0) == []


def test_what_led_to_a_turning_point_is_kept_though_losses_fill_the_account() -> None:
    def beat(n: int, weight: int, kind: str) -> dict[str, Any]:
        return {"first": n, "last": n, "weight": weight, "kind": kind}

    beats = [beat(0, CHANGE, "found"), beat(1, HARM, "hit"), beat(1, CHANGE, "missed")]
    beats += [beat(n, END, "gone") for n in range(2, 14)]
    telling = SimpleNamespace(story=lambda scenes: beats, weight=lambda one: one["weight"])
    rules: Any = SimpleNamespace(event=int, telling=telling)
    bare = {"seat": "", "source": "", "events": [], "ended": None, "void": False, "undo": None}
    steps: list[Any] = [{"n": n, **bare} for n in range(14)]
    found = tale(rules, steps, [turning_points.Swing(1, "Hawk", 40, 70)])
    assert [one["kind"] for one in found[:3]] == ["found", "hit", "turn"]
    assert [one["first"] for one in found[3:]] == list(range(7, 14))
