"""The basis of Black Skies: the plane of half-inches, dice, weights and what is built in."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
Place = tuple[int, int]

STEPS: tuple[Place, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # BS-1
DAMAGE_DICE = (12, 10, 8, 6, 4, 3, 2)  # BS-21
TARGET_NUMBERS = (4, 7, 10)  # BS-18: close, medium, long

# BS-4, BS-16
HARDPOINTS = {"light": 2, "medium": 3, "heavy": 4}
HULL = {"light": 4, "medium": 6, "heavy": 8}
ACCELERATION = {"light": 4, "medium": 3, "heavy": 2}
AFTERBURNER = {"light": 6, "medium": 4, "heavy": 3}

# BS-6
BUILT_IN_WEAPONS: dict[str, Json] = {
    "Laser Cannon": {"arc": [0], "rof": 1, "range": [6, 12, 18], "die": 6},
}
BUILT_IN_DESIGNS: dict[str, Json] = {
    "Black Tiger": {
        "weight": "medium",
        "thrusters": ["rear"],
        "weapons": ["Laser Cannon", "Laser Cannon"],
        "armour": 1,
        "shields": 0,
    },
}


def norm(one: Place, other: Place) -> int:
    """BS-2: N of the difference of two positions."""
    q, r = other[0] - one[0], other[1] - one[1]
    return q * q + q * r + r * r


def within(one: Place, other: Place, inches: int) -> bool:
    """BS-2: exactly the range is within it."""
    return norm(one, other) <= (2 * inches) ** 2


def in_arc(shooter: Place, heading: int, target: Place, arc: int) -> bool:
    """BS-3, as it is written."""
    q, r = target[0] - shooter[0], target[1] - shooter[1]
    if q == 0 and r == 0:
        return False
    for _ in range((heading + arc) % 6):
        q, r = -r, q + r
    return 3 * abs(r) <= 2 * q + r


def given(holder: Json, key: str, otherwise: Any) -> Any:
    """An optional value; null counts as a missing key."""
    value = holder.get(key)
    return otherwise if value is None else value
