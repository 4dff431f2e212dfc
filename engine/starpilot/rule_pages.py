"""What RULES and SHIPS print of StarPilot: every figure comes from the tables that are played."""

from collections.abc import Iterator, Sequence
from typing import get_args

from engine.i18n import say
from engine.letter_texts import View
from engine.ruleset import Book
from engine.starpilot import tables
from engine.starpilot.between_battles import MOST_EACH_MODE
from engine.starpilot.damage import hits
from engine.starpilot.enlist import MOST_NEW, POINTS
from engine.starpilot.model import Weapon
from engine.starpilot.tables import (
    APTITUDES,
    EXTREME,
    FAR,
    MARK_BITS,
    NEAR,
    RANGES,
    SHIPS,
    SIDES,
    SKILL_STAT,
    STAT_APTITUDE,
    STATS,
    STRUCTURE,
)

TOPICS = {
    "pilots": say("aptitudes, skills, ships, Marks"),
    "turns": say("who begins, restart, quiet draw"),
    "moves": say("finding, ranges, locks"),
    "shooting": say("when you may shoot, and hits"),
    "damage": say("what a hit does, wounds"),
    "leaving": say("escape, surrender, ejection"),
    "heroes": say("hero points, promotion, rewards"),
    "awards": say("badges and medals of each side"),
    "teams": say("several pilots on a side"),
    "sides": say("the four powers and their ranks"),
}

_MANY = (9,) * len(STATS)
"""Ratings that differ from a single hit, so that `_shots` knows one from the other."""


def _shots() -> Iterator[View]:
    """Yield how many hits each weapon makes by range (SP-20); None stands for the rating."""
    for weapon in get_args(Weapon):
        stat = STATS[SKILL_STAT[weapon.upper()]]
        for origin in (NEAR, FAR):
            usual = hits(_MANY, weapon, origin, origin)
            for now in (origin, EXTREME):
                count = hits(_MANY, weapon, origin, now)
                # A shot that lands at Extreme has a row of its own only where that changes its
                # hits.
                if now == origin or count != usual:
                    yield {
                        "stat": stat,
                        "origin": RANGES[origin],
                        "extreme": now == EXTREME,
                        "hits": 1 if count == 1 else None,
                    }


def _damage() -> Iterator[View]:
    """Yield the damage rolls that strike each stat (SP-26)."""
    # Asked of the function that is played, so that the page can't differ from it.
    struck = [tables.damaged_stat(roll) for roll in range(1, 101)]
    for number, stat in enumerate(STATS):
        first, count = struck.index(number) + 1, struck.count(number)
        yield {"stat": stat, "first": first, "last": first + count - 1}


def _side(key: str) -> View:
    counted, *grades = tables.GRADES.get(key, ("",))
    awards = [
        # Only HP are kept in tenths; prizes and missions are whole (SP-30).
        {"least": least // 10 if counted == "hp_total" else least, **honour._asdict()}
        for least, honour in grades
    ]
    return {
        "key": key,
        "title": SIDES[key].title,
        "ranks": SIDES[key].ranks,
        "badge": tables.BADGES[key]._asdict(),
        "medal": tables.MEDALS[key]._asdict(),
        "counted": counted,
        "awards": awards,
    }


def _figures() -> View:
    # A pilot of the last rank fights no more, so it never ejects (SP-34).
    ranks = range(1, tables.LAST_RANK)
    marks = zip(STATS, MARK_BITS, strict=True)
    return {
        "points": POINTS,
        "most": MOST_NEW,
        "highest": tables.MOST_APTITUDE,
        "each_mode": MOST_EACH_MODE,
        "commands": [(c, STATS[s], STAT_APTITUDE[s]) for c, s in SKILL_STAT.items()],
        "marks": [(stat, bit) for stat, bit in marks if bit],
        "lock": tables.LOCK_BONUS,
        "shots": list(_shots()),
        "damage": list(_damage()),
        "wound": tables.WOUND_ROLL,
        "ejection": [(rank, tables.ejection_chance(rank)) for rank in ranks],
        "quiet": tables.QUIET_TURNS_A_PILOT,
        "missions": tables.MISSIONS_TO_RANK_TWO,
        "spent": tables.MOST_SPENT,
        "rewards": (tables.POINTS_UPTO, tables.UPGRADE_UPTO, tables.PROMOTION_UPTO),
        "endorsers": tables.ENDORSERS,
        "ace": {**tables.ACE._asdict(), "side": tables.ACE_SIDE, "every": tables.ACE_EVERY},
        "sides": [_side(key) for key in SIDES],
        "hp": {
            "kill": tables.HP_KILL,
            "capture": tables.HP_CAPTURE,
            "mate": tables.HP_TEAMMATE,
            "drive_off": tables.HP_DRIVE_OFF,
            "escape": tables.HP_ESCAPE,
            "loss": tables.HP_LOSS,
            "major": tables.HP_MAJOR,
        },
    }


_CLASSES = (tables.LIGHT, tables.IMPROVED, tables.HEAVY)


def _ships(words: Sequence[str], stock: object) -> View:
    """Return the ships by class (Appendix C), of the sides and classes that are named."""
    sides = [side for side in SIDES if side in words] or list(SIDES)
    classes = [weight for weight in _CLASSES if weight in words] or list(_CLASSES)
    found = [(weight, [s for s in SHIPS if SHIPS[s].weight == weight]) for weight in classes]
    return {
        "stats": STATS[:STRUCTURE],
        "aptitudes": APTITUDES,
        "classes": [
            {
                "weight": weight,
                "structure": SHIPS[ships[0]].stats[STRUCTURE],
                "ships": [
                    {"name": s, "side": SHIPS[s].side, "stats": SHIPS[s].stats[:STRUCTURE]}
                    for s in ships
                    if SHIPS[s].side in sides
                ],
            }
            for weight, ships in found
        ],
    }


CONTENTS = {"sides": "background history world hintergrund geschichte welt"}
BOOK = Book(
    topics=TOPICS, contents=CONTENTS, tables=_figures(), classes=(*SIDES, *_CLASSES), ships=_ships
)
