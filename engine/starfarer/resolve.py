"""A round from plans to events, phase by phase."""

from collections.abc import Mapping, Sequence

from engine.codec import change
from engine.dice import Dice
from engine.errors import IllegalOrder
from engine.events import Event
from engine.seats import Seat, referee_last
from engine.starfarer.actions import Deed, carry_out
from engine.starfarer.damage import upkeep
from engine.starfarer.events import (
    Began,
    Closed,
    Decided,
    Ended,
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
from engine.starfarer.if_conditions import is_met
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
from engine.starfarer.tables import DIE, PHASE, QUIET_ROUNDS
from engine.starfarer.turn_state import Intent, Round, added, change_of_mind, cost

Resolution = tuple[Battle, tuple[Event, ...]]


def resolve(battle: Battle, orders: Mapping[Seat, Sequence[Order]], dice: Dice) -> Resolution:
    """Return the fight after one step, and its events, which `apply` folds to the same fight.

    A step files plans, and plays the round where the referee ends it. Plans of several seats are
    filed in order of the seats' names, whichever arrived first, and the referee's order comes last.
    Raise IllegalOrder where an order is refused.
    """
    play = Round(battle, dice)
    if not orders and not (battle.over or battle.decided or to_plan(battle)):
        # Everybody has planned, so that the round is the referee's to play.
        _play_round(play)
    for seat in referee_last(orders):
        for order in orders[seat]:
            reason = refusal(play.battle, seat, order)
            if reason is not None:
                raise IllegalOrder(reason, reason=reason)
            _take(play, seat, order)
    return play.battle, tuple(play.events)


def _take(play: Round, seat: Seat, order: Order) -> None:
    """File a plan, or do what the referee rules."""
    if isinstance(order, Plan):
        play.record(Planned(seat, order))
    elif isinstance(order, End):
        _play_round(play)
    elif isinstance(order, Draw):
        play.record(Over(None, "ruled", play.battle.quiet))
    elif isinstance(order, Heal):
        play.record(Healed(order.character))
    elif isinstance(order, Free):
        play.record(Freed(order.character))
    elif isinstance(order, Done):
        play.record(Over(play.battle.winner, "alone", play.battle.quiet))
    else:
        battle = play.battle
        for name in everybody(battle):
            if battle.sheets[name].seat == order.seat and is_present(battle.bodies[name]):
                play.record(Out(name, "surrendered", "forfeit"))
        _end(play, play.battle.quiet)


def _end(play: Round, quiet: int) -> bool:
    """Return whether the fight is decided, for at most one team has anybody active (SF-39).

    By the option, what it leaves behind is then the referee's to rule (SF-40).
    """
    battle = play.battle
    standing = {battle.sheets[name].team for name in active(battle)}
    if len(standing) > 1:
        return False
    winner = next((battle.teams[team].name for team in standing), None)
    decided = change(battle, winner=winner)
    # Without the option, or with nobody to rule on, it is over at once (SF-40).
    left = battle.options.aftermath and (prisoners(decided) or hurt(battle))
    told = Decided(winner, quiet) if left and not battle.decided else Over(winner, "alone", quiet)
    play.record(told)
    return True


def _play_round(play: Round) -> None:
    """Play the open round: its phases, its upkeep, then the end or the next round (SF-3)."""
    # Read before Closed, which empties them.
    plans = play.battle.plans
    play.record(Closed(play.battle.round))
    _play_phases(play, plans)
    upkeep(play)
    battle = play.battle
    # A fight in which nobody attacks any more is broken off (SF-39).
    quiet = 0 if battle.fought else battle.quiet + 1
    if _end(play, quiet):
        return
    if quiet < QUIET_ROUNDS:
        play.record(Opened(battle.round + 1, quiet))
    else:
        play.record(Over(None, "quiet", quiet))


def _play_phases(play: Round, plans: dict[str, Plan]) -> None:
    """Play all phases of a round, from initiative to the last action point (SF-4 to SF-11)."""
    names = active(play.battle)
    play.intents = {name: _intent(plans.get(name)) for name in names}
    for name in names:
        _roll(play, name)
    while (ready := _first(play, names)) is not None:
        _phase(play, ready)
    for name in active(play.battle):
        modifier = added(play.battle, name, play.intents[name].next())
        # Points lent for a next phase that did not come in this round go back.
        # With a modifier of 0 nothing was lent, so no event is needed.
        if modifier:
            left = play.battle.bodies[name].ap - modifier
            play.record(TakenBack(name, modifier, left))


def _intent(plan: Plan | None) -> Intent:
    """Return what a character with this plan is about; without one it is that of SF-7."""
    if plan is None:
        return Intent(DEFAULT, None, None)
    return Intent(plan.entries, plan.abort, plan.index)


def _roll(play: Round, name: str) -> None:
    sheet, body = play.of(name)
    roll = play.dice.roll(DIE, f"{name} initiative")
    modifier = added(play.battle, name, play.intents[name].next())
    ap = body.ap + roll + sheet.initiative + modifier
    play.record(Rolled(name, roll, modifier, ap))


def _first(play: Round, names: list[str]) -> str | None:
    """Return who takes the next phase: the most points, the higher Initiative (SF-5)."""
    bodies, sheets = play.battle.bodies, play.battle.sheets
    # Only the active have points, and `max` takes the first of equals in setup order.
    ready = [name for name in names if bodies[name].ap >= PHASE]
    if not ready:
        return None
    # Looked at again before each phase: a hit, an abort or a weapon may change who is next (SF-5).
    return max(ready, key=lambda name: (bodies[name].ap, sheets[name].initiative))


def _phase(play: Round, name: str) -> None:
    """Play one phase of a character: all actions of its next entry (SF-6, SF-11)."""
    intent = play.intents[name]
    entry = intent.next()
    intent.reached += 1
    # Ends the defences of the phase before, which stood until now (SF-15).
    play.record(Began(name, play.battle.bodies[name].ap))
    done = set[str]()
    spent = cost(play.battle, name, entry)
    for choices in entry:
        spent += _choose(play, name, choices, len(entry) - 1, done)
        # Once it has yielded or left, nothing more of it counts (SF-11).
        if play.battle.bodies[name].fate != "active":
            return
    modifier = added(play.battle, name, intent.next())
    left = play.battle.bodies[name].ap - spent + modifier
    play.record(Ended(name, spent, modifier, left))


def _choose(play: Round, name: str, choices: Choices, handicap: int, done: set[str]) -> int:
    """Carry out the first choice that nothing hinders; return the action points lost (SF-8)."""
    intent = play.intents[name]
    for number, action in enumerate(choices):
        battle = play.battle
        # An `if` that does not hold is not a refusal, so nothing is listed (SF-8).
        if action.when is not None and not is_met(battle, name, action.when):
            continue
        reason = hindrance(battle, name, action, done, intent.failed)
        if reason is None:
            done.add(action.do)
            target = target_of(battle, name, action)
            aimed = target is not None and battle.bodies[name].aim == target
            carry_out(play, Deed(name, action, target, handicap, aimed))
            # The first choice was declared; any other is a change of mind (SF-10).
            return change_of_mind(battle, name, choices[0], action) if number else 0
        # What nobody planned is not listed (SF-7).
        if reason != TOO_FAR and intent.index is not None:
            seat = battle.sheets[name].seat
            at = target_of(battle, name, action)
            play.record(Refused(seat, name, intent.index, action.do, at, reason))
    return 0
