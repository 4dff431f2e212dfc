"""The legend below a map: the signs of each side, their meaning, a scale, and the headings."""

from collections.abc import Callable, Iterator

from engine.blackskies import symbols
from engine.blackskies.canvas import FONT, WIDTH, Canvas, wide
from engine.blackskies.facts import BattleView
from engine.blackskies.space import STEPS
from engine.paper import INK, PALE

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
    yield symbols.line([(0, top - 130), (WIDTH, top - 130)], PALE, 12)
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
        found.append((lambda x, y: symbols.wedge(x + 80, y, 0, 420), "close range"))
    if view["asteroids"]:
        found.append((lambda x, y: symbols.rock(x + 300, y, 140), "asteroid"))
    return found


def side_rows(view: BattleView) -> int:
    """Return how many rows the sides need: long names stand one below the other."""
    space = _SECOND - _LEFT - _SIGN
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
        yield symbols.track([(x, foot), (x + 330, foot)], side)
        yield symbols.ship(x + 330, foot, 0, side)
        yield _named(x, foot, team["name"])


def _named(x: int, y: int, words: str) -> str:
    return symbols.text(x + _SIGN, y + FONT // 3, words)


def _signs(top: int, word: Word) -> Iterator[str]:
    """Draw what each sign means, two in a row."""
    (x1, x2), (y1, y2) = (_LEFT, _SECOND), (top + 120 + _ROW, top + 120 + 2 * _ROW)
    yield symbols.shot(x1, y1, x1 + 330, y1, True)
    yield symbols.star(x1 + 330, y1, 1)
    yield _named(x1, y1, word("hit"))
    yield symbols.shot(x2, y1, x2 + 480, y1, False)
    yield _named(x2, y1, word("miss"))
    yield symbols.wreck(x1 + 300, y2)
    yield _named(x1, y2, word("destroyed"))
    yield symbols.underline(x2 + 300, y2 + FONT // 3, 440)
    yield symbols.text(x2 + 300, y2 + FONT // 3, "A 1", "middle")
    yield _named(x2, y2, word("crippled"))


def _scale(canvas: Canvas, y: int, word: Word) -> Iterator[str]:
    """Draw a bar of a length in inches."""
    longest = max(_SCALES)
    inches = next((i for i in _SCALES if canvas.length(2000 * i) >= _SHORTEST), longest)
    length = canvas.length(2000 * inches)
    ends = f"M{_LEFT} {y - 60}v120m0 -60h{length}m0 -60v120"
    yield f'<path d="{ends}" stroke="{INK}" stroke-width="30" fill="none"/>'
    yield symbols.text(_LEFT + length + 110, y + FONT // 3, word(_SCALES[inches]))


def _compass(x: int, y: int, word: Word) -> Iterator[str]:
    """Draw the six headings with their names."""
    for (q, r), name in zip(STEPS, _POINTS, strict=True):
        dx, dy = 1000 * q + 500 * r, 866 * r
        tip = x + 400 * dx // 1000, y + 400 * dy // 1000
        yield symbols.line([(x, y), tip], INK, 26)
        yield f'<circle cx="{tip[0]}" cy="{tip[1]}" r="50" fill="{INK}"/>'
        aside = 640 if r == 0 else 620
        words = x + aside * dx // 1000, y + aside * dy // 1000 + FONT // 3
        yield symbols.text(*words, word(name), "middle")
