"""A pilot's record between battles."""

from typing import Literal

from engine.campaign import Day, Persona
from engine.codec import Record, decode, encode, plain
from engine.starpilot.tables import LAST_RANK


class Owed(Record, frozen=True):
    """A reward that waits for its player's choice; `points` go on aptitudes (SP-33)."""

    what: Literal["points", "stat", "ship"]
    points: int = 0


class Pilot(Record, frozen=True):
    """A pilot's record; HP in tenths (SP-30).

    `held` is the day on which it was last taken prisoner, `spent` that of its last reward, and
    `fought` that on which its last battle ended.
    """

    side: str
    mode: str
    weapons: int
    piloting: int
    sensors: int
    ship: str
    mark: int = 0
    rank: int = 1
    hp: int = 0
    hp_total: int = 0
    missions: int = 0
    kills: int = 0
    prizes: int = 0
    wounds: int = 0
    medals: int = 0
    dead: bool = False
    resigned: bool = False
    held: Day = ""
    spent: Day = ""
    fought: Day = ""
    owed: Owed | None = None


def pilot_of(persona: Persona) -> Pilot:
    """Return a persona's record."""
    return decode(encode(persona.record), Pilot)


def persona_of(name: str, pilot: Pilot) -> Persona:
    """Return a record as a persona with a name."""
    return Persona(name, pilot.side, plain(pilot))


def is_gone(pilot: Pilot) -> bool:
    """Return whether a pilot is dead or struck off."""
    return pilot.dead or pilot.resigned


def has_won(pilot: Pilot) -> bool:
    """Return whether a pilot has reached Rank Five, and is in the hall of fame (SP-34)."""
    return pilot.rank >= LAST_RANK
