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
from engine.starfarer.tables import ALWAYS_FAILS, AREAS, MEDIUM, PHASE, SHOCK
from engine.starfarer.turn_state import Round, added
from engine.starfarer.wounds import degree, is_mortal, succeeds, worst


class Deed(NamedTuple):
    """An action and who does it: for whom, with what handicap (SF-11), whether it was aimed."""

    name: str
    action: Action
    target: str | None = None
    handicap: int = 0
    aimed: bool = False


def carry_out(play: Round, deed: Deed) -> None:
    """Carry an action out that nothing hinders; a failed disability check spoils it (SF-8)."""
    play.record(Acted(deed.name, deed.action.do, deed.target))
    if deed.action.do in _DO and _use_limbs(play, deed):
        _DO[deed.action.do](play, deed)


def _use_limbs(play: Round, deed: Deed) -> bool:
    """Check the injured limbs that an action uses, and return whether none fails (SF-28)."""
    sheet, body = play.of(deed.name)
    intent = play.intents[deed.name]
    for limb in limbs_of(sheet, body, deed.action):
        if limb in intent.passed or worst(body.wounds[limb]) < MEDIUM:
            continue
        mcs = chances.disability(sheet, body, limb)
        roll = play.roll(f"{deed.name} {AREAS[limb]}", (min(mcs, ALWAYS_FAILS - 1),))
        passed = succeeds(roll, mcs)
        play.record(LimbChecked(deed.name, limb, mcs, roll, passed))
        if not passed:
            # The next limb is not checked, and this one is of no use for the rest of the round
            # (SF-28).
            intent.failed.add(limb)
            return False
        intent.passed.add(limb)
    return True


def _attack(play: Round, deed: Deed) -> None:
    name, target = deed.name, deed.target
    assert target is not None
    weapon = weapon_of(play.battle.sheets[name], deed.action)
    # Before the roll, and after the attacker's own limbs have been checked (SF-16).
    _abort(play, target, weapon.melee)
    battle = play.battle
    aimed = chances.attack(battle, name, target, deed.action, deed.handicap, deed.aimed)
    roll = play.roll(f"{name} attack on {target}")
    los = degree(roll, aimed.mcs) if succeeds(roll, aimed.mcs) else None
    metres = distance(battle, name, target)
    play.record(Attacked(name, target, weapon.name, metres, *aimed, roll, los))
    # A marginal success, with LOS 0, hits as well: it does half (SF-2, SF-19).
    if los is not None:
        land(play, name, target, weapon, roll, los)


def _abort(play: Round, name: str, melee: bool) -> None:
    """Let the target of an attack give up its next phase for a defence (SF-16)."""
    intent, body = play.intents.get(name), play.battle.bodies[name]
    if intent is None or intent.abort is None:
        return
    # Only once: a defence that stands counts against this attack too.
    if body.ap < PHASE or body.evade or body.parry:
        return
    # Nothing parries a shot: who would parry evades it.
    do = intent.abort if melee else "evade"
    deed = Deed(name, Action(do))
    if hindrance(play.battle, name, deed.action, (), intent.failed) is not None:
        return
    # The defence takes the place of the entry that would have come next.
    intent.reached += 1
    modifier = added(play.battle, name, intent.next())
    play.record(Aborted(name, do, modifier, body.ap - PHASE + modifier))
    if _use_limbs(play, deed):
        _defend(play, deed)


def _defend(play: Round, deed: Deed) -> None:
    do = deed.action.do
    mcs = chances.defence(*play.of(deed.name), deed.action, deed.handicap)
    roll = play.roll(f"{deed.name} {do}")
    # It stands against any number of attacks until the next phase begins (SF-15).
    value = 1 + degree(roll, mcs) if succeeds(roll, mcs) else 0
    play.record(Defended(deed.name, do, mcs, roll, value))


def _treat(play: Round, deed: Deed) -> None:
    patient, area = deed.target, deed.action.area
    assert patient is not None
    assert area is not None
    mcs = chances.treatment(*play.of(deed.name), deed.action, deed.handicap)
    roll = play.roll(f"{deed.name} treats {patient}")
    _, body = play.of(patient)
    stopped, steadied = 0, False
    if succeeds(roll, mcs) and area == SHOCK:
        steadied = True
    elif succeeds(roll, mcs):
        # No more than there is: an event says what has changed.
        stopped = min(1 + degree(roll, mcs), body.bleeding[AREAS.index(area)])
        steadied = is_mortal(body, AREAS.index(area))
    play.record(Treated(deed.name, patient, area, mcs, roll, stopped, steadied))


def _move(play: Round, deed: Deed) -> None:
    """Move toward a point, or to a metre from somebody; beyond the field is away (SF-37)."""
    battle = play.battle
    sheet, body = play.of(deed.name)
    start = end = body.at
    if deed.target is None:
        end = deed.action.to if deed.action.to is not None else start
    else:
        other = battle.bodies[deed.target].at
        # Nobody comes nearer than a metre; a character that is that near already stays (SF-37).
        if abs(other - start) > 1:
            end = other - 1 if other > start else other + 1
    most = chances.stride(sheet, body)
    end = min(max(end, start - most), start + most)
    play.record(Moved(deed.name, start, end))
    # The field has no walls: beyond its ends one has left the fight (SF-37).
    if not 0 <= end <= battle.field:
        play.record(Out(deed.name, "left"))


def _pose(play: Round, deed: Deed) -> None:
    play.record(Posed(deed.name, deed.action.do == "drop"))


def _yield(play: Round, deed: Deed) -> None:
    play.record(Out(deed.name, "surrendered"))


_DO: Mapping[str, Callable[[Round, Deed], None]] = {
    "attack": _attack,
    "evade": _defend,
    "parry": _defend,
    "move": _move,
    "treat": _treat,
    "drop": _pose,
    "rise": _pose,
    "yield": _yield,
}
"""What is done where nothing spoils it; aim and hold need no more than their event."""
