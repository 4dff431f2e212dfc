"""Wounds, shock and bleeding of one character, naively: SF-18 to SF-26 and SF-35."""

from __future__ import annotations

from typing import Any

from tests.oracle.starfarer.areas import AREAS, Json

VITAL = ("head", "chest", "abdomen")
CIRCLES = (3, 2, 1, 1, 1, 1)
LOCATIONS = {
    1: "head",
    2: "chest",
    3: "chest",
    4: "chest",
    5: "abdomen",
    6: "abdomen",
    7: "right arm",
    8: "left arm",
    9: "right leg",
    0: "left leg",
}


def half(number: int) -> int:
    """Halves are rounded up."""
    return (number + 1) // 2


def worst_level(body: Json, area: str) -> int:
    """SF-24: the worst wound of an area, 0 without one."""
    return max([n + 1 for n, marks in enumerate(body["wounds"][area]) if marks], default=0)


def modifier(level: int) -> int:
    """SF-24: 0 for a Graze and without a wound, then 1, 2, 3, 4, 5."""
    return max(level - 1, 0)


def shock_level(body: Json) -> int:
    """SF-25."""
    return int(body["shock"] // body["basic_shock"])


def shock_modifier(body: Json) -> int:
    """SF-25: from 0 to 5."""
    return min(max(shock_level(body) - 1, 0), 5)


def penalty(body: Json, limbs: list[str]) -> int:
    """SF-26: what is taken off each trait of a task that uses these limbs."""
    by_area = {area: modifier(worst_level(body, area)) for area in AREAS}
    worst = max([by_area[limb] for limb in limbs], default=0)
    vital = by_area["head"] + half(by_area["chest"]) + half(by_area["abdomen"])
    return worst + vital + shock_modifier(body)


def mark(body: Json, area: str, level: int, sign: str) -> int | None:
    """SF-23: mark a wound and return the level that it is of, or None without a free circle."""
    for now in range(level, 7):
        if len(body["wounds"][area][now - 1]) < CIRCLES[now - 1]:
            body["wounds"][area][now - 1] += sign if now == level else "/"
            # SF-28: a check that was passed is void.
            if now >= 3 and area in body["passed"]:
                body["passed"].remove(area)
            return now
    return None


def bleed(body: Json, area: str, level: int, gently: bool) -> None:
    """SF-35: a wound that was marked adds its modifier."""
    points = modifier(level)
    body["bleeding"][area] += half(points) if gently else points


def stop_bleeding(body: Json, area: str, points: int) -> None:
    """SF-35: some points less; the clock of an area that no longer bleeds is 0."""
    body["bleeding"][area] = max(body["bleeding"][area] - points, 0)
    if body["bleeding"][area] == 0:
        body["clock"][area] = 0


def step(body: Json) -> int:
    """SF-22: half the mass."""
    return half(body["mass"])


def level_of(body: Json, damage: int) -> int:
    """SF-22: rounded up, at most 6."""
    return min(-(-damage // step(body)), 6)


def applied_damage(body: Json, weapon: Json, area: str, los: int, blow_through: bool) -> int:
    """SF-19 and SF-20."""
    ratings = [
        piece["ratings"].get(weapon["type"]) or 0
        for piece in body["armour"]
        if area in piece["covers"]
    ]
    armour = max(max(ratings, default=0) - weapon["pr"], 0)
    damage = max(weapon["dr"] - armour, 0)
    if blow_through and damage > body["mass"]:
        damage = max(body["mass"], damage - body["mass"])
    return int(half(damage) if los == 0 else damage * los)


def shock_and_wound(body: Json, weapon: Json, area: str, applied: int) -> tuple[int, int]:
    """SF-21."""
    weak = weapon["pr"] + weapon["dr"] < body["resilience"]
    shock, wound = applied, half(applied) if weak else applied
    return (2 * shock, 2 * wound) if area == "head" else (shock, wound)


def has_mortal_wound(body: Json, area: str) -> bool:
    """Whether there is a Mortal wound that nobody has steadied."""
    return area in VITAL and bool(body["wounds"][area][5]) and area not in body["steadied"]


def has_deadly_shock(body: Json) -> bool:
    """Whether the shock level is 6 or more, and not steadied."""
    return shock_level(body) >= 6 and "shock" not in body["steadied"]


def fresh(character: Json, team: str) -> Json:
    """A character of the set-up as it enters the fight."""
    body: dict[str, Any] = {
        "name": character["name"],
        "team": team,
        **{key: character[key] for key in ("initiative", "mass", "resilience", "stun")},
        "basic_shock": character["basic_shock"],
        "traits": character["traits"],
        "hand": character.get("hand") or "right",
        "skills": character.get("skills") or {},
        "armour": character.get("armour") or [],
        "weapons": character.get("weapons") or [],
        "fate": "active",
        "at": character["at"],
        "prone": False,
        "ap": 0,
        "shock": 0,
        "wounds": {area: [""] * 6 for area in AREAS},
        "bleeding": dict.fromkeys(AREAS, 0),
        "clock": dict.fromkeys(AREAS, 0),
        "steadied": [],
        "dying": 0,
        "wakes": None,
        "evade": 0,
        "parry": 0,
        "aim": None,
        "plan": None,
        "passed": [],
        "failed": [],
    }
    return body
