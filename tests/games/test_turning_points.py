"""Turning points of games with more than two sides, where only the first side's odds are known."""

from types import SimpleNamespace
from typing import Any

from pbem.games.reports.turning_points import Swing, found, lowest

ODDS = {0: 80, 1: 30, 2: 54, 3: 41, 4: 52}


def rules(*sides: str, winner: str = "") -> Any:
    """A system in which a state is the number of its step."""
    outcome = SimpleNamespace(winner=winner or None) if winner else None
    return SimpleNamespace(
        telling=SimpleNamespace(lead=ODDS.__getitem__),
        outcome=lambda state: outcome,
        teams=lambda state: dict.fromkeys(sides),
    )


def session(*sides: str, winner: str) -> Any:
    """A session whose game has ended."""
    states = {n: n for n in ODDS}
    played = rules(*sides, winner=winner)
    return SimpleNamespace(rules=played, state=4, states=lambda: states)


def test_of_two_sides_each_has_its_swings_that_are_not_undone() -> None:
    states = {n: n for n in ODDS}
    assert found(rules("one", "two"), states) == [
        Swing(1, "two", 20, 70),
        Swing(4, "one", 41, 52),
    ]
    assert lowest(session("one", "two", winner="two")) == 20
    assert lowest(session("one", "two", winner="one")) == 30


def test_of_three_sides_nobody_is_credited_with_what_the_first_one_lost() -> None:
    states = {n: n for n in ODDS}
    assert found(rules("one", "two", "three"), states) == [Swing(4, "one", 41, 52)]
    assert lowest(session("one", "two", "three", winner="three")) == 50
    assert lowest(session("one", "two", "three", winner="one")) == 30
