"""Battle orders in a letter: they are read, filed and acknowledged with their chances."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

from engine.orders.orders_on_file import Sheet, lines, still_meant
from engine.orders.reading import LineReader
from engine.preview.odds import FOE, Odds, odds
from engine.seats import Seat
from pbem.games import simultaneous_turns, stories
from pbem.games.offered_orders import Offered
from pbem.games.reports import seat_facts
from pbem.games.session import Acknowledgement, Session, Weighed, game_id, thread_of
from pbem.handlers.request import OrderAnswer, Request
from pbem.people.scrub import shown
from pbem.routing import public_replies
from pbem.routing.answer_to_orders import (
    SaidBack,
    answer,
    by_letter,
    files,
    question,
    said_back,
    struggles,
    subject,
)
from pbem.routing.line_kinds import Lines, MoreNear, NearLine, Part, nears
from pbem.routing.marked_text import KeptLines, Unseen, keeps, say_back, unseen
from pbem.routing.replies_between_players import passed_on
from pbem.routing.seat_orders import SeatOrders, for_all_to_read, read_part, sorted_out
from pbem.storage import Player, stored_letters


class Understood(TypedDict):
    """What a letter's battle orders were understood as; `standing` are the orders then in force.

    `unsure` are the orders that are not done yet, and `question` the lines that a yes does now;
    `by_yes_only` is true where no deadline does them, since they may be quoted.

    `unclear` says what is amiss with new standing orders, or with those on file where nothing on
    file is possible; `filed` is whether it held any orders. `renewed` is true where the letter
    holds new standing orders, which the answer shows in full. `queued` is what stays on file of
    earlier letters, and `dropped` what does not; `story` is what others will read, `kept` what of
    it they will not, `untold` the story of an earlier letter that nobody reads now, and `unseen`
    are the words that nobody is shown; `opponents` are those whom TELL may reach. `lacking` is what
    has no order yet, and `ready` is true where the player does not want to wait for that.
    """

    orders: list[Weighed]
    near: list[NearLine | MoreNear]
    unsure: SaidBack | None
    question: str
    by_yes_only: bool
    story: list[str]
    kept: list[KeptLines]
    unseen: Unseen | None
    untold: Unseen | None
    opponents: list[str]
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
    sessions: dict[int, Session] = {}
    filed: list[Filed] = []
    for number, part in enumerate(parts):
        assert part.place is not None
        game = part.place.game_id
        session = sessions[game] = request.battle(game)
        written = for_all_to_read(request, found, session, read_part(request, found, session, part))
        # The answers to a letter's league orders stand in the letter about its first part only.
        rest = Lines(preview=found.preview) if number else found
        answering = "" if number else request.letter.message_id
        seat_orders = SeatOrders(request, rest, session, part, written, answering)
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


def _go_on(request: Request, session: Session, filed: Sequence[Filed]) -> None:
    """Continue a battle with what was filed, or acknowledge it where the battle still waits."""
    advanced = request.ports.referee.advance(session, request.now)
    if advanced and request.in_thread:
        # The turn's post tells what was done, and only what was not needs a reply.
        for seat_orders, facts in filed:
            if facts["near"] or facts["unsure"] or facts["answers"]:
                _acknowledge(seat_orders, "told", {**facts, "orders": []})
    if not advanced:
        for seat_orders, facts in filed:
            seat = seat_orders.seat
            facts["waiting_for"] = session.others_unanswered(seat)
            offers: list[Offered] = []
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
    seat_orders, salts = sorted_out(seat_orders), seat_orders.written.salts
    request, session, written = seat_orders.request, seat_orders.session, seat_orders.written
    facts = _understood(seat_orders)
    # Before anything is filed, so that a PREVIEW leaves the game as it is.
    if seat_orders.found.preview:
        facts["standing"] = _in_force(seat_orders)
        read = (one["order"] for one in facts["orders"])
        brought = seat_facts.brought(session, seat_orders.seat, read)
        tried = FOE in session.rules.strengths
        found = _trial_odds(seat_orders) if tried else None
        _acknowledge(seat_orders, "preview", facts, odds=found, tried=tried, brought=brought)
        return None
    ready, referee = session.game.id in seat_orders.found.ready, request.ports.referee
    before = session.sheet(seat_orders.seat).queue
    if not written.empty:
        given = written, request.now, seat_orders.words
        facts["replaced"] = referee.file(session, seat_orders.seat, *given) and not ready
        # By these an edit of the message finds what it changes, while nobody has played it.
        number = request.letter.id if request.message is not None else 0
        session.change(seat_orders.seat, message=number, message_step=session.game.steps)
    if not written.empty or seat_orders.story is not None:
        told = seat_orders.story
        earlier = stories.tell(
            session.store,
            session.game,
            session.places[seat_orders.seat],
            told,
            orders=not written.empty,
        )
        facts["untold"] = None if seat_orders.story else _untold(seat_orders, earlier)
    if written.empty:
        if salts:  # the dice of orders on file depend on them from now on
            session.speak(seat_orders.seat, seat_orders.words)
            session.save()
        if not ready:
            _answer_words(seat_orders, facts, salted=bool(salts))
            return None
    sheet = session.sheet(seat_orders.seat)
    facts["dropped"] = list((Counter(before) - Counter(sheet.queue)).elements())
    left = still_meant(session.rules, session.state, seat_orders.seat, sheet)
    facts["standing"] = session.standing(seat_orders.seat, left)
    facts["queued"] = [order for order in left.queue if order not in written.queue]
    if session.simultaneous:
        facts["lacking"] = simultaneous_turns.missing(session, seat_orders.seat)
    facts["ready"] = ready
    # If the battle goes on now, its report acknowledges the orders; otherwise `_go_on` does, and
    # always what was written in a thread.
    if not request.in_thread:
        session.acknowledgements[seat_orders.seat] = Acknowledgement(seat_orders.answering, facts)
    return facts


def _answer_words(seat_orders: SeatOrders, facts: Understood, salted: bool) -> None:
    """Answer a part without orders for the battle, unless it is only a story or a robot's."""
    session, written, found = seat_orders.session, seat_orders.written, seat_orders.found
    lost = struggles(seat_orders.request, found)
    # A robot writes no near misses, so these are answered each time. Words that are kept from
    # others may be a robot's.
    doubted = found.unsure or seat_orders.part.unsure
    if not (lost or found.answers or found.near or written.near or doubted):
        stored_letters.take_words(seat_orders.request.ports.store, seat_orders.request.player.id)
        return
    done = _is_done(seat_orders)
    facts["standing"] = [] if done else _in_force(seat_orders)
    # Words alone may be a story that was meant as one, where nobody waits for an order.
    told = seat_orders.story or salted
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
    # Who wrote to an earlier report did not know how things stand now.
    waits = session.active(seat_orders.seat) and turn in (None, session.game.turn)
    if (session.over or not waits) and (not written.empty or seat_orders.part.unsure):
        _stale(seat_orders, turn)
        return True
    # A SALT counts in a letter of questions, too.
    asks = seat_orders.found.separate and not (written.salts or seat_orders.part.unsure)
    asks = asks and seat_orders.story is None and not _words(seat_orders)
    ready = session.game.id in seat_orders.found.ready
    if written.empty and (asks or session.over) and not ready:
        seat_orders.found.words += seat_orders.story or ()
        if seat_orders.answering:
            answer(request, seat_orders.found)
        elif _words(seat_orders):
            _stale(seat_orders, turn)
        return True
    return False


