"""Who is asking: a seat of a game, the referee, or the public."""

from collections.abc import Iterable
from typing import NewType

Seat = NewType("Seat", str)
"""The name of a place in one game (in StarPilot, a pilot's name); never a person."""

REFEREE = Seat("|referee")
"""The referee's own seat; no pilot's name holds a `|`, so no pilot can take it."""

Audience = tuple[Seat, ...] | None
"""Who may learn of an event: the seats named, or everyone (None)."""


def may_know(audience: Audience, seat: Seat | None) -> bool:
    """Return whether a seat (None: the public) belongs to an audience."""
    return audience is None or seat == REFEREE or seat in audience


def referee_last(seats: Iterable[Seat]) -> list[Seat]:
    """Return seats by name, so that it does not matter whose letter came first, the referee last.

    The referee ends what the others order.
    """
    return sorted(seats, key=lambda seat: (seat == REFEREE, seat))
