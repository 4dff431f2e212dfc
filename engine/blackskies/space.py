"""The plane: headings, steps, distances and arcs, all in whole half-inches (BS-1 to BS-3)."""

from math import isqrt

HEADINGS = 6
STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The step of one half-inch along each heading, 0 = east, the next 60 degrees to the left."""

_EDGES = ((966, 259), (707, 707), (259, 966), (-259, 966), (-707, 707), (-966, 259))
"""Cosine and sine, in thousandths, of the angles at which an hour ends: 15, 45 … 165 degrees."""

Point = tuple[int, int]


def norm(q: int, r: int) -> int:
    """Give N of a difference, the square of its length in half-inches (BS-2)."""
    return q * q + q * r + r * r


def within(n: int, inches: int) -> bool:
    """Tell whether a difference with this N is within so many inches (BS-2)."""
    return n <= 4 * inches * inches


def tenths(n: int) -> int:
    """Give the length of a difference with this N in tenths of an inch, rounded down."""
    return isqrt(25 * n)


def moved(point: Point, heading: int, steps: int) -> Point:
    """Give a point so many half-inches further along a heading."""
    q, r = STEPS[heading]
    return point[0] + steps * q, point[1] + steps * r


def turned(q: int, r: int, times: int) -> Point:
    """Turn a vector so many times 60 degrees to the right (BS-3)."""
    for _ in range(times % HEADINGS):
        q, r = -r, q + r
    return q, r


def in_arc(q: int, r: int, direction: int) -> bool:
    """Tell whether a vector lies in the wedge centred on a direction, its edges in (BS-3)."""
    if not (q or r):
        return False
    q, r = turned(q, r, direction)
    return 3 * abs(r) <= 2 * q + r


def bearing(q: int, r: int, heading: int) -> int | None:
    """Give the first arc of a heading that a vector lies in, None for no vector at all."""
    found = (arc for arc in range(HEADINGS) if in_arc(q, r, heading + arc))
    return next(found, None)


def hour(q: int, r: int, heading: int) -> int:
    """Give the hour of a clock whose 12 is ahead on which a vector points, 12 for no vector.

    It is for telling only, so the edges between hours are kept to a thousandth.
    """
    q, r = turned(q, r, heading)
    ahead, aside = 1000 * q + 500 * r, 866 * abs(r)
    passed = sum(aside * across > ahead * along for across, along in _EDGES)
    return (passed if r > 0 else 12 - passed) or 12


def path(start: Point, legs: tuple[int, int], steps: int) -> list[Point]:
    """Give the points of a path of two legs in half-inch steps, the start left out (BS-23)."""
    points, at = [], start
    for leg in legs:
        for _ in range(steps):
            at = moved(at, leg, 1)
            points.append(at)
    return points
