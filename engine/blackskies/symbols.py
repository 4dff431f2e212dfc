"""The signs of a map, each with a shape of its own, and the legend that explains them."""

from collections.abc import Callable, Iterator
from html import escape

from engine.blackskies.canvas import FONT, WIDTH, Box, Canvas, wide
from engine.blackskies.geometry import STEPS
from engine.blackskies.view_types import BattleView
from engine.pictures import INK, LETTERS, PALE, PAPER, SHADE, SIDES, legible

STONE = "#5d6b79"
DASHES = ("", ' stroke-dasharray="110 70"')
SHIP = 170
"""How far a ship reaches from its middle."""
BURST = 190
"""How far the star of a hit reaches."""
CROSS = 120
"""How far the cross of a loss reaches."""
_TENTHS = ((1000, 0), (866, -500), (500, -866), (0, -1000))
_STAR = (
    (0, -190), (50, -120), (134, -134), (120, -50), (190, 0), (120, 50), (134, 134), (50, 120),
    (0, 190), (-50, 120), (-134, 134), (-120, 50), (-190, 0), (-120, -50), (-134, -134),
    (-50, -120),
)  # fmt: skip


def sheet(height: int, parts: list[str]) -> str:
    """Return a whole drawing; its ground is the same in light letters and in dark ones."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH // 10}" height="{height // 10}" font-family="Source Sans Pro, Source'
        f' Sans 3, Arial, sans-serif" font-size="{FONT}" fill="{INK}" stroke-linejoin="round">'
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>' + "".join(parts) + "</svg>"
    )


def clipped(box: Box, parts: list[str]) -> str:
    """Return a part of a drawing, clipped to a box."""
    left, top, wide, high = box.left, box.top, box.right - box.left, box.bottom - box.top
    return (
        f'<svg x="{left}" y="{top}" width="{wide}" height="{high}"'
        f' viewBox="{left} {top} {wide} {high}">' + "".join(parts) + "</svg>"
    )


def covered(box: Box, high: int) -> str:
    """Return the ground above and below a box, in a sheet that is as wide and so high.

    Drawn over what was not clipped, it costs less than to clip it.
    """
    wide = box.right - box.left
    return "".join(
        f'<rect x="{box.left}" y="{y}" width="{wide}" height="{tall}" fill="{PAPER}"/>'
        for y, tall in ((0, box.top), (box.bottom, high - box.bottom))
    )


def text(x: int, y: int, words: str, anchor: str = "start", more: str = "") -> str:
    """Return words with an edge of the ground, so that lines below do not strike them out."""
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" stroke="{PAPER}" stroke-width="70"'
        f' paint-order="stroke"{more}>{escape(words)}</text>'
    )


def inked(side: int) -> str:
    """Return the attribute of words in the colour of a side."""
    return f' fill="{SIDES[side]}"'


def underline(x: int, y: int, length: int) -> str:
    """Draw the line under the name of a crippled fighter."""
    ends = [(x - length // 2, y + 50), (x + length // 2, y + 50)]
    return line(ends, PAPER, 76) + line(ends, INK, 32)


def line(points: list[tuple[int, int]], colour: str, width: int, more: str = "") -> str:
    """Draw a line through points."""
    way = "L".join(f"{x} {y}" for x, y in points)
    return f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="{width}"{more}/>'


def track(points: list[tuple[int, int]], side: int) -> str:
    """Draw where a fighter flew: a solid line for one side, a dashed one for the other."""
    x, y = points[0]
    # A light edge, so that tracks that cross can be told apart without colours.
    under = line(points, PAPER, 70)
    start = f'<circle cx="{x}" cy="{y}" r="36" fill="{SIDES[side]}"/>'
    return under + line(points, SIDES[side], 36, DASHES[side]) + start


def ship(x: int, y: int, heading: int, side: int) -> str:
    """Draw a ship by its heading: a full dart for one side, a ring with a nose for the other."""
    colour = SIDES[side]
    # No meaning depends on colour alone: the sides differ by shape, and by line (decision 0012).
    shape = (
        f'<path d="M190 0L-140 -115L-70 0L-140 115z" fill="{colour}" stroke="{PAPER}"'
        ' stroke-width="30"/>'
        if side == 0
        else f'<path d="M230 0L70 -78A105 105 0 1 0 70 78z" fill="{PAPER}" stroke="{colour}"'
        ' stroke-width="46"/>'
    )
    return f'<g transform="translate({x} {y}) rotate({-60 * heading})">{shape}</g>'


def wreck(x: int, y: int) -> str:
    """Draw a cross, where a fighter was destroyed."""
    cross = f"M{x - CROSS} {y - CROSS}l240 240m0 -240l-240 240"
    return (
        f'<path d="{cross}" stroke="{PAPER}" stroke-width="110"/>'
        f'<path d="{cross}" stroke="{INK}" stroke-width="56"/>'
    )


def rock(x: int, y: int, radius: int) -> str:
    """Draw an asteroid, with craters to distinguish it from an arc of fire."""
    crater, aside = max(radius // 7, 8), radius // 2
    pits = ((-aside, -aside // 2), (aside // 3, -aside), (aside, aside // 3), (-aside // 3, aside))
    return (
        f'<g fill="{STONE}" stroke="{INK}" stroke-width="24">'
        f'<circle cx="{x}" cy="{y}" r="{radius}"/>'
        + "".join(f'<circle cx="{x + dx}" cy="{y + dy}" r="{crater}"/>' for dx, dy in pits)
        + "</g>"
    )


def shot(x: int, y: int, to_x: int, to_y: int, hit: bool) -> str:
    """Draw a shot: a solid line if it hits, a row of dots if it misses."""
    # Hit and miss differ by line, so that they can be told apart in grey.
    dots = "" if hit else ' stroke-dasharray="10 75" stroke-linecap="round"'
    return line([(x, y), (to_x, to_y)], INK, 22 if hit else 34, dots)


def star(x: int, y: int, hits: int) -> str:
    """Draw a star for shots that hit, with their number if it is more than one."""
    points = " ".join(f"{x + dx},{y + dy}" for dx, dy in _STAR)
    number = text(x, y + 75, str(hits), "middle", ' font-size="220"') if hits > 1 else ""
    return f'<polygon points="{points}" fill="{PAPER}" stroke="{INK}" stroke-width="26"/>{number}'


def wedge(x: int, y: int, direction: int, radius: int) -> str:
    """Draw an arc of fire around a heading, as far as a radius on the paper."""
    (x1, y1), (x2, y2) = (_aside(radius, 2 * direction + turn) for turn in (-1, 1))
    return (
        f'<path d="M{x} {y}L{x + x1} {y + y1}A{radius} {radius} 0 0 0 {x + x2} {y + y2}z"'
        f' fill="{SHADE}"/>'
    )


def _aside(radius: int, twelfths: int) -> tuple[int, int]:
    """Return the way along a direction, in twelfths of a turn to the left from east."""
    quarter, rest = divmod(twelfths % 12, 3)
    x, y = _TENTHS[rest]
    # Only a quarter of a circle is in the table; the rest is the same, turned.
    for _ in range(quarter):
        x, y = y, -x
    return radius * x // 1000, radius * y // 1000


Word = Callable[[str], str]

_HEIGHT = 1720
"""The least height of a legend."""
_MOST_ARCS = 8
"""The most elements whose arcs of fire are drawn; more would hide each other."""
_ROW, _LEFT, _SECOND, _SIGN = 360, 260, 2500, 620
_SCALES = {3: "3 inches", 6: "6 inches", 12: "12 inches", 24: "24 inches", 48: "48 inches"}
"""The lengths that a scale can have; the first one long enough is taken."""
_SHORTEST = 560
_POINTS = ("E", "NE", "NW", "W", "SW", "SE")
WORDS = (
    *_SCALES.values(), *_POINTS, "hit", "miss", "crippled", "destroyed", "close range", "asteroid",
    "Before the first turn", "After turn {turn} of {last}", "Turn {turn}", "At the end",
)  # fmt: skip
"""The words of a map that are in no sentence."""


def height(view: BattleView) -> int:
    """Return the height of a map's legend."""
    return _HEIGHT + _ROW * max(len(_rarer(view)) - 1, 0) + taller(view)


