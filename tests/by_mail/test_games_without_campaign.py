"""A game without a campaign, such as the scaffold's, spoils no letter of any game.

The games `toss` and `hunt` are installed for all tests (tests/support/installed_games).
"""

import pytest

from engine.registry import campaigns, matches
from pbem.handlers.order_table import ORDERS
from pbem.people import personas
from pbem.storage import Game, Letter
from tests.support.harness import League, Person
from tests.support.players import HAWK, address_of, words

LEAGUES = [("starpilot", "toss"), ("toss", "hunt")]
_NOT_TRIED = {"NEW KEY", "LEAVE LEAGUE", "JOIN"}


def asked(league: League, person: Person, text: str) -> str:
    """Write a letter to the league, and return the answer."""
    before = len(person.letters)
    person.write(f"KEY {person.key}\n{text}")
    league.work()
    assert league.last_letter().state == "answered", text
    return " ".join(words(letter) for letter in person.letters[before:])


def test_they_have_no_campaign() -> None:
    assert {"toss", "hunt"} <= {*matches()} - {*campaigns()}


@pytest.mark.league(systems=("toss", "starpilot"))
def test_who_enlists_in_german_below_another_order_is_answered(league: League, ann: Person) -> None:
    text = asked(league, ann, f"LANGUAGE de\n{HAWK}")
    assert personas.named(league.store, "Hawk") is not None, text
    wrong = asked(league, ann, "ENLIST Foo with nothing at all")
    assert "ENLIST" in wrong or "ANWERBEN" in wrong


@pytest.mark.league(systems=("toss",))
def test_where_nobody_enlists_the_answer_says_so(league: League, ann: Person) -> None:
    assert "nobody enlists here: you play as yourself" in asked(league, ann, HAWK)


@pytest.mark.league(systems=("starpilot", "toss"))
def test_a_mistyped_challenge_is_known_beside_one_that_names_a_game(
    league: League, ann: Person
) -> None:
    asked(league, ann, HAWK)
    text = asked(league, ann, "challange Kestrel with Hawk")
    assert "Perhaps you meant CHALLENGE Kestrel with Hawk" in text
    text = asked(league, ann, "challange Bob at toss")
    assert "Perhaps you meant CHALLENGE Bob at toss" in text


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "league",
    [
        pytest.param(one, marks=pytest.mark.league(systems=one, limits={"letters_a_day": 999}))
        for one in LEAGUES
    ],
    indirect=True,
)
def test_every_league_order_is_answered(league: League, language: str) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person in (ann, bob):
        person.join()
        asked(league, person, f"LANGUAGE {language}")
    asked(league, ann, "CHALLENGE Bob Example AT toss")
    asked(league, bob, "ACCEPT 1")
    assert [game.system for game in league.store.all(Game.select().order_by(Game.id))] == ["toss"]
    for order in ORDERS:
        if order.word not in _NOT_TRIED:
            asked(league, ann, order.example.replace("12", "1").replace("Hawk", "Ann Example"))
    for topic in ("toss", "enlist", "challenge", "orders", "rewards", "letters"):
        assert asked(league, ann, f"HELP {topic}")


@pytest.mark.league(systems=("toss",), moderator=address_of("Mona"))
def test_a_moderator_rules_in_a_game_without_a_campaign(league: League) -> None:
    ann, bob, mona = (league.person(name) for name in ("Ann", "Bob", "Mona"))
    for person in (ann, bob, mona):
        person.join()
    asked(league, ann, "CHALLENGE Bob Example AT toss")
    asked(league, bob, "ACCEPT 1")
    for ruling in ("PAUSE 1", "RESUME 1", "EXTEND 1 48h", "MAJOR 1", "AUDIT", "UNDO 1", "DRAW 1"):
        assert asked(league, mona, f"GM {ruling}")
    league.rule("NEWSLETTER")
    league.later(40 * 24)
    league.work()
    assert league.store.count(Letter.select().where(Letter.state != "answered")) == 0
