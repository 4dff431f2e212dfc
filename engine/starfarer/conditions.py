"""The conditions of IF rules: those of SF-9, asked as a round is opened."""

from engine.errors import UnreadableOrder
from engine.i18n import say
from engine.seats import Seat
from engine.starfarer.hindrances import holds as holds_for
from engine.starfarer.model import Battle
from engine.starfarer.vocabulary import CONDITIONS
from engine.words import clean, closest


def condition(text: str) -> str:
    """Return a condition in its canonical text; raise UnreadableOrder with a hint."""
    word = clean(text).upper()
    if word in CONDITIONS:
        return word
    raise UnreadableOrder(
        say("{text!r} is no condition", text=text.strip()), hint=closest(word, CONDITIONS) or ""
    )


def holds(battle: Battle, seat: Seat, text: str, name: str) -> bool:
    """Return whether a canonical condition holds for a character now; never for one that is out."""
    body = battle.bodies.get(name)
    if battle.over or battle.decided or body is None or body.fate != "active":
        return False
    return holds_for(battle, name, CONDITIONS[text])