def has_arcs(view: BattleView) -> bool:
    """Return whether a map shows arcs of fire."""
    return len([e for e in view["elements"] if e["active"]]) <= _MOST_ARCS


def legend(canvas: Canvas, view: BattleView, word: Word) -> Iterator[str]:
    """Draw the legend below a map."""
    top = canvas.box.bottom + 130
    yield line([(0, top - 130), (WIDTH, top - 130)], PALE, 12)
    yield from sides(view, top + 120)
    top += taller(view)
    yield from _signs(top, word)
    yield from _scale(canvas, top + 120 + 3 * _ROW, word)
    for row, (sign, words) in enumerate(_rarer(view), 3):
        y = top + 120 + row * _ROW
        yield sign(_SECOND, y)
        yield _named(_SECOND, y, word(words))
    yield from _compass(WIDTH - 820, top + (height(view) - taller(view)) // 2 - 150, word)


def _rarer(view: BattleView) -> list[tuple[Callable[[int, int], str], str]]:
    """Return the signs that not every map has, and what each means."""
    found: list[tuple[Callable[[int, int], str], str]] = []
    if has_arcs(view):
        found.append((lambda x, y: wedge(x + 80, y, 0, 420), "close range"))
    if view["asteroids"]:
        found.append((lambda x, y: rock(x + 300, y, 140), "asteroid"))
    return found


def side_rows(view: BattleView) -> int:
    """Return how many rows the sides need: long names stand one below the other."""
    space = _SECOND - _LEFT - _SIGN
    # Both or neither: sides in different columns and rows would look unlike.
    return 1 if all(wide(team["name"]) <= space for team in view["teams"]) else 2


def taller(view: BattleView) -> int:
    """Return how much more height long names take."""
    return _ROW * (side_rows(view) - 1)


def sides(view: BattleView, y: int) -> Iterator[str]:
    """Draw the track and the ship of each side."""
    below = side_rows(view) == 2
    for side, team in enumerate(view["teams"]):
        x = _LEFT + (0 if below else (_SECOND - _LEFT) * side)
        foot = y + (_ROW * side if below else 0)
        yield track([(x, foot), (x + 330, foot)], side)
        yield ship(x + 330, foot, 0, side)
        yield _named(x, foot, legible(team["name"], LETTERS[side]))


def _named(x: int, y: int, words: str) -> str:
    return text(x + _SIGN, y + FONT // 3, words)


def _signs(top: int, word: Word) -> Iterator[str]:
    """Draw what each sign means, two in a row."""
    (x1, x2), (y1, y2) = (_LEFT, _SECOND), (top + 120 + _ROW, top + 120 + 2 * _ROW)
    yield shot(x1, y1, x1 + 330, y1, True)
    yield star(x1 + 330, y1, 1)
    yield _named(x1, y1, word("hit"))
    yield shot(x2, y1, x2 + 480, y1, False)
    yield _named(x2, y1, word("miss"))
    yield wreck(x1 + 300, y2)
    yield _named(x1, y2, word("destroyed"))
    yield underline(x2 + 300, y2 + FONT // 3, 440)
    yield text(x2 + 300, y2 + FONT // 3, "A 1", "middle")
    yield _named(x2, y2, word("crippled"))


def _scale(canvas: Canvas, y: int, word: Word) -> Iterator[str]:
    """Draw a bar of a length in inches."""
    longest = max(_SCALES)
    # An inch is two half-inches, and a canvas counts in thousandths of one.
    inches = next((i for i in _SCALES if canvas.length(2000 * i) >= _SHORTEST), longest)
    length = canvas.length(2000 * inches)
    ends = f"M{_LEFT} {y - 60}v120m0 -60h{length}m0 -60v120"
    yield f'<path d="{ends}" stroke="{INK}" stroke-width="30" fill="none"/>'
    yield text(_LEFT + length + 110, y + FONT // 3, word(_SCALES[inches]))


def _compass(x: int, y: int, word: Word) -> Iterator[str]:
    """Draw the six headings with their names."""
    for (q, r), name in zip(STEPS, _POINTS, strict=True):
        dx, dy = 1000 * q + 500 * r, 866 * r
        tip = x + 400 * dx // 1000, y + 400 * dy // 1000
        yield line([(x, y), tip], INK, 26)
        yield f'<circle cx="{tip[0]}" cy="{tip[1]}" r="50" fill="{INK}"/>'
        aside = 640 if r == 0 else 620
        words = x + aside * dx // 1000, y + aside * dy // 1000 + FONT // 3
        yield text(*words, word(name), "middle")
