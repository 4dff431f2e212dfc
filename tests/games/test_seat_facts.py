"""What a letter says about a seat's team."""

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.games.reports import seat_facts


@pytest.mark.parametrize(
    ("captain", "simultaneous", "expected"),
    [
        (None, False, None),
        ("Hawk", True, None),
        ("Hawk", False, {"captain": "Hawk", "acting": ["Hawk", "Owl"], "leads": True}),
    ],
)
def test_a_team_is_led_only_where_its_seats_act_in_turn(
    captain: str | None, simultaneous: bool, expected: object
) -> None:
    """Who fights alone has no captain."""
    session: Any = SimpleNamespace(
        captain=lambda seat: captain,
        simultaneous=simultaneous,
        team=lambda seat: ["Hawk", "Owl"],
        active=lambda seat: True,
        rules=SimpleNamespace(seats=lambda state: ["Hawk", "Kestrel", "Owl"]),
        state=None,
    )
    assert seat_facts.team(session, "Hawk") == expected
