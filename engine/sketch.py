"""What pictures of several systems are drawn with: a ground, words and lines."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TypeVar

from engine.paper import INK, PALE, PAPER, wide

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
    """Return words, with an edge of the ground where lines below might strike them out."""
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
    return [moments[last * n // (most - 1)] for n in range(most)]
