"""Order dispatch: carries out the league orders of a letter, line by line, and answers it."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypedDict

from engine import library
from engine.i18n import say
from engine.ruleset import Near
from engine.standing import Written, read_for
from engine.words import clean
from pbem.handlers import orders
from pbem.handlers.letter_limits import MOST_TOLD, Bounds, shortened
from pbem.handlers.order_words import in_english
from pbem.handlers.own import GAME_HEAD, bound, called, read_head
from pbem.handlers.printed_sheets import printed_sheets
from pbem.handlers.request import Answer, Entry, Refusal, Request
from pbem.handlers.stories import Kept, amiss, keeps, tells_secret
from pbem.routing.letter_lines import DIFFERING, UNREAD, LetterLines, cut_short
from pbem.scrub import Scrub, shown
from pbem.storage import Place

SAME_SUBJECT = 2
"""How many letters a day with the same subject and without an order are answered."""


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

    answers: list[Entry] = field(default_factory=list)
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


def sort(request: Request, letter: str) -> Lines:
    """Carry out the league orders among a letter's lines, and return the answers and the rest."""
    language = request.language
    part = Part(request.place, dated=True)
    found, given = Lines(parts=[part]), _Orders(language)
    most = request.ports.settings.limits.order_lines
    lines = LetterLines(request, letter)
    for line in _open(request, lines, found, given):
        text = in_english(clean(line), language)
        # First of all: a line of an order's text may itself look like an order.
        if given.takes(line, text):
            continue
        if text.upper() == "PREVIEW":
            found.preview = True
            continue
        headed = _headed(request, found, line, text)
        if headed is not None:
            part = headed
            continue
        order = orders.find(line, language)
        taker = None if isinstance(order, tuple) else orders.taker(line, language)
        if taker is not None:
            # A mistyped TELL or PRESS still takes its text, which must not become a story.
            given.take(line, taker._replace(act=amiss), None)
        elif isinstance(order, Near):
            found.near.append(order)
        elif order is not None and len(given.lines) < most:
            cut = lines.may_be_cut(line, order[0])
            given.take(line, order[0]._replace(act=cut_short) if cut else order[0], order[1])
        elif order is None and not given.cites(line):
            part.lines.append(line)
    if request.reads_only:
        given.read_only()
    if given.lines:
        request = _informed(request, found, alone=len(given.lines) == 1)
    bounds = Bounds(request)
    # Carried out only now: an order may need the text below it, and must know what else there is.
    for line, order_, match, below in given.lines:
        own = replace(request, line=line, below=tuple(below))
        if not bounds.let(order_, match):
            continue
        answer = _try(own, order_, match) if found.preview else _obey(own, order_, match)
        if answer.goes_on:
            found.ready.add(answer.goes_on)
        else:
            found.answers.append(entry(line, answer))
    found.answers, left_out = shortened(found.answers)
    found.answers += [
        entry("", Answer(False, text, hint)) for text, hint in bounds.refused(left_out)
    ]
    understood = found.answers or found.near or found.ready or _orders_in(found, language)
    if request.unread and not understood:
        found.answers += [entry(shown(name), UNREAD) for name in request.unread]
    return found


def _orders_in(found: Lines, language: str) -> bool:
    """Return whether there are battle orders among a letter's other lines."""
    return any(not written.empty for written in _read("\n".join(found.rest), language))


