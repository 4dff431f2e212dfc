"""What the events of all systems share: who may know them, and how a step collects them."""

from collections.abc import Callable
from typing import Generic, TypeVar

from engine.codec import Tagged
from engine.dice import Dice
from engine.seats import Audience, Seat

S = TypeVar("S")


class Event(Tagged, frozen=True):
    """Something that happened, which everyone may know."""

    @property
    def audience(self) -> Audience:
        """Who may know."""
        return None


class SecretEvent(Event, frozen=True):
    """Something that only the seat it is about may know, such as an order that it filed."""

    seat: Seat

    @property
    def audience(self) -> Audience:
        """Who may know: the seat."""
        return (self.seat,)


def audience(event: Tagged) -> Audience:
    """Return who may know an event."""
    assert isinstance(event, Event)
    return event.audience


class Play(Generic[S]):
    """A battle while a step of it is resolved: as it is now, its dice, and the step's events."""

    def __init__(self, battle: S, dice: Dice, apply: Callable[[S, Event], S]) -> None:
        self.battle = battle
        self.dice = dice
        self.events: list[Event] = []
        self._apply = apply

    def record(self, event: Event) -> None:
        """Apply an event to the battle, and keep it."""
        self.battle = self._apply(self.battle, event)
        self.events.append(event)
