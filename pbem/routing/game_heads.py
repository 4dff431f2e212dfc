"""Orders on one line with the game that they are for, such as `GAME 12: SCAN` or `12: SCAN`."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.i18n import Said, say
from engine.ruleset import Near
from pbem.handlers.lookup import GAME_NAMED
from pbem.handlers.request import Request

MAY_HEAD = re.compile(
    r"^\W{0,4}(?:[^\W\d_]{2,8} ){0,4}[G#]?\d{1,9}(?:\s*[:,]|\s+(?:[-–—]{1,2}\s|for\b|für\b))",
    re.I | re.M,
)
"""What a letter holds in which a line names a game or a number, and says more."""
_HEADED = re.compile(
    rf"\W{{0,4}}(?P<head>{GAME_NAMED})(?:\s*[:,]|\s[-–—]{{1,2}}\s)\s*(?P<rest>\S.*)", re.I
)
_NUMBERED = re.compile(r"\W{0,4}[G#]?(?P<number>\d{1,9})\s*:\s*(?P<rest>\S.*)", re.I)
_OTHER = say(
    "the line above it names a game and says more; write only the game on that line, such as"
    " GAME 12"
)


class Parted(NamedTuple):
    """A letter's lines, with each game that one begins with on a line of its own.

    `near` are those whose number may be a game's or a list's, and `doubted` orders right below
    words that begin with another game, with the reason.
    """

    lines: list[str]
    near: list[Near]
    doubted: list[tuple[str, Said]]


def parted(request: Request, lines: Sequence[str], is_order: Callable[[str], bool]) -> Parted:
    """Return a letter's lines with the games before orders on lines of their own."""
    found = Parted([], [], [])
    here = request.place.game_id if request.place is not None else 0
    running = {place.game_id for place in request.ports.store.places_of(request.player.id)}
    numbers = _numbers(lines, is_order)
    # From 1 without a gap, the numbers of a list.
    listed = sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    alike = listed and running.issuperset(numbers.values()) and {here} != {*numbers.values()}
    elsewhere = False
    for at, line in enumerate(lines):
        headed = _HEADED.fullmatch(" ".join(line.split()))
        elsewhere = elsewhere and bool(line.strip())
        if headed is not None:
            elsewhere = not is_order(headed["rest"]) and int(headed["number"]) in running - {here}
        if headed is not None and is_order(headed["rest"]):
            found.lines.extend((headed["head"], headed["rest"]))
        elif elsewhere and headed is None and is_order(line):
            found.doubted.append((line, _OTHER))
        elif at not in numbers or (listed and not alike) or numbers[at] not in running:
            found.lines.append(line)
        else:
            number, rest = numbers[at], line.partition(":")[2].strip()
            whole = say("GAME {game}: {order}", game=number, order=rest)
            if listed and here:
                found.near.append(Near(line.strip(), whole, several=(whole, rest)))
            else:
                found.lines.extend((f"GAME {number}", rest))
    return found


def _numbers(lines: Sequence[str], is_order: Callable[[str], bool]) -> dict[int, int]:
    """Return the numbers before orders, each with a colon, by the place of its line."""
    found = {at: _NUMBERED.fullmatch(line.strip()) for at, line in enumerate(lines)}
    return {
        at: int(one["number"])
        for at, one in found.items()
        if one is not None and is_order(one["rest"])
    }
