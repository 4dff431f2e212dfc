"""What a player may choose of a reward, and how the choice is written (SP-33)."""

import re

from engine.campaign import Entry
from engine.codec import Record, change
from engine.errors import IllegalOrder, UnreadableOrder
from engine.i18n import say, spoken
from engine.names import closest, fold, match_name, unquote
from engine.orders.lines import clean
from engine.starpilot.pilot import Owed, Pilot
from engine.starpilot.tables import (
    APTITUDES,
    BEAMS,
    LIGHT,
    MARK_BITS,
    MISSILES,
    MOST_APTITUDE,
    NEXT_CLASS,
    SHIPS,
    STATS,
    STRUCTURE,
)

_PART = re.compile(r"\s*[/;]\s*")
_WORD = re.compile(r"[^\W\d_]+|\d{1,3}")
_FILLERS = frozenset({"and", "to", "points", "point"})


class Choice(Record, frozen=True):
    """What a player would take of each kind of reward; empty where the player does not say."""

    points: tuple[tuple[str, int], ...] = ()
    stat: str = ""
    ship: str = ""


def stats_open(pilot: Pilot) -> list[str]:
    """Return the stats that a pilot's ship can still be upgraded in (SP-33)."""
    # A Light fighter's weapons are never upgraded, and no ship's Structure is (SP-33).
    weapons = () if SHIPS[pilot.ship].weight != LIGHT else (BEAMS, MISSILES)
    return [
        stat
        for n, stat in enumerate(STATS[:STRUCTURE])
        if n not in weapons and not pilot.mark & MARK_BITS[n]
    ]


def ships_open(pilot: Pilot) -> list[str]:
    """Return the two ships of the next class; none for the pilot of a Heavy fighter."""
    better = NEXT_CLASS.get(SHIPS[pilot.ship].weight)
    return [s for s, ship in SHIPS.items() if ship.side == pilot.side and ship.weight == better]


def room(pilot: Pilot) -> dict[str, int]:
    """Return the aptitudes that can still be raised, and by how much."""
    left = {name: MOST_APTITUDE - getattr(pilot, name) for name in APTITUDES}
    return {name: points for name, points in left.items() if points}


def options(pilot: Pilot, owed: Owed) -> list[str]:
    """Return what there is to choose from; nothing where the reward can't be used."""
    if owed.what == "points":
        return list(room(pilot))
    return stats_open(pilot) if owed.what == "stat" else ships_open(pilot)


def read_choice(pilot: Pilot, points: int, text: str) -> Choice:
    """Return the choice in a text such as `weapons 2 piloting 1 / beams / Catherine 521A`.

    Raise OrderError where it can't be read, or is not open to the pilot.
    """
    choice = Choice()
    for part in filter(None, _PART.split(clean(text))):
        found = _read_part(pilot, points, part)
        if any(getattr(choice, kind) for kind in found):
            raise UnreadableOrder(
                say("{part!r} is a second choice of its kind; name one of each", part=part)
            )
        choice = change(choice, **found)
    return choice


def _read_part(pilot: Pilot, points: int, part: str) -> dict[str, object]:
    stat, ship = match_name(part, STATS), _ship_named(part)
    if stat is not None:
        return {"stat": _open_one(stat, stats_open(pilot), say("can't be upgraded on this ship"))}
    if ship is not None:
        return {"ship": _open_one(ship, ships_open(pilot), say("is no ship of the next class"))}
    return {"points": _read_points(pilot, points, part)}


def _ship_named(part: str) -> str | None:
    bare = fold(unquote(part)).replace("-", "")
    return next((ship for ship in SHIPS if fold(ship).replace("-", "") == bare), None)


def _open_one(name: str, open_ones: list[str], why: str) -> str:
    if name not in open_ones:
        rest = (
            say("; you may choose {options}", options=spoken(open_ones))
            if open_ones
            else say("; there is nothing to choose")
        )
        raise IllegalOrder(say("{name} {why}{rest} (SP-33)", name=say(name), why=why, rest=rest))
    return name


def _read_points(pilot: Pilot, points: int, part: str) -> tuple[tuple[str, int], ...]:
    """Return the points in `weapons 2, piloting 1`, `2 weapons`, or `weapons` (all on one)."""
    words = [word.lower() for word in _WORD.findall(part) if word.lower() not in _FILLERS]
    words = [*words, str(points)] if len(words) == 1 else words
    names, amounts = words[::2], words[1::2]
    if words and words[0].isdigit():
        names, amounts = amounts, names
    fits = len(names) == len(amounts) == len(set(names)) and all(a.isdigit() for a in amounts)
    if not fits or not set(names) <= set(APTITUDES):
        hint = next(filter(None, (closest(word, (*APTITUDES, *STATS)) for word in words)), "")
        raise UnreadableOrder(
            say("{part!r} names no aptitudes with points, no stat and no ship", part=part),
            hint=hint,
        )
    chosen = {name: int(amount) for name, amount in zip(names, amounts, strict=True)}
    _check_points(pilot, points, chosen)
    return tuple((name, chosen[name]) for name in APTITUDES if chosen.get(name))


def _check_points(pilot: Pilot, points: int, chosen: dict[str, int]) -> None:
    left = room(pilot)
    for name, more in chosen.items():
        if more > left.get(name, 0):
            raise IllegalOrder(
                say(
                    "{name} is {now}, so {more} more is above {most} (SP-33)",
                    name=say(name),
                    now=getattr(pilot, name),
                    more=more,
                    most=MOST_APTITUDE,
                )
            )
    # Points beyond the limit can't be used and are lost (SP-33).
    usable = min(points, sum(left.values()))
    if sum(chosen.values()) != usable:
        raise IllegalOrder(
            say(
                "{placed} points are placed; there are {usable}",
                placed=sum(chosen.values()),
                usable=usable,
            )
        )


def format_choice(choice: Choice) -> str:
    """Return a choice in canonical text; read_choice(format_choice(c)) == c."""
    points = ", ".join(f"{name} {more}" for name, more in choice.points)
    return " / ".join(filter(None, (points, choice.stat, choice.ship)))


def only_choice(pilot: Pilot, owed: Owed) -> Choice:
    """Return the choice where there is only one, otherwise an empty one."""
    found = options(pilot, owed)
    if owed.what == "stat":
        return Choice(stat=found[0] if len(found) == 1 else "")
    if owed.what == "ship":
        return Choice()
    left = room(pilot)
    if len(left) > 1 and sum(left.values()) > owed.points:
        return Choice()
    return Choice(points=tuple((name, min(more, owed.points)) for name, more in left.items()))


def take(pilot: Pilot, owed: Owed, choice: Choice) -> tuple[Pilot, Entry] | None:
    """Return the pilot with what was chosen, and the entry; None where the choice
    leaves it open."""
    if owed.what == "points" and choice.points:
        raised = {name: getattr(pilot, name) + more for name, more in choice.points}
        return change(pilot, **raised), Entry("trained", facts={"points": dict(choice.points)})
    if owed.what == "stat" and choice.stat:
        mark = pilot.mark | MARK_BITS[STATS.index(choice.stat)]
        facts = {"stat": choice.stat, "mark": mark}
        return change(pilot, mark=mark), Entry("upgraded", facts=facts)
    if owed.what == "ship" and choice.ship:
        entry = Entry("new_ship", news=True, facts={"ship": choice.ship})
        return change(pilot, ship=choice.ship, mark=0), entry
    return None
