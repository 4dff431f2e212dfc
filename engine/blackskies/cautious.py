"""The order for an element whose player is silent."""

from engine.blackskies.model import Battle, Order, unordered
from engine.blackskies.tables import STEADY
from engine.seats import Seat


def cautious(battle: Battle, seat: Seat) -> Order:
    """Return Straight, steady for the next element that a seat has not ordered yet (BS-10)."""
    return Order(unordered(battle, seat)[0], "fly", STEADY.card, STEADY.option)
