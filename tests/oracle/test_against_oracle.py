"""The engine against the naive referee, over thousands of random StarPilot scenarios."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest

from engine.replay import ScenarioError, replay
from tests.oracle import scenarios
from tests.oracle.naive_starpilot import BadScenario
from tests.oracle.naive_starpilot import replay as naive_replay
from tests.support.effort import some, tries

CHUNKS, FEW = 30, 8
"""So many in all, and so many of them without the long tests."""
CHUNK = 100
BROKEN_EACH = tries(60, 20)

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


def first_difference(engine: Any, naive: Any, where: str = "") -> str | None:
    """Where two results first differ, or None."""
    if isinstance(engine, dict) and isinstance(naive, dict):
        if engine.keys() != naive.keys():
            return f"{where}: keys {sorted(engine)} of the engine, {sorted(naive)} of the naive"
        parts = [(f"{where}.{key}", engine[key], naive[key]) for key in naive]
    elif isinstance(engine, list) and isinstance(naive, list) and len(engine) == len(naive):
        parts = [(f"{where}[{n}]", *both) for n, both in enumerate(zip(engine, naive, strict=True))]
    elif type(engine) is type(naive) and engine == naive:
        return None
    else:
        return f"{where}: {engine!r} of the engine, {naive!r} of the naive"
    found = (first_difference(one, other, place) for place, one, other in parts)
    return next((difference for difference in found if difference), None)


def comparable(result: Any) -> Any:
    """What both have to agree on, as it would look in JSON."""
    kept = {key: result[key] for key in ("refused", "over", "state")}
    rolls = [[roll["sides"], roll["result"]] for roll in result["rolls"]]
    return json.loads(json.dumps({**kept, "rolls": rolls}))


def shown(scenario: Any) -> str:
    """A scenario as JSON to be replayed by hand."""
    return json.dumps(scenario, ensure_ascii=False)


def compare(scenario: Any) -> None:
    """Fail with the scenario and the first difference, if there is one."""
    naive = comparable(naive_replay(copy.deepcopy(scenario)))
    try:
        engine = comparable(replay(copy.deepcopy(scenario)))
    except ScenarioError as error:
        pytest.fail(f"the engine refuses it: {error}\n{shown(scenario)}")
    difference = first_difference(engine, naive)
    if difference:
        pytest.fail(f"{difference}\n{shown(scenario)}")


@pytest.mark.parametrize("chunk", some(range(CHUNKS), FEW))
def test_engine_agrees_with_the_naive_referee(chunk: int) -> None:
    """State, refusals, end and rolls are the same."""
    for writer in authors(chunk):
        compare(scenarios.scenario_of(writer))


@pytest.mark.parametrize("kind", sorted(scenarios.BREAKS))
def test_both_refuse_broken_scenarios(kind: str) -> None:
    """And both name the position of a die that is missing or cannot be."""
    for seed in range(BROKEN_EACH):
        scenario = scenarios.broken_by(kind, Random(seed))
        with pytest.raises(BadScenario) as naive:
            naive_replay(copy.deepcopy(scenario))
        try:
            replay(copy.deepcopy(scenario))
        except ScenarioError as error:
            position = re.search(r"dice\[\d+\]", str(naive.value))
            if position and position[0] not in str(error):
                pytest.fail(f"{error} does not name {position[0]}\n{shown(scenario)}")
        else:
            pytest.fail(f"the engine accepts it: {naive.value}\n{shown(scenario)}")


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
