"""Battle orders in a letter: they are read, filed and acknowledged with their chances."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NotRequired, TypedDict

from engine import fair_dice
from engine.errors import AmbiguousOrder
from engine.fair_dice import Words
from engine.i18n import say
from engine.orders.orders_on_file import Sheet, Written, lines, still_meant
from engine.orders.reading import read_for
from engine.preview.odds import Odds, odds
from engine.ruleset import Near
from engine.seats import Seat
from pbem.games import seat_facts, simultaneous_turns
from pbem.games.session import Acknowledgement, Session, Weighed, game_id, thread_of
from pbem.handlers.request import Answer, OrderAnswer, Request
from pbem.intake.courtesy_words import is_polite, parts
from pbem.routing import courtesies
from pbem.routing.answers import answer, files, note_quoted, struggles, subject
from pbem.routing.line_kinds import KeptLines, Lines, MoreNear, NearLine, Part, keeps, nears
from pbem.routing.plain_plans import PlainPlans
from pbem.routing.player_stories import CONTACT, GREETING, ORDER, Kept, is_scrap, sort_out
from pbem.scrub import shown
from pbem.storage import Place


@dataclass(frozen=True)
class SeatOrders:
    """One part of a letter while it is handled: what it orders for one seat of a game.

    `found` is what else the letter says, and `answering` the letter's Message-ID. Only the first
    part has them, because a letter is answered once.
    """

    request: Request
    found: Lines
    session: Session
    place: Place
    written: Written
    answering: str

    @cached_property
    def seat(self) -> Seat:
        """Return the seat that the part is for."""
        return Seat(self.place.seat)

    @cached_property
    def is_stuck(self) -> bool:
        """Return whether the seat must act now and none of its orders on file is possible."""
        unready = self.request.ports.referee.unready
        return not self.session.simultaneous and self.seat in unready(self.session)

    @property
    def words(self) -> Words:
        """Return what the part adds to the dice: the Message-ID and the part's SALT lines."""
        return fair_dice.words_of(self.request.letter.message_id, self.written.salts)


class Understood(TypedDict):
    """What a letter's battle orders were understood as; `standing` are the orders then in force.

    `unclear` says what is amiss with new standing orders, or with those on file where nothing on
    file is possible; `filed` is whether it held any orders. `renewed` is true where the letter
    holds new standing orders, which the answer shows in full. `queued` is what stays on file of
    earlier letters, and `dropped` what does not; `lacking` is what has no order yet, and `ready` is
    true where the player does not want to wait for that.
    """

    orders: list[Weighed]
    near: list[NearLine | MoreNear]
    story: list[str]
    kept: list[KeptLines]
    unclear: list[str]
    renewed: bool
    filed: bool
    later: bool
    salts: int
    replaced: bool
    dropped: list[str]
    answers: list[OrderAnswer]
    waiting_for: list[Seat]
    standing: NotRequired[list[str]]
    queued: NotRequired[list[str]]
    lacking: NotRequired[list[simultaneous_turns.Missing]]
    ready: NotRequired[bool]


Filed = tuple[SeatOrders, Understood]


def file_and_play(request: Request, found: Lines, parts: Sequence[Part], turn: int | None) -> None:
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
        session = sessions[game]
        written = _read(request, found, session, part)
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
            simultaneous_turns.complete(session, request.player.id)
        if of_it or game in found.ready:
            _go_on(request, session, of_it)


def _read(request: Request, found: Lines, session: Session, part: Part) -> Written:
    """Return what a part of a letter says for its place."""
    assert part.place is not None
    text, game = "\n".join(part.lines), session.game
    # READY beside it needs it too, and to read it costs most of all.
    key = part.place.id, game.steps, text
    if key not in found.written:
        seat, language = Seat(part.place.seat), request.language
        written = read_for(session.rules, session.state, seat, text, language, game.turn)
        found.written[key] = written
    return found.written[key]


def unclear_line(request: Request, found: Lines, session: Session, parts: Sequence[Part]) -> str:
    """Return a line of a letter that READY should wait for, "" where there is none.

    It is nearly an order, or looks like one. Where a battle goes on by new orders alone, READY
    changes nothing beside them, and so waits for nothing.
    """
    goes_on = not session.simultaneous
    lines = [near.text for near in found.near]
    for part in parts:
        assert part.place is not None
        written, ready = _read(request, found, session, part), Lines(ready={session.game.id})
        whole = _sorted_out(SeatOrders(request, ready, session, part.place, written, ""))
        lines += [near.text for near in whole.written.near]
        lines += [one.line for one in ready.kept if one.order]
        goes_on = goes_on and not whole.written.empty
    return "" if (goes_on and parts) or not lines else lines[0]


