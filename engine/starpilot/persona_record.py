"""A pilot's record between battles: its standing, its awards, and how the record changes."""

from collections.abc import Iterator
from typing import Literal

from engine.campaign import Change, Day, Entry, Persona, Standing
from engine.codec import Record, change, decode, encode, plain
from engine.letter_texts import View
from engine.starpilot.tables import (
    ACE,
    ACE_EVERY,
    ACE_SIDE,
    BADGES,
    GRADES,
    LAST_RANK,
    MEDALS,
    MULTIPLES,
    SIDES,
    Honour,
)


class Owed(Record, frozen=True):
    """A reward that waits for its player's choice; `points` go on aptitudes (SP-33)."""

    what: Literal["points", "stat", "ship"]
    points: int = 0


class Pilot(Record, frozen=True):
    """A pilot's record; HP in tenths (SP-30).

    `held` is the day on which it was last taken prisoner, `spent` that of its last reward, and
    `fought` that on which its last battle ended.
    """

    side: str
    mode: str
    weapons: int
    piloting: int
    sensors: int
    ship: str
    mark: int = 0
    rank: int = 1
    hp: int = 0
    hp_total: int = 0
    missions: int = 0
    kills: int = 0
    prizes: int = 0
    wounds: int = 0
    medals: int = 0
    dead: bool = False
    resigned: bool = False
    held: Day = ""
    spent: Day = ""
    fought: Day = ""
    owed: Owed | None = None


def pilot_of(persona: Persona) -> Pilot:
    """Return a persona's record."""
    return decode(encode(persona.record), Pilot)


def persona_of(name: str, pilot: Pilot) -> Persona:
    """Return a record as a persona with a name."""
    return Persona(name, pilot.side, plain(pilot))


def is_gone(pilot: Pilot) -> bool:
    """Return whether a pilot is dead or struck off."""
    return pilot.dead or pilot.resigned


def has_won(pilot: Pilot) -> bool:
    """Return whether a pilot has reached Rank Five, and is in the hall of fame (SP-34)."""
    return pilot.rank >= LAST_RANK


FIGURES = ("hp_total", "missions", "kills", "prizes", "medals", "wounds")


def standing(persona: Persona) -> Standing:
    """Return a pilot's standing: by HP ever earned, then rank, then the sum of kills and prizes."""
    pilot = pilot_of(persona)
    # The total and not the unspent HP, or a reward would cost a place in the table.
    merit = pilot.hp_total, pilot.rank, pilot.kills + pilot.prizes
    return Standing(merit, {name: getattr(pilot, name) for name in FIGURES})


def awards(pilot: Pilot) -> list[Honour]:
    """Return the achievement awards that a pilot holds, by the rules of its side (SP-35)."""
    if pilot.side == ACE_SIDE:
        times = (pilot.kills + pilot.prizes) // ACE_EVERY
        return [_ace(times)] if times else []
    counted, *grades = GRADES[pilot.side]
    # Both grades are worn, the higher one as well as the lower (docs/rulings.md, SP-35).
    return [honour for least, honour in grades if getattr(pilot, counted) >= least]


def _ace(times: int) -> Honour:
    """Return the Ace Medal for a multiple of five kills and prizes: AM, 2AM, 3AM."""
    if times > len(MULTIPLES):
        return Honour(f"{times}-fold {ACE.title}", f"{times}{ACE.code}")
    return Honour(MULTIPLES[times - 1] + ACE.title, f"{times if times > 1 else ''}{ACE.code}")


def decorations(pilot: Pilot) -> list[View]:
    """Return all that a pilot wears, the highest first, each with its title, code and count."""
    worn = [(MEDALS[pilot.side], pilot.medals)]
    worn += [(honour, 1) for honour in reversed(awards(pilot))]
    worn += [(BADGES[pilot.side], pilot.wounds)]
    return [honour._asdict() | {"count": count} for honour, count in worn if count]


def settle(name: str, before: Pilot, after: Pilot, *entries: Entry) -> Change:
    """Return the change from one record to another, with its entries and the news in it.

    A pilot that is gone loses its unspent HP.
    """
    # Entries account for each tenth (SP-30), so what is lost needs one too.
    left = after.hp if is_gone(after) else 0
    buried = (Entry("buried", "buried", -left),) if left else ()
    settled = change(after, hp=after.hp - left)
    return Change(persona_of(name, settled), (*entries, *_news(before, after), *buried))


def _news(before: Pilot, after: Pilot) -> Iterator[Entry]:
    if after.wounds > before.wounds:
        yield _given("wounded", BADGES[after.side], after.wounds)
    if after.medals > before.medals:
        yield _given("medal", MEDALS[after.side], after.medals)
    held = awards(before)
    yield from (_given("award", honour) for honour in awards(after) if honour not in held)
    if after.rank > before.rank:
        title = SIDES[after.side].ranks[after.rank - 1]
        yield Entry("promoted", news=True, facts={"rank": after.rank, "title": title})
    if has_won(after) and not has_won(before):
        yield Entry("retired", news=True)
    if is_gone(after) and not is_gone(before):
        yield Entry("died" if after.dead else "resigned", news=True)


def _given(kind: str, honour: Honour, count: int = 1) -> Entry:
    return Entry(kind, news=True, facts=honour._asdict() | {"count": count})
