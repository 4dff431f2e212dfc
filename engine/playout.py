"""A battle played on without letters: each seat is flown by a function of the state."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from engine.dice import Dice
from engine.ruleset import Ruleset
from engine.seats import Seat

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order

Flyer = Callable[[S], O]
"""Gives the order of one seat in a state in which it is to act."""


class Turn(NamedTuple):
    """A turn that was played: the state after it, what happened, and how many orders it took."""

    state: Any
    events: tuple[Any, ...]
    orders: int


def house_flyer(ruleset: Ruleset[S, O], strength: str, seat: Seat, dice: Dice) -> Flyer[S, O]:
    """Give a house pilot of a strength; `dice` are its own, never the battle's."""
    choose = ruleset.house[strength]
    return lambda state: choose(state, seat, dice)


def play_on(
    ruleset: Ruleset[S, O], state: S, flyers: Mapping[Seat, Flyer[S, O]], dice: Dice
) -> Iterator[Turn]:
    """Play a game on turn by turn until it is over; the referee's own steps are played along.

    In a simultaneous system it is those that resolve a turn, once all orders are filed.
    """
    given = 0
    while ruleset.outcome(state) is None:
        acting = ruleset.to_act(state)
        orders = {seat: [flyers[seat](state)] for seat in acting[:1]}
        state, events = ruleset.resolve(state, orders, dice)
        given += len(orders)
        if bool(orders) is not ruleset.simultaneous:
            yield Turn(state, events, given)
            given = 0
