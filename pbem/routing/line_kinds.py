"""Which kind each line of a letter is: a league order with its text, a battle order, or neither."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from re import Match
from typing import Any, NamedTuple, TypedDict

from engine.i18n import say
from engine.orders.line_shapes import clean
from engine.orders.orders_on_file import Written
from engine.orders.reading import LineReader
from engine.orders.wrapped_lines import (
    MOST,
    extent,
    is_broken_off,
    joined,
    may_be_wrapped,
)
from engine.ruleset import Near
from engine.seats import Seat
from pbem.handlers.names import own_pilots_and_places
from pbem.handlers.order_table import NAMING, LeagueOrder
from pbem.handlers.order_words import TRANSLATIONS, in_words_of
from pbem.handlers.personas import enlist_and_resign
from pbem.handlers.request import Answer, OrderAnswer, Refusal, Request
from pbem.people.scrub import Scrub
from pbem.routing import find_league_order
from pbem.routing.answer_limits import MOST_TOLD
from pbem.routing.line_tests import LineTests
from pbem.routing.marked_text import (
    PASSED_ON,
    Kept,
    amiss,
    is_sure,
    or_kept,
    parted,
    story_on,
    tells_secret,
)
from pbem.routing.order_paragraphs import Kind
from pbem.storage import Place

_MOST_TRIED = 40
"""At most so many long lines of a letter are compared with the next ones, because that is slow."""
_MOST_OF_A_BUILD = 11
"""The most lines that an order of LONGEST_BUILD characters may have been wrapped into."""
_MEMBER = re.compile(r"\W*\w[\w .'-]{0,30}:\s")
"""A line for one member of a persona, such as `Gold: 1 Gadfly SKILL 3`."""
_SEVERAL_FIELDS = frozenset(("SPEND", "CHOOSE", "TEAM CHALLENGE", "CHALLENGE"))
"""Orders, apart from those for personas and designs, whose last parts may be on a wrapped line."""


@dataclass(slots=True)
class Ordered:
    """A league order in a letter, as it was written, with the lines below it that are its text.

    `place` is the place that the letter, or a line such as GAME 12 above the order, is about, and
    `at` are the lines of the letter that the order stands in.
    """

    line: str
    order: LeagueOrder
    match: Any
    place: Place | None
    at: range
    below: list[str] = field(default_factory=list)

    def written(self, language: str) -> list[str]:
        """Return the order and its text as a letter of their own, in the player's language."""
        end = [in_words_of("END", language)] if self.order.takes_all else []
        return [self.line, *self.below, *end]


class Unsure(NamedTuple):
    """A line that a yes carries out: an order among other words, or one that was mistyped.

    `wrote` is how it was written where it was mistyped, else "". `own` is false where the line may
    be quoted.
    """

    line: str
    wrote: str = ""
    own: bool = True


@dataclass(slots=True)
class Part:
    """The lines of a letter for one place.

    `dated` is true if they answer its report, so that they count only for that turn. `head` is the
    line such as GAME 12 that begins the part, and `at` says where its lines stand in the letter.
    `story` is what stands below STORY, for others to read; None where the part has no such line.
    `near` are lines that are nearly orders, `unsure` the orders that are only asked about, and
    `meant` all orders of the part, those that are sure and those that are asked about.
    """

    place: Place | None
    dated: bool = False
    head: str = ""
    lines: list[str] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    story: list[str] | None = None
    near: tuple[Near, ...] = ()
    meant: list[str] = field(default_factory=list)
    unsure: list[Unsure] = field(default_factory=list)


