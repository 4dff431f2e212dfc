"""What a system says of a campaign: personas, and how games change them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from engine.dice import Dice
from engine.i18n import Said, say
from engine.letter_texts import View
from engine.names import fold
from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Persona:
    """A player's piece between games: its name, its side, and the system's own record of it."""

    name: str
    side: str
    record: dict[str, Any]


Day = str
"""A calendar day in the league's time zone, such as 2026-11-02; later days sort later."""


class Nouns(NamedTuple):
    """What a system's personas are called: one of them, several, and none."""

    one: str
    many: str
    none: str


PILOTS = Nouns(say("pilot"), say("pilots"), say("no pilot"))
Account = Literal["", "earned", "spent", "lost", "buried"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a persona's career: what happened to it, with facts for a template.

    `points`, in tenths, are earned, spent, lost, or buried with a persona that is gone: above 0
    where it gains them, below 0 where it loses them. `news` marks what a newspaper should report.
    """

    kind: str
    account: Account = ""
    points: int = 0
    news: bool = False
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """A persona as it is from now on, and the entries that record how it changed."""

    persona: Persona
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Bid:
    """Points to be spent on a reward: the order in canonical text, the points, the choices."""

    text: str
    points: int
    choices: str


class Standing(NamedTuple):
    """A persona's place in a table: a greater `merit` ranks higher, `figures` can be added up."""

    merit: tuple[int, ...]
    figures: dict[str, int]


class Specimen(NamedTuple):
    """A new persona to test a system's balance with: its kind, such as a ship, and its build."""

    kind: str
    build: str
    persona: Persona


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewards:
    """Points that personas earn and spend.

    `points` returns what a persona has, in tenths: the sum of its entries. `bid` reads what stands
    after SPEND, `reward` rolls for it, and `choose` takes what is then chosen; `bid` and `choose`
    raise OrderError. `thrift` returns the change of a bot that spends points, None if it saves
    them.
    """

    points: Callable[[Persona], int]
    bid: Callable[[Persona, str, str, Day], Bid]
    reward: Callable[[Persona, Bid, Dice, Day], Change]
    choose: Callable[[Persona, str], Change]
    thrift: Callable[[Persona, Dice, Day], Change | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Honours:
    """Medals that players award each other, and battles of note that a moderator marks.

    `endorsers` is how many the next medal needs, `honour` awards it, and `major` returns what a
    battle of note adds.
    """

    endorsers: Callable[[Persona], int]
    honour: Callable[[Persona], Change]
    major: Callable[[Persona, Any, Seat], Change]


class Blueprint(NamedTuple):
    """A player's design, from which personas are made: its name, and the system's record."""

    name: str
    record: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Blueprints:
    """What a system says of blueprints, as pure functions: players' own, and a league's stock.

    `stock` reads a league's plain values, or returns the usual stock for None; it raises
    SetupError. Its result is the system's own value, which the other functions get. `word` is the
    order that begins a blueprint, `form` an example of it, and `takes` returns whether a cleaned
    line below belongs to it. `read` raises OrderError, and so does `enlist`, which replaces
    Campaign's for a player who has blueprints. `uses` returns whether a persona depends on a
    blueprint, `crowded` returns why there may be no more; `sheet` returns one for a template,
    `view` the stock, and `stocked` the names of what is in it.
    """

    word: str
    form: str
    takes: Callable[[str], bool]
    stock: Callable[[Any], Any]
    read: Callable[[str, Any], Blueprint]
    enlist: Callable[[str, Any, Sequence[Blueprint]], Persona]
    uses: Callable[[Persona, Blueprint], bool]
    crowded: Callable[[Sequence[Blueprint]], str | None]
    sheet: Callable[[Blueprint, Any], View]
    view: Callable[[Any], View]
    stocked: Callable[[Any], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class FreeForAll:
    """How more than two players fight, each as a team: the most of them, and the set-up."""

    most: int
    setup: Callable[[Sequence[Sequence[Persona]]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Healing:
    """How a game has hurt a persona, in a league that heals nobody between games.

    `ailing` returns why a persona can't fight until a person rules that it is healed, or None.
    `healed` returns the change that heals one of its parts, or all; it raises OrderError where
    none is hurt.
    """

    ailing: Callable[[Persona], str | None]
    healed: Callable[[Persona, str], Change]


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """What a system says of its personas outside of games, as pure functions.

    Personas: `enlist` reads a new one, and `sheet` returns it for a template. `standing` ranks it
    among those of its system. `began` returns what the first line of its career says, and `parts`
    the names that it contains, such as those of its elements.

    Games: `melee` returns the set-up of a battle of two teams, and `free_for_all`, None where no
    more than two teams fight, that of one of several. `bar` returns why two may not fight,
    `crowded` why a player may have no more personas, `too_many` why some are more than one side
    holds, and `available` why one may not fight on a day; None where nothing forbids it.
    `fights_live` returns whether one fights in a chat room alone, or never there; None where it may
    do both. `gone`
    describes one that is dead or struck off. `after` returns what a game that ended on a day
    changes for a persona that had a seat in it, and left it on that day or an earlier one. `left`
    returns a persona that left a game on a day, as it enters other games while that one goes on;
    None where it may not. `back` returns a persona whose leaving is undone, by what it was before
    it left.

    Bots: `sparring` returns a bot that a persona may practise with, and `fleets` holds those that
    balance is tested with, by class.

    What players choose: `lining` is an example of an order that changes how a persona enters its
    next battles, and `line_up` reads what stands behind the name in it. `terms` holds, by their
    first words, what a challenge may ask for: each returns a set-up changed by the words behind it.

    `enlist`, `line_up` and `terms` raise OrderError; `enlist` raises ForeignOrder for a text that
    does not have the system's form at all. `form` is an example of the whole order, `enlisting` the
    system's own word for ENLIST, and `nouns` are what letters call personas. `rewards`, `honours`
    and `blueprints` are None in a system that lacks them.
    """

    enlist: Callable[[str], Persona]
    sheet: Callable[[Persona], View]
    standing: Callable[[Persona], Standing]
    bar: Callable[[Persona, Persona], str | None]
    crowded: Callable[[Sequence[Persona], Persona], str | None]
    melee: Callable[[Sequence[Persona], Sequence[Persona], str | None], dict[str, Any]]
    available: Callable[[Persona, Day], str | None]
    gone: Callable[[Persona], bool]
    after: Callable[[Persona, Any, Seat, Day, Day], Change]
    resign: Callable[[Persona], Change]
    sparring: Callable[[Persona, Dice], Persona]
    fleets: Mapping[str, tuple[Specimen, ...]]
    form: str
    enlisting: str = ""
    nouns: Nouns = PILOTS
    rewards: Rewards | None = None
    honours: Honours | None = None
    blueprints: Blueprints | None = None
    began: Callable[[Persona], View] = lambda persona: {}
    too_many: Callable[[Sequence[Persona]], str | None] = lambda personas: None
    parts: Callable[[Persona], tuple[str, ...]] = lambda persona: ()
    left: Callable[[Persona, Any, Seat, Day], Persona | None] = lambda persona, state, seat, day: (
        None
    )
    back: Callable[[Persona, Persona], Persona] = lambda persona, before: persona
    fights_live: Callable[[Persona], bool | None] = lambda persona: None
    free_for_all: FreeForAll | None = None
    healing: Healing | None = None
    lining: str = ""
    line_up: Callable[[Persona, str], Persona] = lambda persona, text: persona
    terms: Mapping[str, Callable[[dict[str, Any], str], dict[str, Any]]] = field(
        default_factory=dict
    )


def each_term(terms: str, words: Iterable[str]) -> list[str]:
    """Return what a challenge asks for, parted before each of a system's words.

    >>> each_term("RANGE long, ROCKS 2", ("RANGE", "ROCKS"))
    ['RANGE long', 'ROCKS 2']
    """
    return re.split(rf",?\s+(?=(?:{'|'.join(words)})\b)", terms, flags=re.I)


def house_name(names: Sequence[str], own: str, dice: Dice) -> str:
    """Return one of some bots' names by a roll, never a player's own."""
    # In a practice game the bot flies against the player's own pilot: names in a game differ
    # (SP-2).
    free = [name for name in names if fold(name) != fold(own)]
    return free[dice.roll(len(free), "name") - 1]


def unequal(one: int, other: int, times: float = 1.5) -> Said | None:
    """Return why two groups of so many points may not meet, or None.

    One may be worth at most `times` as many points as the other.
    """
    least, most = sorted((one, other))
    if most <= times * least:
        return None
    return say("one is worth {most} points and the other {least}", most=most, least=least)