def _go_on(request: Request, session: Session, filed: Sequence[Filed]) -> None:
    """Continue a battle with what was filed, or acknowledge it where the battle still waits."""
    if not request.ports.referee.advance(session, request.now):
        for seat_orders, facts in filed:
            seat = seat_orders.seat
            facts["waiting_for"] = session.others_unanswered(seat)
            offers: list[seat_facts.Offered] = []
            # Who has ordered only what is not possible yet must know what is, and why.
            if seat_orders.is_stuck:
                offers = seat_facts.offers(session, seat)
                facts["unclear"] = session.unclear(seat, session.sheet(seat))
            _acknowledge(seat_orders, "ack", facts, offers=offers)


def _file(seat_orders: SeatOrders, turn: int | None) -> Understood | None:
    """File a part's orders, and return the facts of their acknowledgement.

    Return None where the part needs none, because it was answered here.
    """
    if _is_answered(seat_orders, turn):
        return None
    seat_orders, salts = _sorted_out(seat_orders), seat_orders.written.salts
    request, session, written = seat_orders.request, seat_orders.session, seat_orders.written
    facts = _understood(seat_orders)
    # Before anything is filed, so that a PREVIEW leaves the game as it is.
    if seat_orders.found.preview:
        facts["standing"] = _in_force(seat_orders)
        view = session.rules.view(session.state, seat_orders.seat)
        _acknowledge(seat_orders, "preview", facts, odds=_trial_odds(seat_orders), view=view)
        return None
    ready, referee = session.game.id in seat_orders.found.ready, request.ports.referee
    before = session.sheet(seat_orders.seat).queue
    if not written.empty:
        given = written, request.now, seat_orders.words
        facts["replaced"] = referee.file(session, seat_orders.seat, *given) and not ready
    else:
        referee.keep_story(session, seat_orders.seat, written)
        if salts:  # the dice of orders on file depend on them from now on
            session.speak(seat_orders.seat, seat_orders.words)
            session.save()
        if not ready:
            _answer_words(seat_orders, facts, salted=bool(salts))
            return None
    sheet = session.sheet(seat_orders.seat)
    facts["dropped"] = list((Counter(before) - Counter(sheet.queue)).elements())
    left = still_meant(session.rules, session.state, seat_orders.seat, sheet)
    facts["standing"] = lines(left)
    facts["queued"] = [order for order in left.queue if order not in written.queue]
    if session.simultaneous:
        facts["lacking"] = simultaneous_turns.missing(session, seat_orders.seat)
    facts["ready"] = ready
    # If the battle goes on now, its report acknowledges the orders; otherwise `_go_on` does.
    session.acknowledgements[seat_orders.seat] = Acknowledgement(seat_orders.answering, facts)
    return facts


def _answer_words(seat_orders: SeatOrders, facts: Understood, salted: bool) -> None:
    """Answer a part without orders for the battle, unless it is only a story or a robot's."""
    session, written, found = seat_orders.session, seat_orders.written, seat_orders.found
    if seat_orders.answering and not written.near:
        note_quoted(seat_orders.request, found)
    lost = struggles(seat_orders.request, found)
    # A robot writes no near misses, so these are answered each time. Words that are kept from
    # others may be a robot's.
    if not (lost or found.answers or found.near or written.near):
        return
    done = _is_done(seat_orders)
    facts["standing"] = [] if done else _in_force(seat_orders)
    # Words alone may be a story that was meant as one, where nobody waits for an order.
    told = written.story or written.private or salted
    waits = seat_orders.seat in session.unanswered and lost
    shown = waits or lost > 1 or not (told and _says_nothing(seat_orders))
    shown = shown and (lost > 1 or not done)
    offers = seat_facts.offers(session, seat_orders.seat) if shown else []
    plan = simultaneous_turns.plan(session, seat_orders.seat) if offers else []
    _acknowledge(seat_orders, "ack", facts, offers=offers, plan=plan)


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
        _stale(seat_orders, turn)
        return True
    return False


