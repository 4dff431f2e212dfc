"""A turn from orders to events."""

from collections.abc import Mapping, Sequence

from engine.cortex.event import Event
from engine.cortex.events import Filed, ObstacleMet, Prepared
from engine.cortex.model import Battle, Filing, Orders
from engine.cortex.stages import play
from engine.cortex.tables import RANDOM_SIZES, RANDOM_SPEEDS, RANDOM_VECTORS
from engine.cortex.telling import Telling
from engine.cortex.units import seat_of
from engine.dice import Dice
from engine.errors import IllegalOrder
from engine.seats import REFEREE, Seat

Resolution = tuple[Battle, tuple[Event, ...]]


def refusal(battle: Battle, seat: Seat, order: Filing) -> str | None:
    """Return the code of why orders are not taken now, or None."""
    if battle.over:
        return "over"
    if isinstance(order, Orders):
        return None if seat_of(battle, order.unit) == seat else "unknown unit"
    # Only the referee closes a turn; from anybody else it names no unit.
    return None if seat == REFEREE else "unknown unit"


def resolve(battle: Battle, orders: Mapping[Seat, Sequence[Filing]], dice: Dice) -> Resolution:
    """Return the battle after one step, and its events, which `apply` folds to the same battle.

    The first step rolls what random obstacles are. A later one files orders, and plays the turn
    where the referee closes it. Seats come in order of their names, whichever was first, and the
    referee last. Raise IllegalOrder where orders are refused.
    """
    telling = Telling(battle, dice)
    if not battle.ready:
        _prepare(telling)
    for seat in sorted(orders, key=lambda seat: (seat == REFEREE, seat)):
        for order in orders[seat]:
            reason = refusal(telling.battle, seat, order)
            if reason is not None:
                raise IllegalOrder(reason, reason=reason)
            if isinstance(order, Orders):
                telling.tell(Filed(seat, order))
            else:
                play(telling)
    return telling.battle, tuple(telling.events)


def _prepare(telling: Telling) -> None:
    """Roll what the random obstacles are, as listed (CX-27)."""
    for name, obstacle in telling.battle.obstacles.items():
        if not obstacle.size:
            met = [
                table[telling.dice.roll(len(table), f"{name} {what}") - 1]
                for table, what in _OBSTACLE
            ]
            telling.tell(ObstacleMet(name, str(met[0]), int(met[1]), str(met[2])))
    telling.tell(Prepared())


_OBSTACLE: tuple[tuple[tuple[str | int, ...], str], ...] = (
    (RANDOM_SIZES, "size"),
    (RANDOM_SPEEDS, "speed"),
    (RANDOM_VECTORS, "vector"),
)
