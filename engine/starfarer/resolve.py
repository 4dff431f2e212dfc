"""A round from plans to events, phase by phase."""

from collections.abc import Mapping, Sequence

from engine.codec import change
from engine.dice import Dice
from engine.errors import IllegalOrder
from engine.seats import Seat, referee_last
from engine.starfarer.actions import Deed, carry_out
from engine.starfarer.conditions import is_met
from engine.starfarer.damage import upkeep
from engine.starfarer.events import (
    Began,
    Closed,
    Decided,
    Ended,
    Event,
    Freed,
    Healed,
    Opened,
    Out,
    Over,
    Planned,
    Refused,
    Rolled,
    TakenBack,
)
from engine.starfarer.legal import TOO_FAR, hindrance, refusal, target_of
from engine.starfarer.model import (
    DEFAULT,
    Battle,
    Choices,
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
from engine.starfarer.play import Intent, Telling, added, change_of_mind, cost
from engine.starfarer.tables import DIE, PHASE, QUIET_ROUNDS

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
    _play_phases(telling, plans)
    upkeep(telling)
    battle = telling.battle
    quiet = 0 if battle.fought else battle.quiet + 1
    if _end(telling, quiet):
        return
    if quiet < QUIET_ROUNDS:
        telling.tell(Opened(battle.round + 1, quiet))
    else:
        telling.tell(Over(None, "quiet", quiet))


def _play_phases(telling: Telling, plans: dict[str, Plan]) -> None:
    """Play all phases of a round, from initiative to the last action point (SF-4 to SF-11)."""
    names = active(telling.battle)
    telling.intents = {name: _intent(plans.get(name)) for name in names}
    for name in names:
        _roll(telling, name)
    while (ready := _first(telling, names)) is not None:
        _phase(telling, ready)
    for name in active(telling.battle):
        modifier = added(telling.battle, name, telling.intents[name].next())
        # Points lent for a next phase that did not come in this round go back.
        if modifier:
            left = telling.battle.bodies[name].ap - modifier
            telling.tell(TakenBack(name, modifier, left))


def _intent(plan: Plan | None) -> Intent:
    """Return what a character with this plan is about; without one it is that of SF-7."""
    if plan is None:
        return Intent(DEFAULT, None, None)
    return Intent(plan.entries, plan.abort, plan.index)


def _roll(telling: Telling, name: str) -> None:
    sheet, body = telling.of(name)
    roll = telling.dice.roll(DIE, f"{name} initiative")
    modifier = added(telling.battle, name, telling.intents[name].next())
    ap = body.ap + roll + sheet.initiative + modifier
    telling.tell(Rolled(name, roll, modifier, ap))


def _first(telling: Telling, names: list[str]) -> str | None:
    """Return who takes the next phase: the most points, the higher Initiative (SF-5)."""
    bodies, sheets = telling.battle.bodies, telling.battle.sheets
    # Only the active have points, and `max` takes the first of equals in setup order.
    ready = [name for name in names if bodies[name].ap >= PHASE]
    if not ready:
        return None
    return max(ready, key=lambda name: (bodies[name].ap, sheets[name].initiative))


def _phase(telling: Telling, name: str) -> None:
    """Play one phase of a character: all actions of its next entry (SF-6, SF-11)."""
    intent = telling.intents[name]
    entry = intent.next()
    intent.reached += 1
    telling.tell(Began(name, telling.battle.bodies[name].ap))
    done = set[str]()
    spent = cost(telling.battle, name, entry)
    for choices in entry:
        spent += _choose(telling, name, choices, len(entry) - 1, done)
        # Once it has yielded or left, nothing more of it counts (SF-11).
        if telling.battle.bodies[name].fate != "active":
            return
    modifier = added(telling.battle, name, intent.next())
    left = telling.battle.bodies[name].ap - spent + modifier
    telling.tell(Ended(name, spent, modifier, left))


def _choose(telling: Telling, name: str, choices: Choices, handicap: int, done: set[str]) -> int:
    """Carry out the first choice that nothing hinders; return the action points lost (SF-8)."""
    intent = telling.intents[name]
    for number, action in enumerate(choices):
        battle = telling.battle
        if action.when is not None and not is_met(battle, name, action.when):
            continue
        reason = hindrance(battle, name, action, done, intent.failed)
        if reason is None:
            done.add(action.do)
            target = target_of(battle, name, action)
            aimed = target is not None and battle.bodies[name].aim == target
            carry_out(telling, Deed(name, action, target, handicap, aimed))
            return change_of_mind(battle, name, choices[0], action) if number else 0
        # What nobody planned is not listed (SF-7).
        if reason != TOO_FAR and intent.index is not None:
            seat = battle.sheets[name].seat
            at = target_of(battle, name, action)
            telling.tell(Refused(seat, name, intent.index, action.do, at, reason))
    return 0
