"""What pictures of several systems are drawn with: a dark ground, words and lines.

A picture can't know how its letter is shown, and a white one glares in a dark letter.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import NamedTuple, TypeVar

from engine.i18n import listed, say


class Picture(NamedTuple):
    """A drawing as SVG, and a sentence that says all that it shows.

    `short` says in a few words what it is of, for a letter whose words say the rest; "" where the
    whole sentence is short.
    """

    svg: str
    alt: str
    short: str = ""


def of_sides(counts: Iterable[tuple[str, int]]) -> str:
    """Return how many pieces each side has, in words."""
    return listed(say("{team} has {count} left", team=team, count=n) for team, n in counts)


PAPER, INK, PALE, SHADE = "#16212c", "#f1f4f7", "#8796a5", "#2f4050"
"""The ground, words and signs on it, thin lines, and areas."""
LETTERS = "ABCD"
"""What stands for the name of a side that the font can't show."""
SIDES = ("#7fbcff", "#ffab66", "#a8db7a", "#e6a3ee")
"""The colours of the sides, of which there are two to four; no meaning depends on them alone."""
_NARROW, _WIDE = "fijlrtI.,:;'|!()[] -", "mwMWO@Q&%"


def wide(words: str, size: int) -> int:
    """Return about how wide words are in a font of a size, without asking the font."""
    # Hundredths of the font's size. Beyond U+2E7F are the square letters of East Asia.
    parts = (26 if c in _NARROW else 86 if c in _WIDE or ord(c) > 0x2E7F else 56 for c in words)
    return size * sum(parts) // 100


_LETTERS = ((0x0000, 0x0530), (0x1E00, 0x2070))
"""The code points of Latin, Greek and Cyrillic letters, and of signs between them."""


def drawable(words: str) -> bool:
    """Return whether pictures can show words: the font has Latin, Greek and Cyrillic alone."""
    return all(any(first <= ord(c) < end for first, end in _LETTERS) for c in words)


def legible(name: str, instead: object) -> str:
    """Return a name, or what stands for it in a picture whose font lacks its script."""
    # Boxes would look alike for everybody; the words of the letter have the name.
    return name if drawable(name) else str(instead)


def fitting(words: str, size: int, space: int, least: int) -> int:
    """Return the largest font size, of at least `least`, in which words fit into a space."""
    while size > least and wide(words, size) > space:
        size -= 1
    return size


def folded(words: str, size: int, space: int) -> list[str]:
    """Return words in as many lines as they need in a space; a long word is cut into pieces."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if wide(longer, size) <= space:
            lines[-1] = longer
            continue
        lines += [word] if lines[-1] else []
        lines[-1] = lines[-1] or word
        while wide(lines[-1], size) > space:
            most = next(
                n for n in range(len(lines[-1]), 0, -1) if wide(lines[-1][:n], size) <= space
            )
            lines[-1:] = [lines[-1][:most], lines[-1][most:]]
    return lines


T = TypeVar("T")
Word = Callable[[str], str]

WIDTH = 640
"""The width of a picture; a telephone shows two of its units as one of its 320 pixels."""
FONT = 24
MARGIN = 20


def sheet(height: int, parts: Sequence[str]) -> str:
    """Return a whole drawing; its ground is the same in light letters and in dark ones."""
    ground = f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    return tiled(height, [ground, *parts])


def tiled(height: int, tiles: Sequence[str]) -> str:
    """Return a whole drawing of tiles, which are drawn in less time than one large sheet."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        # The first font is the only one that the service draws with (decision 0012); the others are
        # for browsers.
        f' width="{WIDTH}" height="{height}" font-family="Source Sans Pro, Source Sans 3, Arial,'
        f' sans-serif" font-size="{FONT}" fill="{INK}" stroke-linejoin="round">'
        + "".join(tiles)
        + "</svg>"
    )


def tile(x: int, y: int, wide: int, high: int, parts: Iterable[str]) -> str:
    """Return a part of a drawing as an SVG of its own, clipped to its rectangle.

    Tiles that look the same in many pictures can be drawn once and kept.
    """
    place = f'x="{x}" y="{y}" width="{wide}" height="{high}"'
    paper = f'<rect {place} fill="{PAPER}"/>'
    return f'<svg {place} viewBox="{x} {y} {wide} {high}">{paper}{"".join(parts)}</svg>'


def text(
    x: int, y: int, words: str, anchor: str = "start", colour: str = INK, edge: bool = True
) -> str:
    """Return words; with `edge` they have a border of the ground's colour, so that lines below
    do not cross them out."""
    edged = f' stroke="{PAPER}" stroke-width="7" paint-order="stroke"' if edge else ""
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}"{edged}>'
        f"{escape(words)}</text>"
    )


def line(x: int, y: int, to_x: int, to_y: int, colour: str = PALE, width: int = 2) -> str:
    """Draw a line."""
    return (
        f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{colour}" stroke-width="{width}" fill="none"/>'
    )


def cut(words: str, space: int) -> str:
    """Return words as far as they fit into a space."""
    if wide(words, FONT) <= space:
        return words
    while words and wide(words + "…", FONT) > space:
        words = words[:-1]
    return words.rstrip() + "…"


def spread(moments: Sequence[T], most: int) -> list[T]:
    """Return the first moment of a film and its last, and some between that are spread evenly."""
    last = len(moments) - 1
    if last < most:
        return list(moments)
    # Whole numbers, so that the same moments are chosen on every machine.
    return [moments[last * n // (most - 1)] for n in range(most)]
