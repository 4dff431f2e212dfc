"""Playing: steps, events folded to a state, what a seat may see, and games without letters."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from engine.dice import Dice, Roll, SeededDice
from engine.ruleset import Ruleset
from engine.seats import REFEREE, Seat, may_know

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """A step that was taken: the state after, what happened, and the dice that fell."""

    state: S
    events: tuple[object, ...]
    rolls: tuple[Roll, ...]


def take(
    ruleset: Ruleset[S, O], state: S, orders: Mapping[Seat, Sequence[O]], dice: Dice
) -> Step[S]:
    """Resolve one step. Raise IllegalOrder where an order is not legal now."""
    after, events = ruleset.resolve(state, orders, dice)
    return Step(after, events, tuple(dice.rolls))


def fold(ruleset: Ruleset[S, O], state: S, events: Iterable[object]) -> S:
    """Apply events to a state, one after the other."""
    for event in events:
        state = ruleset.apply(state, event)
    return state


def seen(ruleset: Ruleset[S, O], events: Iterable[Any], seat: Seat | None) -> list[Any]:
    """Return the events that a seat (None: the public) may know: the only way out to a seat."""
    return [event for event in events if may_know(ruleset.audience(event), seat)]


def order_texts(
    ruleset: Ruleset[S, O], orders: Mapping[Seat, Sequence[O]]
) -> list[tuple[str, str]]:
    """Return a step's seats and their orders in canonical text, by the seats' names (dice.md)."""
    return [(seat, ruleset.format(order)) for seat in sorted(orders) for order in orders[seat]]


def completed(
    ruleset: Ruleset[S, O], state: S, seat: Seat, given: Sequence[O], choose: Callable[[S, Seat], O]
) -> list[O]:
    """Return a seat's orders for a turn of all together, one more for each piece that has none.

    Orders are filed on a copy of the state, to see which pieces still lack one.
    """
    # Filing rolls no dice, so it makes no difference which ones these are.
    found, dice = list(given), SeededDice(b"filing", "", 0, b"")
    if found:
        state, _ = ruleset.resolve(state, {seat: found}, dice)
    while seat in ruleset.to_act(state):
        found.append(choose(state, seat))
        state, _ = ruleset.resolve(state, {seat: found[-1:]}, dice)
    return found


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

    Where a ruling is awaited, the first possible one is made. Where all act together, a turn is the
    step that resolves all orders once they are filed.
    """
    given = 0
    while (phase := ruleset.phase(state)).outcome is None:
        # One seat a step: its order may change who acts next. Together, orders are only filed.
        orders = {seat: [flyers[seat](state)] for seat in islice(phase.owing, 1)}
        if phase.awaiting is not None:
            orders = {REFEREE: [ruleset.parse(state, REFEREE, phase.awaiting.rulings[0])]}
        state, events = ruleset.resolve(state, orders, dice)
        given += len(orders)
        # In turns, a step with an order ends a turn. Together, the step without orders does: it
        # resolves all that were filed.
        if bool(orders) is not phase.simultaneous:
            yield Turn(state, events, given)
            given = 0
