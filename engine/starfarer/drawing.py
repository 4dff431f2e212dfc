"""What the pictures of a fight are drawn with: words, lines, and the figures of people."""

from collections.abc import Callable, Sequence
from html import escape

from engine.paper import INK, PALE, PAPER, SIDES, wide

Word = Callable[[str], str]

WIDTH = 640
"""The width of a picture; a telephone shows two of its units as one of its 320 pixels."""
FONT = 24
MARGIN = 20

_SIGNS = (
    '<circle r="13" fill="{c}"/>',
    '<rect x="-12" y="-12" width="24" height="24" fill="{p}" stroke="{c}" stroke-width="5"/>',
    '<path d="M0 -16L16 0L0 16L-16 0z" fill="{c}"/>',
    '<path d="M-15 13L0 -15L15 13z" fill="{p}" stroke="{c}" stroke-width="5"/>',
)
"""A sign for each team, full or hollow by turns."""


def sheet(height: int, parts: Sequence[str]) -> str:
    """Return a whole drawing; its ground is the same in light letters and in dark ones."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH}" height="{height}" font-family="Source Sans Pro, Source Sans 3, Arial,'
        f' sans-serif" font-size="{FONT}" fill="{INK}" stroke-linejoin="round">'
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>' + "".join(parts) + "</svg>"
    )


def text(x: int, y: int, words: str, anchor: str = "start", colour: str = INK) -> str:
    """Return words with an edge of the ground, so that lines below do not strike them out."""
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}" stroke="{PAPER}"'
        f' stroke-width="7" paint-order="stroke">{escape(words)}</text>'
    )


def line(x: int, y: int, to_x: int, to_y: int, colour: str = PALE, width: int = 2) -> str:
    """Draw a line."""
    return (
        f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{colour}" stroke-width="{width}" fill="none"/>'
    )


def sign(x: int, y: int, team: int) -> str:
    """Draw a team's sign."""
    shape = _SIGNS[team].format(c=SIDES[team], p=PAPER)
    return f'<g transform="translate({x} {y})">{shape}</g>'


def person(x: int, y: int, team: int, lies: bool, dead: bool) -> str:
    """Draw a person by its team's sign: upright or lying, with a cross for one that is dead."""
    body = line(0, 10, 0, 34, SIDES[team], 7) + line(-12, 22, 12, 22, SIDES[team], 5)
    turn = " rotate(90) translate(0 -16)" if lies else " translate(0 -16)"
    cross = (
        f'<path d="M-16 -16L16 16M16 -16L-16 16" stroke="{PAPER}" stroke-width="11"/>'
        f'<path d="M-16 -16L16 16M16 -16L-16 16" stroke="{INK}" stroke-width="6"/>'
    )
    figure = f'<g transform="translate({x} {y}){turn}">{body}{sign(0, 0, team)}</g>'
    return figure + (f'<g transform="translate({x} {y})">{cross}</g>' if dead else "")


def cut(words: str, space: int) -> str:
    """Return words as far as they fit into a space."""
    if wide(words, FONT) <= space:
        return words
    while words and wide(words + "…", FONT) > space:
        words = words[:-1]
    return words.rstrip() + "…"
