"""Damage in a vessel's own points, and the steps that scales and ranges add (CX-61 to CX-65)."""

from engine.cortex.model import Battle, Site, Weapon
from engine.cortex.tables import (
    FACTORS,
    INCREMENTS,
    MOST_INCREMENTS,
    PLANETCRAFT,
    SCALES,
    TENTHS,
    TO_HIT,
)


def counts_as(battle: Battle, scale: str) -> str:
    """Return the scale that counts for CX-61 to CX-63."""
    return scale if "scales" in battle.options else PLANETCRAFT


def to_hit(battle: Battle, scale: str, target: str) -> int:
    """Return the steps of a weapon's scale against a target's (CX-61)."""
    return TO_HIT.get((counts_as(battle, scale), counts_as(battle, target)), 0)


def applied(battle: Battle, points: int, scale: str, target: str, armour: int) -> int:
    """Return in tenths what points of damage do to a target behind its armour (CX-11, CX-62)."""
    apart = SCALES.index(counts_as(battle, scale)) - SCALES.index(counts_as(battle, target))
    factor = FACTORS[abs(apart)]
    if apart > 0:
        return max(points * factor - armour, 0) * TENTHS
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
    return min(site.wound + more, site.lp * TENTHS)
