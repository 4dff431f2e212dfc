"""Which kind each line of a letter is: a league order with its text, a battle order, or neither."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import takewhile
from re import Match
from typing import Any, TypedDict

from engine.i18n import Said, say
from engine.orders.lines import clean
from engine.orders.orders_on_file import Written
from engine.orders.reading import LineReader
from engine.orders.wrapped_lines import (
    MOST,
    ends_a_sentence,
    extent,
    is_broken_off,
    joined,
    may_be_wrapped,
)
from engine.ruleset import Near
from engine.seats import Seat
from pbem.games.session import Session
from pbem.handlers import lookup, pilots
from pbem.handlers.order_table import NAMING, LeagueOrder
from pbem.handlers.order_words import TRANSLATIONS
from pbem.handlers.request import Answer, OrderAnswer, Refusal, Request
from pbem.routing import league_orders
from pbem.routing.doubts import Doubts
from pbem.routing.game_heads import MAY_HEAD, with_heads
from pbem.routing.letter_limits import MOST_TOLD
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
from pbem.scrub import Scrub
from pbem.storage import Place

_MOST_TRIED = 40
"""At most so many long lines of a letter are compared with the next ones, because that is slow."""
_MOST_OF_A_BUILD = 11
"""The most lines that an order of LONGEST_BUILD characters may have been wrapped into."""
_MEMBER = re.compile(r"\W*\w[\w .'-]{0,30}:\s")
"""A line for one member of a persona, such as `Gold: 1 Gadfly SKILL 3`."""
_SEVERAL_FIELDS = frozenset(("SPEND", "CHOOSE", "TEAM CHALLENGE", "CHALLENGE"))
"""Orders, apart from those for personas and designs, whose last parts may be on a wrapped line."""

_SENTENCE = say(
    "it may be the end of the sentence above it; if it is an order, leave a blank line above it"
)
UNSURE = Answer(
    False,
    say("the referee can't be sure that you wrote this line yourself, so nothing was done"),
    say("the order at the top of a letter, without a > before it"),
)
"""The answer to an order that may be quoted, or part of a signature."""


@dataclass(slots=True)
class Ordered:
    """A league order in a letter, as it was written, with the lines below it that are its text.

    `place` is the place that the letter, or a line such as GAME 12 above the order, is about.
    """

    line: str
    order: LeagueOrder
    match: Any
    place: Place | None
    below: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """The lines of a letter for one place.

    `dated` is true if they answer its report, so that they count only for that turn. `story` is
    what stands below STORY, for others to read; None where the part has no such line.
    """

    place: Place | None
    dated: bool = False
    lines: list[str] = field(default_factory=list)
    story: list[str] | None = None


@dataclass(slots=True)
class Lines:
    """A letter's lines: answers to league orders, near misses, and the rest in parts.

    `ready` are the games that continue once the parts have been filed, `kept` the lines of marked
    texts that others must not read, and `words` what parts without a battle hold. `written` is what
    parts say, by their place, the battle's steps and their text.
    """

    answers: list[OrderAnswer] = field(default_factory=list)
    near: list[Near] = field(default_factory=list)
    parts: list[Part] = field(default_factory=lambda: [Part(None)])
    preview: bool = False
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
        return apart and not self.near and not self.kept


def read(request: Request, letter: str) -> tuple[Lines, list[Ordered]]:
    """Return what a letter's lines are, and the league orders among them, which nobody did yet."""
    scrub, lines = Scrub(request.ports.store, request.player.id), _LetterLines(request, letter)
    reader = _Reader(request, lines)
    while (taken := lines.take(join=reader.joins)) is not None:
        line, where = taken
        reader.read(line, lines.typed(where))
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
    # One with a secret in it is left out, since its hint would repeat that.
    reader.found.near += [near for near in lines.near if scrub.shown(near.text) == near.text]
    reader.found.near += [Near(scrub.shown(line), why, why=True) for line, why in lines.doubted]
    unsure = filter(lines.tests.is_order, request.unsure) if request.unsure else ()
    reader.found.answers += [UNSURE.facts(scrub.shown(line)) for line in unsure]
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


