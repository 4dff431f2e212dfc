"""A round while it is played: its state, its dice, and the events so far, by `Telling.tell`."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.dice import Dice
from engine.starfarer.apply import apply
from engine.starfarer.events import Event
from engine.starfarer.model import Battle, Body, Entry, Sheet
from engine.starfarer.tables import CHECK


@dataclass(slots=True)
class Intent:
    """What a character is about in a round: its plan, how far it has come, its limbs' checks.

    `index` is None where nobody made the plan (SF-7).
    """

    entries: tuple[Entry, ...]
    abort: str | None
    index: int | None
    reached: int = 0
    passed: set[int] = field(default_factory=set)
    failed: set[int] = field(default_factory=set)

    def next(self) -> Entry:
        """Return the entry of the next phase; the last one repeats (SF-6)."""
        return self.entries[min(self.reached, len(self.entries) - 1)]


class Telling:
    """A fight while a round is played, and the events that led there."""

    def __init__(self, battle: Battle, dice: Dice) -> None:
        self.battle = battle
        self.events: list[Event] = []
        self.intents: dict[str, Intent] = {}
        self.dice = dice

    def tell(self, event: Event) -> None:
        """Apply an event to the fight, and keep it."""
        self.battle = apply(self.battle, event)
        self.events.append(event)

    def of(self, name: str) -> tuple[Sheet, Body]:
        """Return a character's sheet, and its body as it is now."""
        return self.battle.sheets[name], self.battle.bodies[name]

    def roll(self, why: str, bounds: Sequence[int] = ()) -> int:
        """Roll d100."""
        return self.dice.roll(CHECK, why, bounds)
