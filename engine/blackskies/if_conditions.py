"""The conditions of IF rules: what an element's orders can depend on, as seen from it."""

import re
from collections.abc import Callable
from functools import lru_cache

from engine.blackskies.fire import aims
from engine.blackskies.geometry import bearing, norm
from engine.blackskies.model import Battle, Element, active, design_of, enemies, is_crippled
from engine.errors import UnreadableOrder
from engine.i18n import say
from engine.names import closest
from engine.orders.line_shapes import clean
from engine.seats import Seat

_NUMBER = re.compile(r"((?:ENEMY )?SPEED|RANGE|HULL|TURN) ?(<=|>=) ?(\d{1,3})")


def _nearest(battle: Battle, name: str) -> tuple[int, Element]:
    """Return the least N from an element to an enemy, and that enemy's element."""
    own = active(battle, name)
    found = [
        (min(norm(foe.q - one.q, foe.r - one.r) for one in own), element)
        for element, foe in enemies(battle, battle.elements[name].side)
    ]
    # By N alone: elements cannot be compared, and of equals the first in setup order counts.
    return min(found, key=lambda foe: foe[0])


def _can_shoot(battle: Battle, name: str) -> bool:
    """Return whether an element could shoot at somebody now."""
    element = battle.elements[name]
    # Without a penalty, because the card that will be flown is not known yet.
    arms = design_of(battle, element).weapons
    return any(
        next(aims(battle, element, fighter, weapon, 0), None)
        for fighter in active(battle, name)
        for weapon in arms
    )


def _can_be_shot(battle: Battle, name: str) -> bool:
    """Return whether somebody could shoot at an element now."""
    # All weapons of a crippled enemy count: which of them it may fire depends on its targets.
    own = battle.elements[name].fighters
    return any(
        aim.target.name in own
        for element, foe in enemies(battle, battle.elements[name].side)
        for weapon in design_of(battle, element).weapons
        for aim in aims(battle, element, foe, weapon, 0)
    )


def _enemy_at(*arcs: int) -> Callable[[Battle, str], bool]:
    """Return a test whether the enemy nearest to the lead is in one of these arcs."""

    def test(battle: Battle, name: str) -> bool:
        # As in a letter, bearings are those from the lead (BS-3).
        lead, element = active(battle, name)[0], battle.elements[name]
        lines = [(foe.q - lead.q, foe.r - lead.r) for _, foe in enemies(battle, element.side)]
        return bearing(*min(lines, key=lambda line: norm(*line)), element.heading) in arcs

    return test


def _crippled(battle: Battle, name: str) -> bool:
    design = design_of(battle, battle.elements[name])
    return any(is_crippled(design, fighter.hull) for fighter in active(battle, name))


def _enemy_crippled(battle: Battle, name: str) -> bool:
    return any(
        is_crippled(design_of(battle, element), foe.hull)
        for element, foe in enemies(battle, battle.elements[name].side)
    )


_PLAIN: dict[str, Callable[[Battle, str], bool]] = {
    "ENEMY IN ARC": _can_shoot,
    "IN ENEMY ARC": _can_be_shot,
    "ENEMY AHEAD": _enemy_at(0),
    # Arcs 1 and 2 are to the left, 4 and 5 to the right: only 0 and 3 lie on the line of flight.
    "ENEMY LEFT": _enemy_at(1, 2),
    "ENEMY BEHIND": _enemy_at(3),
    "ENEMY RIGHT": _enemy_at(4, 5),
    "CRIPPLED": _crippled,
    "ENEMY CRIPPLED": _enemy_crippled,
    "ALONE": lambda battle, name: len(active(battle, name)) == 1,
    "RETROGRADE": lambda battle, name: battle.elements[name].retrograde,
}

_VALUES: dict[str, Callable[[Battle, str], int]] = {
    "SPEED": lambda battle, name: battle.elements[name].speed,
    "ENEMY SPEED": lambda battle, name: _nearest(battle, name)[1].speed,
    "RANGE": lambda battle, name: _nearest(battle, name)[0],
    "HULL": lambda battle, name: min(fighter.hull for fighter in active(battle, name)),
    "TURN": lambda battle, name: battle.turn,
}
"""What a number is compared with: the enemy is the nearest; RANGE is N, not inches (BS-2)."""


# The same few conditions stand in standing orders that are read at every turn.
@lru_cache(maxsize=1024)
def condition(text: str) -> str:
    """Return a condition in its canonical text; raise UnreadableOrder with a hint."""
    words = clean(text).upper()
    if words in _PLAIN:
        return words
    match = _NUMBER.fullmatch(words)
    if match:
        # Through `int`, so that leading zeros do not make a second form of one condition.
        return f"{match[1]} {match[2]} {int(match[3])}"
    raise UnreadableOrder(
        say("{text!r} is not a condition", text=text.strip()), hint=closest(words, _PLAIN) or ""
    )


def holds(battle: Battle, seat: Seat, text: str, name: str) -> bool:
    """Return whether a canonical condition holds for an element now; never for one that is out."""
    # Tests below ask for a lead and for an enemy, and there may be neither.
    if battle.over or name not in battle.elements or not active(battle, name):
        return False
    if text in _PLAIN:
        return _PLAIN[text](battle, name)
    match = _NUMBER.fullmatch(text)
    # Kept by an earlier version that knew other conditions: it never holds.
    if match is None:
        return False
    value, limit = _VALUES[match[1]](battle, name), int(match[3])
    if match[1] == "RANGE":
        # N counts half-inches, squared (BS-2).
        limit = 4 * limit * limit
    return value <= limit if match[2] == "<=" else value >= limit
