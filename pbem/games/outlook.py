"""How things stand for a seat: what it may order, what it has ordered, and with whom it flies."""

from typing import Any

from engine.choosing import choices
from engine.seats import Seat
from engine.standing import Sheet, lines
from pbem.games.session import Session

Facts = dict[str, Any]


def offers(session: Session, seat: Seat) -> list[Facts]:
    """Give what a seat may order, as things stand, with chances in percent."""
    state = session.foreseen(seat)
    return [
        {"order": session.rules.format(offer.order), "chance": offer.chance}
        for offer in session.rules.legal(state, seat)
    ]


def weigh(session: Session, seat: Seat, order_text: str) -> Facts:
    """Give an order's chance in percent, and why it would not be legal as things stand."""
    rules, state = session.rules, session.foreseen(seat)
    order = rules.parse(state, seat, order_text)
    reason = rules.refusal(state, seat, order)
    return {
        "order": order_text,
        "chance": rules.chance(state, seat, order),
        "legal_now": reason is None,
        "reason": "" if reason is None else rules.explain(reason),
    }


def sheet(session: Session, seat: Seat) -> Facts:
    """Give a seat's queue and standing orders in canonical text."""
    given: Sheet = session.sheet(seat)
    return {"queue": list(given.queue), "standing": lines(given)}


def silence(session: Session, seat: Seat, allowed: int) -> Facts:
    """Give what comes of silence: orders on file, the last of so many misses, or a cautious order.

    Nothing where a seat can order nothing.
    """
    rules, state = session.rules, session.foreseen(seat)
    if session.over or not rules.legal(state, seat):
        return {}
    on_file = len(choices(rules, state, seat, session.sheet(seat))) == len(rules.owing(state, seat))
    forfeits = not on_file and session.places[seat].misses + 1 >= allowed
    cautious = "" if on_file or forfeits else rules.format(rules.cautious(state, seat))
    return {"on_file": on_file, "forfeits": forfeits, "order": cautious}


def draw_offered(session: Session, seat: Seat) -> list[str]:
    """Give who offers a draw that a seat could still agree to."""
    offering = [p.seat for s, p in session.places.items() if p.draw and session.active(s)]
    return offering if seat not in offering and session.active(seat) else []


def team(session: Session, seat: Seat) -> Facts | None:
    """Give a seat's team-mates, who leads them, and their order of acting; None if alone."""
    captain = session.captain(seat)
    if captain is None:
        return None
    acting = [mate for mate in session.team(seat) if session.active(mate)]
    return {"captain": captain, "acting": acting, "leads": captain == seat}


def crews(session: Session) -> list[Facts]:
    """Give each team of a team battle with its pilots and players; nothing of a duel."""
    if len(session.rules.seats(session.state)) == 2:
        return []
    found: dict[str, list[Facts]] = {}
    for seat, place in session.places.items():
        player = session.store.players.get(place.player_id).name
        side = session.rules.side(session.state, seat)
        found.setdefault(side, []).append({"seat": seat, "player": player})
    return [{"team": side, "pilots": pilots} for side, pilots in found.items()]
