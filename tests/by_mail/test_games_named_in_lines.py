"""Lines such as GAME 2, which say for which game the orders below them are."""

import json

import pytest

from pbem.storage import Place, Step
from tests.support.harness import League, Person, duel, prepared
from tests.support.players import words

pytestmark = pytest.mark.league(systems=("starpilot",))


@prepared
def two_games(league: League) -> tuple[Person, Person]:
    """Ann in game 1, which waits for her and Bob, and in game 2, a practice that waits for her."""
    ann, bob = duel(league)
    ann.ask("PRACTICE WITH Hawk")
    return ann, bob


@pytest.fixture
def ann(league: League) -> Person:
    return two_games(league)[0]


def filed(league: League) -> tuple[int, list[str]]:
    """Return the orders on file for game 1, and how many of Hawk's steps game 2 has taken."""
    place = league.store.first(Place.select().where(Place.game == 1, Place.seat == "Hawk"))
    assert place is not None
    steps = [
        json.loads(step.orders)
        for step in league.store.all(Step.select().where(Step.game == 2).order_by(Step.id))
    ]
    return sum(seat == "Hawk" for step in steps for seat, _ in step), json.loads(place.sheet)[
        "queue"
    ]


@pytest.mark.parametrize("written", ["GAME 2\nSCAN", "Game #2:\nscan", "GAME 2 FOR Hawk\nSCAN"])
def test_orders_below_another_games_number_are_for_that_game(
    league: League, ann: Person, written: str
) -> None:
    ann.ask(written, ann.last_about("[G1-"))
    assert filed(league) == (1, [])


def test_german_orders_below_a_number_are_for_that_game(league: League, ann: Person) -> None:
    report = ann.last_about("[G1-")
    ann.ask("LANGUAGE de")
    ann.ask("Partie 2:\nSUCHEN", report)
    assert filed(league) == (1, [])


def test_the_numbers_of_a_list_are_no_games(league: League, ann: Person) -> None:
    ann.ask("1: SCAN\n2: TARGET\n3: FIRE", ann.last_about("[G1-"))
    assert filed(league) == (0, ["SCAN", "TARGET", "FIRE"])


@pytest.mark.parametrize("written", ["2: SCAN", "Regarding game 2:\nSCAN", "Game 2!\n\nSCAN, ok"])
def test_orders_beside_a_number_in_other_forms_are_not_done(
    league: League, ann: Person, written: str
) -> None:
    ann.ask(written, ann.last_about("[G1-"))
    assert filed(league) == (0, [])


def test_a_game_that_is_none_of_theirs_takes_no_orders(league: League, ann: Person) -> None:
    answer = words(ann.ask("GAME 7\nSCAN", ann.last_about("[G1-")))
    assert filed(league) == (0, [])
    assert "you have no pilot in game 7; what stands below it was left alone" in answer


def test_ready_below_a_game_is_for_that_game(league: League, ann: Person) -> None:
    ann.ask("GAME 2\nSCAN\nREADY", ann.last_about("[G1-"))
    assert filed(league) == (1, [])
    place = league.store.first(Place.select().where(Place.game == 1, Place.seat == "Hawk"))
    assert place is not None
    assert not place.answered
