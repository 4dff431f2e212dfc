"""Order dispatch: carries out the league orders of a letter, line by line, and answers it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypedDict, cast

from engine.i18n import say
from engine.ruleset import Near
from engine.words import clean, fold
from pbem.handlers.callsigns import beginner
from pbem.handlers.letter_limits import MOST_TOLD, Bounds, shortened
from pbem.handlers.lookup import bound, called
from pbem.handlers.order_table import READING, LeagueOrder
from pbem.handlers.pairing import offers
from pbem.handlers.request import Answer, OrderAnswer, Refusal, Request, SheetBlock
from pbem.handlers.stories import Kept
from pbem.mime_writer import Attachment
from pbem.outgoing.outbox import Reply
from pbem.routing.joined_lines import UNREAD, battle_orders_in
from pbem.routing.line_kinds import Lines, Ordered, Part, entry, is_story, read
from pbem.routing.orderless import struggles
from pbem.routing.subjects import subject
from pbem.scrub import shown
from pbem.storage import Place


def dispatch(request: Request, letter: str) -> Lines:
    """Carry out the league orders among a letter's lines, and return the answers and the rest."""
    found, ordered = read(request, letter)
    said = [line for line in found.rest if fold(clean(line)).strip("!.") in _YES]
    if said and _is_lone(found, ordered) and (suggested := request.take_suggested()):
        (found, ordered), said = read(request, suggested), []
    if request.reads_only:
        # Old letters are easily found or forwarded, so their tokens prove little.
        for one in ordered:
            if one.order.word not in READING:
                one.order = one.order._replace(act=_late)
    if ordered or found.answers:
        _carry_out(request, found, ordered)
    understood = found.answers or found.near or found.ready
    if said and not understood:
        _refuse_yes(request, found, said)
    if request.unread and not understood and not _orders_in(request, found):
        found.answers += [entry(shown(name), UNREAD) for name in request.unread]
    return found


_YES = frozenset("yes yep yeah ja jo ok okay y j".split())
"""What people answer to a question such as "Perhaps you meant SCAN?"."""


def _is_lone(found: Lines, ordered: Sequence[Ordered]) -> bool:
    """Return whether a letter holds one line and nothing else."""
    lines = [line for line in found.rest if line.strip()]
    return len(lines) == len(found.parts) == 1 and not (ordered or found.answers or found.near)


def _refuse_yes(request: Request, found: Lines, said: Sequence[str]) -> None:
    """Take a yes to nothing for no story, and no order either; beside orders it is left alone."""
    if _orders_in(request, found):
        return
    for part in found.parts:
        part.lines[:] = [line for line in part.lines if line not in said]
    found.answers += [entry(shown(line), _NOTHING_ASKED) for line in said]


_NOTHING_ASKED = Answer(
    False,
    say("nothing waits for such an answer"),
    say("an order that was suggested to you must be sent itself, on a line of its own"),
)


def _orders_in(request: Request, found: Lines) -> bool:
    """Return whether there are battle orders among a letter's other lines."""
    written = battle_orders_in(request, "\n".join(found.rest))
    return any(not one.empty for one in written)


def _carry_out(request: Request, found: Lines, ordered: Sequence[Ordered]) -> None:
    """Carry out league orders, and add their answers, as many as one letter may cause.

    Carried out only now: an order may need the text below it, and must know what else there is.
    """
    if ordered:
        request = _informed(request, found, alone=len(ordered) == 1)
    bounds = Bounds(request)
    for one in ordered:
        if not bounds.let(one.order, one.match):
            continue
        about = replace(request, line=one.line, below=tuple(one.below))
        done = (_try if found.preview else _obey)(about, one.order, one.match)
        if done.goes_on:
            found.ready.add(done.goes_on)
        else:
            found.answers.append(entry(one.line, done, one.order.word))
    found.answers, left_out = shortened(found.answers)
    refused = bounds.refused(left_out)
    found.answers += [entry("", Answer(False, text, hint)) for text, hint in refused]


def _informed(request: Request, found: Lines, alone: bool) -> Request:
    """Return the request with what a letter's league orders need to know about the rest of it."""
    rest = battle_orders_in(request, "\n".join(found.rest))
    parts = found.parts[1:] or found.parts
    games = frozenset(part.place.game_id for part in parts if part.place is not None)
    bare = all(written.empty for written in rest)
    return replace(
        request, salts=rest[0].salts, games=games, alone=alone and bare and not found.near
    )


def _late(request: Request, match: Any) -> Answer:
    """Refuse an order that only the token of a turn that is over proves."""
    raise Refusal(
        say("your letter answers a turn that is over, and by that one can only read"),
        say("the same words in a reply to this letter, or with your key"),
    )


_HELD_BACK = Answer(False, say("your letter says PREVIEW, so nothing in it was done"))


def _obey(request: Request, order: LeagueOrder, match: Any) -> Answer:
    """Carry out one order; if it is refused, roll back what it did and return the reason."""
    try:
        with request.ports.store.savepoint():
            return order.act(request, match)
    except Refusal as error:
        return Answer(False, str(error), error.hint, taps=error.taps)


class _Tried(Exception):
    """Raised to roll back an order that was only tried."""


