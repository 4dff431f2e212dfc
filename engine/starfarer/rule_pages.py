"""What RULES and SHIPS print of Starfarer: every figure comes from the tables that are played."""

from collections.abc import Sequence
from typing import Any

from engine.i18n import say
from engine.letter_texts import View
from engine.ruleset import Book
from engine.starfarer import equipment, tables
from engine.starfarer.between_battles import MOST_SQUADS
from engine.starfarer.challenge import APART, EDGE
from engine.starfarer.equipment import ARCHETYPES, ARMOUR, WEAPONS
from engine.starfarer.persona_record import MOST_MEMBERS, MOST_WEAPONS

TOPICS = {
    "round": say("initiative, action points, phases"),
    "plans": say("how to write them, IF and ELSE"),
    "attacks": say("ranges, Ease Factors, locations"),
    "defence": say("evading, parrying, aborting"),
    "damage": say("armour, wounds, shock, bleeding"),
    "checks": say("falling, waking, dying"),
    "treating": say("first aid, moving, lying down"),
    "options": say("optional rules"),
    "squads": say("between fights"),
}


def _figures() -> View:
    return {
        "phase": tables.PHASE,
        "fails": tables.ALWAYS_FAILS,
        "eases": [(name, ease) for name, ease in tables.RANGE_EASE.items()],
        "ease": tables.EASE,
        "ranges": [
            (number + 1, *(row[number] for row in _RANGES)) for number in range(len(tables.LONG))
        ],
        "locations": [tables.AREAS[tables.LOCATIONS[digit % 10]] for digit in range(1, 11)],
        "levels": list(tables.LEVELS),
        "circles": list(tables.CIRCLES),
        "shock_ease": tables.SHOCK_EASE,
        "survival_ease": tables.SURVIVAL_EASE,
        "deadly": tables.DEADLY_SHOCK,
        "fatal": tables.FATAL_SHOCK,
        "further": tables.FURTHER_WOUND,
        "quiet": tables.QUIET_ROUNDS,
        "actions": tables.MOST_ACTIONS,
        "apart": APART,
        "edge": EDGE,
        "squads": MOST_SQUADS,
        "members": MOST_MEMBERS,
        "arms": MOST_WEAPONS,
    }


_RANGES = (tables.POINT_BLANK, tables.SHORT, tables.MEDIUM_RANGE, tables.LONG)


def _catalogue(words: Sequence[str], stock: Any) -> View:
    """Return the kinds of characters that are named, or all, with all weapons and armour."""
    kinds = [name for name in ARCHETYPES if not words or name in words]
    return {
        "kinds": [
            {
                "name": name,
                **ARCHETYPES[name]._asdict(),
                "skills": dict(ARCHETYPES[name].skills),
                "worth": equipment.points(name, ARCHETYPES[name].kit),
            }
            for name in kinds
        ],
        "weapons": [{"name": name, **weapon._asdict()} for name, weapon in WEAPONS.items()],
        "armour": [
            {
                "name": name,
                "covers": list(one.covers),
                "ratings": dict(one.ratings),
                "points": one.points,
            }
            for name, one in ARMOUR.items()
        ],
    }


BOOK = Book(topics=TOPICS, tables=_figures(), classes=tuple(ARCHETYPES), ships=_catalogue)
