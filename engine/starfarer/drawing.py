"""What the pictures of a fight are drawn with: the signs of teams, and the figures of people."""

from engine.paper import INK, PAPER, SIDES
from engine.sketch import line

_SIGNS = (
    '<circle r="13" fill="{c}"/>',
    '<rect x="-12" y="-12" width="24" height="24" fill="{p}" stroke="{c}" stroke-width="5"/>',
    '<path d="M0 -16L16 0L0 16L-16 0z" fill="{c}"/>',
    '<path d="M-15 13L0 -15L15 13z" fill="{p}" stroke="{c}" stroke-width="5"/>',
)
"""A sign for each team, full or hollow by turns."""


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