@dataclass(slots=True)
class Lines:
    """A letter's lines: answers to league orders, near misses, and the rest in parts.

    `kinds` holds what each line of the letter is. `unsure` are the league orders that are only
    asked about, with their texts, and `words` what is no order. `ready` are the games that continue
    once the parts have been filed, and `kept` the lines of marked texts that others must not read.
    `written` is what parts say, by their place, the battle's steps and their text.
    """

    lines: list[str] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    answers: list[OrderAnswer] = field(default_factory=list)
    near: list[Near] = field(default_factory=list)
    parts: list[Part] = field(default_factory=lambda: [Part(None)])
    preview: bool = False
    unsure: list[Unsure] = field(default_factory=list)
    ready: set[int] = field(default_factory=set)
    kept: list[Kept] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    written: dict[tuple[int, int, str], Written] = field(default_factory=dict)

    @property
    def rest(self) -> list[str]:
        """Return the lines that are not league orders."""
        return [line for part in self.parts for line in part.lines]

    @property
    def separate(self) -> bool:
        """Return whether other letters answer everything in this one."""
        apart = bool(self.answers) and all(answer["separate"] for answer in self.answers)
        return apart and not (self.near or self.kept or self.unsure)


def read(request: Request, letter: str) -> tuple[Lines, list[Ordered]]:
    """Return what a letter's lines are, and the league orders among them, which nobody did yet."""
    scrub, reader = Scrub(request.ports.store, request.player.id), _Reader(request, letter)
    reader.read_all()
    for one in reader.orders:
        if one.order.word in PASSED_ON:
            one.below = or_kept(request, one.place, one.below)
    reader.found.kept = _guarded(scrub, reader.orders)
    for part in reader.found.parts:
        if part.story is not None:
            part.story = or_kept(request, part.place, part.story)
        if part.story:
            part.story, kept = parted(scrub, part.story)
            reader.found.kept += kept
    return reader.found, reader.orders


def _guarded(scrub: Scrub, orders: Sequence[Ordered]) -> list[Kept]:
    """Take the lines that hold secrets out of the orders' texts and return them.

    An order whose own line holds one is refused, except those that may name an address.
    """
    kept = list[Kept]()
    for one, why in zip(orders, scrub.secrets([one.line for one in orders]), strict=True):
        if why is not None and one.order.word not in NAMING:
            one.order = one.order._replace(act=partial(tells_secret, why))
            one.line = scrub.shown(one.line)
        if one.below and not one.order.private:
            one.below, secret = parted(scrub, one.below, one.order.word == "GM")
            kept += secret
    return kept


