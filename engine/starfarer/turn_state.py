"""A round while it is played: its state, dice and events, and what each character is about."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.dice import Dice
from engine.events import Play
from engine.starfarer.apply import apply
from engine.starfarer.model import Action, Battle, Body, CharacterSheet, Entry, weapon_of
from engine.starfarer.tables import CHECK, PHASE


@dataclass(slots=True)
class Intent:
    """What a character is about in a round: its plan, how far it has come, its limbs' checks.

    `index` is None where nobody made the plan (SF-7).
    """

    entries: tuple[Entry, ...]
    abort: str | None
    index: int | None
    reached: int = 0
    # Limbs checked in this round; a plan begins with none, since a check holds for a round (SF-28).
    passed: set[int] = field(default_factory=set)
    failed: set[int] = field(default_factory=set)

    def next(self) -> Entry:
        """Return the entry of the next phase; the last one repeats (SF-6)."""
        return self.entries[min(self.reached, len(self.entries) - 1)]


class Round(Play[Battle]):
    """A fight while a round is played, and the events that led there."""

    def __init__(self, battle: Battle, dice: Dice) -> None:
        super().__init__(battle, dice, apply)
        self.intents: dict[str, Intent] = {}

    def of(self, name: str) -> tuple[CharacterSheet, Body]:
        """Return a character's sheet, and its body as it is now."""
        return self.battle.sheets[name], self.battle.bodies[name]

    def roll(self, why: str, bounds: Sequence[int] = ()) -> int:
        """Roll d100."""
        return self.dice.roll(CHECK, why, bounds)


def modifier(battle: Battle, name: str, action: Action) -> int:
    """Return an action's initiative modifier (SF-10)."""
    if not battle.options.modifiers or action.do != "attack":
        return 0
    return weapon_of(battle.sheets[name], action).initiative


def added(battle: Battle, name: str, entry: Entry) -> int:
    """Return what is added in advance for an entry: its first choices' lowest modifier (SF-11)."""
    # Of an entry with several actions only the slowest counts in advance (SF-11).
    return min(modifier(battle, name, choices[0]) for choices in entry)


def cost(battle: Battle, name: str, entry: Entry) -> int:
    """Return what an entry costs at the end of its phase, without changes of mind (SF-11)."""
    if len(entry) == 1:
        return PHASE
    modifiers = [modifier(battle, name, choices[0]) for choices in entry]
    others = sum(modifiers) - min(modifiers)
    # Together they never add points.
    return PHASE + max(len(entry) - others, 0)


def change_of_mind(battle: Battle, name: str, declared: Action, done: Action) -> int:
    """Return what it costs to do another action than the one declared (SF-10)."""
    if not battle.options.declaration:
        return 0
    return 1 + max(modifier(battle, name, declared) - modifier(battle, name, done), 0)
