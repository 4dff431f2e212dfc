"""SPEND and CHOOSE: hero points (HP) exchanged for rewards, and what may be chosen (SP-33)."""

import re
from typing import Literal

from engine.campaign import Bid, Change, Day, Entry, Persona
from engine.codec import Record, change
from engine.dice import Dice
from engine.errors import IllegalOrder, UnreadableOrder
from engine.i18n import say, spoken
from engine.letter_texts import View
from engine.names import closest, fold, match_name, unquote
from engine.orders.line_shapes import clean
from engine.starpilot.model import ratings, skills
from engine.starpilot.persona_record import Owed, Pilot, has_won, is_gone, pilot_of, settle
from engine.starpilot.tables import (
    APTITUDES,
    BEAMS,
    LIGHT,
    MARK_BITS,
    MISSILES,
    MOST_APTITUDE,
    MOST_SPENT,
    NEXT_CLASS,
    POINTS_UPTO,
    PROMOTION_UPTO,
    SHIPS,
    STATS,
    STRUCTURE,
    UPGRADE_UPTO,
)
from engine.starpilot.view import StatRow, stat_rows

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
        # Which of the two was meant can't be guessed.
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
        return {"ship": _open_one(ship, ships_open(pilot), say("is not a ship of the next class"))}
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
        raise IllegalOrder(say("{name} {why}{rest}", name=say(name), why=why, rest=rest))
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
        near = next(filter(None, (closest(word, (*APTITUDES, *STATS)) for word in words)), "")
        every = (*room(pilot), *stats_open(pilot), *ships_open(pilot))
        raise UnreadableOrder(
            say("{part!r} names no aptitudes with points, no stat and no ship", part=part),
            hint=near or say("{all}", all=spoken(every)),
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
                    "{name} is {now}, so {more} more is above {most}",
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
                "points placed: {placed}; there are {usable}",
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
    # Only where the points fill all that is open, or one aptitude is left, is there one way.
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
        # A new ship is unmarked (SP-33).
        return change(pilot, ship=choice.ship, mark=0), entry
    return None


_NUMBER = re.compile(r"\d{1,9}")


def bid(persona: Persona, points: str, choices: str, day: Day) -> Bid:
    """Return a SPEND of whole HP, with the choices that came with it; raise OrderError."""
    pilot = pilot_of(persona)
    spent = _points(persona.name, pilot, points)
    barred = _bar(persona.name, pilot)
    if barred is not None:
        raise IllegalOrder(barred)
    chosen = format_choice(read_choice(pilot, spent, choices))
    text = f"SPEND {spent} FOR {persona.name}" + (f" ON {chosen}" if chosen else "")
    return Bid(text, spent, chosen)


def _points(name: str, pilot: Pilot, written: str) -> int:
    if not _NUMBER.fullmatch(written) or not 1 <= int(written) <= MOST_SPENT:
        raise UnreadableOrder(
            say(
                "{written!r} is not a whole number of HP from 1 to {most}",
                written=written,
                most=MOST_SPENT,
            )
        )
    if int(written) * 10 > pilot.hp:
        raise IllegalOrder(
            say(
                "{name} has {hp} HP unspent, not {written}",
                name=name,
                hp=_spoken(pilot.hp),
                written=written,
            )
        )
    return int(written)


def _spoken(amount: int) -> str:
    """Return tenths of HP as a sentence, so that a translation can have its own decimal mark."""
    whole, tenth = divmod(amount, 10)
    return say("{whole}.{tenth}", whole=whole, tenth=tenth) if tenth else str(whole)


def _bar(name: str, pilot: Pilot) -> str | None:
    """Return why a pilot can't spend HP, or None."""
    if is_gone(pilot) or has_won(pilot):
        return say("{name} flies no more, and has no use for rewards", name=name)
    if pilot.owed is not None:
        return say("{name} has a choice to make first, of the last reward", name=name)
    # A battle that ended on the day of spending does not count: the day must be later (SP-33).
    if pilot.spent and pilot.fought <= pilot.spent:
        return say(
            "{name} spent HP on {spent}, and may do so again after a battle"
            " that ends on a later day",
            name=name,
            spent=pilot.spent,
        )
    return None


def reward(persona: Persona, wanted: Bid, dice: Dice, day: Day) -> Change:
    """Return the change of a pilot that spends HP and rolls a d10 on the reward table (SP-33)."""
    before = pilot_of(persona)
    factor = wanted.points + before.rank
    # The rolls after which the reward changes: those between them all mean the same.
    ends = [end // factor for end in (POINTS_UPTO, UPGRADE_UPTO, PROMOTION_UPTO)]
    roll = dice.roll(10, f"reward {persona.name}", ends)
    paid = change(before, hp=before.hp - 10 * wanted.points, spent=day)
    facts = {"hp": wanted.points, "rank": before.rank, "roll": roll, "result": factor * roll}
    entry = Entry("spent", "spent", -10 * wanted.points, facts=facts)
    # Read again from its canonical text: only that is kept between the order and the roll.
    choice = read_choice(before, wanted.points, wanted.choices)
    pilot, *gained = _gain(paid, wanted.points, factor * roll, choice)
    return settle(persona.name, before, pilot, entry, *gained)


def _gain(
    pilot: Pilot, points: int, result: int, choice: Choice
) -> tuple[Pilot, *tuple[Entry, ...]]:
    """Return the pilot with what the reward table says for a result, and the entries."""
    what = _rewarded(result)
    # First, because a promotion leaves nothing to choose.
    if what == "rank":
        return (change(pilot, rank=pilot.rank + 1),)
    owed = Owed(what, points if what == "points" else 0)
    if not options(pilot, owed):
        return pilot, Entry("wasted", facts={"what": owed.what})
    # The choice that came with SPEND counts, unless it names nothing for this kind of reward.
    taken = take(pilot, owed, choice) or take(pilot, owed, only_choice(pilot, owed))
    return taken or (change(pilot, owed=owed),)


def _rewarded(result: int) -> Literal["points", "stat", "rank", "ship"]:
    """Return what a result on the reward table brings (SP-33)."""
    if result <= POINTS_UPTO:
        return "points"
    if result <= UPGRADE_UPTO:
        return "stat"
    return "rank" if result <= PROMOTION_UPTO else "ship"


def prospects(name: str, pilot: Pilot) -> list[View]:
    """Return what each number of HP that a pilot may spend can bring, the best first.

    Each is a view with `hp` and with `chances`, of 100, by what is won; "nothing" is a reward that
    the pilot can't use. There are none for a pilot that may not spend.
    """
    if _bar(name, pilot) is not None:
        return []
    return [
        {"hp": spent, "chances": _chances(pilot, spent)}
        for spent in range(1, min(pilot.hp // 10, MOST_SPENT) + 1)
    ]


def _chances(pilot: Pilot, spent: int) -> dict[str, int]:
    won = [_rewarded((spent + pilot.rank) * roll) for roll in range(1, 11)]
    used = [
        what if what == "rank" or options(pilot, Owed(what, spent)) else "nothing" for what in won
    ]
    kinds = ("ship", "rank", "stat", "points", "nothing")
    return {kind: 10 * used.count(kind) for kind in kinds if kind in used}


def still_owed(pilot: Pilot) -> View | None:
    """Return the reward that waits for a choice, with what there is to choose from.

    `brings` has for each option what `stats_with` returns.
    """
    owed = pilot.owed
    if owed is None or is_gone(pilot):
        return None
    found = options(pilot, owed)
    brings = [stats_with(pilot, owed, option) for option in found]
    return {"what": owed.what, "points": owed.points, "options": found, "brings": brings}


def stats_with(pilot: Pilot, owed: Owed, option: str) -> list[View]:
    """Return the rows of a persona sheet that have a skill, as an option of a reward makes them.

    `now` is the skill without it, in percent. Of the same ship only rows that change are returned.
    """
    if owed.what == "points":
        choice = Choice(points=((option, min(owed.points, room(pilot)[option])),))
    else:
        choice = Choice(stat=option) if owed.what == "stat" else Choice(ship=option)
    taken = take(pilot, owed, choice)
    chosen = pilot if taken is None else taken[0]
    return [
        {**row, "now": before["percent"]}
        for row, before in zip(whole_ship(chosen), whole_ship(pilot), strict=True)
        if row["percent"] is not None and (owed.what == "ship" or row != before)
    ]


def whole_ship(pilot: Pilot) -> list[StatRow]:
    """Return the rows of a persona sheet for a ship without damage."""
    values = ratings(pilot.ship, pilot.mark)
    aptitudes = {name: getattr(pilot, name) for name in APTITUDES}
    return stat_rows(values, values, skills(values, aptitudes))


def choose(persona: Persona, text: str) -> Change:
    """Return the change of a pilot by its choice from the reward that waits; raise OrderError."""
    pilot = pilot_of(persona)
    if pilot.owed is None or is_gone(pilot):
        raise IllegalOrder(say("{pilot} has no choice to make", pilot=persona.name))
    free = change(pilot, owed=None)
    taken = take(free, pilot.owed, read_choice(pilot, pilot.owed.points, text))
    if taken is None:
        open_ones = options(pilot, pilot.owed)
        raise IllegalOrder(
            say(
                "{text!r} is not among the choices; they are {options}",
                text=text,
                options=spoken(open_ones),
            )
        )
    return settle(persona.name, pilot, *taken)
