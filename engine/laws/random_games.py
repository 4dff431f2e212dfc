"""Random games of any system, to try the laws on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from engine.dice import Dice, Roll, SeededDice
from engine.errors import SetupError
from engine.play import take
from engine.ruleset import AnyRuleset, Phase
from engine.seats import REFEREE, Seat

T = TypeVar("T")

MOST_STEPS = 5_000
"""A game that has not ended after so many steps counts as one that never ends."""
_PATIENCE = 20
"""One in so many times a simultaneous phase is closed before everybody has ordered."""
_TRIES = 50
_NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fred", "Gina", "Hal")
_LASTING = 4
"""So many times at most a step is chosen, where it would end the game."""


class WildDice:
    """Dice that often show their lowest or highest face; `chance` are the dice they come from."""

    def __init__(self, chance: Dice) -> None:
        self._chance = chance
        self.rolls: list[Roll] = []

    def roll(self, sides: int, why: str, bounds: Sequence[int] = ()) -> int:
        """Roll one die: in one of six cases its lowest face, in another its highest."""
        # Faults hide at the ends: botches, sure hits, ties that are rolled again.
        extreme = {1: 1, 2: sides}.get(self._chance.roll(6, "extreme"))
        result = extreme or self._chance.roll(sides, why)
        self.rolls.append(Roll(sides, result, why))
        return result


def chance_of(seed: int, what: str) -> Dice:
    """Return the dice that decide what is tried in the game of a seed."""
    return SeededDice(seed.to_bytes(8, "big"), "laws", 0, what.encode())


def pick(items: Sequence[T], chance: Dice) -> T:
    """Return one of some items."""
    return items[chance.roll(len(items), "one of some") - 1]


@dataclass(frozen=True)
class Step:
    """One step of a random game: the state before, who ordered what, and what happened."""

    before: Any
    orders: dict[Seat, list[Any]]
    after: Any
    events: tuple[Any, ...]
    rolls: tuple[Roll, ...]


def setup_of(rules: AnyRuleset, chance: Dice) -> Any:
    """Return a random set-up: one of the system's trials, or a duel of two of its specimens.

    In a system with a `match` it is a game of some players. Raise SetupError where a system has
    none of these.
    """
    # A system's own set-ups first: they can have parts that no duel of specimens has.
    if rules.trials.setup is not None:
        return rules.trials.setup(chance)
    if rules.match is not None:
        fewest, most = rules.match.fewest, min(rules.match.most, len(_NAMES))
        return rules.match.setup(_NAMES[: fewest + chance.roll(most - fewest + 1, "how many") - 1])
    if rules.campaign is None:
        raise SetupError("trials.setup: a system without a campaign needs it to be tried")
    campaign = rules.campaign
    specimens = [one.persona for fleet in campaign.fleets.values() for one in fleet]
    for _ in range(_TRIES):
        one, other = pick(specimens, chance), pick(specimens, chance)
        if one.name != other.name and campaign.bar(one, other) is None:
            return campaign.melee((one,), (other,), None)
    raise SetupError("campaign.fleets: no two of them may fight each other")


def playout(rules: AnyRuleset, seed: int) -> Iterator[Step]:
    """Play a random game to its end, or for MOST_STEPS, and yield each step."""
    chance = chance_of(seed, "game")
    return islice(_played(rules, rules.setup(setup_of(rules, chance)), chance), MOST_STEPS)


def _played(rules: AnyRuleset, state: Any, chance: Dice) -> Iterator[Step]:
    while (phase := rules.phase(state)).outcome is None:
        for _ in range(_LASTING):
            orders = _ordered(rules, state, phase, chance)
            step = take(rules, state, orders, WildDice(chance))
            # Many games can be given up; a game that lasts shows more.
            if rules.outcome(step.state) is None:
                break
        yield Step(state, orders, step.state, step.events, step.rolls)
        state = step.state


def _ordered(rules: AnyRuleset, state: Any, phase: Phase, chance: Dice) -> dict[Seat, list[Any]]:
    """Return an order of one of the seats that owe any, or the referee's where none do."""
    if phase.awaiting is not None:
        return {REFEREE: [rules.parse(state, REFEREE, pick(phase.awaiting.rulings, chance))]}
    # As at a deadline, when some have not ordered.
    if phase.simultaneous and phase.owing and chance.roll(_PATIENCE, "patience") == 1:
        return {REFEREE: [rules.parse(state, REFEREE, "END")]}
    if not phase.owing:
        return {}
    # Sorted, so that a seed's game does not depend on the order in which a system lists its seats.
    seat = pick(sorted(phase.owing), chance)
    return {seat: [pick(rules.offers(state, seat), chance).order]}


def shown(rules: AnyRuleset, orders: dict[Seat, list[Any]]) -> str:
    """Return a step's orders as one line of text."""
    texts = [f"{seat}: {rules.format(order)}" for seat, given in orders.items() for order in given]
    return ", ".join(texts) or "no orders"
