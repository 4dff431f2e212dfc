"""Numbers of the rules, and the limits of a set-up."""

from functools import cache
from typing import Final

from engine.i18n import say

CREDITS: Final = say(
    "Cortex dogfighting and capital ships, after optional rules for a published game. This has "
    "their figures, and none of their text, names or setting; what they lack was added here."
)

# CX-1: the options, and those in force where a set-up does not say.
OPTIONS: Final = (
    "dogfighting", "collisions", "strafing", "battle_damage", "wings", "batteries", "missiles",
    "point_defence", "linked", "crew1", "crew2", "scales", "atmosphere", "bombardment", "spotters",
)  # fmt: skip
USUAL: Final = frozenset(OPTIONS) - {"crew1"}

# CX-2: a step is 2 sides; beyond a d12 there are several dice.
LARGEST: Final = 6
MOST_STEP: Final = 30

# CX-4
EASY, AVERAGE, HARD, FORMIDABLE, HEROIC = 3, 7, 11, 15, 19
MARGIN: Final = 7
"""So much more than the Difficulty is an extraordinary success; so much more wins Advantage 2."""

# CX-5, CX-6
SCALES: Final = ("personal", "planetcraft", "spacecraft")
PERSONAL, PLANETCRAFT, SPACECRAFT = SCALES
RANGES: Final = ("skirmish", "capital", "short", "long")
SKIRMISH, CAPITAL, SHORT, LONG = range(4)

MOST_SHARED: Final = 5
"""Wing, battery and linked guns together add so many steps at most (CX-7)."""
MOST_AIM: Final = 3
CALLED: Final = -2
PARTS: Final = ("sensors", "engines", "weapon")
MOST_ACTIONS: Final = 3
TENTHS: Final = 10

# CX-26: the Difficulty by size, what Strength makes which size, and what speed and vector add.
SIZES: Final = {"small": 3, "medium": 7, "large": 11, "huge": 15, "colossal": 19, "gigantic": 23}
SIZE_BY_STRENGTH: Final = {
    PLANETCRAFT: ((5, "large"), (3, "medium"), (1, "small")),
    SPACECRAFT: ((6, "gigantic"), (4, "colossal"), (2, "huge"), (1, "large")),
}
SPEEDS: Final = ((9, 8), (6, 4), (3, 0), (1, -4), (0, -8))
VECTORS: Final = {"toward": 4, "perpendicular": 0, "away": -4}

# CX-27: random obstacles, by the result of each die.
RANDOM_SIZES: Final = (
    "gigantic", "colossal", "colossal", "huge", "huge", "large", "large", "medium", "medium",
    "small",
)  # fmt: skip
RANDOM_SPEEDS: Final = (9, 6, 6, 3, 3, 1, 1, 0)
RANDOM_VECTORS: Final = ("toward", "toward", "perpendicular", "perpendicular", "away", "away")
SMALL_SIZES: Final = ("small", "medium", "large")
"""Obstacles of these sizes are of planetcraft scale."""

RUNS: Final = ((5, AVERAGE), (3, HARD), (1, FORMIDABLE))
"""The Difficulty of a strafing run by the target's Strength (CX-31)."""

# CX-34: the last result of each row; beyond them the damage is widespread.
ROWS: Final = (
    (5, "sensors"), (10, "speed"), (15, "gun"), (20, "weapon"), (25, "ftl"), (30, "engines"),
)  # fmt: skip
DAMAGE_DIE: Final = 10
SENSORS_DAMAGED: Final = -2

MOST_IN_WING: Final = 6
MOST_IN_BATTERY: Final = 6

LOCKS: Final = {CAPITAL: EASY, SHORT: AVERAGE, LONG: HARD}
FLIGHT: Final = (1, 1, 2, 5)
"""How many turns a missile flies, by range (CX-42)."""
OUTFLOWN: Final = 15
INTERCEPTED: Final = FORMIDABLE
WARHEAD_DICE: Final = 4
# CX-66: the step of each die of a warhead, and the increment of its blast in feet.
MISSILES: Final = {
    PLANETCRAFT: {"light": (1, 10), "medium": (2, 25), "heavy": (3, 50)},
    SPACECRAFT: {"light": (2, 250), "medium": (2, 500), "heavy": (3, 1_000), "extreme": (4, 2_000)},
}

