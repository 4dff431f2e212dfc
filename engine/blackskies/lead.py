"""Who is ahead in a battle, by a rule of thumb that was fitted to simulated battles
(decision 0029)."""

from math import exp, log

from engine.blackskies.model import Battle
from engine.blackskies.view import outcome

_HULL = 2.1
"""The weight of the hull that a side has left; how many fighters share it hardly counts."""


def lead(battle: Battle) -> int:
    """Return how many of 100 battles like this one the first side would win."""
    ended = outcome(battle)
    if ended is not None and ended.winner is not None:
        return 100 if ended.winner == battle.sides[0].name else 0
    return round(100 / (1 + exp(_weighed(battle, 1) - _weighed(battle, 0))))


def _weighed(battle: Battle, side: int) -> float:
    hull = sum(
        battle.fighters[name].hull
        for element in battle.elements.values()
        for name in element.fighters
        if element.side == side and battle.fighters[name].fate == "active"
    )
    return _HULL * log(hull + 0.5)
