"""The course as a picture, with each car's way so far."""

from collections.abc import Callable
from typing import Any

from engine.i18n import all_of, say
from engine.pictures import Picture

SIDE = 26
COLOURS = ("#b3261e", "#0b57d0", "#146c2e", "#8c5000", "#7b1fa2", "#00677d")
_GROUND = {"#": "#5f6368", "S": "#e8eaed", "F": "#fff3c4"}


def pictures(view: Any, word: Callable[[str], str]) -> tuple[Picture, ...]:
    """Return the picture of a race, and the same in a sentence."""
    rows = view["course"]
    wide, high = len(rows[0]) * SIDE, len(rows) * SIDE
    parts = [
        f'<rect x="{x * SIDE}" y="{y * SIDE}" width="{SIDE}" height="{SIDE}"'
        f' fill="{_GROUND.get(kind, "#ffffff")}" stroke="#9aa0a6" stroke-width="0.5"/>'
        for y, row in enumerate(rows)
        for x, kind in enumerate(row)
    ]
    for number, car in enumerate(view["pilots"], 1):
        parts += _car(number, car)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"'
        f' width="{wide}" height="{high}">{"".join(parts)}</svg>'
    )
    return (Picture(svg, say("The course: {cars}.", cars=all_of(_told(view)))),)


def _car(number: int, car: Any) -> list[str]:
    colour = COLOURS[number - 1]
    trail = " ".join(f"{(x + 0.5) * SIDE:.0f},{(y + 0.5) * SIDE:.0f}" for x, y in car["trail"])
    x, y = ((one + 0.5) * SIDE for one in car["at"])
    return [
        f'<polyline points="{trail}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<circle cx="{x}" cy="{y}" r="{SIDE * 0.42}" fill="{colour}"/>',
        f'<text x="{x}" y="{y + 5}" font-size="14" fill="#ffffff" text-anchor="middle"'
        f' font-family="Source Sans 3">{number}</text>',
    ]


def _told(view: Any) -> list[str]:
    return [
        say("{number} is {name}, at {x}, {y}", number=n, name=car["name"],
            x=car["at"][0], y=car["at"][1])
        for n, car in enumerate(view["pilots"], 1)
    ]  # fmt: skip
