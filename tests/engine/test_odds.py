"""PREVIEW tells shares only from enough fights, and never more than its fights show."""

from collections import Counter

import pytest

from engine.orders.orders_on_file import Sheet
from engine.preview.budget import Budget
from engine.preview.odds import COUNTED, _verdict, odds
from tests.laws.systems import SYSTEMS, some_state
from tests.support.our_systems import OURS

LETTER = 250_000
"""What a letter may cost, as leagues have it unless they set it."""


@pytest.mark.parametrize("key", OURS)
def test_few_fights_say_only_who_seems_ahead(key: str) -> None:
    ruleset, state = SYSTEMS[key], some_state(key, 5, 0)
    seat = ruleset.seats(state)[0]
    few = odds(ruleset, state, seat, Sheet(), "G1 0", Budget(LETTER))
    assert few is not None
    assert (few.verdict == "counted") == (few.fights >= COUNTED)
    none = odds(ruleset, state, seat, Sheet(), "G1 0", Budget(20_000))
    assert none is None or none.fights < COUNTED


@pytest.mark.parametrize(
    ("won", "lost", "drawn", "verdict"),
    [
        (31, 69, 0, "counted"),
        (9, 3, 0, "ahead"),
        (2, 7, 3, "behind"),
        (1, 0, 0, "even"),
        (7, 5, 0, "even"),
        (1, 2, 4, "open"),
        (0, 0, 3, "open"),
    ],
)
def test_a_verdict_is_what_chance_alone_would_not_do(
    won: int, lost: int, drawn: int, verdict: str
) -> None:
    assert _verdict(Counter(fights=won + lost + drawn, won=won, lost=lost)) == verdict