def _read_only(seat_orders: SeatOrders, turn: int | None) -> None:
    """Answer a part of a letter whose only proof is the token of a turn that is over."""
    written = seat_orders.written
    said = seat_orders.found.words or seat_orders.story or seat_orders.part.unsure
    if not written.empty or said or written.salts or written.near:
        _stale(seat_orders, turn)
    elif seat_orders.answering:
        answer(seat_orders.request, seat_orders.found)


def _is_done(seat_orders: SeatOrders) -> bool:
    """Return whether a part has league orders alone, and all of them were carried out."""
    found = seat_orders.found
    doubted = found.unsure or seat_orders.part.unsure
    troubled = bool(found.near or _words(seat_orders) or seat_orders.written.near or doubted)
    return bool(found.answers) and not troubled and all(one["ok"] for one in found.answers)


def _says_nothing(seat_orders: SeatOrders) -> bool:
    """Return whether a part has neither an order nor a near miss."""
    found = seat_orders.found
    return not (found.answers or found.near or _words(seat_orders) or seat_orders.written.near)


def _words(seat_orders: SeatOrders) -> list[str]:
    """Return the words of a part that nobody is shown, and those of parts without a battle."""
    return unseen(seat_orders.found.words, seat_orders.request.player.name)


def _readers(seat_orders: SeatOrders) -> list[str]:
    """Return whom TELL may be meant for: whom the letter's orders are about, then the opponents."""
    about = [name for one in seat_orders.found.answers for name in one["others"]]
    return list(dict.fromkeys([*about, *seat_orders.session.opponents(seat_orders.seat)]))


def _untold(seat_orders: SeatOrders, earlier: Sequence[str]) -> Unseen | None:
    """Return the story of an earlier letter that nobody reads any more.

    It is kept like words of this letter, where this one has none.
    """
    keep = not _words(seat_orders)
    return say_back(seat_orders.request, earlier, seat_orders.place, keep=keep)


