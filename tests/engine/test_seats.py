"""Who may know what."""

import pytest

from engine.seats import REFEREE, Seat, may_know

HAWK, KITE = Seat("Hawk"), Seat("Kite")


@pytest.mark.parametrize(
    ("seat", "knows"), [(HAWK, True), (REFEREE, True), (KITE, False), (None, False)]
)
def test_what_is_for_some_is_for_them_and_the_referee(seat: Seat | None, knows: bool) -> None:
    assert may_know((HAWK,), seat) is knows
    assert may_know(None, seat)
