"""Point defence against what enters its range (CX-47, CX-48)."""

from engine.cortex.attack_events import PointDefended
from engine.cortex.damage import gun_harm, strike
from engine.cortex.model import Members, Weapon
from engine.cortex.tables import HEROIC, PLANETCRAFT, SKIRMISH
from engine.cortex.telling import Hit, Telling, succeeds
from engine.cortex.units import (
    active,
    band,
    band_of,
    is_active,
    is_immobile,
    leaders,
    pair,
    unit_of,
    worst_pilot,
)


def point_defence(telling: Telling) -> None:
    """Let each vessel that has point defence fire at what enters (CX-47)."""
    battle = telling.battle
    met = _met(telling)
    if "point_defence" not in battle.options or not met:
        return
    armed = [name for name in active(battle) if any(one.pd for one in battle.sheets[name].weapons)]
    for name in armed:
        if not is_active(telling.battle, name) or telling.doing[name].silent:
            continue
        for leader in leaders(telling.battle):
            # An earlier unit may have been shot down, or have a new leader.
            unit = unit_of(telling.battle, leader)
            if is_active(telling.battle, leader) and _enters(telling, name, unit, met):
                _fire_at(telling, name, unit)


def _met(telling: Telling) -> set[str]:
    """Return the pairs of vessels whose range has become skirmish in this stage."""
    battle, opened = telling.battle, telling.opened
    return {
        key
        for key, found in battle.ranges.items()
        if found != opened[key]
        and band_of(battle, found) == SKIRMISH != band_of(battle, opened[key])
    }


def _enters(telling: Telling, name: str, unit: Members, met: set[str]) -> bool:
    """Return whether a unit has entered the range of a vessel's point defence (CX-47)."""
    battle, leader = telling.battle, unit[0]
    if battle.sheets[leader].scale != PLANETCRAFT:
        return False
    if battle.sheets[leader].team != battle.sheets[name].team:
        return pair(battle, name, leader) in met
    at = telling.doing[leader].closing_at
    # It does not tell friend from foe: its own craft enter with the enemy they close on.
    if name in unit or at is None or pair(battle, leader, at) not in met:
        return False
    return is_active(battle, at) and band(battle, name, at) == SKIRMISH


def _fire_at(telling: Telling, name: str, unit: Members) -> None:
    """Fire each point-defence weapon once at a unit, as long as some of it is left (CX-48)."""
    for weapon in telling.battle.sheets[name].weapons:
        members = tuple(one for one in unit if is_active(telling.battle, one))
        if not members:
            return
        if weapon.pd and telling.battle.vessels[name].guns[weapon.name]:
            _attack(telling, name, weapon, members)


def _attack(telling: Telling, name: str, weapon: Weapon, members: Members) -> None:
    total, raised, throw = 0, 1, None
    pilot = worst_pilot(telling.battle, members)
    if not is_immobile(telling.battle, members):
        throw = telling.fly(members, f"evades {weapon.name}", telling.doing[pilot].defence)
        total, raised = throw.total, 1 + throw.botch
    harm = None
    if throw is None or not succeeds(throw, HEROIC):
        harm = gun_harm(telling, pilot, max(HEROIC - total, 0), weapon, raised)
    telling.tell(PointDefended(name, weapon.name, members[0], HEROIC, throw, harm))
    if harm is not None:
        strike(telling, Hit(name, members, weapon.scale, harm))
