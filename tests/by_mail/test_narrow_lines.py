"""Orders of several fields that are copied, changed and wrapped."""

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.storage import Place, Story
from tests.support.each_system import SYSTEMS, asked, first_reports
from tests.support.each_system import filed as filed_by
from tests.support.harness import League, Person, open_league
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
    place = league.store.first(Place.select().where(Place.seat == seat).order_by(Place.id))
    assert place is not None
    return list(json.loads(place.sheet)["queue"])


@pytest.mark.parametrize("before", ["", "1. ", "please ", "Hello,\n\n- "])
def test_a_printed_order_that_is_copied_and_wrapped_is_whole(
    league: League, ann: Person, before: str
) -> None:
    report = ann.last_about("[G1-")
    assert PLAN in words(report)
    for width in (66, 72, 76, 80):
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
    assert "READ, BUT NOT DONE YET" in words(answer)


def test_a_rule_in_small_letters_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        ann, _ = first_reports(league, "starpilot", "en")
        answer = words(asked(ann, "if near and hungry\nand far:\nsurrender\n\nSCAN"))
        assert "if near and hungry and far: surrender" in answer
        assert filed_by(league) == {"queue": ["SCAN"], "rules": []}
        assert not league.store.count(Story.select())


PLANS = {
    "en": "Kitai: ATTACK nearest WITH Lux 9 WITHIN 20 FINISH, ELSE MOVE TOWARD nearest, ELSE EVADE",
    "de": "Kitai: ANGREIFEN nächsten MIT Lux 9 BIS 20 TÖTEN, SONST GEHEN ZU nächsten,"
    " SONST AUSWEICHEN",
}
"""The plan that the report prints, with a word of the player's in the middle."""


@pytest.mark.parametrize("language", PLANS)
def test_a_printed_plan_that_was_changed_is_whole_however_it_is_wrapped(
    tmp_path: Path, language: str
) -> None:
    with open_league(tmp_path, systems=SYSTEMS, limits={"letters_a_day": 100}) as league:
        ann, _ = first_reports(league, "starfarer", language)
        for width in (64, 70, 76):
            asked(ann, textwrap.fill(PLANS[language], width))
            assert filed_by(league)["queue"] == [PLANS["en"]], width
