"""Scenarios of Starfarer at the edges that random ones seldom meet.

The naive referee plays them ahead, with dice that fall where they are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.oracle.naive_starfarer import Fight
from tests.oracle.starfarer.areas import Json
from tests.oracle.starfarer.people import LONG, MEDIUM

TRAITS = ("dexterity", "agility", "endurance", "willpower", "essence")


def character(name: str, at: int, weapon: Json, **other: int) -> Json:
    """A sturdy character with one weapon."""
    skills = {"any": 9, "evade": 5, "first aid": 9}
    figures = {"initiative": 12, "mass": 6, "resilience": 0, "stun": 200, "basic_shock": 200}
    traits = dict.fromkeys(TRAITS, 9)
    armed = {"name": "weapon", "skill": "any", "type": "blade", **weapon}
    return {"name": name, "traits": traits, "at": at, "skills": skills, "weapons": [armed],
            **figures, **other}  # fmt: skip


def played(setup: Json, orders: list[Json], rng: Random, falls: dict[str, tuple[int, ...]]) -> Json:
    """The scenario, with dice that fall as listed for what they are for, else at random."""
    dice: list[int] = []

    def die(sides: int, purpose: str) -> int:
        dice.append(rng.choice(falls.get(purpose, range(1, sides + 1))))
        return dice[-1]

    fight = Fight(setup, die)
    for index, order in enumerate(orders):
        fight.give(index, order)
    return {"system": "starfarer", "setup": setup, "orders": orders, "dice": dice}


def at_the_ends_of_brackets() -> Iterator[Json]:
    """Shots at the last metre of each bracket, and one metre farther (SF-12)."""
    for rating, (medium, long) in enumerate(zip(MEDIUM, LONG, strict=True), 1):
        for end in (rating, 5 * rating, medium, long, 3 * long // 2):
            for metres in (end, end + 1):
                gun = {"mode": "ranged", "pr": 0, "dr": 1, "range": rating, "extreme": True}
                people = [character("Ann", 0, gun), character("Bo", metres, gun)]
                yield played(two_teams(people), [{"round": 1, "end": True}], Random(metres), {})


def with_ten_quiet_rounds() -> Iterator[Json]:
    """Nobody attacks, and in one of the last rounds somebody yields, or nobody does (SF-39)."""
    people = [character(name, 9, {"mode": "melee", "pr": 0, "dr": 1}) for name in ("Ann", "Bo")]
    for last in range(8, 12):
        orders: list[Json] = []
        for number in range(1, 12):
            for name in ("Ann", "Bo"):
                do = "yield" if (number, name) == (last, "Bo") else "hold"
                orders.append({"round": number, "character": name, "plan": [[{"do": do}]]})
            orders.append({"round": number, "end": True})
        yield played(two_teams(people), orders, Random(last), {})


def with_injured_limbs(rng: Random) -> Json:
    """Knives that hit the arms and legs of who attacks, parries and treats with them (SF-28)."""
    knives = [
        {"mode": "melee", "pr": 0, "dr": rng.randint(1, 4), "hands": rng.choice((1, 2))}
        for _ in range(4)
    ]
    names = ("Ann", "Bo", "Cy", "Di")
    people = [
        character(name, 5, knife, initiative=rng.randint(10, 30), mass=rng.choice((6, 6, 10, 20)))
        for name, knife in zip(names, knives, strict=True)
    ]
    falls = {"limb": (1, 5, 40, 90), "shock": (1,), "survival": (1,)}
    limb = rng.choice(((7, 8), (7,), (8, 7, 9), (9, 0)))
    falls["to hit"] = tuple(10 * tens + ones for tens in range(9) for ones in limb if tens + ones)
    orders: list[Json] = []
    for number in range(1, 7):
        orders += [
            {"round": number, "character": name, "plan": [[deed(rng)], [deed(rng)]]}
            for name in names
        ]
        orders.append({"round": number, "end": True})
    return played(two_teams(people), orders, rng, falls)


def deed(rng: Random) -> Json:
    """Mostly an attack."""
    deeds = ("attack", "attack", "attack", "parry", "evade", "treat")
    action: Json = {"do": rng.choice(deeds), "arm": rng.choice(("right", "left"))}
    if action["do"] == "treat":
        action["area"] = rng.choice(("right arm", "left arm", "right leg"))
    return {**action, "else": {"do": "attack", "arm": "left"}}


def two_teams(people: list[Json]) -> Json:
    """Every second one on the other side."""
    teams = [
        {"name": "red", "characters": people[::2]},
        {"name": "blue", "characters": people[1::2]},
    ]
    return {"field": 300_000, "teams": teams}
