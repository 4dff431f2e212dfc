"""The paper that a map is drawn on: where points of the plane are, and where labels have space."""

from itertools import pairwise
from typing import NamedTuple

from engine import pictures
from engine.blackskies.geometry import Point

WIDTH = 6400
"""The width of a map in its own units; a telephone shows 20 of them as one of its 320 pixels."""
FONT = 240
"""The height of all words: 12 pixels on a telephone."""
_SMALLEST = 40_000
"""The least that a map shows across, in thousandths of a half-inch."""

_RINGS = (0, 170, 380, 640, 960, 1350)
_SIDES = (
    (0, -1000), (0, 1000), (1000, 0), (-1000, 0), (800, -800), (-800, -800), (800, 800),
    (-800, 800), (1000, -400), (-1000, -400), (1000, 400), (-1000, 400),
)  # fmt: skip
"""How far from its mark a label is tried, and on which sides, in thousandths."""
_OUTSIDE, _OVER_WORDS, _OVER_MARK, _OVER_LINE, _FAR = 900, 300, 150, 25, 20
"""The costs of a place for a label: outside, over words, a mark or a line, and far away."""


class Box(NamedTuple):
    """A rectangle of the paper."""

    left: int
    top: int
    right: int
    bottom: int


Line = tuple[int, int, int, int]


class Spot(NamedTuple):
    """Where a label is: its middle, its foot, and how far from its mark it had to go."""

    x: int
    y: int
    ring: int


def flat(spot: Point) -> Point:
    """Return a point's right-angled coordinates in thousandths of a half-inch, y downwards."""
    q, r = spot
    return 1000 * q + 500 * r, 866 * r


def shortened(name: str, most: int) -> str:
    """Return a name that is not too long for a map; a number at its end is kept."""
    if len(name) <= most:
        return name
    words, _, number = name.rpartition(" ")
    end = f"… {number}" if words and number.isdigit() else "…"
    return name[: most - len(end)].rstrip() + end


def wide(words: str) -> int:
    """Return about how wide words are, without asking a font."""
    return pictures.wide(words, FONT)


class Canvas:
    """A rectangle of paper, `width` wide, that has space for all points.

    Its upper left corner is `left`, `top`; its height is at most `tenths` tenths of its width.
    """

    def __init__(
        self,
        spots: list[Point],
        margin: int,
        left: int = 0,
        top: int = 0,
        width: int = WIDTH,
        tenths: int = 13,
    ) -> None:
        points = [flat(spot) for spot in spots] or [(0, 0)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        across, down = max(xs) - min(xs), max(ys) - min(ys)
        self._room = room = width - 2 * margin
        # The larger of both ways, so that everything fits and lengths are the same in both.
        self._span = max(across, _SMALLEST, 10 * down // tenths)
        self._middle = (max(xs) + min(xs)) // 2, (max(ys) + min(ys)) // 2
        # The height depends on a length, which needs the span but no centre yet.
        self._centre = left + width // 2, 0
        high = max(self.length(down), room * 45 // 100) + 2 * margin
        self.box = Box(left, top, left + width, top + high)
        self._centre = left + width // 2, top + high // 2
        self.marks: list[Box] = []
        self.words: list[Box] = []
        self.lines: list[Line] = []

    def length(self, thousandths: int) -> int:
        """Return a length on the paper."""
        return thousandths * self._room // self._span

    def at(self, q: int, r: int) -> Point:
        """Return a point on the paper."""
        (x, y), (mx, my), (cx, cy) = flat((q, r)), self._middle, self._centre
        return cx + self.length(x - mx), cy + self.length(y - my)

    def mark(self, x: int, y: int, size: int) -> None:
        """Keep labels away from a mark."""
        self.marks.append(Box(x - size, y - size, x + size, y + size))

    def line(self, points: list[Point]) -> None:
        """Keep labels off a line, if possible."""
        for (x, y), (to_x, to_y) in pairwise(points):
            self.lines.append((x, y, to_x, to_y))

    def label(self, x: int, y: int, words: str, away: int) -> Spot:
        """Return the best place for the label of a mark with radius `away`, and keep it taken."""
        half, found, least = wide(words) // 2, None, 10**9
        for number, ring in enumerate(_RINGS):
            # No place farther out can cost less than this.
            if least <= _FAR * number:
                break
            # Always in the same order, in whole numbers: a map is the same on every machine.
            for dx, dy in _SIDES:
                x1 = x + dx * (away + ring + half) // 1000
                y1 = y + dy * (away + ring + FONT // 2) // 1000
                box = Box(x1 - half, y1 - FONT // 2, x1 + half, y1 + FONT // 2)
                cost = _FAR * number + self._against(box, least)
                if cost < least:
                    found, least = (box, number), cost
        assert found is not None
        box, number = found
        self.words.append(box)
        spot = Spot((box.left + box.right) // 2, box.bottom - FONT // 5, number)
        # The line to a far label is one that later labels should avoid as well.
        if number > 1:
            self.lines.append((x, y, spot.x, (box.top + box.bottom) // 2))
        return spot

    def _against(self, box: Box, enough: int) -> int:
        """Return the cost of a place; stop counting where it is `enough` to reject the place."""
        left, top, right, bottom = box
        # Costs, not bans: in a crowd every place has some fault, and a name must stand somewhere.
        cost = 0 if _inside(box, self.box) else _OUTSIDE
        for price, boxes in ((_OVER_WORDS, self.words), (_OVER_MARK, self.marks)):
            cost += price * sum(
                [left < r and le < right and top < b and t < bottom for le, t, r, b in boxes]
            )
        # Lines are the longest list and the slowest test, so they come last.
        if cost < enough:
            cost += _OVER_LINE * sum([_crosses(line, box) for line in self.lines])
        return cost


def _inside(box: Box, whole: Box) -> bool:
    return (
        box.left >= whole.left + 60
        and box.top >= whole.top + 40
        and box.right <= whole.right - 60
        and box.bottom <= whole.bottom - 40
    )


def _crosses(line: Line, box: Box) -> bool:
    """Return whether a line may cross a box."""
    x1, y1, x2, y2 = line
    if max(x1, x2) < box.left or min(x1, x2) > box.right:
        return False
    if max(y1, y2) < box.top or min(y1, y2) > box.bottom:
        return False
    # The line is long enough to reach the box; now its direction counts.
    dx, dy = x2 - x1, y2 - y1
    near, far = dy * (box.left - x1), dy * (box.right - x1)
    high, low = dx * (box.top - y1), dx * (box.bottom - y1)
    # It crosses if the corners are not all on one side of the line.
    sides = (high - near, high - far, low - near, low - far)
    return min(sides) <= 0 <= max(sides)
