"""What a challenge may ask for: the length of the field, and the optional rules."""

from collections.abc import Sequence
from typing import Any

from engine.campaign import Persona
from engine.errors import UnreadableOrder
from engine.fields import Data
from engine.i18n import say
from engine.names import distinct, named_rules
from engine.starfarer.equipment import ARCHETYPES, ARMOUR, WEAPONS
from engine.starfarer.model import Options
from engine.starfarer.persona_record import Member, squad_of
from engine.starfarer.tables import TRAITS

_OPTIONS = {key.replace("_", " "): key for key in Options.__struct_fields__}
_NEEDING = ("modifiers", "multiple")
"""The options that need the declaration, too (SF-10)."""
_MOST_METRES = 500


def field(setup: Data, written: str) -> Data:
    """Return a set-up in which the teams stand farther apart, or nearer, on a field of so many
    metres."""
    # Few digits only: Python refuses to read very long numbers, with an error of its own.
    number = int(written) if written.isdecimal() and len(written) < 5 else 0
    if not setup["field"] // 2 <= number <= _MOST_METRES:
        least = setup["field"] // 2
        text = say("a field has {least} to {most} metres", least=least, most=_MOST_METRES)
        raise UnreadableOrder(text, hint=say("FIELD 100"))
    teams = [
        {**team, "characters": [_moved(one, setup["field"], number) for one in team["characters"]]}
        for team in setup["teams"]
    ]
    return {**setup, "field": number, "teams": teams}


def _moved(character: Data, before: int, now: int) -> Data:
    # All in proportion, so that nobody gains by another length of the field.
    return {**character, "at": min(character["at"] * now // before, now)}


def options(setup: Data, written: str) -> Data:
    """Return a set-up with the optional rules that are named (SF-10, SF-11, SF-20, SF-35)."""
    found = named_rules(written, _OPTIONS)
    if any(key in found for key in _NEEDING):
        # Added rather than refused: these options mean nothing without it (SF-10).
        found.append("declaration")
    return {**setup, "options": {**setup["options"], **dict.fromkeys(found, True)}}


APART, EDGE = 20, 20
"""How many metres teams stand apart at the start, and how many are left to the field's ends."""


def melee(ones: Sequence[Persona], others: Sequence[Persona], first: str | None) -> Data:
    """Return the set-up of a fight between two teams of squads; see `between`.

    Nobody is first, since all act by dice.
    """
    return between((ones, others))


def between(teams: Sequence[Sequence[Persona]]) -> Data:
    """Return the set-up of a fight between teams of squads, each team named after its first.

    The first of a team stands nearest to the others, and each next one a metre behind. Two
    characters with the same name get the names of their squads in front.
    """
    every = [one for team in teams for one in team]
    alone = len(every) == len(teams)
    named = distinct([(one.name, m.name) for one in every for m in squad_of(one).members])
    return {
        "options": {},
        "field": 2 * EDGE + APART * (len(teams) - 1),
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
        "at": EDGE + APART * team + back,
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