def _open(request: Request, letter: LetterLines, found: Lines, given: "_Orders") -> Iterator[str]:
    """Yield the lines that hold no secret; the others are ignored like quoted lines.

    An order that only one form of the letter holds is not carried out either.

    Orders about addresses may name one, and so may the moderator's words. Any other order with a
    secret is refused; the text below still belongs to it, so that it is not published as a story.
    """
    scrub = Scrub(request.ports.store, request.player.id)
    secrets = scrub.secrets(letter.lines)
    while (taken := letter.take(join=not given.whole and given.form is None)) is not None:
        line, where = taken
        secret = next((one for one in secrets[where] if one is not None), None)
        differs = not set(request.differing).isdisjoint(letter.lines[where])
        if differs and not given.whole and letter.is_order(line):
            found.answers.append(entry(scrub.shown(line), DIFFERING))
            continue
        if secret is None:
            yield line
            continue
        order = None if given.whole else orders.find(line, request.language)
        if given.whole and given.lines[-1][1].word == "GM":
            secret = scrub.secret(line, official=True)
        elif isinstance(order, tuple) and order[0].word in orders.NAMING:
            secret = None
        elif not given.whole:
            meant = order[0] if isinstance(order, tuple) else orders.taker(line, request.language)
            if meant is not None:
                given.take(
                    scrub.shown(line), meant._replace(act=partial(tells_secret, secret)), None
                )
                continue
        if secret is None:
            yield line
        else:
            found.kept.append(Kept(scrub.shown(line), secret))
    for line, why in letter.left_out():
        found.answers.append(entry(scrub.shown(line), why))


def _informed(request: Request, found: Lines, alone: bool) -> Request:
    """Return the request with what a letter's league orders need to know about the rest of it."""
    rest = _read("\n".join(found.rest), request.language)
    parts = found.parts[1:] or found.parts
    games = frozenset(part.place.game_id for part in parts if part.place is not None)
    bare = all(written.empty for written in rest)
    return replace(
        request, salts=rest[0].salts, games=games, alone=alone and bare and not found.near
    )


