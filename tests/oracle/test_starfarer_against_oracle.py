"""The engine against the naive referee, over thousands of random Starfarer scenarios.

The long tests compare 2000 of them. STARFARER_SCENARIOS=20000 in the environment asks for more.
"""

from __future__ import annotations

import json
import os
from random import Random

import pytest

from tests.oracle.comparing import comparable, compare, compare_refusals
from tests.oracle.naive_starfarer import replay as naive_replay
from tests.oracle.starfarer.author import author
from tests.oracle.starfarer.broken import BREAKS, broken_by
from tests.oracle.starfarer.edges import (
    at_the_ends_of_brackets,
    with_injured_limbs,
    with_ten_quiet_rounds,
)
from tests.support.paths import SCENARIOS
from tests.support.trial_counts import some, tries

CHUNK = 100
CHUNKS, FEW = int(os.environ.get("STARFARER_SCENARIOS", "2000")) // CHUNK, 1
"""So many in all, and so many of them without the long tests."""
BROKEN_EACH = tries(30, 6)
INJURED = tries(1000, 60)

WORKED = SCENARIOS / "starfarer-worked-example.json"


def test_the_naive_referee_plays_the_worked_example() -> None:
    """The example of rules/starfarer.md ends as it says there."""
    expected = json.loads(WORKED.with_suffix(".expected.json").read_text())
    result = comparable(naive_replay(json.loads(WORKED.read_text())))
    assert result == {key: expected[key] for key in result}


@pytest.mark.parametrize("chunk", some(range(CHUNKS), FEW))
def test_engine_agrees_with_the_naive_referee(chunk: int) -> None:
    """State, refusals, end and rolls are the same."""
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        compare(author(Random(number)).scenario(), naive_replay)


def test_both_shoot_alike_at_the_ends_of_brackets() -> None:
    """Which a random distance hardly ever is."""
    for scenario in at_the_ends_of_brackets():
        compare(scenario, naive_replay)


def test_both_end_quiet_fights_alike() -> None:
    """Also where the tenth quiet round leaves one team alone."""
    ends = [compare(scenario, naive_replay)["state"] for scenario in with_ten_quiet_rounds()]
    assert [end["winner"] for end in ends] == ["red", "red", "red", None]


def test_both_check_injured_limbs_alike() -> None:
    """Arms and legs that are wounded again and again, and used in between."""
    for number in range(INJURED):
        compare(with_injured_limbs(Random(number)), naive_replay)


@pytest.mark.parametrize("kind", sorted(BREAKS))
def test_the_engine_refuses_broken_scenarios(kind: str) -> None:
    """And it names the die that is missing, left over or cannot be, as the naive one does."""
    for number in range(BROKEN_EACH):
        rng = Random(number)
        scenario = broken_by(kind, rng, author(Random(number)).scenario())
        compare_refusals(scenario, naive_replay, kind)
