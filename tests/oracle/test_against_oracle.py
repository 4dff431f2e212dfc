"""The engine against the naive referee, over thousands of random StarPilot scenarios."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from random import Random

import pytest

from tests.oracle import scenarios
from tests.oracle.comparing import comparable, compare, compare_refusals
from tests.oracle.naive_starpilot import replay as naive_replay
from tests.support.paths import SCENARIOS
from tests.support.trial_counts import some, tries

CHUNKS, FEW = 30, 4
"""So many in all, and so many of them without the long tests."""
CHUNK = 100
BROKEN_EACH = tries(60, 10)

WORKED = SCENARIOS / "worked-example.json"

MUST_BE_SEEN = {
    "kill": 300,
    "destroyed": 300,
    "standard ejection": 100,
    "hit ignored": 20,
    "launched at far, landed at extreme": 5,
    "shot cancelled": 100,
    "lock cancelled": 100,
    "escape": 100,
    "restart": 100,
    "initiative tie": 50,
    "draw": 20,
    "ejected from a shot": 50,
    "ejected from a lock only": 50,
    "kill withheld": 20,
    "early ejection failed": 50,
    "surrender in a duel": 50,
    "surrender in a team battle": 50,
    "hold": 20,
    "refused: over": 50,
    "refused: unknown pilot": 50,
    "refused: out of the battle": 50,
    "refused: not your turn": 50,
    "refused: unknown command": 50,
    "refused: undetected": 50,
    "refused: bad target": 50,
    "refused: disabled": 50,
    "refused: extreme": 50,
    "refused: disadvantage": 50,
    "refused: no lock": 50,
    "refused: not at extreme": 50,
    "refused: nothing to escape": 50,
    "refused: can act": 50,
}


@cache
def authors(chunk: int) -> list[scenarios.Author]:
    """One chunk of written scenarios, always the same."""
    return [scenarios.author(Random(chunk * CHUNK + number)) for number in range(CHUNK)]


def test_the_naive_referee_plays_the_worked_example() -> None:
    """The example of rules/starpilot.md ends as it says there."""
    expected = json.loads(WORKED.with_suffix(".expected.json").read_text())
    result = comparable(naive_replay(json.loads(WORKED.read_text())))
    assert result == {key: expected[key] for key in result}


@pytest.mark.parametrize("chunk", some(range(CHUNKS), FEW))
def test_engine_agrees_with_the_naive_referee(chunk: int) -> None:
    """State, refusals, end and rolls are the same."""
    for writer in authors(chunk):
        compare(scenarios.scenario_of(writer), naive_replay)


@pytest.mark.parametrize("kind", sorted(scenarios.BREAKS))
def test_the_engine_refuses_broken_scenarios(kind: str) -> None:
    """And it names the die that is missing, left over or cannot be, as the naive one does."""
    for seed in range(BROKEN_EACH):
        scenario = scenarios.broken_by(kind, Random(seed))
        compare_refusals(scenario, naive_replay, kind)


@pytest.mark.long
def test_the_generator_reaches_everything_of_interest() -> None:
    """Every kind of event and every reason code comes up often enough to be compared."""
    seen = Counter(
        what for chunk in range(CHUNKS) for a in authors(chunk) for what in a.battle.seen
    )
    rare = {what: seen[what] for what, least in MUST_BE_SEEN.items() if seen[what] < least}
    assert not rare


@pytest.mark.long
def test_the_generator_covers_the_setups() -> None:
    """All ships, team sizes, ranks and both kinds of start come up."""
    setups = [writer.setup for chunk in range(CHUNKS) for writer in authors(chunk)]
    pilots = [p for setup in setups for team in setup["teams"] for p in team["pilots"]]
    assert len({pilot["ship"] for pilot in pilots}) == 24
    assert {pilot["rank"] for pilot in pilots} == {1, 2, 3, 4}
    sizes = {tuple(len(team["pilots"]) for team in setup["teams"]) for setup in setups}
    assert len(sizes) == 16
    assert {"first" in setup for setup in setups} == {True, False}
