"""Turning points of games with more than two sides, where only the first side's odds are known."""

from types import SimpleNamespace
from typing import Any

from pbem.games.turning_points import Swing, found, lowest

ODDS = {0: 40, 1: 15, 2: 60}


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
    return SimpleNamespace(rules=played, state=2, states=lambda: states)


def test_of_two_sides_each_has_its_swings() -> None:
    states = {n: n for n in ODDS}
    assert found(rules("one", "two"), states) == [
        Swing(2, "one", 15, 60),
        Swing(1, "two", 60, 85),
    ]
    assert lowest(session("one", "two", winner="two")) == 40
    assert lowest(session("one", "two", winner="one")) == 15


def test_of_three_sides_nobody_is_credited_with_what_the_first_one_lost() -> None:
    states = {n: n for n in ODDS}
    assert found(rules("one", "two", "three"), states) == [Swing(2, "one", 15, 60)]
    assert lowest(session("one", "two", "three", winner="three")) == 50
    assert lowest(session("one", "two", "three", winner="one")) == 15
