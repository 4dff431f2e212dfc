"""What a unit does whose player is silent."""

from engine.cortex.model import HOLD, Battle, Order, Orders
from engine.cortex.units import seat_of, to_order
from engine.seats import Seat


def next_of(battle: Battle, seat: Seat) -> str:
    """Return the first unit of a seat that has no orders yet."""
    return next(name for name in to_order(battle) if seat_of(battle, name) == seat)


def cautious(battle: Battle, seat: Seat) -> Orders:
    """Return what CX-18 says for the next unit of a seat: it holds its range and defends."""
    return Orders(next_of(battle, seat), (Order(HOLD),))