STATIONS: Final = ("commander", "executive", "pilot", "sensors", "comms", "tactical")
# Degrees: botch, failure, success, extraordinary success (CX-51).
HELP: Final = (-1, 0, 1, 2)
GUIDED: Final = (0, 0, 1, 1)
EVADING: Final = (-4, -2, -1, 0)
EVADE_DEFENCE: Final = 2

# CX-61: by the weapon's scale and the target's. CX-62: by how many scales they are apart.
TO_HIT: Final = {
    (PERSONAL, PLANETCRAFT): 1, (PERSONAL, SPACECRAFT): 2, (PLANETCRAFT, PERSONAL): -1,
    (PLANETCRAFT, SPACECRAFT): 1, (SPACECRAFT, PERSONAL): -3, (SPACECRAFT, PLANETCRAFT): -1,
}  # fmt: skip
FACTORS: Final = (1, 2, 5)
# CX-63: a called shot of this scale at each scale; None has no effect.
RESISTED: Final[dict[str, tuple[int | None, int | None, int | None]]] = {
    PERSONAL: (7, 3, None),
    PLANETCRAFT: (11, 7, 3),
    SPACECRAFT: (15, 11, 7),
}

# CX-64, CX-65
BANDS: Final = (1_000, 5_000, 10_000)
STRIDE: Final = 1_000
NEAREST: Final = 100
INCREMENTS: Final = (1_000, 5_000, 10_000, 25_000)
MOST_INCREMENTS: Final = 10

# CX-67: Difficulty for planetcraft and spacecraft weapons, scale, LP, armour.
AREA: Final = "area"
KINDS: Final = {
    AREA: (7, 11, PERSONAL, 0, 0),
    "small building": (7, 23, PLANETCRAFT, 5, 2),
    "large building": (3, 19, PLANETCRAFT, 10, 5),
    "small city": (3, 11, SPACECRAFT, 25, 1),
    "large city": (3, 7, SPACECRAFT, 50, 2),
    "megalopolis": (3, 3, SPACECRAFT, 150, 5),
}
DIRECTIONS: Final = (
    "long", "long right", "right", "short right", "short", "short left", "left", "long left",
)  # fmt: skip
SCATTER_DIE: Final = 10

UPLINKS: Final = ("none", "handset", "transceiver")
CONDITIONS: Final = ("good", "poor")
WARHEADS: Final = ("blast", "fragments")

# CX-22 leaves a battle that never ends to the league: so many turns, of which the first count those
# in which nobody tried to do harm, and the others those in which none was done.
STILL_TURNS: Final = 8
HARMLESS_TURNS: Final = 32

NEAREST_FOE, WEAKEST_FOE, NEXT_MISSILE = "|nearest", "|weakest", "|missile"
"""Whom a letter may mean without naming anybody; no name holds a |."""

TEAMS: Final = 2
MOST_VESSELS: Final = 24
MOST_LISTED: Final = 99
MOST_FEET: Final = 1_000_000
LIMITS: Final = {
    "speed": (0, 99),
    "armour": (0, 99),
    "lp": (1, 9_999),
    "count": (1, 99),
    "altitude": (1, 10_000_000),
    "population": (0, 1_000_000_000),
    "turn": (1, 999),
    "feet": (NEAREST, MOST_FEET),
}


@cache
def sides(step: int) -> tuple[int, ...]:
    """Return the sides of the dice of a step, d12s first; step 0 is not a die (CX-2)."""
    whole, rest = divmod(step, LARGEST)
    return (2 * LARGEST,) * whole + ((2 * rest,) if rest else ())


@cache
def die(step: int) -> str:
    """Return how a step is written, such as `d12+d4` (CX-2)."""
    return "+".join(f"d{one}" for one in sides(step))


STEPS: Final = {die(step): step for step in range(1, MOST_STEP + 1)}


def by_least(value: int, rows: tuple[tuple[int, int], ...]) -> int:
    """Return what stands in the first row whose least value is reached."""
    return next(found for least, found in rows if value >= least)


def size(scale: str, strength: int) -> str:
    """Return how large a vessel is (CX-26)."""
    return next(found for least, found in SIZE_BY_STRENGTH[scale] if strength >= least)
