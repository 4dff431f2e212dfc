"""The steps of random scenarios: those that the second implementations of the rules play."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from engine.laws.random_games import Step
from engine.play import take
from engine.registry import RULESETS
from engine.replay import entered
from engine.ruleset import AnyRuleset
from tests.oracle import scenarios as starpilot
from tests.oracle.blackskies import author as blackskies
from tests.oracle.cortex import author as cortex
from tests.oracle.starfarer import author as starfarer
from tests.oracle.starfarer.author import RecordingDice


def _written(author: Any) -> dict[str, Any]:
    return {"setup": author.setup, "orders": author.orders}


SCENARIOS: dict[str, Callable[[Random], dict[str, Any]]] = {
    "starpilot": starpilot.scenario,
    "blackskies": lambda rng: _written(blackskies.author(rng)),
    "starfarer": lambda rng: _written(starfarer.author(rng)),
    "cortex": cortex.author,
}
"""How a scenario of each system is written."""


def scenario_steps(key: str, seed: int) -> Iterator[Step]:
    """Play a random scenario of a system with dice of its own, and yield each step it takes."""
    rules: AnyRuleset = RULESETS[key]
    assert rules.scenario is not None
    written, rng = SCENARIOS[key](Random(seed)), Random(seed)
    state = rules.setup(written["setup"])
    for entry in entered(rules.scenario, state, written["orders"]):
        while _is_the_referees(rules, state):
            step = _taken(rules, state, {}, rng)
            yield step
            state = step.after
        if rules.refusal(state, entry.seat, entry.order) is None:
            step = _taken(rules, state, {entry.seat: [entry.order]}, rng)
            yield step
            state = step.after


def _is_the_referees(rules: AnyRuleset, state: Any) -> bool:
    """Return whether the next step needs no orders, and no scenario says to take it."""
    phase = rules.phase(state)
    return phase.outcome is None and not (phase.simultaneous or phase.owing or phase.awaiting)


def _taken(rules: AnyRuleset, state: Any, orders: dict[Any, list[Any]], rng: Random) -> Step:
    found = take(rules, state, orders, RecordingDice(rng))
    return Step(state, orders, found.state, found.events, found.rolls)