class _LetterLines:
    """A letter's lines, taken one after the other, each with what was wrapped off it.

    `doubted` are those that would be orders by themselves, and why they may be none.
    """

    def __init__(self, request: Request, text: str) -> None:
        self._request = request
        self.lines = text.splitlines()
        self.near: list[Near] = []
        self.doubted: list[tuple[str, Said]] = []
        self._tried = self._at = 0
        if MAY_HEAD.search(text):
            is_order = self.tests.is_orderly
            self.lines, self.near, self.doubted = with_heads(request, self.lines, is_order)

    @cached_property
    def tests(self) -> LineTests:
        """What decides which lines belong together; a letter of a single line does not need it."""
        return LineTests(self._request)

    @cached_property
    def _doubts(self) -> Doubts:
        return Doubts(self.lines, self.tests)

    def take(self, join: bool) -> tuple[str, slice] | None:
        """Return the next line and where it stands in the letter; None at the end.

        With `join`, the lines below that belong to it are part of it, and an order in doubt is left
        out.
        """
        while self._at < len(self.lines):
            first = self._at
            count, whole = self._joined(first) if join else (1, "")
            self._at += count
            where = slice(first, self._at)
            whole = whole or (self.lines[first] if count == 1 else joined(self.lines[where]))
            # A crossed sign is no ASCII; without one, or a mark such as `!`, nothing speaks against
            # an order that is alone.
            single = len(self.lines) == 1 and whole.isascii() and whole[:1] not in "!0"
            alone = not join or single or is_sure(whole, self._request.language)
            why = None if alone else self._doubts.why(whole, first, self._at)
            if why is None:
                return whole, where
            self.doubted.append((whole, why))
        return None

    def _joined(self, first: int) -> tuple[int, str]:
        """Return how many lines belong together, and all of them where that is not plain."""
        if first + 1 == len(self.lines) or self._tried >= _MOST_TRIED:
            return 1, ""
        above, below = self.lines[first : first + 2]
        self._tried += may_be_wrapped(above, below) or is_broken_off(above)
        found = league_orders.find(self.lines[first], self._request.language)
        long = isinstance(found, tuple) and found[0].may_be_tried
        count = extent(self.lines, first, self.tests.reader, _MOST_OF_A_BUILD if long else MOST)
        ends = count == 1 and ends_a_sentence(self.lines, first, self.tests.reader)
        if ends and not is_sure(below, self._request.language):
            self.doubted.append((below, _SENTENCE))
            return 2, ""
        if count == 1 and isinstance(found, tuple) and found[0].act is pilots.enlist:
            return self._build(first)
        return count, ""

    def _build(self, first: int) -> tuple[int, str]:
        """Return how many lines hold a persona that is written on several, and all of it.

        Each line may be a part of the order, or be for one member of the persona.
        """
        head, below = self.lines[first].strip(), self.lines[first + 1 : first + _MOST_OF_A_BUILD]
        rest = list(takewhile(lambda line: line.strip() and not self.tests.is_order(line), below))
        for count in range(len(rest), 0, -1):
            found = [clean(line) for line in rest[:count]]
            wholes = [" ".join((head, *found))]
            if all(map(_MEMBER.match, found)):
                members, name = "; ".join(found), head.rstrip(":")
                wholes += [f"{name} {members}", f"{head}; {members}", f"{name} WITH {members}"]
            whole = next(filter(self.tests.reader.reads, wholes), "")
            if whole:
                return count + 1, whole
        return 1, ""

    def typed(self, where: slice) -> list[str]:
        """Return lines as they stand in the letter, but with a sentence's last words behind it."""
        lines = self.lines[where]
        ended = self.doubted and lines[1:] == [self.doubted[-1][0]]
        return [joined(lines)] if ended else lines

    def may_be_cut(self, line: str, order: LeagueOrder, match: Match[str]) -> bool:
        """Return whether the next line may be the rest of an order, though it can't be read so."""
        # A whole one that breaks a rule is refused, and the answer names the rule.
        if order.act is pilots.enlist and pilots.breaks_a_rule(self._request, match):
            return False
        long = order.may_be_tried or order.word in _SEVERAL_FIELDS
        if not long or self._at == len(self.lines):
            return False
        below = self.lines[self._at]
        may_go_on = may_be_wrapped(line, below) or (is_broken_off(line) and below.strip())
        return bool(may_go_on) and not self.tests.is_order(below)


