"""Weapons and their guns: how many an order takes, how far they reach, and against whom."""

from typing import Final

from engine.cortex.attack_events import AimEnded, GunsLost
from engine.cortex.model import Battle, Order, Site, Weapon
from engine.cortex.queries import band, pair
from engine.cortex.tables import (
    FACTORS,
    INCREMENTS,
    MOST_IN_BATTERY,
    MOST_INCREMENTS,
    PLANETCRAFT,
    SCALES,
    TENTHS,
    TO_HIT,
)
from engine.cortex.turn_state import Deed, Turn


def counts_as(battle: Battle, scale: str) -> str:
    """Return the scale that counts for CX-61 to CX-63."""
    # Without the option all are of one scale, so that no factor applies (CX-1).
    return scale if "scales" in battle.options else PLANETCRAFT


def to_hit(battle: Battle, scale: str, target: str) -> int:
    """Return the steps of a weapon's scale against a target's (CX-61)."""
    return TO_HIT.get((counts_as(battle, scale), counts_as(battle, target)), 0)


def applied(battle: Battle, points: int, scale: str, target: str, armour: int) -> int:
    """Return in tenths what points of damage do to a target behind its armour (CX-11, CX-62)."""
    apart = SCALES.index(counts_as(battle, scale)) - SCALES.index(counts_as(battle, target))
    factor = FACTORS[abs(apart)]
    if apart > 0:
        # The larger weapon's points are multiplied before armour comes off (CX-11, CX-62).
        return max(points * factor - armour, 0) * TENTHS
    # The target's armour is multiplied, and so are its LP: each point counts less (CX-62).
    return max(points - armour * factor, 0) * TENTHS // factor


def begun(feet: int, increment: int) -> int:
    """Return how many increments beyond the first are begun (CX-65, CX-66)."""
    return max(-(-feet // increment) - 1, 0)


def increments(weapon: Weapon, feet: int) -> int | None:
    """Return the steps that a weapon loses at a distance, None where it is out of range (CX-65)."""
    beyond = begun(feet, INCREMENTS[weapon.range])
    return None if beyond >= MOST_INCREMENTS else -beyond


def worn(site: Site, scale: str, battle: Battle, points: int) -> int:
    """Return the Wound that a site has after so many points more, LP at most (CX-67)."""
    more = applied(battle, points, scale, site.scale, site.armour)
    # Casualties go by the LP lost: beyond them more would die than live there (CX-67, CX-69).
    return min(site.wound + more, site.lp * TENTHS)


GUN_ORDERS: Final = frozenset({"fire", "aim", "lock", "launch", "intercept", "bombard"})


def is_battery(battle: Battle, weapon: Weapon) -> bool:
    """Return whether guns of a weapon can be fired together (CX-39)."""
    return weapon.battery and "batteries" in battle.options


def is_linked(battle: Battle, weapon: Weapon) -> bool:
    """Return whether all guns of a weapon are always fired together (CX-50)."""
    return weapon.linked and "linked" in battle.options


def guns_refusal(play: Turn, name: str, weapon: Weapon, order: Order) -> str | None:
    """Return why a weapon cannot do what an order asks of its guns, or None (CX-16)."""
    most = MOST_IN_BATTERY if is_battery(play.battle, weapon) else 1
    if order.guns is not None and not 1 <= order.guns <= most:
        return "bad battery"
    doing, left = play.doing[name], play.battle.vessels[name].guns[weapon.name]
    # No more locks in a turn than missiles are left, whether they came off or not (CX-16).
    if order.do == "lock":
        return "spent" if doing.locks.get(weapon.name, 0) >= left else None
    # A missile is used up by being fired, so there is no limit for a turn (CX-16).
    if weapon.missile:
        return None if left else "spent"
    guns = asked(play, name, weapon, order.guns)
    used = doing.used.get(weapon.name, 0)
    # Against the guns it has now, since damage may have taken some in this turn (CX-16).
    return None if guns > 0 and used + guns <= left else "spent"


def asked(play: Turn, name: str, weapon: Weapon, guns: int | None) -> int:
    """Return how many guns an order takes, 0 or less where none is left."""
    left = play.battle.vessels[name].guns[weapon.name]
    if is_linked(play.battle, weapon):
        return left
    if guns is None and is_battery(play.battle, weapon):
        # Without a number: as many as are left, six at most (CX-39).
        unused = left - play.doing[name].used.get(weapon.name, 0)
        return min(unused, MOST_IN_BATTERY)
    return guns or 1


def spend(play: Turn, deed: Deed, weapon: Weapon, guns: int) -> None:
    """Use guns of a weapon, or a missile (CX-16); to fire ends an aim (CX-13)."""
    name = deed.pilot
    vessel = play.battle.vessels[name]
    if weapon.missile:
        play.record(GunsLost(name, weapon.name, vessel.guns[weapon.name] - 1, "fired"))
    else:
        used = play.doing[name].used
        used[weapon.name] = used.get(weapon.name, 0) + guns
    # Any `fire` ends it, also one at another target; nothing else does (CX-13).
    if deed.order.do == "fire" and weapon.name in vessel.aim:
        play.record(AimEnded(name, weapon.name))


def reaches(battle: Battle, name: str, weapon: Weapon, at: str) -> bool:
    """Return whether a weapon reaches a target (CX-6, CX-65)."""
    if battle.atmosphere:
        return range_steps(battle, name, weapon, at) is not None
    return band(battle, name, at) <= weapon.range


def range_steps(battle: Battle, name: str, weapon: Weapon, at: str) -> int | None:
    """Return the steps that distance costs in an atmosphere, None where it is too far (CX-65)."""
    if not battle.atmosphere:
        return 0
    return increments(weapon, battle.ranges[pair(battle, name, at)])
