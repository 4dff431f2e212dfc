"""The tables of Cortex, and its die steps, naively: what the other files look up."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

OPTIONS = (
    *("dogfighting", "collisions", "strafing", "battle_damage", "wings", "batteries", "missiles"),
    *("point_defence", "linked", "crew1", "crew2", "scales", "atmosphere", "bombardment"),
    "spotters",
)
SCALES = ("personal", "planetcraft", "spacecraft")
RANGES = ("skirmish", "capital", "short", "long")
STATIONS = ("commander", "executive", "pilot", "sensors", "comms", "tactical")

BANDS = (1_000, 5_000, 10_000)  # CX-64: the last foot of each but the last range
INCREMENTS = {"skirmish": 1_000, "capital": 5_000, "short": 10_000, "long": 25_000}  # CX-65
LOCKED_AT = {"capital": 3, "short": 7, "long": 11}  # CX-41
FLIGHT = {"skirmish": 1, "capital": 1, "short": 2, "long": 5}  # CX-42

TO_HIT = {  # CX-61: the weapon's scale, the target's
    ("personal", "planetcraft"): 1,
    ("personal", "spacecraft"): 2,
    ("planetcraft", "personal"): -1,
    ("planetcraft", "spacecraft"): 1,
    ("spacecraft", "personal"): -3,
    ("spacecraft", "planetcraft"): -1,
}
RESISTED = {  # CX-63: the weapon's scale, the target's
    ("personal", "personal"): 7,
    ("personal", "planetcraft"): 3,
    ("personal", "spacecraft"): None,
    ("planetcraft", "personal"): 11,
    ("planetcraft", "planetcraft"): 7,
    ("planetcraft", "spacecraft"): 3,
    ("spacecraft", "personal"): 15,
    ("spacecraft", "planetcraft"): 11,
    ("spacecraft", "spacecraft"): 7,
}
MISSILES = {  # CX-66: sides of the four dice, feet of the blast
    ("planetcraft", "light"): (2, 10),
    ("planetcraft", "medium"): (4, 25),
    ("planetcraft", "heavy"): (6, 50),
    ("spacecraft", "light"): (4, 250),
    ("spacecraft", "medium"): (4, 500),
    ("spacecraft", "heavy"): (6, 1_000),
    ("spacecraft", "extreme"): (8, 2_000),
}
SITES: dict[str, tuple[int, int, str, int | None, int | None]] = {  # CX-67
    "area": (7, 11, "personal", None, None),
    "small building": (7, 23, "planetcraft", 5, 2),
    "large building": (3, 19, "planetcraft", 10, 5),
    "small city": (3, 11, "spacecraft", 25, 1),
    "large city": (3, 7, "spacecraft", 50, 2),
    "megalopolis": (3, 3, "spacecraft", 150, 5),
}
DIRECTIONS = (  # CX-68
    *("long", "long right", "right", "short right", "short", "short left", "left", "long left"),
)

SIZES = ("small", "medium", "large", "huge", "colossal", "gigantic")
AVOIDED = dict(zip(SIZES, (3, 7, 11, 15, 19, 23), strict=True))  # CX-26
VECTORS = {"toward": 4, "perpendicular": 0, "away": -4}
RANDOM_SIZES = (
    *("gigantic", "colossal", "colossal", "huge", "huge", "large", "large", "medium", "medium"),
    "small",
)
RANDOM_SPEEDS = (9, 6, 6, 3, 3, 1, 1, 0)
RANDOM_VECTORS = ("toward", "toward", "perpendicular", "perpendicular", "away", "away")


def dice_of(step: int) -> list[int]:
    """CX-2: the sides of the dice of a step, in the order in which they are drawn."""
    twelves, rest = divmod(step, 6)
    return [12] * twelves + ([2 * rest] if rest else [])


STEPS = {"+".join(f"d{sides}" for sides in dice_of(step)): step for step in range(1, 31)}


def step_of(text: str | None) -> int:
    """CX-2 and CX-3: the step of a die as written; none is step 0."""
    return 0 if text is None else STEPS[text]


def begun(feet: int, increment: int) -> int:
    """How many increments are begun at a distance; none at 0 feet."""
    return -(-feet // increment)


def size_of(scale: str, strength: int) -> str:
    """CX-26."""
    if scale == "planetcraft":
        return "small" if strength <= 2 else "medium" if strength <= 4 else "large"
    if strength == 1:
        return "large"
    return "huge" if strength <= 3 else "colossal" if strength <= 5 else "gigantic"


def speed_modifier(speed: int) -> int:
    """CX-26."""
    for least, modifier in ((9, 8), (6, 4), (3, 0), (1, -4)):
        if speed >= least:
            return modifier
    return -8


def degree(roll: Json, difficulty: int) -> int:
    """CX-51: 0 botch, 1 failure, 2 success, 3 extraordinary."""
    if roll["botch"]:
        return 0
    if roll["total"] < difficulty:
        return 1
    return 3 if roll["total"] >= difficulty + 7 else 2