def _understood(seat_orders: SeatOrders) -> Understood:
    """Return the facts of the acknowledgement: orders with chances, and what was not understood."""
    written, found = seat_orders.written, seat_orders.found
    said = passed_on(seat_orders.request, found, _words(seat_orders))
    return {
        "orders": [seat_orders.session.weigh(seat_orders.seat, text) for text in written.queue],
        "near": nears([*found.near, *written.near]),
        "unsure": _said_back(seat_orders),
        "question": _question(seat_orders, [one.line for one in seat_orders.part.unsure]),
        "by_yes_only": not all(one.own for one in seat_orders.part.unsure),
        "story": [shown(line) for line in seat_orders.story or () if line.strip()],
        "kept": keeps(found.kept),
        "unseen": say_back(seat_orders.request, said, seat_orders.place),
        "untold": None,
        "opponents": _readers(seat_orders),
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


def _said_back(seat_orders: SeatOrders) -> SaidBack | None:
    """Return the orders of a part that are only asked about, and of the league's beside them."""
    part, weighed = seat_orders.part, _weighed(seat_orders)
    said = said_back(seat_orders.found, part.unsure, weighed)
    if said is not None:
        rules = seat_orders.session.rules
        leaves = {line for line, one in weighed.items() if rules.leaves(one["order"])}
        said["leaves"] = bool(leaves)
        said["timed"] = said["own"] and any(
            one.line not in leaves and "\n" not in one.line for one in part.unsure
        )
    return said


def _weighed(seat_orders: SeatOrders) -> dict[str, Weighed]:
    """Return the orders that are only asked about with their chances, by their lines."""
    session, seat, found = seat_orders.session, seat_orders.seat, dict[str, Weighed]()
    language = seat_orders.request.language
    if seat_orders.part.unsure:
        reader = LineReader(session.rules, session.state, seat, language)
        for one in seat_orders.part.unsure:
            orders = reader.orders(one.line)
            if isinstance(orders, list) and len(orders) == 1:
                found[one.line] = session.weigh(seat, orders[0])
    return found


def _in_force(seat_orders: SeatOrders) -> list[str]:
    """Return the standing orders that are in force if a part's orders are filed."""
    session, seat, standing = seat_orders.session, seat_orders.seat, seat_orders.written.standing
    sheet = session.sheet(seat) if standing is None else standing
    left = still_meant(session.rules, session.state, seat, sheet)
    return session.standing(seat, left)


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
        player = ports.store.get(Player, player.id)
    deadline = ports.reports.moment(session.game.deadline, player)
    answers = facts["answers"]
    if facts["question"]:
        # Nothing has been played since, so a yes does all that the letter orders.
        facts["question"] = _question(seat_orders, seat_orders.part.meant)
    shown = {
        "title": subject(seat_orders.found, seat_orders.request.language) if answers else "",
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
    said = passed_on(seat_orders.request, seat_orders.found, _words(seat_orders))
    _write(
        seat_orders,
        "stale",
        over=session.over,
        out=out,
        answered=turn,
        not_taken=[*written.queue, *(one.line for one in seat_orders.part.unsure)],
        standing=standing,
        offers=[] if late else seat_facts.offers(session, seat),
        plan=[] if late else simultaneous_turns.plan(session, seat),
        asked=seat_orders.place.asked and not seat_orders.place.answered,
        answers=seat_orders.found.answers,
        near=nears(seat_orders.found.near),
        unsure=said_back(seat_orders.found),
        question=_question(seat_orders, ()),
        kept=keeps(seat_orders.found.kept),
        unseen=say_back(
            seat_orders.request,
            [*said, *(seat_orders.story or ())],
            seat_orders.place,
        ),
        opponents=_readers(seat_orders),
    )


def _write(seat_orders: SeatOrders, kind: str, **facts: Any) -> None:
    """Queue the answer to a part of a letter."""
    request, session, game = seat_orders.request, seat_orders.session, seat_orders.session.game
    answers: list[OrderAnswer] = facts["answers"]
    if request.in_thread and kind != "preview":
        public_replies.about_battle(request, session, seat_orders.seat, kind, facts)
        alone = public_replies.for_all(answers)[1]
        if alone:
            by_letter(request, Lines(answers=alone))
        return
    request.ports.outbox.write(
        request.player,
        kind,
        request.now,
        ident=(request.letter.sha256, seat_orders.seat),
        answering=seat_orders.answering,
        attachments=files(request, answers) if answers else [],
        pilot=seat_orders.seat,
        mates=len(session.team(seat_orders.seat)) - 1,
        **request.ports.reports.about(
            game,
            session.rules,
            seat_orders.place,
            facts.get("question", ""),
            facts.get("by_yes_only", False),
        ),
        **facts,
    )


def _question(seat_orders: SeatOrders, battle: Sequence[str]) -> str:
    """Return the lines that a yes carries out, "" for none: league orders, and `battle` orders."""
    part, league = seat_orders.part, question(seat_orders.found)
    if not (league or part.unsure):
        return ""
    # Last come those for another battle, each below a line such as GAME 12.
    battle = sorted(battle, key=lambda line: "\n" in line)
    return "\n".join([*league, *([part.head] if part.head and battle else []), *battle])
