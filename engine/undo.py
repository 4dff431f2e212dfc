"""UNDO: how the referee's seat takes a log back to a step, and which of its steps stand.

Steps are never taken out of a log. An UNDO is a step of its own, without dice; the next step has
the next number, and so dice that nobody has seen (dice.md).
"""

import re
from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

from engine.errors import EngineError
from engine.i18n import say
from engine.seats import REFEREE

T = TypeVar("T")
# One text for each order: no leading zeros, and digits of ASCII alone (\d takes others too).
_UNDO = re.compile(r"UNDO TO (START|0|[1-9]\d{0,8})(?: UNDER ([0-9a-f]{64}))?", re.A)
START = -1
"""Stands for the time before the first step."""


class UndoError(EngineError):
    """An UNDO to a step that is void or missing; the text names it."""


class Undo(NamedTuple):
    """An order of the referee's seat: go back to the state after step `to`, or to the START.

    If the game was over, its secret is known; `under` is then the commitment to a new one.
    """

    to: int
    under: str = ""

    def __str__(self) -> str:
        """Write the order in canonical text."""
        to = "START" if self.to == START else self.to
        return f"UNDO TO {to}" + f" UNDER {self.under}" * bool(self.under)


def undo_of(orders: object) -> Undo | None:
    """Return the UNDO that a step's orders (pairs of seat and canonical text) are, or None."""
    if not isinstance(orders, list) or len(orders) != 1:
        return None
    seat, text = orders[0]
    match = _UNDO.fullmatch(text) if seat == REFEREE and isinstance(text, str) else None
    if match is None:
        return None
    return Undo(START if match[1] == "START" else int(match[1]), match[2] or "")


class Track(Generic[T]):
    """What is true at the START, and after each step that stands."""

    def __init__(self, start: T) -> None:
        self._kept = {START: start}

    def take(self, n: int, value: T) -> None:
        """Note what holds after step n."""
        self._kept[n] = value

    def undo(self, to: int) -> T:
        """Drop what came after a step, and return what was true then. Raise UndoError."""
        if to not in self._kept:
            raise UndoError(say("there is no step {to}, or it was undone itself", to=to))
        # The steps after `to` are void for good, so a later UNDO can't go back to them.
        self._kept = {n: value for n, value in self._kept.items() if n <= to}
        return self._kept[to]

    def __iter__(self) -> Iterator[int]:
        """Return the numbers of the steps that stand, in their order."""
        return (n for n in self._kept if n != START)

    def kept(self) -> dict[int, T]:
        """Return what is true at the START, and after each step that stands."""
        return dict(self._kept)
