"""A round from plans to events."""

from collections.abc import Mapping, Sequence

from engine.dice import Dice
from engine.errors import IllegalOrder
from engine.seats import REFEREE, Seat
from engine.starfarer.events import Closed, Event, Opened, Over, Planned
from engine.starfarer.legal import refusal
from engine.starfarer.model import Battle, Order, Plan, active
from engine.starfarer.phases import play
from engine.starfarer.tables import QUIET_ROUNDS
from engine.starfarer.telling import Telling
from engine.starfarer.upkeep import upkeep

Resolution = tuple[Battle, tuple[Event, ...]]


def resolve(battle: Battle, orders: Mapping[Seat, Sequence[Order]], dice: Dice) -> Resolution:
    """Return the fight after one step, and its events, which `apply` folds to the same fight.

    A step files plans, and plays the round where the referee ends it. Plans of several seats are
    filed in order of the seats' names, whichever arrived first, and the referee's order comes last.
    Raise IllegalOrder where an order is refused.
    """
    telling = Telling(battle, dice)
    for seat in sorted(orders, key=lambda seat: (seat == REFEREE, seat)):
        for order in orders[seat]:
            reason = refusal(telling.battle, seat, order)
            if reason is not None:
                raise IllegalOrder(reason, reason=reason)
            if isinstance(order, Plan):
                telling.tell(Planned(seat, order))
            else:
                _play_round(telling)
    return telling.battle, tuple(telling.events)


def _play_round(telling: Telling) -> None:
    """Play the open round: its phases, its upkeep, then the end or the next round (SF-3)."""
    # Read before Closed, which empties them.
    plans = telling.battle.plans
    telling.tell(Closed(telling.battle.round))
    play(telling, plans)
    upkeep(telling)
    battle = telling.battle
    quiet = 0 if battle.fought else battle.quiet + 1
    standing = {battle.sheets[name].team for name in active(battle)}
    if len(standing) > 1 and quiet < QUIET_ROUNDS:
        telling.tell(Opened(battle.round + 1, quiet))
    elif len(standing) > 1:
        telling.tell(Over(None, "quiet", quiet))
    else:
        winner = next((battle.teams[team].name for team in standing), None)
        telling.tell(Over(winner, "alone", quiet))