def _sorted_out(seat_orders: SeatOrders) -> SeatOrders:
    """Return a part with the orders that count, and the story that may be published."""
    request, found, session = seat_orders.request, seat_orders.found, seat_orders.session
    bounded = written = _bounded(seat_orders, _without_ambiguous(seat_orders))
    if written.near:
        written = _without_farewells(seat_orders, written)
    if not written.story:
        return replace(seat_orders, written=written)
    writer, names = request.player.name, session.rules.seats(session.state)
    parted = bounded.near != written.near
    polite = courtesies.without(written.story, writer, names, parted)
    obeyed = bool(found.answers or found.ready)
    # Words that are all of a letter are answered.
    beside = bool(polite or not written.empty or written.near or obeyed)
    plans = PlainPlans(session, seat_orders.seat, request.language)
    story, kept = sort_out(polite if beside else written.story, request.language, plans.why)
    if beside or kept:
        story = courtesies.without(story, writer, names, anybody=True)
    if written.empty and is_scrap(story):
        kept.append(Kept(story[0].strip(), ORDER))
        story = ()
    if written.empty and obeyed and is_polite(story):
        kept += [Kept(line.strip(), GREETING) for line in story if line.strip()]
        story = ()
    found.kept.extend(kept)
    return replace(seat_orders, written=replace(written, story=story))


def _read_only(seat_orders: SeatOrders, turn: int | None) -> None:
    """Answer a part of a letter whose only proof is the token of a turn that is over."""
    written = seat_orders.written
    if not written.empty or written.story or written.private or written.salts or written.near:
        _stale(seat_orders, turn)
    elif seat_orders.answering:
        answer(seat_orders.request, seat_orders.found)


def _is_done(seat_orders: SeatOrders) -> bool:
    """Return whether a part has league orders alone, and all of them were carried out."""
    found = seat_orders.found
    troubled = found.near or found.kept or seat_orders.written.near
    return bool(found.answers) and not troubled and all(one["ok"] for one in found.answers)


def _says_nothing(seat_orders: SeatOrders) -> bool:
    """Return whether a part has neither an order nor a near miss."""
    found = seat_orders.found
    return not (found.answers or found.near or found.kept or seat_orders.written.near)


def _without_ambiguous(seat_orders: SeatOrders) -> Written:
    """Return a part's orders with those as near misses that are ambiguous, or never possible.

    Examples are an order that names no opponent where there are several, and one that its piece
    can never carry out. In the queue such an order would block all orders after it.
    """
    session, seat, written = seat_orders.session, seat_orders.seat, seat_orders.written
    telling, queue, near = session.rules.telling, [], [*written.near]
    for text in written.queue:
        try:
            order = session.rules.parse(session.state, seat, text)
        except AmbiguousOrder as error:
            near.append(Near(_readable(seat_orders, text), error.hint, several=error.meant))
            continue
        why = session.rules.refusal(session.state, seat, order) if telling.lasting else None
        if why in telling.lasting:
            near.append(Near(_readable(seat_orders, text), telling.explain(why), why=True))
        else:
            queue.append(text)
    return replace(written, queue=tuple(queue), near=tuple(near))


def _without_farewells(seat_orders: SeatOrders, written: Written) -> Written:
    """Return what was written without near misses that are farewells, whose words are alike."""
    farewells = [one for one in written.near if parts(one.text)]
    if farewells and written.empty:
        seat_orders.found.kept.extend(Kept(one.text, CONTACT) for one in farewells)
    return replace(written, near=tuple(one for one in written.near if one not in farewells))


def _readable(seat_orders: SeatOrders, order: str) -> str:
    """Return an order in the words of its player's language."""
    translation = seat_orders.session.rules.translations.get(seat_orders.request.language)
    return translation.shown(order) if translation else order


def _bounded(seat_orders: SeatOrders, written: Written) -> Written:
    """Return a part without its orders, and report that, where it has more than the limit."""
    most = seat_orders.request.ports.settings.limits.order_lines
    sheet = written.standing or Sheet()
    if len(written.queue) + len(sheet.rules) + len(sheet.elses) <= most:
        return written
    text = say("more than {most} orders in one letter", most=most)
    seat_orders.found.answers.append(Answer(False, text).facts(""))
    return Written((), None, written.near, written.story)


