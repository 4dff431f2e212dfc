"""Decorations: wound badges, achievement awards, heroism medals (SP-35, SP-36)."""

from engine.starpilot.pilot import Pilot
from engine.starpilot.tables import (
    ACE,
    ACE_EVERY,
    ACE_SIDE,
    BADGES,
    GRADES,
    MEDALS,
    MULTIPLES,
    Honour,
)
from engine.telling import View


def awards(pilot: Pilot) -> list[Honour]:
    """Return the achievement awards that a pilot holds, by the rules of its side (SP-35)."""
    if pilot.side == ACE_SIDE:
        times = (pilot.kills + pilot.prizes) // ACE_EVERY
        return [_ace(times)] if times else []
    counted, *grades = GRADES[pilot.side]
    return [honour for least, honour in grades if getattr(pilot, counted) >= least]


def _ace(times: int) -> Honour:
    """Return the Ace Medal for a multiple of five kills and prizes: AM, 2AM, 3AM."""
    if times > len(MULTIPLES):
        return Honour(f"{times}-fold {ACE.title}", f"{times}{ACE.code}")
    return Honour(MULTIPLES[times - 1] + ACE.title, f"{times if times > 1 else ''}{ACE.code}")


def decorations(pilot: Pilot) -> list[View]:
    """Return all that a pilot wears, the highest first, each with its title, code and count."""
    worn = [(MEDALS[pilot.side], pilot.medals)]
    worn += [(honour, 1) for honour in reversed(awards(pilot))]
    worn += [(BADGES[pilot.side], pilot.wounds)]
    return [honour._asdict() | {"count": count} for honour, count in worn if count]
