"""A standing order that asks: the battle stops at it, and its player learns why."""

import pytest

from tests.support.harness import League, Person
from tests.support.players import STANDING, words

pytestmark = pytest.mark.league(turns_per_letter=60)


@pytest.mark.parametrize(
    ("language", "rules", "told"),
    [
        (
            "en",
            "STANDING\nIF UNDETECTED: SCAN\nIF TURN >= 2: ASK\nELSE: SCAN\nEND",
            "IF TURN >= 2: ASK",
        ),
        (
            "de",
            "DAUERBEFEHLE\nWENN UNENTDECKT: SUCHEN\nWENN ZUG >= 2: FRAGEN\nSONST: SUCHEN\nENDE",
            "WENN ZUG >= 2: FRAGEN",
        ),
    ],
)
def test_a_battle_stops_at_a_rule_that_asks(
    league: League, people: tuple[Person, Person], language: str, rules: str, told: str
) -> None:
    ann, bob = people
    ann.ask(f"LANGUAGE {language}")
    ann.reply(rules, ann.last_about("[G1-"))
    bob.reply(STANDING, bob.last_about("[G1-"))
    league.work()
    report = words(ann.last_about("[G1-"))
    assert told in report
    stopped = "The battle has stopped at your standing order"
    assert (stopped if language == "en" else "Der Kampf hält an deinem Dauerbefehl") in report
    before = league.game.steps
    ann.reply("TARGET", ann.last_about("[G1-"))
    league.work()
    assert league.game.steps > before
    assert told in words(ann.last_about("[G1-"))
