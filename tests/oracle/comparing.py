"""What the engine and a naive referee have to agree on, for every system."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.replay import ScenarioError, replay
from tests.oracle.dice import WrongDice

Referee = Callable[[Any], Any]

WRONG_DICE = ("dice run out", "dice left over", "die that cannot be")
"""The ways to break a scenario in which one die is the first that is wrong."""


def comparable(result: Any) -> Any:
    """What both have to agree on, as it would look in JSON."""
    kept = {key: result[key] for key in ("refused", "over", "state")}
    rolls = [[roll["sides"], roll["result"]] for roll in result["rolls"]]
    return json.loads(json.dumps({**kept, "rolls": rolls}))


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


def shown(scenario: Any) -> str:
    """A scenario as JSON to be replayed by hand."""
    return json.dumps(scenario, ensure_ascii=False)


def compare(scenario: Any, naive_replay: Referee) -> Any:
    """Fail with the scenario and the first difference, or return what both agree on."""
    naive = comparable(naive_replay(copy.deepcopy(scenario)))
    try:
        engine = comparable(replay(copy.deepcopy(scenario)))
    except ScenarioError as error:
        pytest.fail(f"the engine refuses it: {error}\n{shown(scenario)}")
    difference = first_difference(engine, naive)
    if difference:
        pytest.fail(f"{difference}\n{shown(scenario)}")
    return naive


def compare_refusals(scenario: Any, naive_replay: Referee, kind: str) -> None:
    """Fail unless the engine refuses a broken scenario.

    Where dice are wrong, it must name the same die as the naive referee.
    """
    try:
        replay(copy.deepcopy(scenario))
    except ScenarioError as error:
        if kind in WRONG_DICE:
            with pytest.raises(WrongDice) as naive:
                naive_replay(copy.deepcopy(scenario))
            position = str(naive.value).partition(":")[0]
            if position not in str(error):
                pytest.fail(f"{error} does not name {position}\n{shown(scenario)}")
    else:
        pytest.fail(f"the engine accepts it\n{shown(scenario)}")
