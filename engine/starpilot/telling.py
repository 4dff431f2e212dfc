"""A step while it is taken: its state, its dice, the events so far, and the points scored."""

from engine.dice import Dice
from engine.starpilot import events as ev
from engine.starpilot.apply import apply
from engine.starpilot.model import Battle, mates
from engine.starpilot.tables import HP_LOSS, HP_TEAMMATE


class Telling:
    """A battle while it goes on, and the events that led there."""

    def __init__(self, battle: Battle, dice: Dice) -> None:
        self.battle = battle
        self.dice = dice
        self.events: list[ev.Event] = []

    def tell(self, event: ev.Event) -> None:
        """Apply an event to the battle, and keep it."""
        self.battle = apply(self.battle, event)
        self.events.append(event)


def victory(telling: Telling, name: str, tenths: int, why: str) -> None:
    """Score a kill or prize, and its share for each active teammate (SP-28)."""
    score(telling, name, tenths, why)
    battle = telling.battle
    for mate in mates(battle, name):
        if mate != name:
            score(telling, mate, HP_TEAMMATE, "teammate")


def score(telling: Telling, name: str, tenths: int, why: str) -> None:
    """Score HP, unless the battle has not been fought yet (SP-28a)."""
    if telling.battle.fought:
        telling.tell(ev.Scored(name, tenths, why))


def pay(telling: Telling, name: str) -> None:
    """Take up to 0.2 HP of those that the pilot brought along (SP-28a)."""
    pilot = telling.battle.pilots[name]
    lost = min(HP_LOSS, pilot.card.hp - pilot.hp_lost)
    if lost:
        telling.tell(ev.Paid(name, lost))
