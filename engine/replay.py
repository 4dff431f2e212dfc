"""Scenarios: a whole battle as one JSON object, replayed (the replay format)."""

import hashlib
from collections.abc import Sequence
from typing import Any

from engine import registry
from engine.codec import plain
from engine.dice import Dice, ListedDice, SeededDice, digest
from engine.errors import EngineError, IllegalOrder
from engine.ruleset import AnyReplayable, Entered, RefusedOrder, Scenario


class ScenarioError(EngineError):
    """A scenario that can't be replayed; the text names the field."""


def replay(scenario: Any) -> dict[str, Any]:
    """Replay a scenario and return its state, events, rolls, end and refused orders.

    Raise ScenarioError with the name of the field and positions that count from 0.
    """
    ruleset, form, dice = _open(scenario)
    try:
        return _play(ruleset, form, scenario, dice)
    # Refusals are listed, never raised: this one is a fault of the rules and not of the scenario.
    except IllegalOrder:
        raise
    except EngineError as error:
        raise ScenarioError(str(error)) from error


def _open(scenario: object) -> tuple[AnyReplayable, Scenario[Any, Any], Dice]:
    if not isinstance(scenario, dict):
        raise ScenarioError("scenario: an object is needed")
    system = scenario.get("system")
    # The test for a text comes first, as a list or an object can't be looked up.
    ruleset = registry.REPLAYABLE.get(system) if isinstance(system, str) else None
    if ruleset is None or ruleset.scenario is None:
        known = ", ".join(key for key, rules in registry.REPLAYABLE.items() if rules.scenario)
        raise ScenarioError(f"system: {system!r} is not known; known are: {known}")
    if not isinstance(scenario.get("orders"), list):
        raise ScenarioError("orders: a list is needed")
    return ruleset, ruleset.scenario, _dice(scenario)


def _dice(scenario: dict[str, object]) -> Dice:
    listed, seed = scenario.get("dice"), scenario.get("seed")
    if listed is not None and seed is not None:
        raise ScenarioError("seed: it stands instead of dice, not beside them")
    if listed is not None:
        if not isinstance(listed, list):
            raise ScenarioError("dice: a list of whole numbers is needed")
        return ListedDice(listed)
    if not isinstance(seed, str):
        raise ScenarioError("dice: a list of results is needed, or a text under seed")
    # JSON may hold half a surrogate pair (\ud800), which UTF-8 proper can't encode.
    secret = hashlib.sha256(seed.encode(errors="surrogatepass")).digest()
    return SeededDice(secret, "replay", 0, digest(""))


def _play(
    ruleset: AnyReplayable, form: Scenario[Any, Any], scenario: dict[str, Any], dice: Dice
) -> dict[str, Any]:
    state = ruleset.setup(scenario.get("setup"))
    # All entries are read before the first die, so that an invalid one is found in any case.
    entries = entered(form, state, scenario["orders"])
    refused: list[RefusedOrder] = []
    state, events = _own_steps(ruleset, state, dice)
    for entry in entries:
        reason = ruleset.refusal(state, entry.seat, entry.order)
        if reason is not None:
            refused += [RefusedOrder(index, reason) for index in entry.indices]
            continue
        state, happened = ruleset.resolve(state, {entry.seat: [entry.order]}, dice)
        events += happened
        refused += [late for late in map(form.refused, happened) if late is not None]
        # Where all act together, the scenario itself closes each turn, by the referee's END.
        if not ruleset.phase(state).simultaneous:
            state, more = _own_steps(ruleset, state, dice)
            events += more
    # Left-over dice are an error: the list was made for another battle, or for other rules.
    if isinstance(dice, ListedDice):
        dice.finish()
    if form.orders is not None:
        refused.sort(key=lambda one: one.index)
    return {
        "system": ruleset.key,
        "state": form.state(state),
        "events": [plain(event) for event in events],
        "rolls": [{"sides": r.sides, "result": r.result, "for": r.why} for r in dice.rolls],
        "over": ruleset.phase(state).outcome is not None,
        "refused": [{"index": one.index, "reason": one.reason} for one in refused],
    }


def entered(form: Scenario[Any, Any], state: object, orders: list[Any]) -> Sequence[Entered[Any]]:
    """Return the orders of a scenario that begins in a state; raise SetupError."""
    if form.orders is not None:
        return form.orders(state, orders)
    read = form.order
    return [Entered(*read(state, entry, index), (index,)) for index, entry in enumerate(orders)]


def _own_steps(ruleset: AnyReplayable, state: object, dice: Dice) -> tuple[object, list[object]]:
    """Take the steps that need no orders."""
    events: list[object] = []
    while (phase := ruleset.phase(state)).outcome is None and not (phase.owing or phase.awaiting):
        state, happened = ruleset.resolve(state, {}, dice)
        events += happened
    return state, events