class _Reader:
    """Reads a letter line by line; `part` is the part of the letter that a line belongs to.

    `whole` means that all lines up to END belong to the last text, and `_form` returns whether a
    line belongs to the last order's form.
    """

    def __init__(self, request: Request, letter: str) -> None:
        self.request, self.language = request, request.language
        self._translation = TRANSLATIONS.get(self.language)
        self._most = request.ports.settings.limits.order_lines
        self._tests = LineTests(request)
        self._places = own_pilots_and_places.PlayersPlaces(request)
        self._tried = 0
        self.part = Part(request.place, dated=True)
        lines = letter.splitlines()
        self.found = Lines(lines, ["" for _ in lines], parts=[self.part])
        self.orders: list[Ordered] = []
        self.whole = False
        self._text: list[str] = []
        self._form: Callable[[str, str], bool] | None = None

    def read_all(self) -> None:
        """Read all lines."""
        lines, at = self.found.lines, 0
        while at < len(lines):
            # A line that belongs to an order's text is never joined with the next.
            count, whole = (1, "") if self.whole or self._form else self._joined(at)
            where = range(at, at + count)
            kind = self._read(
                whole or joined(lines[at : at + count]) if count > 1 else lines[at], where
            )
            for n in where:
                rest: Kind = "rest" if n > at and kind == "order" else kind
                self.found.kinds[n] = rest if lines[n].strip() else ""
            at += count

    def _joined(self, first: int) -> tuple[int, str]:
        """Return how many lines hold a league order, and all of them where that is not plain."""
        lines = self.found.lines
        found = find_league_order.find(lines[first], self.language)
        if found is None or first + 1 == len(lines) or self._tried >= _MOST_TRIED:
            return 1, ""
        above, below = lines[first : first + 2]
        self._tried += may_be_wrapped(above, below) or is_broken_off(above)
        long = isinstance(found, tuple) and found[0].may_be_tried
        count = extent(lines, first, self._tests.reader, _MOST_OF_A_BUILD if long else MOST)
        if count == 1 and isinstance(found, tuple) and found[0].act is enlist_and_resign.enlist:
            return self._build(first)
        return count, ""

    def _build(self, first: int) -> tuple[int, str]:
        """Return how many lines hold a persona that is written on several, and all of it.

        Each line may be a part of the order, or be for one member of the persona.
        """
        lines, tests = self.found.lines, self._tests
        head, below = lines[first].strip(), lines[first + 1 : first + _MOST_OF_A_BUILD]
        rest = list(takewhile(lambda line: line.strip() and not tests.is_order(line), below))
        for count in range(len(rest), 0, -1):
            found = [clean(line) for line in rest[:count]]
            wholes = [" ".join((head, *found))]
            if all(map(_MEMBER.match, found)):
                members, name = "; ".join(found), head.rstrip(":")
                wholes += [f"{name} {members}", f"{head}; {members}", f"{name} WITH {members}"]
            whole = next(filter(tests.reader.reads, wholes), "")
            if whole:
                return count + 1, whole
        return 1, ""

    def _may_be_cut(self, line: str, order: LeagueOrder, match: Match[str], end: int) -> bool:
        """Return whether the next line may be the rest of an order, though it can't be read so."""
        # A whole one that breaks a rule is refused, and the answer names the rule.
        if order.act is enlist_and_resign.enlist and enlist_and_resign.breaks_a_rule(
            self.request, match
        ):
            return False
        long = order.may_be_tried or order.word in _SEVERAL_FIELDS
        if not long or end == len(self.found.lines):
            return False
        below = self.found.lines[end]
        may_go_on = may_be_wrapped(line, below) or (is_broken_off(line) and below.strip())
        return bool(may_go_on) and not self._tests.is_order(below)

    def _read(self, line: str, where: range) -> Kind:
        """Add a line, which may have been wrapped, to what it belongs to; return what it is.

        What a part's battle makes of a line is not known yet: it counts as words for now.
        """
        text = clean(line)
        if self._translation is not None:
            text = self._translation.english(text)
        # First of all: a line of an order's text may itself look like an order.
        if self._takes(line, text):
            return "text"
        if (told := self._story_on(line, where.start)) is not None:
            # A second story goes on where the first one ended.
            above = [*self.part.story, ""] if self.part.story else []
            self.part.story = self._text = above + ([told] if told else [])
            self.whole = True
            return "text"
        if text.upper() == "PREVIEW":
            self.found.preview = True
        elif (headed := _headed(self.request, self._places, self.found, line, text)) is not None:
            self.part = headed
        else:
            return self._sort(line, where)
        return "rule"

    def _story_on(self, line: str, at: int) -> str | None:
        """Return what stands behind the word STORY that begins a line; None for other lines."""
        told = story_on(line, self.language)
        # A program that wraps lines may have put the last word of a sentence there.
        wrapped = at > 0 and may_be_wrapped(self.found.lines[at - 1], line)
        return None if wrapped and not is_sure(line, self.language) else told

    def _sort(self, line: str, where: range) -> Kind:
        """Add a line that is a league order, nearly one, or neither."""
        order = find_league_order.find(line, self.language)
        if self._commands(order, line):
            return self._add(where)
        taker = None if isinstance(order, tuple) else find_league_order.taker(line, self.language)
        if taker is not None:
            # A mistyped TELL or PRESS still takes its text, which holds no orders.
            self._take(line, taker._replace(act=amiss), None, where)
        elif isinstance(order, Near):
            self.found.near.append(order)
            return "near"
        elif order is None:
            return self._add(where)
        # Those beyond the limit are dropped: one letter may hold thousands of lines.
        elif len(self.orders) < self._most:
            cut = self._may_be_cut(line, *order, where.stop)
            act = _cut_short if cut else order[0].act
            self._take(line, order[0]._replace(act=act), order[1], where)
        return "order"

    def _add(self, where: range) -> Kind:
        """Add lines to their part.

        Orders below a head that names no place are left alone, and words there are said back.
        """
        # Joined again by those who know the battle, and with it which names there are.
        self.part.lines += [self.found.lines[n] for n in where]
        self.part.at += where
        if any(part is self.part for part in self.found.parts):
            return "words"
        lines = (self.found.lines[n] for n in where)
        return "text" if all(map(self._tests.is_order, lines)) else "words"

    def _commands(self, order: tuple[LeagueOrder, Any] | Near | None, line: str) -> bool:
        """Return whether a line is an order of its part's battle, and not a league order.

        What the battle understands, or nearly does, is not a mistyped league order. JOIN counts as
        none here, since a player with a battle has joined already.
        """
        meant = isinstance(order, tuple) and order[0].word != "JOIN"
        place = self.part.place
        if order is None or meant:
            return False
        if self._tests.gives_doctrine(line, any_name=place is not None):
            return True
        if place is None:
            return False
        session = self.request.battle(place.game_id)
        seat = Seat(place.seat)
        found = LineReader(session.rules, session.state, seat, self.language).order(line)
        if isinstance(found, Near):
            # Of a word that both have, the league's order may be meant.
            return isinstance(order, Near) and order.hint.split()[0] not in found.hint
        return found is not None

    def _take(self, line: str, order: LeagueOrder, match: Any, where: range) -> None:
        """Add an order; the lines that follow may be its text."""
        self.orders.append(Ordered(line, order, match, self.part.place, where))
        self.whole, self._form, self._text = order.takes_all, order.takes_line, []
        self.orders[-1].below = self._text

    def _takes(self, line: str, text: str) -> bool:
        """Add a line to the last order's text if it takes all lines, or its form takes this one.

        Return whether the line was added, or was the END of the text.
        """
        if self._form is not None:
            if text and not self._form(text, self.language):
                self._form = None
                return False
        elif not self.whole:
            return False
        if self.whole and text.upper() == "END":
            self.whole = False
        else:
            self._text.append(line.rstrip())
        return True


