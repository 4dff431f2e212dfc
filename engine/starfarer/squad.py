"""Squads between fights: their record, their worth, and the set-up of a fight of some."""

from collections.abc import Sequence
from typing import Any

from engine.campaign import Persona
from engine.codec import Record, decode, encode, plain
from engine.fields import Data
from engine.rosters import distinct
from engine.starfarer import catalogue
from engine.starfarer.catalogue import ARCHETYPES, ARMOUR, WEAPONS
from engine.starfarer.model import UNHURT, Circles
from engine.starfarer.tables import TRAITS

MOST_MEMBERS = 4
_APART, _EDGE = 20, 20
"""How many metres teams stand apart at the start, and how many are left to the field's ends."""


class Member(Record, frozen=True):
    """A character of a squad, with what its last fight has left (SF-40)."""

    name: str
    archetype: str
    kit: tuple[str, ...]
    wounds: tuple[Circles, ...] = UNHURT
    shock: int = 0
    dead: bool = False


class Squad(Record, frozen=True):
    """A squad's record: its members, and what it has done."""

    members: tuple[Member, ...]
    fights: int = 0
    wins: int = 0
    felled: int = 0
    lost: int = 0
    disbanded: bool = False


def squad_of(persona: Persona) -> Squad:
    """Return a persona's record."""
    return decode(encode(persona.record), Squad)


def persona_of(name: str, squad: Squad) -> Persona:
    """Return a squad as a persona, which is a side of its own."""
    return Persona(name, name, plain(squad))


def worth(squad: Squad) -> int:
    """Return a squad's points, by which squads are matched."""
    return sum(catalogue.points(one.archetype, one.kit) for one in squad.members)


def duel(one: Persona, other: Persona, first: str | None) -> Data:
    """Return the set-up of a fight between two squads; nobody is first, since all act by dice."""
    return melee((one,), (other,), first)


def melee(ones: Sequence[Persona], others: Sequence[Persona], first: str | None) -> Data:
    """Return the set-up of a fight between two teams of squads; see `between`."""
    return between((ones, others))


def between(teams: Sequence[Sequence[Persona]]) -> Data:
    """Return the set-up of a fight between teams of squads, each team named after its first.

    Who leads stands nearest to the others, and members of a squad a metre apart. Characters with
    the same name get their squad's before it.
    """
    every = [one for team in teams for one in team]
    alone = len(every) == len(teams)
    named = distinct([(one.name, m.name) for one in every for m in squad_of(one).members])
    return {
        "options": {},
        "field": 2 * _EDGE + _APART * (len(teams) - 1),
        "teams": [
            {
                "name": team[0].name if alone else f"Team {team[0].name}",
                "characters": [
                    _character(
                        member, named[one.name, member.name], one.name, number, len(teams), n
                    )
                    for n, (one, member) in enumerate(
                        (one, member) for one in team for member in squad_of(one).members
                    )
                ],
            }
            for number, team in enumerate(teams)
        ],
    }


def _character(
    member: Member, name: str, seat: str, team: int, teams: int, place: int
) -> dict[str, Any]:
    """Return a character as a set-up writes it."""
    kind = ARCHETYPES[member.archetype]
    # Further members of a team stand behind the first: those at an end of the field, away from it.
    back = -place if team < teams - 1 else place
    return {
        "name": name,
        "seat": seat,
        "traits": dict(zip(TRAITS, kind.traits, strict=True)),
        **{key: getattr(kind, key) for key in _NUMBERS},
        "at": _EDGE + _APART * team + back,
        "skills": dict(kind.skills),
        "armour": [
            {"covers": list(ARMOUR[one].covers), "ratings": dict(ARMOUR[one].ratings)}
            for one in member.kit
            if one in ARMOUR
        ],
        "weapons": [weapon_data(one) for one in member.kit if one in WEAPONS],
    }


_NUMBERS = ("initiative", "mass", "resilience", "stun", "basic_shock")


def weapon_data(name: str) -> Data:
    """Return a weapon of the catalogue as a set-up writes it."""
    weapon = WEAPONS[name]
    data = {"name": name, **weapon._asdict()}
    del data["points"]
    reach = data.pop("range") if weapon.mode == "melee" else 1
    return {**data, "reach": reach}
