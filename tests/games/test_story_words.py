"""How accounts tell what belongs together: launches, misses, quiet turns, the end."""

import re
from operator import itemgetter
from typing import Any

import pytest

from engine.letter_texts import missed
from engine.registry import RULESETS
from pbem.games.reports.battle_account import told, turned
from pbem.games.reports.turning_points import Swing
from tests.games.test_stories import played
from tests.rendering.test_letter_templates import PRESS


def test_launches_of_a_turn_are_one_sentence_and_who_fell_was_not_missed() -> None:
    """One sentence for each missile made a paragraph of a turn's launches."""
    for seed in range(4):
        steps, _ = played("cortex", seed, "sound", 1)
        beats = [b for b in told(RULESETS["cortex"], steps) if b["kind"] == "launched"]
        assert len({beat["last"] for beat in beats}) == len(beats)
        assert sum(len(beat["shots"]) for beat in beats) == sum(
            event["type"] == "Launched" for step in steps for event in step["events"]
        )
        steps, _ = played("starfarer", seed, "sound", 1)
        found = told(RULESETS["starfarer"], steps)
        fell = {(b["last"], b.get("at", b.get("name"))) for b in found if b.get("fate")}
        missed_at = {(b["last"], at) for b in found if b["kind"] == "missed" for at in b["at"]}
        assert not fell & missed_at
        assert missed_at


@pytest.mark.parametrize(
    ("language", "patience", "two", "three"),
    [
        ("en", r"failed attempt|in the end", "urns 5 and 6 ", "urns 5 to 7 "),
        ("de", r"Geduld|vergeblich|[Ss]chließlich", r"Zügen? 5 und 6 ", r"Zügen? 5 bis 7 "),
    ],
)
def test_one_failure_is_no_patience_and_two_turns_are_no_span(
    language: str, patience: str, two: str, three: str
) -> None:
    narrate: Any = PRESS.letters(language, "starpilot").get_template("starpilot/narrate.j2").module
    flown: Any = PRESS.letters(language, "blackskies").get_template("blackskies/narrate.j2").module
    beat = {"pilot": "Hawk", "foes": ["Kestrel"]}
    for nth in range(3):
        pick = itemgetter(nth)
        assert not re.search(patience, str(narrate.found({**beat, "failures": 1}, {}, pick)))
        assert re.search(patience, str(narrate.found({**beat, "failures": 2}, {}, pick)))
    for until, span in ((6, two), (7, three)):
        quiet = str(flown.quiet({"since": 5, "until": until}, {}, itemgetter(1)))
        assert re.search(span, quiet), quiet


def test_the_end_of_a_quiet_last_turn_comes_before_what_it_decided() -> None:
    """With that it was won, said the account, and then that it had been the last turn."""
    quiet = {"kind": "quiet", "first": 3, "last": 9}
    over, struck = (
        {"kind": "over", "first": 9, "last": 9},
        {"kind": "struck", "first": 9, "last": 9},
    )
    swing = [Swing(9, "Hawks", 60, 100)]
    kinds = [[beat["kind"] for beat in turned([one, over], swing)] for one in (quiet, struck)]
    assert kinds == [["quiet", "over", "turn"], ["struck", "turn", "over"]]


def test_attackers_who_missed_the_same_targets_are_told_together() -> None:
    pairs = [("Ann", "Bo"), ("Bo", "Ann"), ("Al", "Bo"), ("Ann", "Bob"), ("Bob", "Ann")]
    assert missed(pairs) == [
        {"kind": "missed", "by": ["Ann"], "at": ["Bo", "Bob"]},
        {"kind": "missed", "by": ["Bo", "Bob"], "at": ["Ann"]},
        {"kind": "missed", "by": ["Al"], "at": ["Bo"]},
    ]
    assert missed([]) == []


@pytest.mark.parametrize(
    ("language", "short", "long"),
    [
        (
            "en",
            "Missiles M1 and M2 fly at Al, and hit at the end of turn 4.",
            "Missiles M1 (Dart of Bo) and M2 (Dart of Bulk; outflown: 5 of 15) fly at Al, and hit"
            " at the end of turn 4. Against each: INTERCEPT M1",
        ),
        (
            "de",
            "Raketen M1 und M2 fliegen auf Al zu und treffen am Ende von Zug 4.",
            "Raketen M1 (Dart von Bo) und M2 (Dart von Bulk; abgehängt: 5 von 15) fliegen auf Al"
            " zu und treffen am Ende von Zug 4. Gegen jede davon: ABFANGEN M1",
        ),
    ],
)
def test_missiles_that_arrive_together_are_told_together(
    language: str, short: str, long: str
) -> None:
    letters = PRESS.letters(language, "cortex")
    situation: Any = letters.get_template("cortex/situation.j2").module
    missiles = [
        {"id": "M1", "weapon": "Dart", "by": "Bo", "at": "Al", "turns": 2, "arrives": 4},
        {"id": "M2", "weapon": "Dart", "by": "Bulk", "at": "Al", "turns": 2, "arrives": 4},
    ]
    missiles[0]["outflown"], missiles[1]["outflown"] = 0, 5
    view = {"missiles": missiles, "locks": [], "side": "blue", "over": False}
    view |= {"pilots": [{"name": "Al", "team": "blue"}]}
    told = f"{situation.salvo(missiles)} {situation.against(missiles[0], view, True)}"
    assert bare(situation.threats(view)) == short
    assert bare(told).startswith(long)


def bare(text: object) -> str:
    """Return a text on one line without the marks of what is strong."""
    return " ".join(re.sub(r"[\x00-\x08]", "", str(text)).split())
