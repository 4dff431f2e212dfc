"""Doctrines that everybody has: a card by condition for each of a seat's elements."""

from collections.abc import Iterator, Sequence

from engine.blackskies.grammar import name_text
from engine.blackskies.model import Battle, active, all_elements, design_of
from engine.seats import Seat

_LEAVING = {"sound": "IF CRIPPLED AND ALONE", "careful": "IF CRIPPLED AND NOT ENEMY CRIPPLED"}
"""When an element of each doctrine withdraws, if it may."""


def doctrine(battle: Battle, seat: Seat, which: str) -> Sequence[str]:
    """Return the standing orders that a doctrine of everybody's means for a seat's elements.

    All turn to where the enemy is. A sound element leaves when its last fighter is crippled, a
    careful one when any of them is and no enemy, and a bold one never.
    """
    found: list[str] = []
    for name in all_elements(battle):
        element = battle.elements[name]
        if element.seat == seat and active(battle, name):
            around = "HARD" if "rear" in design_of(battle, element).thrusters else "BREAK"
            found += _rules(name_text(name), _LEAVING.get(which, ""), around)
    return found


def _rules(name: str, leaving: str, around: str) -> Iterator[str]:
    """Yield one element's rules; `around` is the sharpest turn that it can fly."""
    # The first rule that holds counts, so to leave comes before any turn.
    if leaving:
        yield f"{leaving}: {name}: WITHDRAW"
    yield f"IF ENEMY BEHIND: {name}: {around} LEFT"
    # A break costs speed and aim, which a smooth turn does not.
    yield f"IF ENEMY LEFT: {name}: SMOOTH LEFT"
    yield f"IF ENEMY RIGHT: {name}: SMOOTH RIGHT"
    yield f"IF RANGE <= 8 AND SPEED >= 4: {name}: DECELERATE"
    yield f"IF NOT RANGE <= 12 AND NOT SPEED >= 6: {name}: ACCELERATE 2"
    yield f"ELSE: {name}: STEADY"
