"""A step while it is taken: its state, its dice, and the events so far, by `Telling.tell`."""

from engine.blackskies.apply import apply
from engine.blackskies.events import Event
from engine.blackskies.model import Battle
from engine.dice import Dice


class Telling:
    """A battle while it goes on, and the events that led there."""

    def __init__(self, battle: Battle, dice: Dice) -> None:
        self.battle = battle
        self.dice = dice
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        """Apply an event to the battle, and keep it."""
        self.battle = apply(self.battle, event)
        self.events.append(event)
