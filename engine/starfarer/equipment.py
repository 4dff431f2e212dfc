"""What squads are made of: archetypes, weapons and armour with their points (numbers of our own).

With its own kit each archetype is worth 60 points, and wins between 45 and 55 of 100 fights against
the others (docs/balance.md).
"""

from collections.abc import Mapping
from typing import NamedTuple

from engine.starfarer.tables import AREAS


class Archetype(NamedTuple):
    """A kind of character, with the kit that it has where its player names none.

    `traits` are in the order of TRAITS.
    """

    traits: tuple[int, int, int, int, int]
    initiative: int
    mass: int
    resilience: int
    stun: int
    basic_shock: int
    skills: Mapping[str, int]
    kit: tuple[str, ...]
    points: int


class Weapon(NamedTuple):
    """A weapon: how far it reaches is its `range` rating, or in melee its reach in metres."""

    skill: str
    mode: str
    pr: int
    dr: int
    type: str
    range: int
    points: int
    initiative: int = 0
    hands: int = 1
    blunt: bool = False
    extreme: bool = False


class Armour(NamedTuple):
    """A piece of armour: what it covers, and its rating against each type of weapon."""

    covers: tuple[str, ...]
    ratings: Mapping[str, int]
    points: int


_TORSO, _ARMS, _LEGS = AREAS[1:3], AREAS[3:5], AREAS[5:7]

WEAPONS: Mapping[str, Weapon] = {
    "Lux 9": Weapon("pistol", "ranged", 5, 4, "laser", 2, 12),
    "Colt 12": Weapon("pistol", "ranged", 4, 5, "bullet", 2, 12),
    "Sarn 40": Weapon("rifle", "ranged", 5, 5, "bullet", 3, 16, -1, 2),
    "Halo 7": Weapon("rifle", "ranged", 7, 4, "laser", 3, 16, -1, 2),
    "Lynx 90": Weapon("rifle", "ranged", 8, 5, "bullet", 4, 18, -2, 2, extreme=True),
    "Boar": Weapon("rifle", "ranged", 2, 7, "bullet", 1, 16, -1, 2),
    "Talon": Weapon("blade", "melee", 3, 4, "blade", 1, 4, 2),
    "Sabre": Weapon("blade", "melee", 5, 6, "blade", 1, 12, 1),
    "Pike": Weapon("staff", "melee", 4, 6, "blade", 2, 12, 0, 2),
    "Maul": Weapon("staff", "melee", 2, 8, "club", 1, 12, -1, 2, blunt=True),
}

ARMOUR: Mapping[str, Armour] = {
    "vest": Armour(_TORSO, {"laser": 6, "bullet": 7, "blade": 6, "club": 4}, 6),
    "jacket": Armour((*_TORSO, *_ARMS), {"laser": 7, "bullet": 8, "blade": 7, "club": 5}, 10),
    "suit": Armour((*_TORSO, *_ARMS, *_LEGS), {"laser": 8, "bullet": 8, "blade": 8, "club": 6}, 16),
    "helmet": Armour(AREAS[:1], {"laser": 7, "bullet": 8, "blade": 7, "club": 5}, 4),
}

ARCHETYPES: Mapping[str, Archetype] = {
    "guard": Archetype(
        (6, 5, 7, 6, 5), 8, 6, 14, 14, 14,
        {"rifle": 5, "pistol": 3, "blade": 3, "unarmed": 3, "evade": 4, "first aid": 1},
        ("Sarn 40", "Talon", "jacket"), 30,
    ),
    "scout": Archetype(
        (7, 7, 5, 6, 5), 11, 6, 12, 12, 12,
        {"pistol": 5, "rifle": 3, "blade": 4, "unarmed": 2, "evade": 6, "first aid": 2},
        ("Lux 9", "Talon", "vest", "helmet"), 34,
    ),
    "marksman": Archetype(
        (7, 5, 5, 4, 5), 5, 6, 12, 9, 9,
        {"rifle": 4, "pistol": 3, "blade": 1, "unarmed": 2, "evade": 3, "first aid": 1},
        ("Lynx 90", "vest"), 36,
    ),
    "duellist": Archetype(
        (5, 7, 7, 6, 5), 9, 6, 13, 15, 16,
        {"blade": 6, "staff": 4, "pistol": 2, "unarmed": 5, "evade": 6, "first aid": 1},
        ("Sabre", "jacket"), 38,
    ),
    "brawler": Archetype(
        (4, 6, 7, 7, 6), 8, 8, 14, 16, 16,
        {"staff": 5, "blade": 4, "unarmed": 6, "rifle": 2, "evade": 3, "first aid": 1},
        ("Maul", "jacket"), 38,
    ),
    "medic": Archetype(
        (7, 6, 7, 7, 7), 10, 6, 14, 15, 17,
        {"pistol": 5, "rifle": 2, "blade": 2, "unarmed": 3, "evade": 5, "first aid": 7},
        ("Colt 12", "jacket"), 38,
    ),
}  # fmt: skip


def points(archetype: str, kit: tuple[str, ...]) -> int:
    """Return what a character with this kit is worth."""
    arms = sum(WEAPONS[name].points for name in kit if name in WEAPONS)
    return ARCHETYPES[archetype].points + arms + sum(ARMOUR[n].points for n in kit if n in ARMOUR)
