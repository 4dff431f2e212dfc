"""What the entries of a plan cost in action points (SF-10, SF-11)."""

from engine.starfarer.model import Action, Battle, Entry, weapon_of
from engine.starfarer.tables import PHASE


def modifier(battle: Battle, name: str, action: Action) -> int:
    """Return an action's initiative modifier (SF-10)."""
    if not battle.options.modifiers or action.do != "attack":
        return 0
    return weapon_of(battle.sheets[name], action).initiative


def added(battle: Battle, name: str, entry: Entry) -> int:
    """Return what is added in advance for an entry: its first choices' lowest modifier (SF-11)."""
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
