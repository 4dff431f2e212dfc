"""A round from plans to events."""

from collections.abc import Mapping, Sequence

from engine.codec import change
from engine.dice import Dice
from engine.errors import IllegalOrder
from engine.seats import Seat, referee_last
from engine.starfarer.events import (
    Closed,
    Decided,
    Event,
    Freed,
    Healed,
    Opened,
    Out,
    Over,
    Planned,
)
from engine.starfarer.legal import refusal
from engine.starfarer.model import (
    Battle,
    Done,
    Draw,
    End,
    Free,
    Heal,
    Order,
    Plan,
    active,
    everybody,
    hurt,
    is_present,
    prisoners,
    to_plan,
)
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
    if not orders and not (battle.over or battle.decided or to_plan(battle)):
        # Everybody has planned, so that the round is the referee's to play.
        _play_round(telling)
    for seat in referee_last(orders):
        for order in orders[seat]:
            reason = refusal(telling.battle, seat, order)
            if reason is not None:
                raise IllegalOrder(reason, reason=reason)
            _take(telling, seat, order)
    return telling.battle, tuple(telling.events)


def _take(telling: Telling, seat: Seat, order: Order) -> None:
    """File a plan, or do what the referee rules."""
    if isinstance(order, Plan):
        telling.tell(Planned(seat, order))
    elif isinstance(order, End):
        _play_round(telling)
    elif isinstance(order, Draw):
        telling.tell(Over(None, "agreed", telling.battle.quiet))
    elif isinstance(order, Heal):
        telling.tell(Healed(order.character))
    elif isinstance(order, Free):
        telling.tell(Freed(order.character))
    elif isinstance(order, Done):
        telling.tell(Over(telling.battle.winner, "alone", telling.battle.quiet))
    else:
        battle = telling.battle
        for name in everybody(battle):
            if battle.sheets[name].seat == order.seat and is_present(battle.bodies[name]):
                telling.tell(Out(name, "surrendered", "forfeit"))
        _end(telling, telling.battle.quiet)


def _end(telling: Telling, quiet: int) -> bool:
    """Return whether the fight is decided, for at most one team has anybody active (SF-39).

    By the option, what it leaves behind is then the referee's to rule (SF-40).
    """
    battle = telling.battle
    standing = {battle.sheets[name].team for name in active(battle)}
    if len(standing) > 1:
        return False
    winner = next((battle.teams[team].name for team in standing), None)
    decided = change(battle, winner=winner)
    left = battle.options.aftermath and (prisoners(decided) or hurt(battle))
    told = Decided(winner, quiet) if left and not battle.decided else Over(winner, "alone", quiet)
    telling.tell(told)
    return True


def _play_round(telling: Telling) -> None:
    """Play the open round: its phases, its upkeep, then the end or the next round (SF-3)."""
    # Read before Closed, which empties them.
    plans = telling.battle.plans
    telling.tell(Closed(telling.battle.round))
    play(telling, plans)
    upkeep(telling)
    battle = telling.battle
    quiet = 0 if battle.fought else battle.quiet + 1
    if _end(telling, quiet):
        return
    if quiet < QUIET_ROUNDS:
        telling.tell(Opened(battle.round + 1, quiet))
    else:
        telling.tell(Over(None, "quiet", quiet))
