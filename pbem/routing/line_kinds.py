"""Which kind each line of a letter is: a league order with its text, a battle order, or neither."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine.i18n import Said, say
from engine.ruleset import Near
from engine.seats import Seat
from engine.sheet_reading import reads
from engine.words import clean
from pbem.games.session import Session
from pbem.handlers import orders
from pbem.handlers.lookup import GAME_HEAD, read_head
from pbem.handlers.order_table import NAMING, LeagueOrder
from pbem.handlers.order_words import in_english
from pbem.handlers.request import Answer, OrderAnswer, Refusal, Request
from pbem.handlers.stories import Kept, amiss, tells_secret
from pbem.routing.joined_lines import DIFFERING, LetterLines, battle_orders_in, cut_short
from pbem.scrub import Scrub
from pbem.storage import Place


@dataclass(slots=True)
class Ordered:
    """A league order in a letter, as it was written, with the lines below it that are its text."""

    line: str
    order: LeagueOrder
    match: Any
    below: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """The lines of a letter for one place.

    `dated` is true if they answer its report, so that they count only for that turn.
    """

    place: Place | None
    dated: bool = False
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Lines:
    """A letter's lines: answers to league orders, near misses, and the rest in parts.

    `ready` are the games that continue once the parts have been filed, and `kept` the lines that
    stay private.
    """

    answers: list[OrderAnswer] = field(default_factory=list)
    near: list[Near] = field(default_factory=list)
    parts: list[Part] = field(default_factory=lambda: [Part(None)])
    preview: bool = False
    ready: set[int] = field(default_factory=set)
    kept: list[Kept] = field(default_factory=list)

    @property
    def rest(self) -> list[str]:
        """Return the lines that are no league orders."""
        return [line for part in self.parts for line in part.lines]

    @property
    def separate(self) -> bool:
        """Return whether other letters answer everything in this one."""
        apart = bool(self.answers) and all(answer["separate"] for answer in self.answers)
        return apart and not self.near and not self.kept


def read(request: Request, letter: str) -> tuple[Lines, list[Ordered]]:
    """Return what a letter's lines are, and the league orders among them, which nobody did yet.

    An order that only one form of the letter holds is refused.
    """
    scrub, lines = Scrub(request.ports.store, request.player.id), LetterLines(request, letter)
    reader, secrets = _Reader(request, lines), scrub.secrets(lines.lines)
    while (taken := lines.take(join=reader.joins)) is not None:
        line, where = taken
        secret = next((one for one in secrets[where] if one is not None), None)
        differs = not set(request.differing).isdisjoint(lines.lines[where])
        if differs and not reader.whole and lines.is_order(line):
            reader.found.answers.append(entry(scrub.shown(line), DIFFERING))
        elif secret is None or reader.may_read(scrub, line, secret):
            reader.read(line)
    reader.found.answers += [entry(scrub.shown(line), why) for line, why in lines.left_out()]
    return reader.found, reader.orders


class _Reader:
    """Reads a letter line by line; `part` is the part of the letter that a line belongs to.

    `_open` means that story lines belong to the last order, `whole` that all lines do up to END,
    and `_form` returns whether a line belongs to the last order's form.
    """

    def __init__(self, request: Request, lines: LetterLines) -> None:
        self._lines = lines
        self.request, self.language = request, request.language
        self.part = Part(request.place, dated=True)
        self.found = Lines(parts=[self.part])
        self.orders: list[Ordered] = []
        self._open = self.whole = False
        self._form: Callable[[str, str], bool] | None = None

    @property
    def joins(self) -> bool:
        """Return whether the next line may be wrapped, because it belongs to no order's text."""
        return not self.whole and self._form is None

    def may_read(self, scrub: Scrub, line: str, secret: Said) -> bool:
        """Return whether a line is read although it holds a secret; if not, it stays private.

        Orders about addresses may name one, and so may the moderator's words. Any other order with
        a secret is refused; the text below still belongs to it, so that it is not published as a
        story.
        """
        still: Said | None = secret
        if not self.whole:
            order = orders.find(line, self.language)
            if isinstance(order, tuple) and order[0].word in NAMING:
                return True
            meant = order[0] if isinstance(order, tuple) else orders.taker(line, self.language)
            if meant is not None:
                refused = meant._replace(act=partial(tells_secret, secret))
                self._take(scrub.shown(line), refused, None)
                return False
        elif self.orders[-1].order.private:
            return True
        elif self.orders[-1].order.word == "GM":
            still = scrub.secret(line, official=True)
        if still is not None:
            self.found.kept.append(Kept(scrub.shown(line), still))
        return still is None

    def read(self, line: str) -> None:
        """Add a line to what it belongs to."""
        text = in_english(clean(line), self.language)
        # First of all: a line of an order's text may itself look like an order.
        if self._takes(line, text):
            return
        if text.upper() == "PREVIEW":
            self.found.preview = True
        elif (headed := _headed(self.request, self.found, line, text)) is not None:
            self.part = headed
        else:
            self._sort(line)

    def _sort(self, line: str) -> None:
        """Add a line that is a league order, nearly one, or neither."""
        order = orders.find(line, self.language)
        if self._commands(order, line):
            self.part.lines.append(line)
            return
        taker = None if isinstance(order, tuple) else orders.taker(line, self.language)
        if taker is not None:
            # A mistyped TELL or PRESS still takes its text, which must not become a story.
            self._take(line, taker._replace(act=amiss), None)
        elif isinstance(order, Near):
            self.found.near.append(order)
        elif order is None and not self._cites(line):
            self.part.lines.append(line)
        elif order is not None and len(self.orders) < self._most:
            cut = self._lines.may_be_cut(line, order[0])
            self._take(line, order[0]._replace(act=cut_short) if cut else order[0], order[1])

    def _commands(self, order: tuple[LeagueOrder, Any] | Near | None, line: str) -> bool:
        """Return whether a line is an order of its part's battle, and no league order at all.

        What the battle understands is no mistyped league order; and nobody who has a battle has to
        JOIN the league.
        """
        meant = isinstance(order, tuple) and order[0].word != "JOIN"
        place = self.part.place
        if order is None or meant or place is None:
            return False
        store = self.request.ports.store
        session = Session(store, store.games.get(place.game_id))
        seat = Seat(place.seat)
        return reads(session.rules, session.state, seat, line, self.language)

    @property
    def _most(self) -> int:
        return self.request.ports.settings.limits.order_lines

    def _take(self, line: str, order: LeagueOrder, match: Any) -> None:
        """Add an order; the lines that follow may be its text."""
        self.orders.append(Ordered(line, order, match))
        self._open, self.whole, self._form = order.takes_text, order.takes_all, order.takes_line

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
            self.orders[-1].below.append(line.rstrip())
        return True

    def _cites(self, line: str) -> bool:
        """Add a line to the last order's text if it takes stories; a line that is no story ends it.

        Return whether the line was added.
        """
        self._open = self._open and (not line.strip() or is_story(line, self.request))
        if self._open:
            self.orders[-1].below.append(line.rstrip())
        return self._open


