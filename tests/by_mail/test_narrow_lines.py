"""Orders of several fields, wrapped as narrow as telephones wrap them, or copied and wrapped."""

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.each_system import SYSTEMS, asked, first_reports
from tests.support.each_system import filed as filed_by
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
    for first in ("Red: HARD LEFT\n  TARGETS Blue 1", "Red: HARD LEFT; TARGETS\nBlue 1"):
        ann.ask(f"{first}\nGold: ACCELERATE\n2", ann.last_about("[G1-"))
        assert filed(league, "Hawks") == ["Red: HARD LEFT; TARGETS Blue 1", "Gold: ACCELERATE 2"]
    assert not league.store.stories.count()


RULES = {
    "starpilot": (
        "If not undetected and structure <= 1 and enemy shields <= 2 and neutral: surrender",
        "wenn nicht nichts gefunden und Struktur <= 1 und Feind Schilde <= 2 und neutral: ergeben",
        "SURRENDER",
    ),
    "blackskies": (
        "if crippled and alone and range <= 12 and not enemy in arc: Red: surrender",
        "wenn angeschlagen und allein und Entfernung <= 12 und Tempo >= 6: Red: ergeben",
        "Red: SURRENDER",
    ),
    "cortex": (
        "if locked on and not advantage and lp <= 10: Lance: close on Raider, fire Talon at Raider",
        "wenn erfasst und nicht Vorteil und LP <= 10: Lance: nähern an Raider, verteidigen",
        "Lance: CLOSE ON Raider, ",
    ),
}
"""A rule as it is typed on a telephone, in English and in German, and what it orders."""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("system", RULES)
def test_a_rule_in_small_letters_on_narrow_lines_is_whole_or_nothing(
    tmp_path: Path, system: str, language: str
) -> None:
    *written, order = RULES[system]
    with open_league(tmp_path, systems=SYSTEMS, limits={"letters_a_day": 100}) as league:
        ann, _ = first_reports(league, system, language)
        place = league.store.places.all()[0]
        for width in range(24, 80, 5):
            league.store.places.change(place.id, sheet=place.sheet)
            rows = textwrap.fill(written[language == "de"], width)
            asked(ann, rows)
            found = filed_by(league)
            assert found["queue"] == [], rows
            assert len(found["rules"]) == 1, rows
            assert found["rules"][0].startswith(order), rows
        assert not league.store.stories.count()


def test_a_rule_in_small_letters_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        ann, _ = first_reports(league, "starpilot", "en")
        answer = words(asked(ann, "if near and hungry\nand far:\nsurrender\n\nSCAN"))
        assert "if near and hungry and far: surrender" in answer
        assert filed_by(league) == {"queue": ["SCAN"], "rules": []}
        assert not league.store.stories.count()


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
        for width in range(64, 80):
            asked(ann, textwrap.fill(PLANS[language], width))
            assert filed_by(league)["queue"] == [PLANS["en"]], width
