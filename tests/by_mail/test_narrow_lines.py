"""Orders of several fields, wrapped as narrow as telephones wrap them, or copied and wrapped."""

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.harness import League, Person, open_league, skies
from tests.support.players import words

PLAN = (
    "Citadel: COMMANDER ASSIST guns, PLOT, LOCK Javelin ON Raider, LAUNCH Javelin AT Raider, "
    "FIRE Railgun AT Raider"
)


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    with open_league(tmp_path, systems=("cortex", "blackskies")) as found:
        yield found


@pytest.fixture
def ann(league: League) -> Person:
    """Ann, who has the first report of a battle of Cortex."""
    ann, bob = league.person("Ann"), league.person("Bob")
    groups = (
        "GROUP Ravens WITH Lance: fighter; Citadel: frigate",
        "GROUP Kites WITH Raider: fighter; Fort: frigate",
    )
    for person, group in zip((ann, bob), groups, strict=True):
        person.join()
        person.ask(group)
    ann.ask("CHALLENGE Kites WITH Ravens")
    bob.new()
    bob.ask("ACCEPT 1")
    ann.new()
    return ann


def filed(league: League, seat: str) -> list[str]:
    place = league.store.places.find(seat=seat)
    assert place is not None
    return list(json.loads(place.sheet)["queue"])


@pytest.mark.parametrize("before", ["", "1. ", "please ", "Hello,\n\n- "])
def test_a_printed_order_that_is_copied_and_wrapped_is_whole(
    league: League, ann: Person, before: str
) -> None:
    report = ann.last_about("[G1-")
    assert PLAN in words(report)
    for width in (50, 60, 72, 76, 80):
        rows = [textwrap.fill(row, width) for row in f"{before}{PLAN}".split("\n")]
        ann.ask("\n".join(rows), report)
        assert filed(league, "Ravens") == [PLAN], width


@pytest.mark.parametrize("before", ["[ ] ", "~~", "(", "// "])
def test_a_printed_order_with_a_sign_of_the_players_is_not_done(
    league: League, ann: Person, before: str
) -> None:
    ticked = "[x] Lance: EVADE"
    ann.ask(f"{before}{PLAN}\n{ticked}", ann.last_about("[G1-"))
    assert filed(league, "Ravens") == ["Lance: EVADE"]


def test_words_above_a_copied_and_wrapped_order_stay_right_above_it(
    league: League, ann: Person
) -> None:
    answer = ann.ask(f"If he comes near\n{textwrap.fill(PLAN, 76)}", ann.last_about("[G1-"))
    assert filed(league, "Ravens") == []
    assert "the words next to it may mean" in words(answer)


@pytest.mark.parametrize("lead", ["Last time:", "Plan B:", "Bob suggested this:", "Not now:"])
def test_words_with_a_colon_are_no_name(league: League, ann: Person, lead: str) -> None:
    ann.ask(f"{lead}\nLance: EVADE\n\nCitadel: HOLD", ann.last_about("[G1-"))
    assert filed(league, "Ravens") == ["Citadel: HOLD"]


def test_an_order_whose_narrow_rest_cannot_be_read_is_refused(league: League, ann: Person) -> None:
    lines = "Lance: CLOSE ON Raider, DEFEND, FIRE Talon\nAT Raider // or so\n\nCitadel: HOLD"
    ann.ask(lines, ann.last_about("[G1-"))
    assert filed(league, "Ravens") == ["Citadel: HOLD"]


def test_a_card_on_narrow_lines_is_whole(league: League) -> None:
    wings = "Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
    ann, _ = skies(league, f"Hawks WITH {wings}", "Kites WITH Blue: 2 Black Tiger SKILL 2")
    ann.ask("Red: HARD LEFT\n  TARGETS Blue 1\nGold: ACCELERATE\n2", ann.last_about("[G1-"))
    assert filed(league, "Hawks") == ["Red: HARD LEFT; TARGETS Blue 1", "Gold: ACCELERATE 2"]
