"""Task groups between battles: their record, their worth, and the set-up of a battle of some."""

from collections.abc import Sequence
from typing import Any

from engine.campaign import Persona
from engine.codec import Record, decode, encode, plain
from engine.cortex import catalogue
from engine.cortex.model import Fate
from engine.cortex.tables import CAPITAL, RANGES
from engine.fields import Data
from engine.rosters import distinct

MOST_SHIPS = 12


class Ship(Record, frozen=True):
    """A vessel of a group and its crew, with what its last battle has left.

    Stun and Wound are in tenths of a point, and `spent` are the guns and missiles that were gone.
    """

    name: str
    kind: str
    crew: str
    fate: Fate = "active"
    stun: int = 0
    wound: int = 0
    damaged: tuple[str, ...] = ()
    spent: tuple[tuple[str, int], ...] = ()


class Group(Record, frozen=True):
    """A group's record: its vessels, and what it has done."""

    ships: tuple[Ship, ...]
    battles: int = 0
    wins: int = 0
    felled: int = 0
    lost: int = 0
    disbanded: bool = False


def group_of(persona: Persona) -> Group:
    """Return a persona's record."""
    return decode(encode(persona.record), Group)


def persona_of(name: str, group: Group) -> Persona:
    """Return a group as a persona, which is a side of its own."""
    return Persona(name, name, plain(group))


def worth(group: Group) -> int:
    """Return a group's points, by which groups are matched."""
    return sum(catalogue.points(one.kind, one.crew) for one in group.ships)


def duel(one: Persona, other: Persona, first: str | None) -> Data:
    """Return the set-up of a battle between two groups; nobody is first, since all act by dice."""
    return melee((one,), (other,), first)


def melee(ones: Sequence[Persona], others: Sequence[Persona], first: str | None) -> Data:
    """Return the set-up of a battle between two teams of groups, each named after its first.

    Vessels with the same name get their group's before it.
    """
    every = (*ones, *others)
    named = distinct([(one.name, ship.name) for one in every for ship in group_of(one).ships])
    teams = [
        {
            "name": team[0].name if len(every) == 2 else f"Team {team[0].name}",
            "vessels": [
                catalogue.vessel_data(named[one.name, ship.name], one.name, ship.kind, ship.crew)
                for one in team
                for ship in group_of(one).ships
            ],
        }
        for team in (ones, others)
    ]
    found: dict[str, Any] = {"range": RANGES[CAPITAL], "teams": teams}
    return found
