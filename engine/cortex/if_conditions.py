"""The conditions of IF rules: what a unit's orders can depend on, as seen from it."""

import re
from collections.abc import Callable
from functools import lru_cache

from engine.cortex.default_targets import life
from engine.cortex.model import Battle, Members
from engine.cortex.queries import (
    active_in,
    band,
    is_active,
    is_immobile,
    pair,
    speed_of,
    unit_of,
    wing_of,
    worst_pilot,
)
from engine.cortex.tables import RANGES, SKIRMISH, TENTHS
from engine.errors import UnreadableOrder
from engine.i18n import say
from engine.names import closest
from engine.orders.line_shapes import clean
from engine.seats import Seat

_NUMBER = re.compile(r"((?:ENEMY )?LP|(?:ENEMY )?SPEED|ENEMIES|MISSILES|TURN) ?(<=|>=) ?(\d{1,4})")
_RANGE = re.compile(rf"RANGE ?(<=|>=|=|IS)? ?({'|'.join(RANGES).upper()})")


def _foes(battle: Battle, members: Members) -> list[str]:
    return active_in(battle, 1 - battle.sheets[members[0]].team)


def _nearest(battle: Battle, members: Members) -> str:
    """Return the enemy nearest to a unit, of equals the first in setup order."""
    # All members of a wing are at the same ranges, so its leader's do (CX-35).
    return min(_foes(battle, members), key=lambda foe: battle.ranges[pair(battle, members[0], foe)])


def _holds(battle: Battle, members: Members, own: bool) -> bool:
    """Return whether a unit has Advantage over somebody, or somebody has it over the unit."""
    name = worst_pilot(battle, members)
    found = (one.holder for key, one in battle.advantages.items() if name in key.split("|"))
    # Advantage stands by vessel: for a wing that of its worst pilot counts (CX-36).
    return any((holder == name) is own for holder in found)


def _hurt(battle: Battle, members: Members) -> bool:
    sheets = battle.sheets
    return any(2 * life(battle, name) <= sheets[name].lp * TENTHS for name in members)


_PLAIN: dict[str, Callable[[Battle, Members], bool]] = {
    "LOCKED ON": lambda battle, unit: any(one.at in unit for one in battle.locks),
    "LOCK": lambda battle, unit: any(one.by in unit for one in battle.locks),
    "MISSILE AT ME": lambda battle, unit: any(one.at in unit for one in battle.missiles),
    "ADVANTAGE": lambda battle, unit: _holds(battle, unit, own=True),
    "DISADVANTAGE": lambda battle, unit: _holds(battle, unit, own=False),
    "IN WING": lambda battle, unit: wing_of(battle, unit[0]) is not None,
    "HURT": _hurt,
    "DAMAGED": lambda battle, unit: any(battle.vessels[name].damaged for name in unit),
    "IMMOBILE": is_immobile,
    "ALONE": lambda battle, unit: len(active_in(battle, battle.sheets[unit[0]].team)) == len(unit),
}
"""What is asked of a unit; one of its vessels is enough."""

_VALUES: dict[str, Callable[[Battle, Members], int]] = {
    "LP": lambda battle, unit: min(life(battle, name) for name in unit) // TENTHS,
    "ENEMY LP": lambda battle, unit: life(battle, _nearest(battle, unit)) // TENTHS,
    "SPEED": speed_of,
    "ENEMY SPEED": lambda battle, unit: battle.vessels[_nearest(battle, unit)].speed,
    "ENEMIES": lambda battle, unit: len(_foes(battle, unit)),
    "MISSILES": lambda battle, unit: sum(
        battle.vessels[unit[0]].guns[one.name]
        for one in battle.sheets[unit[0]].weapons
        if one.missile
    ),
    "TURN": lambda battle, unit: battle.turn + 1,
}
"""What a number is compared with: the enemy is the nearest, and LP those that are left."""

WORDS = (*_PLAIN, *_VALUES, "RANGE")


# The same few conditions stand in standing orders that are read at every turn.
@lru_cache(maxsize=1024)
def condition(text: str) -> str:
    """Return a condition in its canonical text; raise UnreadableOrder with a hint."""
    words = clean(text).upper()
    if words in _PLAIN:
        return words
    if match := _NUMBER.fullmatch(words):
        # Through `int`, so that leading zeros do not make a second form of one condition.
        return f"{match[1]} {match[2]} {int(match[3])}"
    if match := _RANGE.fullmatch(words):
        sign = match[1] or "="
        return f"RANGE {'=' if sign == 'IS' else sign} {match[2].lower()}"
    raise UnreadableOrder(say("{text!r} is not a condition", text=text.strip()), hint=_hint(words))


def _hint(words: str) -> str:
    head = words.split()[0] if words else ""
    if head == "RANGE":
        return f"RANGE <= {RANGES[SKIRMISH]}"
    if head in _VALUES:
        return f"{head} <= 5"
    return closest(words, _PLAIN) or ""


def holds(battle: Battle, seat: Seat, text: str, name: str) -> bool:
    """Return whether a canonical condition holds for a unit now; never for one that is out."""
    if battle.over or name not in battle.sheets or not is_active(battle, name):
        return False
    unit = unit_of(battle, name)
    if text in _PLAIN:
        return _PLAIN[text](battle, unit)
    what, sign, limit = text.rsplit(" ", 2)
    if what == "RANGE":
        value, bound = band(battle, name, _nearest(battle, unit)), RANGES.index(limit)
    else:
        value, bound = _VALUES[what](battle, unit), int(limit)
    return value == bound if sign == "=" else value <= bound if sign == "<=" else value >= bound
