"""The phases of a round, from initiative to the last action point (SF-4 to SF-11)."""

from engine.starfarer.actions import Deed, carry_out
from engine.starfarer.entries import added, change_of_mind, cost
from engine.starfarer.events import Began, Ended, Refused, Rolled, TakenBack
from engine.starfarer.hindrances import TOO_FAR, hindrance, holds, target_of
from engine.starfarer.model import DEFAULT, Choices, Plan, active
from engine.starfarer.tables import DIE, PHASE
from engine.starfarer.telling import Intent, Telling


def play(telling: Telling, plans: dict[str, Plan]) -> None:
    """Play all phases of a round by the plans on file."""
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
        if action.when is not None and not holds(battle, name, action.when):
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
