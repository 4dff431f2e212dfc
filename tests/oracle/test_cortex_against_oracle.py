"""The engine against the naive referee, over thousands of random Cortex scenarios.

The long tests compare 2000 of them. More, with the smallest difference:
`python -m tests.oracle.cortex 20000 --seed 1`.
"""

from __future__ import annotations

import json
from random import Random

import pytest

from tests.oracle.comparing import comparable, compare, compare_refusals
from tests.oracle.cortex.author import author
from tests.oracle.cortex.broken import BREAKS, broken_by
from tests.oracle.cortex.drills import officers
from tests.oracle.naive_cortex import replay as naive_replay
from tests.support.paths import SCENARIOS
from tests.support.trial_counts import some, tries

CHUNKS, FEW = 20, 2
"""So many in all, and so many of them without the long tests."""
CHUNK = 100
BROKEN_EACH = tries(30, 6)

WORKED = SCENARIOS / "cortex-worked-example.json"


def test_the_naive_referee_plays_the_worked_example() -> None:
    """The example of rules/cortex.md ends as it says there."""
    expected = json.loads(WORKED.with_suffix(".expected.json").read_text())
    result = comparable(naive_replay(json.loads(WORKED.read_text())))
    assert result == {key: expected[key] for key in result}


@pytest.mark.parametrize("chunk", some(range(CHUNKS), FEW))
def test_engine_agrees_with_the_naive_referee(chunk: int) -> None:
    """State, refusals, end and rolls are the same."""
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        compare(author(Random(number)), naive_replay)


@pytest.mark.parametrize("chunk", some(range(CHUNKS), FEW))
def test_engine_agrees_on_officers_of_wings(chunk: int) -> None:
    """CX-36 and CX-52 to CX-57, where a wing's leader has people at the stations."""
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        compare(author(Random(number), officers), naive_replay)


@pytest.mark.parametrize("kind", sorted(BREAKS))
def test_the_engine_refuses_broken_scenarios(kind: str) -> None:
    """And it names the die that is missing, left over or cannot be, as the naive one does."""
    for number in range(BROKEN_EACH):
        rng = Random(number)
        scenario = broken_by(kind, rng, author(Random(number)))
        compare_refusals(scenario, naive_replay, kind)