def _understood(seat_orders: SeatOrders) -> Understood:
    """Return the facts of the acknowledgement: orders with chances, and what was not understood."""
    written, found = seat_orders.written, seat_orders.found
    return {
        "orders": [seat_orders.session.weigh(seat_orders.seat, text) for text in written.queue],
        "near": nears([*found.near, *written.near]),
        "story": [shown(line) for line in written.story if line.strip()],
        "kept": keeps(found.kept),
        "unclear": seat_orders.session.unclear(seat_orders.seat, written.standing or Sheet()),
        "renewed": written.standing is not None,
        "filed": not written.empty,
        "later": seat_orders.session.simultaneous,
        "salts": len(written.salts),
        "replaced": False,
        "dropped": [],
        "answers": found.answers,
        "waiting_for": [],
    }


def _in_force(seat_orders: SeatOrders) -> list[str]:
    """Return the standing orders that are in force if a part's orders are filed."""
    session, seat, standing = seat_orders.session, seat_orders.seat, seat_orders.written.standing
    sheet = session.sheet(seat) if standing is None else standing
    return lines(still_meant(session.rules, session.state, seat, sheet))


def _trial_odds(seat_orders: SeatOrders) -> Odds | None:
    """Return how the battle may continue, from trials with dice of their own.

    The dice do not depend on the game's secret, so a PREVIEW shows nothing of the real ones.
    Return None where the letter has cost too much already.
    """
    session = seat_orders.session
    sheet = session.sheet_after(seat_orders.seat, seat_orders.written)
    seed = f"{game_id(session.game.id)} {session.game.steps}"
    budget = seat_orders.request.budget
    return odds(session.rules, session.state, seat_orders.seat, sheet, seed, budget)


def _acknowledge(seat_orders: SeatOrders, kind: str, facts: Understood, **more: object) -> None:
    """Queue the acknowledgement of a part, of a kind."""
    session, place = seat_orders.session, seat_orders.session.places[seat_orders.seat]
    ports, player = seat_orders.request.ports, seat_orders.request.player
    if seat_orders.found.answers:  # an order of this letter may have changed the player's time zone
        player = ports.store.players.get(player.id)
    deadline = ports.reports.moment(session.game.deadline, player)
    answers, near = facts["answers"], seat_orders.found.near
    shown = {
        "title": subject(answers, near, seat_orders.request.language) if answers else "",
        "offers": [],
        "plan": [],
        "queued": [],
        "lacking": [],
        "ready": False,
        **facts,
        **more,
        "deadline": deadline,
        "asked": seat_orders.seat in session.unanswered or seat_orders.is_stuck,
    }
    _write(seat_orders, kind, thread=thread_of(place), **shown)


def _stale(seat_orders: SeatOrders, turn: int | None) -> None:
    """Answer that orders came too late for their turn, and list what may be ordered now."""
    written, session, seat = seat_orders.written, seat_orders.session, seat_orders.seat
    standing = [] if written.standing is None else lines(written.standing)
    out = not session.over and not session.active(seat)
    late = session.over or out
    _write(
        seat_orders,
        "stale",
        over=session.over,
        out=out,
        answered=turn,
        not_taken=list(written.queue),
        standing=standing,
        offers=[] if late else seat_facts.offers(session, seat),
        plan=[] if late else simultaneous_turns.plan(session, seat),
        asked=seat_orders.place.asked and not seat_orders.place.answered,
        answers=seat_orders.found.answers,
        near=nears(seat_orders.found.near),
    )


def _write(seat_orders: SeatOrders, kind: str, **facts: Any) -> None:
    """Queue the answer to a part of a letter."""
    request, session, game = seat_orders.request, seat_orders.session, seat_orders.session.game
    answers: list[OrderAnswer] = facts["answers"]
    suggested = _suggested(seat_orders) if seat_orders.written.near else ""
    request.ports.outbox.write(
        request.player,
        kind,
        request.now,
        ident=(request.letter.sha256, seat_orders.seat),
        answering=seat_orders.answering,
        attachments=files(request, answers) if answers else [],
        pilot=seat_orders.seat,
        mates=len(session.team(seat_orders.seat)) - 1,
        **request.ports.reports.about(game, session.rules, seat_orders.place, suggested),
        **facts,
    )


def _suggested(seat_orders: SeatOrders) -> str:
    """Return the only order that the answer suggests, "" where it is none or several."""
    if seat_orders.found.near or not seat_orders.written.empty:
        return ""
    meant = [order for near in seat_orders.written.near for order in near.meant]
    return meant[0] if len(meant) == 1 else ""