def _headed(
    request: Request,
    places: own_pilots_and_places.PlayersPlaces,
    found: Lines,
    line: str,
    text: str,
) -> Part | None:
    """Return the part of a letter that a line such as GAME 12 or FOR Hawk begins, or None.

    Where the line names no place of the player's, the lines below it belong to no place.
    """
    game, pilot = (
        own_pilots_and_places.GAME_HEAD.fullmatch(text),
        own_pilots_and_places.PILOT_HEAD.fullmatch(text),
    )
    place: Place | None = None
    try:
        if game is not None:
            place = own_pilots_and_places.place_in_game(request, game["number"], game["name"])
        elif pilot is not None:
            place = places.of_pilot(pilot["name"])
    except Refusal as error:
        why = say("{reason}; what stands below it was left alone", reason=str(error))
        found.answers.append(Answer(False, why, error.hint).facts(line))
        return Part(None, head=line.strip())  # not among the found parts: its lines are ignored
    if place is None:
        return None
    for part in found.parts:
        if part.place is not None and part.place.id == place.id:
            return part
    here = request.place is not None and request.place.game_id == place.game_id
    # GAME 12 means the game as it is now; FOR Hawk in a reply still answers the report.
    found.parts.append(Part(place, dated=here and game is None, head=line.strip()))
    return found.parts[-1]


class NearLine(TypedDict):
    """A line that is nearly an order; `why` is true where the hint says what is wrong.

    `meant` are the orders that may be meant, if the hint is not an example.
    """

    text: str
    hint: str
    why: bool
    meant: Sequence[str]


class MoreNear(TypedDict):
    """How many further near misses are left out."""

    more: int


def nears(found: Sequence[Near]) -> list[NearLine | MoreNear]:
    """Return near misses as facts for a template; the last one counts those that are left out."""
    told, room = list[NearLine | MoreNear](), MOST_TOLD
    for near in found:
        room -= len(near.text) + len(near.hint)
        if room < 0:
            return [*told, {"more": len(found) - len(told)}]
        told.append({"text": near.text, "hint": near.hint, "why": near.why, "meant": near.meant})
    return told


def _cut_short(request: Request, match: Match[str]) -> Answer:
    """Refuse an order whose rest may stand on the next line."""
    raise Refusal(
        say("the next line may be the rest of it, so nothing was done"),
        say("all of it on one line, or a blank line below it"),
    )
