"""The engine's own verbs: take a step, fold events to a state, see as a seat."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine.dice import Dice, Roll
from engine.ruleset import Ruleset
from engine.seats import Seat, may_know

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
