"""Orders on one line with the game that they are for, such as `GAME 12: SCAN` or `12: SCAN`."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.i18n import Said, say
from engine.orders.lines import SENTENCE_ENDS
from engine.ruleset import Near
from pbem.handlers.lookup import FOR, GAME, GAME_NAMED
from pbem.handlers.request import Request

MAY_HEAD = re.compile(
    r"^\W{0,4}(?:[^\W\d_]{2,8} ){0,4}[G#]?\d{1,9}"
    rf"(?:\s*[:,]|\s+(?:[-–—]{{1,2}}\s|{FOR}\b))|\b{GAME} [G#]?\d",
    re.I | re.M,
)
"""What a letter holds in which a line names a game or a number, and says more."""
_HEADED = re.compile(
    rf"\W{{0,4}}(?P<head>{GAME_NAMED})(?:\s*[:,]|\s[-–—]{{1,2}}\s)\s*(?P<rest>\S.*)", re.I
)
_NUMBERED = re.compile(r"\W{0,4}[G#]?(?P<number>\d{1,9})\s*:\s*(?P<rest>\S.*)", re.I)
_NAMED = re.compile(rf"\b{GAME} [G#]?(\d{{1,9}})\b", re.I)
_OTHER = say(
    "the line above it names a game and says more; write only the game on that line, such as"
    " GAME 12"
)


_MOST_LINES = 100
"""Below so many lines of a letter no game stands on one line with an order, to save time."""


class Parted(NamedTuple):
    """A letter's lines, with each game that one begins with on a line of its own.

    `near` are those whose number may be a game's or a list's, and `doubted` orders right below
    words that begin with another game, with the reason.
    """

    lines: list[str]
    near: list[Near]
    doubted: list[tuple[str, Said]]


def with_heads(request: Request, lines: Sequence[str], is_order: Callable[[str], bool]) -> Parted:
    """Return a letter's lines with the games before orders on lines of their own."""
    found = Parted([], [], [])
    running = {place.game_id for place in request.ports.store.places_of(request.player.id)}
    here = request.place.game_id if request.place is not None else 0
    here = here or (next(iter(running)) if len(running) == 1 else 0)
    numbers = _numbers(lines[:_MOST_LINES], is_order)
    # From 1 without a gap, the numbers of a list.
    listed = sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    alike = listed and running.issuperset(numbers.values()) and {here} != {*numbers.values()}
    elsewhere = False
    for at, line in enumerate(lines[:_MOST_LINES]):
        headed = _HEADED.fullmatch(" ".join(line.split()))
        named = _NAMED.search(line)
        if headed is not None and is_order(headed["rest"]):
            elsewhere = False
            found.lines.extend((headed["head"], headed["rest"]))
        elif named is not None and (
            headed is not None or not line.rstrip().endswith(SENTENCE_ENDS)
        ):
            # A line with nothing but the game is an order here.
            elsewhere = not is_order(line) and int(named[1]) in running - {here}
            found.lines.append(line)
        elif elsewhere and is_order(line):
            found.doubted.append((line, _OTHER))
        elif at not in numbers or (listed and not alike) or numbers[at] not in running:
            found.lines.append(line)
            elsewhere = elsewhere and bool(line.strip())
        else:
            number, rest = numbers[at], line.partition(":")[2].strip()
            whole = say("GAME {game}: {order}", game=number, order=rest)
            if listed and request.place is not None:
                found.near.append(Near(line.strip(), whole, several=(whole, rest)))
            else:
                found.lines.extend((f"GAME {number}", rest))
    found.lines.extend(lines[_MOST_LINES:])
    return found


def _numbers(lines: Sequence[str], is_order: Callable[[str], bool]) -> dict[int, int]:
    """Return the numbers before orders, each with a colon, by the place of its line."""
    found = {at: _NUMBERED.fullmatch(line.strip()) for at, line in enumerate(lines)}
    return {
        at: int(one["number"])
        for at, one in found.items()
        if one is not None and is_order(one["rest"])
    }
