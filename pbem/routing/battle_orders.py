"""Battle orders in a letter: they are read, filed and acknowledged with their chances."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine.errors import AmbiguousOrder
from engine.i18n import say
from engine.order_sheet import Sheet, Written, lines
from engine.ruleset import Near
from engine.seats import Seat
from engine.sheet_reading import read_for
from pbem.games import seat_options, simultaneous
from pbem.games.session import Receipt, Session
from pbem.handlers.greetings import is_greeting
from pbem.handlers.request import Answer, Request
from pbem.handlers.stories import GREETING, Kept, sort_out
from pbem.routing.battle_answers import (
    SeatOrders,
    Understood,
    acknowledge,
    in_force,
    stale,
    trial_odds,
    understood,
)
from pbem.routing.line_kinds import Lines, Part, entry
from pbem.routing.order_dispatch import answer
from pbem.routing.orderless import struggles

Filed = tuple[SeatOrders, Understood]


def carry_out(request: Request, found: Lines, parts: Sequence[Part], turn: int | None) -> None:
    """File a letter's battle orders, each part for its place, and continue battles that can go on.

    `turn` is the turn whose report the letter answers.
    """
    ports = request.ports
    sessions: dict[int, Session] = {}
    filed: list[Filed] = []
    for number, part in enumerate(parts):
        assert part.place is not None
        game = part.place.game_id
        if game not in sessions:
            sessions[game] = Session(ports.store, ports.store.games.get(game))
        session, text = sessions[game], "\n".join(part.lines)
        written = read_for(
            session.rules, session.state, Seat(part.place.seat), text, request.language
        )
        # The answers to a letter's league orders stand in the letter about its first part only.
        rest = Lines(preview=found.preview) if number else found
        answering = "" if number else request.letter.message_id
        seat_orders = SeatOrders(request, rest, session, part.place, written, answering)
        # A part that a line such as GAME 12 names is for that game as it is now.
        facts = _file(seat_orders, turn if part.dated else None)
        filed += [(seat_orders, facts)] if facts is not None else []
    # Only now: two parts may be for pilots of the same game, which waits for both.
    for game, session in sessions.items():
        of_it = [one for one in filed if one[0].session is session]
        if game in found.ready:
            simultaneous.complete(session, request.player.id)
        if of_it or game in found.ready:
            _go_on(request, session, of_it)


def _go_on(request: Request, session: Session, filed: Sequence[Filed]) -> None:
    """Continue a battle with what was filed, or acknowledge it where the battle still waits."""
    if not request.ports.referee.advance(session, request.now):
        for seat_orders, facts in filed:
            facts["waiting_for"] = session.waiting_for(seat_orders.seat)
            acknowledge(seat_orders, "ack", facts)


def _file(seat_orders: SeatOrders, turn: int | None) -> Understood | None:
    """File a part's orders, and return the facts of their acknowledgement.

    Return None where the part needs none, because it was answered here.
    """
    if _is_answered(seat_orders, turn):
        return None
    seat_orders, salts = _sorted_out(seat_orders), seat_orders.written.salts
    request, session, written = seat_orders.request, seat_orders.session, seat_orders.written
    facts = understood(seat_orders)
    # Before anything is filed, so that a PREVIEW leaves the game as it is.
    if seat_orders.found.preview:
        facts["standing"] = in_force(seat_orders)
        view = session.rules.view(session.state, seat_orders.seat)
        acknowledge(seat_orders, "preview", facts, odds=trial_odds(seat_orders), view=view)
        return None
    ready, referee = session.game.id in seat_orders.found.ready, request.ports.referee
    before = session.sheet(seat_orders.seat).queue
    if not written.empty:
        given = written, request.now, seat_orders.words
        facts["replaced"] = referee.file(session, seat_orders.seat, *given) and not ready
    else:
        referee.tell(session, seat_orders.seat, written)
        if salts:  # the dice of orders on file depend on them from now on
            session.speak(seat_orders.seat, seat_orders.words)
            session.save()
        if not ready:
            # A robot writes no near misses: who does is answered each time.
            lost = struggles(request, seat_orders.found)
            if lost or not _says_nothing(seat_orders):
                facts["standing"] = in_force(seat_orders)
                # The first letter of words alone may be a story that was meant as one.
                shown = lost > 1 or not _says_nothing(seat_orders)
                offers = seat_options.offers(session, seat_orders.seat) if shown else []
                plan = simultaneous.plan(session, seat_orders.seat) if offers else []
                acknowledge(seat_orders, "ack", facts, offers=offers, plan=plan)
            return None
    sheet = session.sheet(seat_orders.seat)
    facts["standing"] = lines(sheet)
    facts["dropped"] = list((Counter(before) - Counter(sheet.queue)).elements())
    facts["queued"] = [order for order in sheet.queue if order not in written.queue]
    if session.simultaneous:
        facts["lacking"] = simultaneous.missing(session, seat_orders.seat)
    facts["ready"] = ready
    # If the battle goes on now, its report acknowledges the orders; otherwise `_go_on` does.
    session.receipts[seat_orders.seat] = Receipt(seat_orders.answering, facts)
    return facts


def _is_answered(seat_orders: SeatOrders, turn: int | None) -> bool:
    """Answer a part with nothing to file: it only reads or asks, or its turn or battle is over.

    Return whether it was answered so.
    """
    request, session, written = seat_orders.request, seat_orders.session, seat_orders.written
    if request.reads_only:
        _read_only(seat_orders, turn)
        return True
    # A SALT counts in a letter of questions, too.
    asks = seat_orders.found.separate and not written.salts
    ready = session.game.id in seat_orders.found.ready
    if written.empty and (asks or session.over) and not ready:
        if seat_orders.answering:
            answer(request, seat_orders.found)
        return True
    # Who wrote to an earlier report did not know how things stand now.
    waits = session.active(seat_orders.seat) and turn in (None, session.game.turn)
    if (session.over or not waits) and not written.empty:
        stale(seat_orders, turn)
        return True
    return False


def _sorted_out(seat_orders: SeatOrders) -> SeatOrders:
    """Return a part with the orders that count, and the story that may be published."""
    written = _bounded(seat_orders, _plain(seat_orders))
    if not written.story:
        return replace(seat_orders, written=written)
    story, kept = sort_out(written.story)
    if written.empty and seat_orders.found.answers and is_greeting(story):
        kept += [Kept(line.strip(), GREETING) for line in story if line.strip()]
        story = ()
    seat_orders.found.kept.extend(kept)
    return replace(seat_orders, written=replace(written, story=story))


def _read_only(seat_orders: SeatOrders, turn: int | None) -> None:
    """Answer a part of a letter whose only proof is the token of a turn that is over."""
    written = seat_orders.written
    if not written.empty or written.story or written.private or written.salts or written.near:
        stale(seat_orders, turn)
    elif seat_orders.answering:
        answer(seat_orders.request, seat_orders.found)


def _says_nothing(seat_orders: SeatOrders) -> bool:
    """Return whether a part has neither an order nor a near miss."""
    found = seat_orders.found
    return not (found.answers or found.near or found.kept or seat_orders.written.near)


def _plain(seat_orders: SeatOrders) -> Written:
    """Return a part's orders with ambiguous ones as near misses.

    An example is a TARGET that names nobody where there are several opponents. In the queue such an
    order would block all orders after it.
    """
    session, written = seat_orders.session, seat_orders.written
    queue, near = [], [*written.near]
    for text in written.queue:
        try:
            session.rules.parse(session.state, seat_orders.seat, text)
        except AmbiguousOrder as error:
            near.append(Near(text, error.hint, several=error.meant))
        else:
            queue.append(text)
    if len(queue) == len(written.queue):
        return written
    return replace(written, queue=tuple(queue), near=tuple(near))


def _bounded(seat_orders: SeatOrders, written: Written) -> Written:
    """Return a part without its orders, and report that, where it has more than the limit."""
    most = seat_orders.request.ports.settings.limits.order_lines
    sheet = written.standing or Sheet()
    if len(written.queue) + len(sheet.rules) + len(sheet.elses) <= most:
        return written
    text = say("more than {most} orders in one letter", most=most)
    seat_orders.found.answers.append(entry("", Answer(False, text)))
    return Written((), None, written.near, written.story)
