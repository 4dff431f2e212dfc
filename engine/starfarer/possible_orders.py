"""What a character could do now, each action with its chance."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.seats import Seat
from engine.starfarer import chances
from engine.starfarer.legal import hindrance, limbs_of, target_of
from engine.starfarer.model import (
    UNARMED,
    Action,
    Battle,
    active,
    distance,
    everybody,
    is_present,
)
from engine.starfarer.tables import ALWAYS_FAILS, AREAS, MEDIUM, SHOCK
from engine.starfarer.view_types import MoveView, OwnView
from engine.starfarer.wounds import worst
from engine.starfarer.written_orders import phases, words


class Offered(NamedTuple):
    """An action that nothing hinders, with its chance in percent, None where no die decides it.

    `checks` are the chances to use the injured limbs, which must come off first (SF-28).
    """

    character: str
    action: Action
    chance: int | None
    checks: tuple[int, ...] = ()


def offers(battle: Battle, seat: Seat) -> list[Offered]:
    """Return what a seat's active characters could do if it was their turn now.

    Chances are those of single actions; defences that others may take until then lower them.
    """
    found = []
    for name in active(battle) if not (battle.over or battle.decided) else ():
        sheet, body = battle.sheets[name], battle.bodies[name]
        for action in actions(battle, name) if sheet.seat == seat else ():
            # As at the first phase of a round: nothing done, and no limb failed.
            if hindrance(battle, name, action, (), ()) is None:
                hurt = [n for n in limbs_of(sheet, body, action) if worst(body.wounds[n]) >= MEDIUM]
                checks = tuple(_percent(chances.disability(sheet, body, n)) for n in hurt)
                found.append(Offered(name, action, chance_now(battle, name, action), checks))
    return found


def actions(battle: Battle, name: str) -> Iterator[Action]:
    """Yield everything that a character might do, to anybody who is there."""
    sheet = battle.sheets[name]
    present = [one for one in everybody(battle) if is_present(battle.bodies[one])]
    weapons = (*sheet.weapons, UNARMED)
    for other in present:
        if battle.sheets[other].team == sheet.team:
            yield from (Action("treat", at=other, area=area) for area in (*AREAS, SHOCK))
        else:
            # The unconscious are attacked only with FINISH (SF-17).
            finish = battle.bodies[other].fate == "unconscious"
            for weapon in weapons:
                yield Action("attack", at=other, weapon=weapon.name, finish=finish)
            yield Action("aim", at=other, finish=finish)
        # One may treat oneself, but not move toward oneself (SF-36, SF-41).
        if other != name:
            yield Action("move", toward=other)
    yield from (Action("parry", weapon=weapon.name) for weapon in weapons if weapon.melee)
    yield from (Action(do) for do in ("evade", "drop", "rise", "hold", "yield"))


def chance_now(battle: Battle, name: str, action: Action) -> int | None:
    """Return the chance of an action that nothing hinders, once its limbs can be used."""
    sheet, body = battle.sheets[name], battle.bodies[name]
    target = target_of(battle, name, action)
    if action.do == "attack" and target is not None:
        aimed = body.aim == target
        return _percent(chances.attack(battle, name, target, action, 0, aimed).mcs)
    if action.do in ("evade", "parry"):
        return _percent(chances.defence(sheet, body, action, 0))
    return _percent(chances.treatment(sheet, body, action, 0)) if action.do == "treat" else None


def _percent(mcs: int) -> int:
    # 96 to 100 always fail, so no chance is more than 95 (SF-2).
    return min(mcs, ALWAYS_FAILS - 1)


def own(battle: Battle, name: str) -> OwnView:
    """Return what a seat knows of its own character beyond what all see."""
    seat, plan = battle.sheets[name].seat, battle.plans.get(name)
    return {
        "name": name,
        "plan": [] if plan is None else phases(plan),
        "moves": [_move(battle, one) for one in offers(battle, seat) if one.character == name],
        "seen": _seen(battle, name) if battle.bodies[name].fate == "active" else [],
    }


def _move(battle: Battle, offered: Offered) -> MoveView:
    name, action = offered.character, offered.action
    target = target_of(battle, name, action)
    metres = None if target is None else distance(battle, name, target)
    found = None
    if action.do == "attack" and target is not None:
        # The bracket does not depend on the aim, so that may be left out here.
        found = chances.attack(battle, name, target, action, 0, False).bracket
    return {
        "order": words(action),
        "do": action.do,
        "at": target,
        "chance": offered.chance,
        "checks": list(offered.checks),
        "metres": metres,
        "bracket": found,
    }


def _seen(battle: Battle, name: str) -> list[dict[str, Any]]:
    """Return who is there besides a character, the nearest first, and which way."""
    here = battle.bodies[name].at
    others = [o for o in everybody(battle) if o != name and is_present(battle.bodies[o])]
    others.sort(key=lambda other: distance(battle, name, other))
    return [
        {
            "name": other,
            "foe": battle.sheets[other].team != battle.sheets[name].team,
            "metres": distance(battle, name, other),
            "ahead": battle.bodies[other].at >= here,
        }
        for other in others
    ]
