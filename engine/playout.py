"""A battle played without letters: a function of the state orders for each seat."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from engine.dice import Dice
from engine.ruleset import Ruleset
from engine.seats import REFEREE, Seat

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order

Flyer = Callable[[S], O]
"""Returns the order of one seat in a state in which it is to act."""


class Turn(NamedTuple):
    """A turn that was played: the state after it, its events, and how many orders it took."""

    state: Any
    events: tuple[object, ...]
    orders: int


def bot_flyer(ruleset: Ruleset[S, O], strength: str, seat: Seat, dice: Dice) -> Flyer[S, O]:
    """Return a flyer that plays as a bot; `dice` are its own, never the battle's."""
    choose = ruleset.bot(strength)
    return lambda state: choose(state, seat, dice)


def play_on(
    ruleset: Ruleset[S, O], state: S, flyers: Mapping[Seat, Flyer[S, O]], dice: Dice
) -> Iterator[Turn]:
    """Play a game until it is over and yield each turn; steps without orders are taken too.

    Where a ruling is awaited, the first of those that are possible is made.

    Where all act together, a turn is the step that resolves all orders once they are filed.
    """
    given = 0
    while (phase := ruleset.phase(state)).outcome is None:
        # One seat a step: its order may change who acts next. Together, orders are only filed.
        orders = {seat: [flyers[seat](state)] for seat in islice(phase.owing, 1)}
        if phase.awaiting is not None:
            orders = {REFEREE: [ruleset.parse(state, REFEREE, phase.awaiting.rulings[0])]}
        state, events = ruleset.resolve(state, orders, dice)
        given += len(orders)
        if bool(orders) is not phase.simultaneous:
            yield Turn(state, events, given)
            given = 0
