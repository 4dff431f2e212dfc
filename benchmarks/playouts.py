"""Random playouts: StarPilot turns a second, against OpenSpiel's backgammon driven the same way."""

import random
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from benchmarks.interleaved import Pair, alternate
from engine.dice import Roll
from engine.starpilot.rules import STARPILOT

SECONDS = 1.0
_PILOT = {"rank": 1, "weapons": 12, "piloting": 12, "sensors": 12, "mark": 0, "hp": "0"}
_SETUP = {
    "teams": [
        {
            "name": "red",
            "pilots": [{"name": "Hawk", "side": "cartel", "ship": "Angela 313B", **_PILOT}],
        },
        {
            "name": "blue",
            "pilots": [{"name": "Kestrel", "side": "alliance", "ship": "Rus 133-A", **_PILOT}],
        },
    ]
}


class LooseDice:
    """Dice from a random generator, as OpenSpiel samples chance."""

    def __init__(self, rng: random.Random) -> None:
        self.rolls: list[Roll] = []
        self._random = rng.random

    def roll(self, sides: int, why: str, bounds: Sequence[int] = ()) -> int:
        """Roll one die."""
        result = 1 + int(self._random() * sides)
        self.rolls.append(Roll(sides, result, why))
        return result


def _starpilot(rng: random.Random, start: Any) -> int:
    """Play one duel by phase, offers, choice and resolve; return its turns."""
    rules, state, turns = STARPILOT, start, 0
    while (phase := rules.phase(state)).outcome is None:
        orders = {}
        for seat in phase.owing:
            orders[seat] = [rng.choice(rules.offers(state, seat)).order]
            turns += 1
        state, _ = rules.resolve(state, orders, LooseDice(rng))
    return turns


def _backgammon(rng: random.Random, game: Any) -> int:
    """Play one game by legal_actions, choice and apply_action; return its turns."""
    state, turns = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            turns += 1
    return turns


def _rate(play: Callable[[random.Random], int], seed: int) -> float:
    """Play for some seconds and return turns a second."""
    rng, turns, began = random.Random(seed), 0, perf_counter()
    while (spent := perf_counter() - began) < SECONDS:
        turns += play(rng)
    return turns / spent


def measure(rounds: int = 7) -> Pair:
    """Measure the two in turns, and return turns a second of each."""
    import pyspiel  # type: ignore[import-not-found]

    duel, game = STARPILOT.setup(_SETUP), pyspiel.load_game("backgammon")
    [pair] = alternate(
        rounds,
        lambda n: _rate(lambda rng: _starpilot(rng, duel), n),
        lambda n: _rate(lambda rng: _backgammon(rng, game), n),
    )
    return pair
