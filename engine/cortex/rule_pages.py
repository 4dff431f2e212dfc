"""What RULES and SHIPS print of Cortex: every figure comes from the tables that are played."""

from collections.abc import Sequence
from typing import Any

from engine.cortex import tables, vessel_types
from engine.cortex.between_battles import MOST_GROUPS
from engine.cortex.persona_record import MOST_SHIPS
from engine.cortex.vessel_types import ARMS, CREWS, DICE, KINDS, USUAL_CREW
from engine.i18n import say
from engine.letter_texts import View
from engine.ruleset import Book

TOPICS = {
    "turn": say("what happens when"),
    "orders": say("how to write them, and who carries them out"),
    "attacks": say("rolls, defence, damage"),
    "flying": say("ranges, dogfights, collisions, strafing"),
    "wings": say("fighters that fly as one"),
    "missiles": say("locks, flight, and how to be rid of them"),
    "guns": say("batteries, point defence, battle damage"),
    "crews": say("what each station can do"),
    "scales": say("small against large, and in an atmosphere"),
    "bombardment": say("sites and spotters"),
    "options": say("optional rules"),
    "groups": say("between battles"),
}


_NUMBERS = {
    "margin": tables.MARGIN,
    "actions": tables.MOST_ACTIONS,
    "wing": tables.MOST_IN_WING,
    "battery": tables.MOST_IN_BATTERY,
    "shared": tables.MOST_SHARED,
    "aim": tables.MOST_AIM,
    "called": tables.CALLED,
    "outflown": tables.OUTFLOWN,
    "intercepted": tables.INTERCEPTED,
    "factors": tables.FACTORS,
    "stride": tables.STRIDE,
    "increments": tables.MOST_INCREMENTS,
    "still": tables.STILL_TURNS,
    "harmless": tables.HARMLESS_TURNS,
    "groups": MOST_GROUPS,
    "ships": MOST_SHIPS,
    "team": tables.MOST_VESSELS,
}


def _figures() -> View:
    return {
        **_NUMBERS,
        "levels": [tables.EASY, tables.AVERAGE, tables.HARD, tables.FORMIDABLE, tables.HEROIC],
        "ranges": _ranges(),
        "sizes": [{"name": name, "needed": needed} for name, needed in tables.SIZES.items()],
        "strengths": [
            {
                "scale": scale,
                "sizes": [{"die": tables.die(step), "name": name} for step, name in rows[::-1]],
            }
            for scale, rows in tables.SIZE_BY_STRENGTH.items()
        ],
        "rows": [{"last": last, "what": what} for last, what in tables.ROWS],
        "warheads": [
            {"scale": scale, "size": size, "die": tables.die(step), "blast": blast}
            for scale, sizes in tables.MISSILES.items()
            for size, (step, blast) in sizes.items()
        ],
        "sites": [
            {"kind": kind, "craft": one, "ship": other, "lp": lp, "armour": armour}
            for kind, (one, other, _, lp, armour) in tables.KINDS.items()
        ],
        "runs": [needed for _, needed in tables.RUNS],
        "options": [key.replace("_", " ") for key in tables.OPTIONS],
    }


def _ranges() -> list[dict[str, Any]]:
    locks = {tables.RANGES[number]: needed for number, needed in tables.LOCKS.items()}
    return [
        {
            "name": name,
            "lock": locks.get(name),
            "flight": tables.FLIGHT[number],
            "feet": [*tables.BANDS, None][number],
            "increment": tables.INCREMENTS[number],
        }
        for number, name in enumerate(tables.RANGES)
    ]


def _catalogue(words: Sequence[str], stock: Any) -> View:
    """Return the kinds of vessels that are named, or all, with all weapons and crews."""
    kinds = [name for name in KINDS if not words or name in words]
    return {
        "kinds": [
            {
                "name": name,
                "dice": list(KINDS[name].dice),
                "scale": KINDS[name].scale,
                "speed": KINDS[name].speed,
                "lp": KINDS[name].lp,
                "armour": list(KINDS[name].armour),
                "arms": dict(KINDS[name].arms),
                "stations": list(KINDS[name].crew),
                "ftl": KINDS[name].ftl,
                "worth": vessel_types.points(name, USUAL_CREW),
            }
            for name in kinds
        ],
        "dice": DICE,
        "arms": [
            {
                "name": name,
                "range": one["range"],
                "damage": one.get("damage"),
                "size": one.get("size"),
                "mark": next((mark for mark in _MARKS if one.get(mark)), one.get("warhead")),
            }
            for name, one in ARMS.items()
        ],
        "crews": [{"name": name, **one._asdict()} for name, one in CREWS.items()],
    }


_MARKS = ("pd", "battery", "linked")

BOOK = Book(topics=TOPICS, tables=_figures(), classes=tuple(KINDS), ships=_catalogue)