class _Orders:
    """A letter's league orders, each with the text below it if it takes one.

    While lines are read, `open` means that story lines belong to the last order, `whole` that all
    lines do up to END, and `form` returns whether a line belongs to the last order's form.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self.lines: list[tuple[str, orders.LeagueOrder, Any, list[str]]] = []
        self.open = self.whole = False
        self.form: Callable[[str, str], bool] | None = None

    def take(self, line: str, order: orders.LeagueOrder, match: Any) -> None:
        """Add an order; the lines that follow may be its text."""
        self.lines.append((line, order, match, []))
        self.open, self.whole, self.form = order.takes_text, order.takes_all, order.takes_line

    def read_only(self) -> None:
        """Replace all orders that change something with refusals.

        That is for a letter whose only proof is the token of a turn that is over.
        """
        self.lines = [
            (line, order if order.word in orders.READING else order._replace(act=_late), *rest)
            for line, order, *rest in self.lines
        ]

    def takes(self, line: str, text: str) -> bool:
        """Add a line to the last order's text if it takes all lines, or its form takes this one.

        Return whether the line was added, or was the END of the text.
        """
        if self.form is not None:
            if text and not self.form(text, self.language):
                self.form = None
                return False
        elif not self.whole:
            return False
        if self.whole and text.upper() == "END":
            self.whole = False
        else:
            self.lines[-1][-1].append(line.rstrip())
        return True

    def cites(self, line: str) -> bool:
        """Add a line to the last order's text if it takes stories; a line that is no story ends it.

        Return whether the line was added.
        """
        self.open = self.open and (not line.strip() or _is_story(line, self.language))
        if self.open:
            self.lines[-1][-1].append(line.rstrip())
        return self.open


def _read(text: str, language: str) -> list[Written]:
    """Return the lines as each system reads them, because no battle is known yet."""
    return [read_for(rules, None, None, text, language) for rules in library.RULESETS.values()]


def _is_story(line: str, language: str) -> bool:
    return all(written.story for written in _read(line, language))


def _late(request: Request, match: Any) -> Answer:
    """Refuse an order that only the token of a turn that is over proves.

    Old letters are easily found or forwarded, so their tokens prove little.
    """
    raise Refusal(
        say("your letter answers a turn that is over, and by that one can only read"),
        say("the same words in a reply to this letter, or with your key"),
    )


_HELD_BACK = Answer(False, say("your letter says PREVIEW, so nothing in it was done"))


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


def _obey(request: Request, order: orders.LeagueOrder, match: Any) -> Answer:
    """Carry out one order; if it is refused, roll back what it did and return the reason."""
    try:
        with request.ports.store.savepoint():
            return order.act(request, match)
    except Refusal as error:
        return Answer(False, str(error), error.hint)


class _Tried(Exception):
    """Raised to roll back an order that was only tried."""


def _try(request: Request, order: orders.LeagueOrder, match: Any) -> Answer:
    """Return what an order would do, if it can be tried, and roll back all changes."""
    if not order.may_be_tried:
        return _HELD_BACK
    answer = _HELD_BACK
    with suppress(_Tried), request.ports.store.savepoint():
        answer = replace(_obey(request, order, match), tried=True)
        raise _Tried
    return answer


def entry(line: str, answer: Answer) -> Entry:
    """Return an order and its answer as facts for a template."""
    return {
        "order": line.strip(),
        "ok": answer.ok,
        "separate": answer.separate,
        "tried": answer.tried,
        "text": answer.text,
        "hint": answer.hint,
        "blocks": list(answer.blocks),
    }


def placed(request: Request, found: Lines) -> list[Part]:
    """Return a letter's parts that are for a place.

    A story above the first line such as GAME 12 belongs to the part that this line begins.
    """
    first, *headed = found.parts
    if first.place is not None and not headed:
        return [first]
    bare = all(written.empty for written in _read("\n".join(first.lines), request.language))
    if headed and bare:
        headed[0].lines[:0] = first.lines
        return headed
    if first.place is None and not bare:
        first.place = _meant(request, found)
    return [first, *headed] if first.place is not None else headed


def _meant(request: Request, found: Lines) -> Place | None:
    """Return the place that battle orders without a game's token are for.

    Return None, and add an answer, where none or several are possible.
    """
    running = bound(request.ports.store.places_of(request.player.id))
    if len(running) == 1:
        return running[0]
    text, hint = say("you are in no running game"), say("")
    if running:
        text = say("say which game they are for")
        hint = say("a line such as GAME 12 above the orders")
    if running and len({place.game_id for place in running}) == 1:
        text = say("say which {one} they are for", one=called(request).one)
        hint = say("a line such as FOR {pilot} above the orders", pilot=running[0].seat)
    found.answers.append(
        entry("", Answer(False, say("these are battle orders, but {text}", text=text), hint))
    )
    return None


def answer(request: Request, found: Lines) -> None:
    """Answer a letter without battle orders, unless other letters answer everything in it."""
    if found.separate or (not found.answers and not found.near and is_robot(request)):
        return
    ignored = [line for line in found.rest if line.strip() and _is_story(line, request.language)]
    request.ports.outbox.write(
        request.player,
        "answers",
        request.now,
        ident=(request.letter.sha256,),
        answering=request.letter.message_id,
        system=request.ports.settings.league.systems[0],
        near=nears(found.near),
        kept=keeps(found.kept),
        ignored=len(ignored),
        answers=found.answers,
        attachments=printed_sheets(request, found.answers),
    )


def is_robot(request: Request) -> bool:
    """Count a letter without an order, and return whether there are too many for a person today."""
    # Two robots that answer each other would never stop, even if the subject changes each time.
    ports, player, now = request.ports, request.player.id, request.now
    topic = hashlib.sha256(request.topic.encode()).hexdigest()[:16]
    same = ports.store.count_today(f"orderless {player} {topic}", now)
    return (
        same > SAME_SUBJECT
        or ports.store.count_today(f"orderless {player}", now)
        > ports.settings.limits.automatic_answers_a_day
    )


class NearLine(TypedDict):
    """A line that is nearly an order; `why` is true where the hint says what is wrong."""

    text: str
    hint: str
    why: bool


class MoreNear(TypedDict):
    """How many further near misses are left out."""

    more: int


def nears(found: Sequence[Near]) -> list[NearLine | MoreNear]:
    """Return near misses as facts for a template; the last one counts those that are left out."""
    shown, room = list[NearLine | MoreNear](), MOST_TOLD
    for near in found:
        room -= len(near.text) + len(near.hint)
        if room < 0:
            return [*shown, {"more": len(found) - len(shown)}]
        shown.append({"text": near.text, "hint": near.hint, "why": near.why})
    return shown
