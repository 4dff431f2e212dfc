"""Every rule system with what the laws need of it: set-ups, and every order one could think of."""

import atexit
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from engine.blackskies import model as skies
from engine.blackskies.tables import MANOEUVRES
from engine.cortex import model as cortex
from engine.cortex.queries import to_order
from engine.dice import Dice
from engine.laws import random_games
from engine.laws.random_games import Step
from engine.ruleset import Ruleset
from engine.starfarer import model as starfarer
from engine.starpilot.model import Battle, Order
from engine.starpilot.tables import COMMANDS
from pbem.maintenance import new_system
from tests.engine.cortex.random_battles import setup as cortex_setup
from tests.laws.skies import random_skies
from tests.oracle.scenarios import random_setup
from tests.oracle.starfarer.setups import random_setup as random_fight
from tests.support.our_systems import OURS
from tests.support.paths import ROOT

System = Ruleset[Any, Any]


def _from_outside() -> Iterator[System]:
    """Yield the example, and the game that `pbem system new` writes; neither is installed."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    new_system.write("coin", folder)
    sys.path += [str(folder / "coin"), str(ROOT / "examples" / "racetrack")]
    yield import_module("racetrack.rules").RACETRACK
    yield import_module("coin.rules").RULES


SYSTEMS: dict[str, System] = {**OURS, **{rules.key: rules for rules in _from_outside()}}
"""The systems that keep the laws."""


@dataclass(frozen=True)
class Sample:
    """How to test one system; without a `setup` of its own it is played by some names."""

    setup: Callable[[Random], Any] | None
    orders: Callable[[Any], Iterator[Any]]


def _starpilot_orders(battle: Battle) -> Iterator[Order]:
    names = [None, "Nobody", *battle.pilots]
    return (Order(command, name) for command in (*COMMANDS, "WAIT") for name in names)


def _blackskies_orders(battle: skies.Battle) -> Iterator[skies.Order]:
    """Yield orders for elements without one; any other would only replace an earlier order."""
    for name in ("Nobody", *(n for n in battle.elements if n not in battle.pending)):
        for card, option in (*MANOEUVRES, (0, None), (2, None), (4, "break")):
            for by in (None, 1, 5):
                yield skies.Order(name, "fly", card, option, by)
        yield skies.Order(name, "fly", 1, "steady", targets=("Nobody",))
        yield from (skies.Order(name, word) for word in ("withdraw", "surrender", "end"))


def _starfarer_orders(battle: starfarer.Battle) -> Iterator[Any]:
    """Yield plans that are refused, and one that is always offered."""
    for name in ("Nobody", *battle.sheets):
        if name not in battle.plans:
            for action in _STARFARER:
                yield starfarer.Plan(name, (((action,),),))
    yield starfarer.End(99)


_STARFARER = (
    starfarer.Action("attack", at="Nobody"),
    starfarer.Action("parry", weapon="nothing"),
    starfarer.Action("move"),
    starfarer.Action("treat", area="soul"),
    starfarer.Action("dance"),
    starfarer.Action("hold"),
)


def _fight(rng: Random) -> Any:
    """Draw a fight of few, near each other: with many, a random one takes hundreds of rounds."""
    while True:
        setup = random_fight(rng)
        people = sum(len(team["characters"]) for team in setup["teams"])
        if people <= 4 and setup["field"] <= 200:
            aftermath = rng.random() < 0.5
            return {**setup, "options": {**(setup.get("options") or {}), "aftermath": aftermath}}


def _cortex_orders(battle: cortex.Battle) -> Iterator[Any]:
    """Yield orders in which nothing can be done, and those that are always offered."""
    for name in ("Nobody", *to_order(battle)):
        yield from (cortex.Orders(name, (order,)) for order in _CORTEX)
    yield cortex.Close()


_CORTEX = (
    cortex.Order("fire", weapon="nothing", at="Nobody"),
    cortex.Order("dance"),
    cortex.Order("hold"),
    cortex.Order("intercept", weapon="nothing", missile="M1"),
    cortex.Order("shield", at="Nobody"),
)


def _group(rng: Random) -> Any:
    """Draw a battle of few: with many, a random one takes hundreds of steps."""
    while True:
        setup = cortex_setup(rng)
        vessels = [one for team in setup["teams"] for one in team["vessels"]]
        if len(vessels) <= 5:
            return setup


SAMPLES = {
    "starpilot": Sample(random_setup, _starpilot_orders),
    "blackskies": Sample(random_skies, _blackskies_orders),
    "starfarer": Sample(_fight, _starfarer_orders),
    "racetrack": Sample(None, lambda race: iter(("N", "SW", "STRAIGHT"))),
    "coin": Sample(None, lambda race: iter(("THROW",))),
    "cortex": Sample(_group, _cortex_orders),
}


def tried(key: str) -> System:
    """Return a system whose games have the set-ups of its sample: odd names, several on a side."""
    rules, drawn = SYSTEMS[key], SAMPLES[key].setup
    if drawn is None:
        return rules

    def setup(dice: Dice) -> Any:
        return drawn(Random(dice.roll(2**32, "the seed of a set-up")))

    return replace(rules, trials=replace(rules.trials, setup=setup))


def playout(key: str, seed: int) -> Iterator[Step]:
    """Play a random game to its end, and yield each step."""
    return random_games.playout(tried(key), seed)


def some_state(key: str, seed: int, steps: int) -> Any:
    """Return the state after some steps of a random game, at most at its last step."""
    state = None
    for number, step in enumerate(playout(key, seed)):
        state = step.before
        if number >= steps:
            break
    return state
