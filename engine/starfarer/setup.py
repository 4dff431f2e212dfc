"""A scenario's set-up made into a fight, or a sentence that names the field that is wrong."""

from engine import fields
from engine.errors import SetupError
from engine.fields import Data
from engine.seats import seat_named
from engine.starfarer.model import Armour, Battle, Body, CharacterSheet, Options, Team, Weapon
from engine.starfarer.tables import (
    AREAS,
    HANDS,
    LIMITS,
    MOST_CHARACTERS,
    MOST_FIELD,
    NEAREST,
    TEAMS,
    TRAITS,
)


def setup(value: object) -> Battle:
    """Return the fight of a set-up in the replay format; raise SetupError that names the field."""
    value = fields.an_object(value, "setup")
    options = _options(value)
    field = fields.number(value, "field", 1, MOST_FIELD, "setup")
    listed = fields.a_list(value, "teams", "setup")
    if not TEAMS[0] <= len(listed) <= TEAMS[1]:
        raise SetupError(f"setup.teams: a fight has {TEAMS[0]} to {TEAMS[1]} teams")
    # A fight may have more than two teams, so nothing here counts on a pair.
    teams, sheets, bodies = [], list[CharacterSheet](), list[Body]()
    for number, one in enumerate(listed):
        name, members = _team(one, number, f"setup.teams[{number}]", field)
        teams.append(Team(name, tuple(sheet.name for sheet, _ in members)))
        sheets += [sheet for sheet, _ in members]
        bodies += [body for _, body in members]
    # Checked when all is read: the field named is that of the second of two equal names.
    fields.unique((team.name, f"setup.teams[{n}].name") for n, team in enumerate(teams))
    fields.unique(
        (name, f"setup.teams[{number}].characters[{n}].name")
        for number, team in enumerate(teams)
        for n, name in enumerate(team.members)
    )
    names = [sheet.name for sheet in sheets]
    return Battle(
        options=options,
        field=field,
        teams=tuple(teams),
        sheets=dict(zip(names, sheets, strict=True)),
        bodies=dict(zip(names, bodies, strict=True)),
        plans={},
        felled={},
    )


def _options(value: Data) -> Options:
    given = fields.an_object({} if value.get("options") is None else value["options"], _OPTIONS)
    options = Options(
        **{key: fields.truth(given, key, _OPTIONS) for key in Options.__struct_fields__}
    )
    # Both change what was declared, so neither means anything without it (SF-10).
    for key in ("modifiers", "multiple"):
        if getattr(options, key) and not options.declaration:
            raise SetupError(f"{_OPTIONS}.{key}: it needs declaration too (SF-10)")
    return options


_OPTIONS = "setup.options"


def _team(
    value: object, number: int, where: str, field: int
) -> tuple[str, list[tuple[CharacterSheet, Body]]]:
    value = fields.an_object(value, where)
    name = fields.text(value, "name", where)
    listed = fields.a_list(value, "characters", where)
    if not 1 <= len(listed) <= MOST_CHARACTERS:
        raise SetupError(f"{where}.characters: a team has 1 to {MOST_CHARACTERS} characters")
    members = []
    for n, one in enumerate(listed):
        at = f"{where}.characters[{n}]"
        character = fields.an_object(one, at)
        sheet = _sheet(character, number, name, at)
        members.append((sheet, Body(at=fields.number(character, "at", 0, field, at))))
    return name, members


def _sheet(value: Data, team: int, team_name: str, where: str) -> CharacterSheet:
    name = fields.text(value, "name", where)
    # In a plan the word stands for an opponent (SF-9).
    if name == NEAREST:
        raise SetupError(f"{where}.name: nobody is called {name!r}")
    traits = fields.an_object(value.get("traits"), f"{where}.traits")
    weapons = _weapons(value, where)
    skills = _numbers(value, "skills", "skill", where)
    return CharacterSheet(
        name=name,
        team=team,
        seat=seat_named(value, team_name, f"|team {team}"),
        hand=fields.one_of_or_first(value, "hand", HANDS, where),
        skills=skills,
        armour=tuple(
            _armour(one, f"{where}.armour[{n}]")
            for n, one in enumerate(fields.some(value, "armour", where))
        ),
        weapons=weapons,
        # The greatest reach is asked for at every shot, so it is worked out once (SF-9).
        reach=max((weapon.reach for weapon in weapons if weapon.melee), default=1),
        **{key: _number(traits, key, f"{where}.traits") for key in TRAITS},
        **{key: _number(value, key, where) for key in _BODY},
    )


_BODY = ("initiative", "mass", "resilience", "stun", "basic_shock")


def _armour(value: object, where: str) -> Armour:
    value = fields.an_object(value, where)
    covers = fields.a_list(value, "covers", where)
    if not covers:
        raise SetupError(f"{where}.covers: name one or more areas")
    areas = [fields.one_of(area, AREAS, f"{where}.covers[{n}]") for n, area in enumerate(covers)]
    fields.an_object(value.get("ratings"), f"{where}.ratings")
    ratings = _numbers(value, "ratings", "rating", where)
    return Armour(tuple(AREAS.index(area) for area in areas), ratings)


def _weapons(value: Data, where: str) -> tuple[Weapon, ...]:
    weapons = [
        _weapon(one, f"{where}.weapons[{n}]")
        for n, one in enumerate(fields.some(value, "weapons", where))
    ]
    fields.unique((one.name, f"{where}.weapons[{n}].name") for n, one in enumerate(weapons))
    return tuple(weapons)


def _weapon(value: object, where: str) -> Weapon:
    value = fields.an_object(value, where)
    name = fields.text(value, "name", where)
    # Everybody has it, without a set-up that says so (SF-13).
    if name == "unarmed":
        raise SetupError(f"{where}.name: no weapon is called {name!r}")
    melee = fields.one_of(value.get("mode"), ("ranged", "melee"), f"{where}.mode") == "melee"
    return Weapon(
        name=name,
        skill=fields.text(value, "skill", where),
        melee=melee,
        pr=_number(value, "pr", where),
        dr=_number(value, "dr", where),
        type=fields.text(value, "type", where),
        # Of these three each is looked at for weapons of its own mode only.
        range=1 if melee else _number(value, "range", where),
        extreme=not melee and fields.truth(value, "extreme", where),
        reach=fields.number_or(1, value, "reach", LIMITS["reach"], where) if melee else 1,
        initiative=fields.number_or(0, value, "initiative", LIMITS["modifier"], where),
        hands=fields.number_or(1, value, "hands", LIMITS["hands"], where),
        blunt=fields.truth(value, "blunt", where),
    )


def _number(value: Data, key: str, where: str) -> int:
    return fields.number(value, key, *LIMITS[key], where)


def _numbers(value: Data, key: str, limits: str, where: str) -> dict[str, int]:
    """Return the numbers by name under a key, none where it is missing."""
    return {
        name: fields.whole(one, *LIMITS[limits], f"{where}.{key}.{name}")
        for name, one in fields.by_name(value, key, where).items()
    }
