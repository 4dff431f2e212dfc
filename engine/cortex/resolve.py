"""A turn from orders to events."""

from collections.abc import Mapping, Sequence

from engine.cortex.default_targets import meant
from engine.cortex.events import Filed, Gone, ObstacleMet, Over, Prepared
from engine.cortex.legal import hopeless
from engine.cortex.model import Battle, Close, Draw, Filing, Forfeit, Orders
from engine.cortex.queries import left_to, seat_of, seats, to_order
from engine.cortex.stages import play_turn, standing
from engine.cortex.tables import (
    HARMLESS_TURNS,
    RANDOM_SIZES,
    RANDOM_SPEEDS,
    RANDOM_VECTORS,
    STILL_TURNS,
)
from engine.cortex.turn_state import Turn
from engine.dice import Dice
from engine.errors import IllegalOrder
from engine.events import Event
from engine.seats import REFEREE, Seat, referee_last

Resolution = tuple[Battle, tuple[Event, ...]]


def refusal(battle: Battle, seat: Seat, order: Filing) -> str | None:
    """Return the code of why orders are not taken now, or None.

    Orders of a letter are refused too where nothing in them can be done any more in this turn.
    """
    if battle.over:
        return "over"
    if not isinstance(order, Orders):
        # Only the referee rules; from anybody else it names no unit.
        return _ruling(battle, order) if seat == REFEREE else "unknown unit"
    if seat_of(battle, order.unit) != seat:
        return "unknown unit"
    return None if order.raw else hopeless(battle, order)


def _ruling(battle: Battle, order: Filing) -> str | None:
    """Return why a ruling is refused: a forfeit needs a seat that is still in the battle."""
    if not isinstance(order, Forfeit):
        return None
    if order.seat not in seats(battle):
        return "unknown unit"
    return None if left_to(battle, order.seat) else "out of the battle"


def resolve(battle: Battle, orders: Mapping[Seat, Sequence[Filing]], dice: Dice) -> Resolution:
    """Return the battle after one step, and its events, which `apply` folds to the same battle.

    The first step rolls what random obstacles are. A later one files orders, and plays the turn
    where the referee closes it, or where all have ordered and nobody has to. Seats come in order of
    their names, whichever was first, and the referee last. Raise IllegalOrder where orders are
    refused.
    """
    play = Turn(battle, dice)
    if not battle.ready:
        # Before any die: a step that is refused must not have rolled the obstacles.
        _check(battle, orders)
        _prepare(play)
    elif not orders and not battle.over and not to_order(battle):
        _close(play, Close(judged=True))
    for seat in referee_last(orders):
        for order in orders[seat]:
            reason = refusal(play.battle, seat, order)
            if reason is not None:
                raise IllegalOrder(reason, reason=reason)
            _take(play, seat, order)
    return play.battle, tuple(play.events)


def _check(battle: Battle, orders: Mapping[Seat, Sequence[Filing]]) -> None:
    """Raise IllegalOrder where orders are refused, before any die is rolled."""
    for seat in sorted(orders):
        for order in orders[seat]:
            reason = refusal(battle, seat, order)
            if reason is not None:
                raise IllegalOrder(reason, reason=reason)


def _take(play: Turn, seat: Seat, order: Filing) -> None:
    """File orders, or do what the referee rules."""
    if isinstance(order, Orders):
        # Named when they are filed, so that the log says whom each order was for. A scenario's are
        # named already, and may be wrong on purpose.
        play.record(Filed(seat, order if order.raw else meant(play.battle, order)))
    elif isinstance(order, Close):
        _close(play, order)
    elif isinstance(order, Draw):
        play.record(Over(None, "ruled"))
    else:
        for name in left_to(play.battle, order.seat):
            play.record(Gone(name, "surrendered"))
        # A forfeit is the league's decision, and ends a battle between turns (CX-22).
        over, winner = standing(play.battle)
        if over:
            play.record(Over(winner, "forfeit"))


def _close(play: Turn, order: Close) -> None:
    """Play the turn; a battle that goes nowhere is a draw by the referee, but not in a replay."""
    play_turn(play)
    battle = play.battle
    # Else a battle of two wrecks without weapons would never end (house rule, CX-22).
    quiet = battle.still >= STILL_TURNS or battle.harmless >= HARMLESS_TURNS
    if order.judged and quiet and not battle.over:
        play.record(Over(None, "quiet"))


def _prepare(play: Turn) -> None:
    """Roll what the random obstacles are, as listed (CX-27)."""
    for name, obstacle in play.battle.obstacles.items():
        if not obstacle.size:
            met = [
                table[play.dice.roll(len(table), f"{name} {what}") - 1] for table, what in _OBSTACLE
            ]
            play.record(ObstacleMet(name, str(met[0]), int(met[1]), str(met[2])))
    play.record(Prepared())


_OBSTACLE: tuple[tuple[tuple[str | int, ...], str], ...] = (
    (RANDOM_SIZES, "size"),
    (RANDOM_SPEEDS, "speed"),
    (RANDOM_VECTORS, "vector"),
)
