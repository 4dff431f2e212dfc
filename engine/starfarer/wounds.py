"""What wounds and shock mean: levels, modifiers, penalties, and the chance of a task."""

from collections.abc import Iterable
from functools import lru_cache

from engine.starfarer.model import UNHURT, Body, CharacterSheet, Circles
from engine.starfarer.tables import (
    ABDOMEN,
    ALWAYS_FAILS,
    AREAS,
    CHEST,
    CIRCLES,
    DEADLY_SHOCK,
    HEAD,
    MORTAL,
    SHOCK,
    VITAL,
)


def half(number: int) -> int:
    """Return half of a number, rounded up as all halves are."""
    return (number + 1) // 2


def step(mass: int) -> int:
    """Return how much wound damage one wound level takes (SF-22)."""
    return half(mass)


def level_of(damage: int, mass: int) -> int:
    """Return the level of a wound by its damage, 1 to 6 (SF-22)."""
    # Rounded up: the first point above a level is the next level (SF-22).
    return min(-(-damage // step(mass)), MORTAL)


def modifier_of(level: int) -> int:
    """Return the modifier of a wound level, 0 for no wound (SF-24)."""
    return max(level - 1, 0)


@lru_cache(maxsize=4096)
def worst(circles: Circles) -> int:
    """Return the level of an area's worst wound, 0 without one (SF-24)."""
    return max((level for level, marks in enumerate(circles, 1) if marks), default=0)


def marked(circles: Circles, level: int, further: bool) -> tuple[Circles, int | None]:
    """Return an area's circles with a wound marked, and its level then; None if none was free.

    A wound is an `X` in its own level, and a `/` in a higher one; a further wound of SF-31 is a `/`
    in any (SF-23).
    """
    # A wound without a free circle becomes one of the next level, and is that one from then on
    # (SF-23).
    for place in range(level, MORTAL + 1):
        made = circles[place - 1]
        if len(made) < CIRCLES[place - 1]:
            mark = "X" if place == level and not further else "/"
            return (*circles[: place - 1], made + mark, *circles[place:]), place  # type: ignore[return-value]
    return circles, None


def shock_level(sheet: CharacterSheet, shock: int) -> int:
    """Return the shock level of a shock total (SF-25)."""
    return shock // sheet.basic_shock


def shock_modifier(sheet: CharacterSheet, body: Body) -> int:
    """Return the shock modifier, 0 to 5 (SF-25)."""
    # Like the modifier of a wound: one less than the level (SF-24, SF-25).
    return min(max(shock_level(sheet, body.shock) - 1, 0), 5)


def penalty(sheet: CharacterSheet, body: Body, limbs: Iterable[int]) -> int:
    """Return what each trait of a task loses that uses these limbs (SF-26)."""
    shock = shock_modifier(sheet, body)
    wounds = body.wounds
    if wounds == UNHURT:
        return shock
    used = max((modifier_of(worst(wounds[limb])) for limb in limbs), default=0)
    head, chest, abdomen = (modifier_of(worst(wounds[area])) for area in (HEAD, CHEST, ABDOMEN))
    # Each half is rounded by itself (SF-26).
    return used + head + half(chest) + half(abdomen) + shock


def worst_anywhere(body: Body) -> int:
    """Return the modifier of a character's worst wound (SF-32)."""
    return max(modifier_of(worst(circles)) for circles in body.wounds)


def is_mortal(body: Body, area: int) -> bool:
    """Return whether an area has a Mortal wound that is not steadied (SF-33)."""
    return (
        area in VITAL and bool(body.wounds[area][MORTAL - 1]) and AREAS[area] not in body.steadied
    )


def is_deadly_shock(sheet: CharacterSheet, body: Body) -> bool:
    """Return whether a character may die of shock that is not steadied (SF-33)."""
    return shock_level(sheet, body.shock) >= DEADLY_SHOCK and SHOCK not in body.steadied


def is_treatable(sheet: CharacterSheet, body: Body, area: str) -> bool:
    """Return whether an area bleeds or threatens life, or shock does, if it is "shock" (SF-36)."""
    if area == SHOCK:
        return is_deadly_shock(sheet, body)
    at = AREAS.index(area)
    return body.bleeding[at] > 0 or is_mortal(body, at)


def chance_of(traits: Iterable[int], lost: int, ease: int) -> int:
    """Return the MCS of a task whose traits each lose so much (SF-1)."""
    # Each trait and the EF are at least 0 by themselves; two below 0 would make a chance (SF-1).
    return sum(max(trait - lost, 0) for trait in traits) * max(ease, 0)


def succeeds(roll: int, mcs: int) -> bool:
    """Return whether a d100 succeeds against an MCS (SF-1, SF-2)."""
    # 96 to 100 fail whatever the chance; nothing else is critical (SF-2).
    return roll <= mcs and roll < ALWAYS_FAILS


def degree(roll: int, mcs: int) -> int:
    """Return the LOS of a task that succeeded, or the LOF of one that failed (SF-2)."""
    return max(mcs - roll, 0) // 10 if succeeds(roll, mcs) else max(roll - mcs, 0) // 10
