"""Battle orders in a letter: read, weighed, filed and acknowledged."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engine import codec
from engine.errors import OrderError
from engine.odds import odds
from engine.said import say
from engine.seats import Seat
from engine.standing import Sheet, Written, lines, merge, read_for
from pbem.clerk import Lines, answer, entry, nears
from pbem.league.visit import Answer, Visit
from pbem.session import Receipt, Session, game_id, thread_of
from pbem.store import Place

if TYPE_CHECKING:
    from pbem.office import Office


def carry_out(visit: Visit, found: Lines, place: Place, turn: int | None) -> None:
    """File a letter's battle orders, and let the battle run on if it can."""
    office = visit.office
    session = Session(office.store, office.store.games.get(place.game_id))
    seat = session.seat_of(place.id)
    written = read_for(session.rules, session.state, seat, "\n".join(found.rest), visit.language)
    if written.empty and (found.told or session.over):
        answer(visit, found)
        return
    if session.over or (turn is not None and turn != session.game.turn and not written.empty):
        _stale(visit, found, session, place, written)
        return
    most = office.settings.limits.order_lines
    if len(written.queue) + len(lines(written.standing or Sheet())) > most:
        found.answers.append(
            entry("", Answer(False, say("more than {most} orders in one letter", most=most)))
        )
        written = Written((), None, written.near, written.story)
    facts = _understood(office, session, seat, found, written)
    if found.preview:
        facts["odds"] = _odds(session, seat, written)
        _acknowledge(visit, session, "preview", facts)
        return
    if written.empty:
        office.referee.tell(session, seat, written)
        _acknowledge(visit, session, "ack", facts)
        return
    facts["replaced"] = office.referee.file(session, seat, written, visit.now)
    facts["standing"] = lines(session.sheet(seat))
    session.receipts[seat] = Receipt(visit.letter.message_id, facts)
    if not office.referee.advance(session, visit.now):
        facts["waiting_for"] = _waiting(session, seat)
        _acknowledge(visit, session, "ack", facts)


def _waiting(session: Session, seat: Seat) -> list[str]:
    return [s for s, p in session.places.items() if p.asked and not p.answered and s != seat]


def _understood(
    office: "Office", session: Session, seat: Seat, found: Lines, written: Written
) -> dict[str, Any]:
    """Give every order as understood, its chance, and what was ignored and why."""
    sheet = session.sheet(seat)
    standing = written.standing if written.standing is not None else sheet
    return {
        "orders": [_weigh(office, session, seat, text) for text in written.queue],
        "standing": lines(standing),
        "near": nears([*found.near, *written.near]),
        "story": len([line for line in written.story if line.strip()]),
        "replaced": False,
        "answers": found.answers,
        "waiting_for": [],
    }


def _weigh(office: "Office", session: Session, seat: Seat, text: str) -> dict[str, Any]:
    try:
        return office.reports.weigh(session, seat, text)
    except OrderError as error:
        return {"order": text, "chance": None, "legal_now": False, "reason": str(error)}


def _odds(session: Session, seat: Seat, written: Written) -> dict[str, Any]:
    """Give how the fight would go on, from what is public: the game's secret has no part in it."""
    sheet = merge(codec.decode(session.places[seat].before, Sheet), written)
    seed = f"{game_id(session.game.id)} {session.game.steps}"
    return asdict(odds(session.rules, session.state, seat, sheet, seed))


def _acknowledge(visit: Visit, session: Session, kind: str, facts: dict[str, Any]) -> None:
    office, game = visit.office, session.game
    place = session.places[
        next(s for s, p in session.places.items() if p.player_id == visit.player.id)
    ]
    office.outbox.write(
        visit.player,
        kind,
        visit.now,
        ident=(visit.letter.sha256,),
        reply=office.reports.reply(game),
        system=game.system,
        answering=visit.letter.message_id,
        thread=thread_of(place),
        game=office.reports.game(game),
        deadline=office.reports.moment(game.deadline, visit.player),
        asked=place.asked and not place.answered,
        **facts,
    )


def _stale(visit: Visit, found: Lines, session: Session, place: Place, written: Written) -> None:
    """Say that orders came for a turn that is over; a fresh report comes with its own token."""
    office, game = visit.office, session.game
    office.outbox.write(
        visit.player,
        "stale",
        visit.now,
        ident=(visit.letter.sha256,),
        reply=office.reports.reply(game),
        system=game.system,
        answering=visit.letter.message_id,
        game=office.reports.game(game),
        over=session.over,
        not_taken=list(written.queue)
        + ([] if written.standing is None else lines(written.standing)),
        answers=found.answers,
        near=nears(found.near),
    )