def _try(request: Request, order: LeagueOrder, match: Any) -> Answer:
    """Return what an order would do, if it can be tried, and roll back all changes."""
    if not order.may_be_tried:
        return _HELD_BACK
    answer = _HELD_BACK
    with suppress(_Tried), request.ports.store.savepoint():
        answer = replace(_obey(request, order, match), tried=True)
        # Only an exception that leaves the savepoint undoes it.
        raise _Tried
    return answer


def placed(request: Request, found: Lines) -> list[Part]:
    """Return a letter's parts that are for a place.

    A story above the first line such as GAME 12 belongs to the part that this line begins.
    """
    first, *headed = found.parts
    if first.place is not None and not headed:
        return [first]
    written = battle_orders_in(request, "\n".join(first.lines))
    bare = all(one.empty for one in written)
    if headed and bare:
        headed[0].lines[:0] = first.lines
        return headed
    if first.place is None and not bare:
        first.place = _meant(request, found)
    elif first.place is None and any(one.near and not one.story for one in written):
        # Mistyped orders are worth an answer that knows the battle, where it can only be one.
        running = bound(request.ports.store.places_of(request.player.id))
        first.place = running[0] if len(running) == 1 else None
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
    # Several pilots of theirs are in one battle: its number would say nothing.
    if running and len({place.game_id for place in running}) == 1:
        text = say("say which {one} they are for", one=called(request).one)
        hint = say("a line such as FOR {pilot} above the orders", pilot=running[0].seat)
    found.answers.append(
        entry("", Answer(False, say("these are battle orders, but {text}", text=text), hint))
    )
    return None


def answer(request: Request, found: Lines) -> None:
    """Answer a letter without battle orders, unless other letters answer everything in it."""
    if found.separate:
        return
    asks = all(one["text"] == _NOTHING_ASKED.text for one in found.answers) and not found.near
    lost = struggles(request, found) if asks else 0
    if not (lost or found.answers or found.near):
        return
    ignored = [line for line in found.rest if line.strip() and is_story(line, request)]
    request.ports.outbox.write(
        request.player,
        "answers",
        request.now,
        ident=(request.letter.sha256,),
        reply=_reply(request, found),
        answering=request.letter.message_id,
        system=request.ports.settings.league.systems[0],
        title=subject(found.answers, found.near, request.language),
        near=nears(found.near),
        kept=keeps(found.kept),
        ignored=len(ignored),
        lost=lost,
        starter=beginner(request.ports, request.player),
        number=request.player.id,
        waiting=[one.challenge.id for one in offers(request) if one.awaits(request.player.id)],
        # Sheets are long, so that what stands behind them would be missed.
        answers=sorted(found.answers, key=_has_sheet),
        attachments=printed_sheets(request, found.answers),
    )


def _has_sheet(answer: OrderAnswer) -> bool:
    return any(block["kind"] == "sheet" for block in answer["blocks"])


def _reply(request: Request, found: Lines) -> Reply:
    """Return what a reply to the answer carries: the order to which a yes is enough, if it is one.

    An order that is only printed as an example is none.
    """
    meant = [order for near in found.near for order in near.meant]
    return Reply(about=(request.letter.sha256, *meant)) if len(meant) == 1 else Reply()


class NearLine(TypedDict):
    """A line that is nearly an order; `why` is true where the hint says what is wrong.

    `meant` are the orders that may be meant, if the hint is no example.
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
    shown, room = list[NearLine | MoreNear](), MOST_TOLD
    for near in found:
        room -= len(near.text) + len(near.hint)
        if room < 0:
            return [*shown, {"more": len(found) - len(shown)}]
        shown.append({"text": near.text, "hint": near.hint, "why": near.why, "meant": near.meant})
    return shown


_MOST_KEPT = 3
"""How many of the lines that are kept private for the same reason the answer shows."""


class KeptLines(TypedDict):
    """Lines that stay private for one reason; `more` counts those that are not shown."""

    lines: list[str]
    more: int
    why: str


def keeps(found: Sequence[Kept]) -> list[KeptLines]:
    """Return the lines that stay private as facts for a template, grouped by reason."""
    by_reason: dict[str, list[str]] = {}
    for one in found:
        by_reason.setdefault(one.why, []).append(shown(one.line))
    return [
        {"lines": lines[:_MOST_KEPT], "more": len(lines[_MOST_KEPT:]), "why": why}
        for why, lines in by_reason.items()
    ]


_MOST_SHEETS = 8
"""The most sheets that are attached to one letter."""
_SHEET_COST = 25_000
"""What one sheet costs, in units of a Budget; none is attached once the budget is used up."""


def printed_sheets(request: Request, answers: Sequence[OrderAnswer]) -> list[Attachment]:
    """Return the player's own persona sheets among the blocks of some answers, as PDF files."""
    found = [
        cast(SheetBlock, block)
        for answer in answers
        for block in answer["blocks"]
        # What a PREVIEW only tried is rolled back, so there is no such sheet.
        if block["kind"] == "sheet" and block["own"] and not answer["tried"]
    ]
    outbox = request.ports.outbox
    return [
        paper
        for block in found[:_MOST_SHEETS]
        if request.budget.take(_SHEET_COST)
        for paper in outbox.pdf_page(
            request.player, "persona", block["sheet"]["name"], block["system"], block=block
        )
    ]
