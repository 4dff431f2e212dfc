"""A battle played without letters: a function of the state orders for each seat."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from engine.dice import Dice
from engine.ruleset import Ruleset
from engine.seats import Seat

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
    choose = ruleset.bots[strength]
    return lambda state: choose(state, seat, dice)


def play_on(
    ruleset: Ruleset[S, O], state: S, flyers: Mapping[Seat, Flyer[S, O]], dice: Dice
) -> Iterator[Turn]:
    """Play a game until it is over and yield each turn; steps without orders are taken too.

    In a simultaneous system a turn is the step that resolves all orders once they are filed.
    """
    given = 0
    while ruleset.outcome(state) is None:
        acting = ruleset.to_act(state)
        # One seat a step: its order may change who is to act next; simultaneous ones are only
        # filed.
        orders = {seat: [flyers[seat](state)] for seat in acting[:1]}
        state, events = ruleset.resolve(state, orders, dice)
        given += len(orders)
        if bool(orders) is not ruleset.simultaneous:
            yield Turn(state, events, given)
            given = 0
