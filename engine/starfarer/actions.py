"""Actions carried out: attacks and defences, aid, movement (SF-12 to SF-17, SF-36, SF-37)."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine.starfarer import chances
from engine.starfarer.damage import land
from engine.starfarer.events import (
    Aborted,
    Acted,
    Attacked,
    Defended,
    LimbChecked,
    Moved,
    Out,
    Posed,
    Treated,
)
from engine.starfarer.legal import hindrance, limbs_of
from engine.starfarer.model import Action, distance, weapon_of
from engine.starfarer.play import Telling, added
from engine.starfarer.tables import ALWAYS_FAILS, AREAS, MEDIUM, PHASE, SHOCK
from engine.starfarer.wounds import degree, is_mortal, succeeds, worst


class Deed(NamedTuple):
    """An action and who does it: for whom, with what handicap (SF-11), whether it was aimed."""

    name: str
    action: Action
    target: str | None = None
    handicap: int = 0
    aimed: bool = False


def carry_out(telling: Telling, deed: Deed) -> None:
    """Carry an action out that nothing hinders; a failed disability check spoils it (SF-8)."""
    telling.tell(Acted(deed.name, deed.action.do, deed.target))
    if deed.action.do in _DO and _use_limbs(telling, deed):
        _DO[deed.action.do](telling, deed)


def _use_limbs(telling: Telling, deed: Deed) -> bool:
    """Check the injured limbs that an action uses, and return whether none fails (SF-28)."""
    sheet, body = telling.of(deed.name)
    intent = telling.intents[deed.name]
    for limb in limbs_of(sheet, body, deed.action):
        if limb in intent.passed or worst(body.wounds[limb]) < MEDIUM:
            continue
        mcs = chances.disability(sheet, body, limb)
        roll = telling.roll(f"{deed.name} {AREAS[limb]}", (min(mcs, ALWAYS_FAILS - 1),))
        passed = succeeds(roll, mcs)
        telling.tell(LimbChecked(deed.name, limb, mcs, roll, passed))
        if not passed:
            intent.failed.add(limb)
            return False
        intent.passed.add(limb)
    return True


def _attack(telling: Telling, deed: Deed) -> None:
    name, target = deed.name, deed.target
    assert target is not None
    weapon = weapon_of(telling.battle.sheets[name], deed.action)
    _abort(telling, target, weapon.melee)
    battle = telling.battle
    aimed = chances.attack(battle, name, target, deed.action, deed.handicap, deed.aimed)
    roll = telling.roll(f"{name} attack on {target}")
    los = degree(roll, aimed.mcs) if succeeds(roll, aimed.mcs) else None
    metres = distance(battle, name, target)
    telling.tell(Attacked(name, target, weapon.name, metres, *aimed, roll, los))
    if los is not None:
        land(telling, name, target, weapon, roll, los)


def _abort(telling: Telling, name: str, melee: bool) -> None:
    """Let the target of an attack give up its next phase for a defence (SF-16)."""
    intent, body = telling.intents.get(name), telling.battle.bodies[name]
    if intent is None or intent.abort is None:
        return
    # Only once: a defence that stands counts against this attack too.
    if body.ap < PHASE or body.evade or body.parry:
        return
    # Nothing parries a shot: who would parry evades it.
    do = intent.abort if melee else "evade"
    deed = Deed(name, Action(do))
    if hindrance(telling.battle, name, deed.action, (), intent.failed) is not None:
        return
    # The defence takes the place of the entry that would have come next.
    intent.reached += 1
    modifier = added(telling.battle, name, intent.next())
    telling.tell(Aborted(name, do, modifier, body.ap - PHASE + modifier))
    if _use_limbs(telling, deed):
        _defend(telling, deed)


def _defend(telling: Telling, deed: Deed) -> None:
    do = deed.action.do
    mcs = chances.defence(*telling.of(deed.name), deed.action, deed.handicap)
    roll = telling.roll(f"{deed.name} {do}")
    value = 1 + degree(roll, mcs) if succeeds(roll, mcs) else 0
    telling.tell(Defended(deed.name, do, mcs, roll, value))


def _treat(telling: Telling, deed: Deed) -> None:
    patient, area = deed.target, deed.action.area
    assert patient is not None
    assert area is not None
    mcs = chances.treatment(*telling.of(deed.name), deed.action, deed.handicap)
    roll = telling.roll(f"{deed.name} treats {patient}")
    _, body = telling.of(patient)
    stopped, steadied = 0, False
    if succeeds(roll, mcs) and area == SHOCK:
        steadied = True
    elif succeeds(roll, mcs):
        stopped = min(1 + degree(roll, mcs), body.bleeding[AREAS.index(area)])
        steadied = is_mortal(body, AREAS.index(area))
    telling.tell(Treated(deed.name, patient, area, mcs, roll, stopped, steadied))


def _move(telling: Telling, deed: Deed) -> None:
    """Move toward a point, or to a metre from somebody; beyond the field is away (SF-37)."""
    battle = telling.battle
    sheet, body = telling.of(deed.name)
    start = end = body.at
    if deed.target is None:
        end = deed.action.to if deed.action.to is not None else start
    else:
        other = battle.bodies[deed.target].at
        if abs(other - start) > 1:
            end = other - 1 if other > start else other + 1
    most = chances.stride(sheet, body)
    end = min(max(end, start - most), start + most)
    telling.tell(Moved(deed.name, start, end))
    if not 0 <= end <= battle.field:
        telling.tell(Out(deed.name, "left"))


def _pose(telling: Telling, deed: Deed) -> None:
    telling.tell(Posed(deed.name, deed.action.do == "drop"))


def _yield(telling: Telling, deed: Deed) -> None:
    telling.tell(Out(deed.name, "surrendered"))


_DO: Mapping[str, Callable[[Telling, Deed], None]] = {
    "attack": _attack,
    "evade": _defend,
    "parry": _defend,
    "move": _move,
    "treat": _treat,
    "drop": _pose,
    "rise": _pose,
    "yield": _yield,
}
"""What is done where nothing spoils it; aim and hold are done once they are told."""
