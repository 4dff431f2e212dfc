"""Who is asking: a seat of a game, the referee, or the public."""

from collections.abc import Callable, Iterable, Mapping
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
    """Return seats in order of their names, the referee last.

    So it does not matter whose letter came first, and the referee ends what the others order.
    """
    return sorted(seats, key=lambda seat: (seat == REFEREE, seat))


def seat_named(value: Mapping[str, object], team: str, otherwise: str) -> Seat:
    """Return the seat of a piece of a set-up: by the league's key `seat`, else by the team's name.

    Scenarios have no such key. `otherwise` replaces a name that looks like the referee's.
    """
    seat = value.get("seat")
    name = seat if isinstance(seat, str) and seat.strip() else team
    # A set-up comes from outside: a seat in it must never get the referee's rights.
    return Seat(otherwise if name.startswith("|") else name)


def by_seat(
    names: Iterable[str], seat_of: Callable[[str], Seat], seats: Iterable[Seat]
) -> dict[Seat, tuple[str, ...]]:
    """Return pieces by their seats, in the order of `seats`; a seat without any is left out."""
    found: dict[Seat, tuple[str, ...]] = {}
    for name in names:
        seat = seat_of(name)
        found[seat] = (*found.get(seat, ()), name)
    return {seat: found[seat] for seat in seats if seat in found}
