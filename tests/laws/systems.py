"""Every rule system with what the laws need of it: set-ups, and every order one could think of."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.blackskies import model as skies
from engine.blackskies.tables import MANOEUVRES
from engine.dice import Roll
from engine.library import RULESETS
from engine.ruleset import Ruleset
from engine.seats import REFEREE, Seat
from engine.starpilot.model import Battle, Order
from engine.starpilot.tables import COMMANDS
from tests.laws.skies import random_skies
from tests.oracle.scenarios import random_setup

System = Ruleset[Any, Any]
_IMPATIENCE = 0.05
"""How often a turn is closed before everybody has ordered."""


@dataclass(frozen=True)
class Sample:
    """How to test one system; `quits` are words of orders that end a game early."""

    setup: Callable[[Random], Any]
    orders: Callable[[Any], Iterator[Any]]
    quits: frozenset[str]


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


SAMPLES = {
    "starpilot": Sample(random_setup, _starpilot_orders, frozenset({"SURRENDER", "EJECT"})),
    "blackskies": Sample(random_skies, _blackskies_orders, frozenset({"SURRENDER", "WITHDRAW"})),
}


class WildDice:
    """Dice from a random generator that often show their lowest or highest face."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.rolls: list[Roll] = []

    def roll(self, sides: int, why: str, bounds: Any = ()) -> int:
        """Roll one die."""
        result = self.rng.choice((1, sides, *[self.rng.randint(1, sides)] * 4))
        self.rolls.append(Roll(sides, result, why))
        return result


@dataclass(frozen=True)
class Step:
    """One step of a playout: the state before, who ordered what, and what happened."""

    before: Any
    orders: dict[Seat, list[Any]]
    after: Any
    events: tuple[Any, ...]
    rolls: tuple[Roll, ...]


def choose(ruleset: System, state: Any, seat: Seat, rng: Random) -> Any:
    """Return one of a seat's legal orders, seldom one that ends the game early."""
    offers = [offer.order for offer in ruleset.offers(state, seat)]
    quits = SAMPLES[ruleset.key].quits
    lasting = [order for order in offers if not quits & set(ruleset.format(order).split())]
    return rng.choice(lasting if lasting and rng.random() < 0.98 else offers)


def playout(key: str, seed: int) -> Iterator[Step]:
    """Play a random game to its end, and yield each step."""
    rng, ruleset = Random(seed), RULESETS[key]
    state = ruleset.setup(SAMPLES[key].setup(rng))
    while ruleset.outcome(state) is None:
        acting = ruleset.to_act(state)
        dice = WildDice(rng)
        orders = {seat: [choose(ruleset, state, seat, rng)] for seat in _some(acting, rng)}
        if ruleset.phase(state).simultaneous and acting and rng.random() < _IMPATIENCE:
            orders = {REFEREE: [ruleset.parse(state, REFEREE, "END")]}
        after, events = ruleset.resolve(state, orders, dice)
        yield Step(state, orders, after, events, tuple(dice.rolls))
        state = after


def _some(acting: tuple[Seat, ...], rng: Random) -> list[Seat]:
    """Return one of the seats that are to act, or none where the step is the referee's."""
    return [rng.choice(acting)] if acting else []


def some_state(key: str, seed: int, steps: int) -> Any:
    """Return the state after some steps of a random game, at most at its last step."""
    state = None
    for number, step in enumerate(playout(key, seed)):
        state = step.before
        if number >= steps:
            break
    return state