def _headed(request: Request, found: Lines, line: str, text: str) -> Part | None:
    """Return the part of a letter that a line such as GAME 12 or FOR Hawk begins, or None.

    Where the line names no place of the player's, the lines below it belong to no place.
    """
    try:
        head = read_head(request, text)
    except Refusal as error:
        why = say("{reason}; what stands below it was left alone", reason=str(error))
        found.answers.append(entry(line, Answer(False, why, error.hint)))
        return Part(None)  # not among the found parts, so that its lines are ignored
    if head is None:
        return None
    for part in found.parts:
        if part.place is not None and part.place.id == head.id:
            return part
    here = request.place is not None and request.place.game_id == head.game_id
    found.parts.append(Part(head, dated=here and GAME_HEAD.fullmatch(text) is None))
    return found.parts[-1]


def entry(line: str, answer: Answer, word: str = "") -> OrderAnswer:
    """Return an order and its answer as facts for a template."""
    return {
        "order": line.strip(),
        "word": word,
        "ok": answer.ok,
        "separate": answer.separate,
        "tried": answer.tried,
        "text": answer.text,
        "hint": answer.hint,
        "blocks": list(answer.blocks),
        "title": answer.title,
        "taps": answer.taps,
    }


def is_story(line: str, request: Request) -> bool:
    """Return whether a line is an order of no system, so that it may be a story."""
    return all(written.story for written in battle_orders_in(request, line))
