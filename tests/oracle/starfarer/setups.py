"""Random set-ups of Starfarer that try everything the format allows."""

from __future__ import annotations

from random import Random
from typing import Any

Json = dict[str, Any]

AREAS = ("head", "chest", "abdomen", "right arm", "left arm", "right leg", "left leg")
OPTIONS = ("declaration", "modifiers", "multiple", "blow_through", "blunt")
TRAITS = ("dexterity", "agility", "endurance", "willpower", "essence")
TEAMS = ("red", "blue", "Étoile", "the lower side", "nearest", "Red", "|referee", "Ann")
NAMES = ("Ann", "Bo", "Zoë", "O'Brien", "Wål", "1", "null", "ann", "Ann ", "⚔", "unarmed",
         "Nearest", "shock", "head", "  padded  ", "Ж", "red")  # fmt: skip
SKILLS = ("pistol", "rifle", "knife", "unarmed", "evade", "first aid", "Evade", "ö")
TYPES = ("bullet", "laser", "blade", "unarmed", "Laser")
WEAPONS = ("pistol", "rifle", "knife", "staff", "Unarmed", "left hand", "knife ", "gün")


def random_setup(rng: Random) -> Json:
    """Two to four teams that are fit to fight."""
    ground = rng.choice(GROUNDS)
    setup: Json = {"field": ground[1], "teams": random_teams(rng, ground)}
    options = random_options(rng)
    if options or rng.random() < 0.5:
        setup["options"] = options or rng.choice(({}, None))
    if rng.random() < 0.1:
        setup["weather"] = rng.choice(("fine", None, {"q": []}))
    return setup


def random_options(rng: Random) -> Json:
    """Any set of options that go together, some of them written though they are not used."""
    chosen = {key: rng.random() < 0.5 for key in OPTIONS}
    if not chosen["declaration"]:
        chosen["modifiers"] = chosen["multiple"] = False
    return {key: used for key, used in chosen.items() if used or rng.random() < 0.2}


Ground = tuple[str, int, int]
"""What it is called, how long the field is, and how far apart characters start at most."""

GROUNDS: tuple[Ground, ...] = (
    ("brawl", 20, 2),
    ("brawl", 6, 3),
    ("alley", 30, 8),
    ("alley", 60, 15),
    ("street", 60, 40),
    ("plain", 400, 150),
    ("plain", 300_000, 12_000),
    ("cell", 1, 1),
)


def random_teams(rng: Random, ground: Ground) -> list[Json]:
    """Teams of one to eight characters in all, seldom more."""
    count = rng.choice((2, 2, 2, 3, 3, 4))
    total = rng.randint(count, 8)
    sizes = [1] * count
    for _ in range(total - count):
        sizes[rng.randrange(count)] += 1
    if rng.random() < 0.02:
        sizes[rng.randrange(count)] = 12
    names = iter([*rng.sample(NAMES, len(NAMES)), *(f"E{n}" for n in range(40))])
    middle = rng.randint(0, ground[1])
    kind = rng.choice(("frail", "tough", "tough", "hardy", "hardy"))
    stock = [random_weapon(rng, name, kind) for name in rng.sample(WEAPONS, len(WEAPONS))]
    teams = []
    for name, size in zip(rng.sample(TEAMS, count), sizes, strict=True):
        members = [
            random_character(rng, next(names), stock, kind) | {"at": place(rng, ground, middle)}
            for _ in range(size)
        ]
        teams.append({"name": name, "characters": members})
    return teams


def place(rng: Random, ground: Ground, middle: int) -> int:
    """Somewhere near the middle, and on the field."""
    far = rng.randint(-ground[2], ground[2]) if rng.random() < 0.8 else rng.choice((-1, 0, 1))
    return min(max(middle + far, 0), ground[1])


BUILDS = {
    "frail": ((1, 2, 3, 4, 5, 6, 9, 60), (1, 4, 8, 10, 15, 40), (1, 2, 4, 9, 200)),
    "tough": ((6, 6, 5, 7, 8, 12, 20), (4, 8, 10, 15, 40), (5, 8, 10, 14, 30, 60)),
    "hardy": ((6, 7, 8, 12, 15, 20), (20, 40, 200), (20, 30, 60, 120, 200)),
}
"""Masses, stuns and basic shocks."""


def random_character(rng: Random, name: str, stock: list[Json], kind: str) -> Json:
    """A character; the tough and the hardy live long enough to bleed, be treated and wake."""
    spread = {"tough": (4, 9), "hardy": (9, 20)}.get(kind, rng.choice(((1, 20), (2, 8), (5, 12))))
    masses, stuns, shocks = BUILDS[kind]
    character: Json = {
        "name": name,
        "traits": {key: rng.randint(*spread) for key in TRAITS},
        "initiative": rng.choice((0, 4, 7, 8, 9, 9, 10, 12, 15, 20, 30)),
        "mass": rng.choice(masses),
        "resilience": rng.choice((0, 0, 4, 6, 8, 10, 14, 200)),
        "stun": rng.choice(stuns),
        "basic_shock": rng.choice(shocks),
        "skills": {key: rng.randint(0, 9) for key in SKILLS if rng.random() < 0.7},
        "weapons": rng.sample(stock, rng.choice((0, 1, 1, 2, 2, 3, 4))),
    }
    if rng.random() < 0.6:
        character["armour"] = [random_armour(rng) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.5:
        character["hand"] = rng.choice(("right", "left", "left", None))
    for key in ("skills", "weapons"):
        if not character[key] and rng.random() < 0.5:
            character[key] = None
    if rng.random() < 0.05:
        character.update(rng.choice(({"seat": "blue"}, {"seat": 3}, {"colour": None})))
    return character


def random_armour(rng: Random) -> Json:
    """A piece of armour."""
    covers = rng.sample(AREAS, rng.choice((1, 1, 2, 3, 7)))
    ratings = {key: rng.choice((0, 2, 5, 8, 12, 16)) for key in TYPES if rng.random() < 0.6}
    return {"covers": covers, "ratings": ratings}


def random_weapon(rng: Random, name: str, kind: str) -> Json:
    """A weapon, a weak one for the tough, with keys that its mode has no use for now and then."""
    ranged = rng.random() < 0.5
    weapon: Json = {
        "name": name,
        "skill": rng.choice(SKILLS),
        "mode": "ranged" if ranged else "melee",
        "pr": rng.choice((0, 2, 5, 8, 12)),
        "dr": rng.choice((0, 1, 2, 3, 5, 7, 10, 15) if kind == "frail" else (1, 2, 3, 4, 5, 6)),
        "type": rng.choice(TYPES),
    }
    if ranged:
        weapon["range"] = rng.randint(1, 8) if rng.random() < 0.5 else rng.randint(1, 3)
        wanted = {"extreme": (True, False, None)}
    else:
        wanted = {"reach": (1, 2, 3, 10, None)}
    wanted |= {"initiative": (-3, -2, -1, 0, 1, 2, 3, None), "hands": (1, 2, 2, None)}
    wanted |= {"blunt": (True, False, None)}
    weapon |= {key: rng.choice(values) for key, values in wanted.items() if rng.random() < 0.7}
    if rng.random() < 0.1:
        weapon.update({"reach": "far", "extreme": False} if ranged else {"range": 99})
    return weapon
