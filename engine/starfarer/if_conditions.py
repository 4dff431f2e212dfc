"""The conditions of SF-9: in a plan asked in each phase, in IF rules as a round is opened."""

from engine.errors import UnreadableOrder
from engine.i18n import say
from engine.names import closest
from engine.orders.line_shapes import clean
from engine.seats import Seat
from engine.starfarer.model import Battle, distance, opponents
from engine.starfarer.tables import LIGHT
from engine.starfarer.vocabulary import CONDITIONS
from engine.starfarer.wounds import worst


def condition(text: str) -> str:
    """Return a condition in its canonical text; raise UnreadableOrder with a hint."""
    word = clean(text).upper()
    if word in CONDITIONS:
        return word
    raise UnreadableOrder(
        say("{text!r} is not a condition", text=text.strip()), hint=closest(word, CONDITIONS) or ""
    )


def holds(battle: Battle, seat: Seat, text: str, name: str) -> bool:
    """Return whether a canonical condition holds for a character now; never for one that is out."""
    body = battle.bodies.get(name)
    if battle.over or battle.decided or body is None or body.fate != "active":
        return False
    return is_met(battle, name, CONDITIONS[text])


def engaged(battle: Battle, name: str) -> bool:
    """Return whether an active opponent stands within its own reach of a character (SF-9)."""
    sheets = battle.sheets
    return any(distance(battle, name, foe) <= sheets[foe].reach for foe in opponents(battle, name))


def is_met(battle: Battle, name: str, condition: str) -> bool:
    """Return whether an `if` of a plan is met by a character now (SF-9)."""
    body = battle.bodies[name]
    if condition == "hurt":
        # A Graze is not enough (SF-9).
        wounded = any(worst(circles) >= LIGHT for circles in body.wounds)
        return wounded or body.shock >= 2 * battle.sheets[name].basic_shock
    if condition == "bleeding":
        return any(body.bleeding)
    # `clear` is the opposite of `engaged`, and the only condition left here.
    return engaged(battle, name) == (condition == "engaged")
