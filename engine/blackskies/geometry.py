"""The plane in whole half-inches (BS-1 to BS-3), and where a card takes an element (BS-12)."""

from math import isqrt
from typing import NamedTuple, Protocol

from engine.blackskies.tables import AFTERBURNER, BOOTLEGGER, INSTEAD, MOST_SPEED, Manoeuvre, burst

HEADINGS = 6
STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The step of one half-inch along each heading; 0 is east, each next one 60 degrees to the left."""

# One turn makes (-r, q + r) of (q, r), as BS-3 writes it: exact, where sine and cosine are not.
_TURNS = (
    (1, 0, 0, 1), (0, -1, 1, 1), (-1, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, -1), (1, 1, -1, 0),
)  # fmt: skip
"""What as many turns make of q and r: q's and r's share in each."""

_EDGES = ((966, 259), (707, 707), (259, 966), (-259, 966), (-707, 707), (-966, 259))
"""Cosine and sine, in thousandths, of the angles at which an hour ends: 15, 45 … 165 degrees."""

Point = tuple[int, int]


def norm(q: int, r: int) -> int:
    """Return N of a difference, the square of its length in half-inches (BS-2)."""
    return q * q + q * r + r * r


def within(n: int, inches: int) -> bool:
    """Return whether a difference with this N is within so many inches (BS-2)."""
    return n <= 4 * inches * inches


def tenths(n: int) -> int:
    """Return the length of a difference with this N in tenths of an inch, rounded down."""
    # 10 tenths / 2 half-inches = 5, and the square of it is 25.
    return isqrt(25 * n)


def moved(point: Point, heading: int, steps: int) -> Point:
    """Return the point that is so many half-inches further along a heading."""
    q, r = STEPS[heading]
    return point[0] + steps * q, point[1] + steps * r


def turned(q: int, r: int, times: int) -> Point:
    """Return a vector turned to the right by 60 degrees, so many times (BS-3)."""
    a, b, c, d = _TURNS[times % HEADINGS]
    return a * q + b * r, c * q + d * r


def in_arc(q: int, r: int, direction: int) -> bool:
    """Return whether a vector is in the wedge centred on a direction, edges included (BS-3)."""
    if not (q or r):
        return False
    q, r = turned(q, r, direction)
    # In whole numbers, so that a target exactly on an edge is in both arcs (BS-3).
    return 3 * abs(r) <= 2 * q + r


def bearing(q: int, r: int, heading: int) -> int | None:
    """Return the first arc of a heading that a vector is in, None for no vector at all."""
    found = (arc for arc in range(HEADINGS) if in_arc(q, r, heading + arc))
    return next(found, None)


def hour(q: int, r: int, heading: int) -> int:
    """Return the hour to which a vector points on a clock whose 12 is ahead; 12 for no vector.

    No rule depends on it, so the edges between hours are exact to a thousandth only.
    """
    q, r = turned(q, r, heading)
    # 866 is 1000 times the sine of 60 degrees; the two halves mirror each other, hence `abs`.
    ahead, aside = 1000 * q + 500 * r, 866 * abs(r)
    passed = sum(aside * across > ahead * along for across, along in _EDGES)
    # After the turn positive r is to the right, where the hours go up.
    return (passed if r > 0 else 12 - passed) or 12


def path(start: Point, legs: tuple[int, int], steps: int) -> list[Point]:
    """Return the points of a path of two legs in half-inch steps, without the start (BS-23)."""
    points, at = [], start
    for leg in legs:
        for _ in range(steps):
            at = moved(at, leg, 1)
            points.append(at)
    return points


class Flying(Protocol):
    """What flies: an element, or a bot's guess where one may be."""

    @property
    def heading(self) -> int: ...
    @property
    def speed(self) -> int: ...
    @property
    def retrograde(self) -> bool: ...


class Course(NamedTuple):
    """How an element flies a card: its speed, its two legs' headings, and its state afterwards.

    `slowed` is the speed after the card's penalty.
    """

    speed: int
    legs: tuple[int, int]
    slowed: int
    heading: int
    retrograde: bool

    def track(self, q: int, r: int) -> tuple[Point, Point, Point]:
        """Return where a fighter begins, is half-way, and ends."""
        (q1, r1), (q2, r2) = (STEPS[leg] for leg in self.legs)
        half = q + q1 * self.speed, r + r1 * self.speed
        return (q, r), half, (half[0] + q2 * self.speed, half[1] + r2 * self.speed)


def course(
    element: Flying, acceleration: int, ordered: Manoeuvre, by: int | None, mastered: bool
) -> Course:
    """Return an element's course when the lead masters the card, or does not (BS-15 to BS-17)."""
    # The substitute changes no speed: `_gain` finds neither option nor card in it (BS-15).
    flown = ordered if mastered else INSTEAD[ordered.card]
    back = element.retrograde
    gain = _gain(flown, acceleration, by)
    # The engine pushes along the nose, so tail first it slows the element (BS-17).
    speed = min(max(element.speed + (-gain if back else gain), 0), MOST_SPEED)
    line = element.heading + (3 if back else 0)
    # The penalty is that of the card ordered, also where the substitute is flown (BS-15).
    slowed = max(speed - ordered.penalty, 0)
    return Course(
        speed=speed,
        legs=((line + flown.legs[0]) % HEADINGS, (line + flown.legs[1]) % HEADINGS),
        slowed=slowed,
        heading=(element.heading + flown.turn) % HEADINGS,
        # At speed 0 retrograde motion ends; a Bootlegger begins or ends it (BS-17).
        retrograde=slowed > 0 and back != (flown.card == BOOTLEGGER),
    )


def _gain(flown: Manoeuvre, acceleration: int, by: int | None) -> int:
    """Return what the engine adds to the speed along the nose."""
    if flown.option == "accelerate":
        return by or 0
    if flown.option == "decelerate":
        return -1
    return burst(acceleration) if flown.card == AFTERBURNER else 0
