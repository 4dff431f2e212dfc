"""Squadrons to a battle: the standard start (BS-28)."""

from collections.abc import Sequence
from typing import Any

from engine.blackskies.fields import Data
from engine.blackskies.space import Point

_AHEAD, _APART = 24, 7
_WINGMAN = (-4, 4)


def standard(one: Data, other: Data, **rest: Any) -> Data:
    """Give a set-up in which two sides, as set-ups write them, stand 24 inches apart.

    Each element needs name, design, speed and fighters with name and skill; what stands in
    `rest`, such as `designs`, is added as it is.
    """
    return {"teams": [_placed(one, 1, 0), _placed(other, -1, 3)], **rest}


def _placed(team: Data, sign: int, heading: int) -> Data:
    elements = [
        {**element, "heading": heading, "fighters": _pair(element["fighters"], lead(n), sign)}
        for n, element in enumerate(team["elements"])
    ]
    return {**team, "elements": elements}


def _pair(fighters: Sequence[Data], at: Point, sign: int) -> list[Data]:
    """Place a lead, and its wingman behind it to the right."""
    return [
        {**fighter, "q": sign * (at[0] + n * _WINGMAN[0]), "r": sign * (at[1] + n * _WINGMAN[1])}
        for n, fighter in enumerate(fighters)
    ]


def lead(number: int) -> Point:
    """Give where the lead of the first side's element stands, the elements counted from 0."""
    out = _APART * ((number + 1) // 2)
    k = out if number % 2 else -out
    return -_AHEAD - k, 2 * k