class _Reader:
    """Reads a letter line by line; `part` is the part of the letter that a line belongs to.

    `whole` means that all lines up to END belong to the last text, and `_form` returns whether a
    line belongs to the last order's form.
    """

    def __init__(self, request: Request, lines: _LetterLines) -> None:
        self._lines = lines
        self.request, self.language = request, request.language
        self._translation = TRANSLATIONS.get(self.language)
        self._most = request.ports.settings.limits.order_lines
        self.part = Part(request.place, dated=True)
        self.found = Lines(parts=[self.part])
        self.orders: list[Ordered] = []
        self.whole = False
        self._text: list[str] = []
        self._form: Callable[[str, str], bool] | None = None

    @property
    def joins(self) -> bool:
        """Return whether the next line may be wrapped, because it belongs to no order's text."""
        return not self.whole and self._form is None

    def read(self, line: str, typed: Sequence[str]) -> None:
        """Add a line to what it belongs to; `typed` are the lines that it was wrapped into."""
        text = clean(line)
        if self._translation is not None:
            text = self._translation.english(text)
        # First of all: a line of an order's text may itself look like an order.
        if self._takes(line, text):
            return
        if (told := story_on(line, self.language)) is not None:
            self.part.story = self._text = [told] if told else []
            self.whole = True
        elif text.upper() == "PREVIEW":
            self.found.preview = True
        elif (headed := _headed(self.request, self.found, line, text)) is not None:
            self.part = headed
        else:
            self._sort(line, typed)

    def _sort(self, line: str, typed: Sequence[str]) -> None:
        """Add a line that is a league order, nearly one, or neither."""
        another = self._for_another(line) if ":" in line else None
        if another is not None:
            self.found.near.append(another)
            return
        order = league_orders.find(line, self.language)
        if self._commands(order, line):
            self.part.lines += typed
            return
        taker = None if isinstance(order, tuple) else league_orders.taker(line, self.language)
        if taker is not None:
            # A mistyped TELL or PRESS still takes its text, which holds no orders.
            self._take(line, taker._replace(act=amiss), None)
        elif isinstance(order, Near):
            self.found.near.append(order)
        elif order is None:
            # Joined again by those who know the battle, and with it which names there are.
            self.part.lines += typed
        # Those beyond the limit are dropped: one letter may hold thousands of lines.
        elif len(self.orders) < self._most:
            cut = self._lines.may_be_cut(line, *order)
            self._take(line, order[0]._replace(act=_cut_short) if cut else order[0], order[1])

    def _for_another(self, line: str) -> Near | None:
        """Return a near miss for an order with the name of another pilot of the player's before it.

        A line such as `Falcon: FIRE` may be what is said to Falcon, so it is only asked about.
        """
        head, _, order = (part.strip() for part in line.partition(":"))
        if not order or self.part.place is None:
            return None
        tests = self._lines.tests
        pilot = tests.pilot(f"{head}:")
        if pilot in (None, self.part.place.seat) or not tests.is_order(order):
            return None
        hint = say(
            "FOR {pilot} on a line of its own, and {order} below it", pilot=pilot, order=order
        )
        return Near(line.strip(), hint)

    def _commands(self, order: tuple[LeagueOrder, Any] | Near | None, line: str) -> bool:
        """Return whether a line is an order of its part's battle, and not a league order.

        What the battle understands, or nearly does, is not a mistyped league order. JOIN counts as
        none here, since a player with a battle has joined already.
        """
        meant = isinstance(order, tuple) and order[0].word != "JOIN"
        place = self.part.place
        if order is None or meant or place is None:
            return False
        store = self.request.ports.store
        session = Session(store, store.games.get(place.game_id))
        seat = Seat(place.seat)
        found = LineReader(session.rules, session.state, seat, self.language).order(line)
        if isinstance(found, Near):
            # Of a word that both have, the league's order may be meant.
            return isinstance(order, Near) and order.hint.split()[0] not in found.hint
        return found is not None

    def _take(self, line: str, order: LeagueOrder, match: Any) -> None:
        """Add an order; the lines that follow may be its text."""
        self.orders.append(Ordered(line, order, match, self.part.place))
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


def _headed(request: Request, found: Lines, line: str, text: str) -> Part | None:
    """Return the part of a letter that a line such as GAME 12 or FOR Hawk begins, or None.

    Where the line names no place of the player's, the lines below it belong to no place.
    """
    game, pilot = lookup.GAME_HEAD.fullmatch(text), lookup.PILOT_HEAD.fullmatch(text)
    place: Place | None = None
    try:
        if game is not None:
            place = lookup.place_in_game(request, game["number"], game["name"])
        elif pilot is not None:
            place = lookup.place_of_pilot(request, pilot["name"])
    except Refusal as error:
        why = say("{reason}; what stands below it was left alone", reason=str(error))
        found.answers.append(Answer(False, why, error.hint).facts(line))
        return Part(None)  # not among the found parts, so that its lines are ignored
    if place is None:
        return None
    for part in found.parts:
        if part.place is not None and part.place.id == place.id:
            return part
    here = request.place is not None and request.place.game_id == place.game_id
    # GAME 12 means the game as it is now; FOR Hawk in a reply still answers the report.
    found.parts.append(Part(place, dated=here and game is None))
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
