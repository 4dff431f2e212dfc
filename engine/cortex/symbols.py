"""What the pictures of a battle are drawn with: rings, signs, arrows and missiles."""

from math import hypot

from engine.pictures import INK, PALE, PAPER, SIDES

_SHAPES = (
    '<circle r="{r}" fill="{fill}" stroke="{c}" stroke-width="4"/>',
    '<rect x="-{r}" y="-{r}" width="{w}" height="{w}" fill="{fill}" stroke="{c}"'
    ' stroke-width="4"/>',
)
"""The sign of a unit of each team: round and full, or square and hollow."""
_RADIUS = 20
LARGEST_SIGN = _RADIUS + 7
"""How far the sign of a wing reaches from its middle."""


def ring(x: int, y: int, radius: int) -> str:
    """Draw a ring of range."""
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="{PALE}" stroke-width="2"/>'


def sign(x: int, y: int, team: int, number: str, wing: bool = False) -> str:
    """Draw a unit's sign with its number, with a second edge where it is a wing."""
    fill, ink = (SIDES[team], PAPER) if team == 0 else (PAPER, INK)
    shape = _SHAPES[team].format(r=_RADIUS - 2, w=2 * _RADIUS - 4, fill=fill, c=SIDES[team])
    edge = _SHAPES[team].format(r=_RADIUS + 5, w=2 * _RADIUS + 10, fill=PAPER, c=SIDES[team])
    words = f'<text y="9" text-anchor="middle" fill="{ink}" font-weight="bold">{number}</text>'
    return f'<g transform="translate({x} {y})">{edge if wing else ""}{shape}{words}</g>'


def arrow(
    x: int, y: int, to_x: int, to_y: int, width: int, dashed: bool = False, ends: int = _RADIUS + 10
) -> str:
    """Draw an arrow between two signs, `ends` away from the middle of each."""
    length = max(hypot(to_x - x, to_y - y), 1)
    along, up = (to_x - x) / length, (to_y - y) / length
    start = round(x + along * ends), round(y + up * ends)
    tip = round(to_x - along * ends), round(to_y - up * ends)
    head = 8 + 2 * width
    base = tip[0] - along * head, tip[1] - up * head
    one = round(base[0] - up * head / 2), round(base[1] + along * head / 2)
    other = round(base[0] + up * head / 2), round(base[1] - along * head / 2)
    dashes = ' stroke-dasharray="4 10"' if dashed else ""
    return (
        f'<path d="M{start[0]} {start[1]}L{round(base[0])} {round(base[1])}" stroke="{INK}"'
        f' stroke-width="{width}" fill="none"{dashes}/>'
        f'<path d="M{tip[0]} {tip[1]}L{one[0]} {one[1]}L{other[0]} {other[1]}z" fill="{INK}"/>'
    )


def missile(x: int, y: int, name: str = "", turned: int = 0) -> str:
    """Draw a missile that flies in a direction, in degrees from the top, with its name."""
    words = (
        f'<text x="18" y="9" stroke="{PAPER}" stroke-width="7" paint-order="stroke">{name}</text>'
    )
    return (
        f'<g transform="translate({x} {y})"><path transform="rotate({turned})"'
        f' d="M0 -15L12 11L0 4L-12 11z" fill="{INK}" stroke="{PAPER}" stroke-width="3"/>'
        f"{words if name else ''}</g>"
    )
