"""READY and DRAW: what is said at the table rather than flown."""

from re import Match

from engine.said import say
from engine.seats import Seat
from pbem.league.inquiries import own_place
from pbem.league.visit import Answer, Refusal, Visit
from pbem.session import Session


def draw(visit: Visit, match: Match[str]) -> Answer:
    """Offer a draw, or take the one that is offered."""
    office, place = visit.office, own_place(visit, match["number"])
    game = office.store.games.get(place.game_id)
    if not game.running:
        raise Refusal(say("game {game} is over", game=game.id))
    session = Session(office.store, game)
    session.change(Seat(place.seat), draw=True)
    if office.referee.draw(session, visit.now):
        return Answer(
            True,
            say("game {game} ends in a draw; its last report follows", game=game.id),
            told=True,
        )
    for seat, other in session.places.items():
        if other.player_id != visit.player.id:
            office.outbox.write(
                office.store.players.get(other.player_id),
                "draw_offer",
                visit.now,
                ident=(game.id, seat, visit.letter.sha256),
                reply=office.reports.reply(game),
                system=game.system,
                game=office.reports.game(game),
                offered_by=place.seat,
            )
    return Answer(
        True,
        say("a draw is offered in game {game}; it stands until you take it back", game=game.id),
    )


def no_draw(visit: Visit, match: Match[str]) -> Answer:
    """Take back one's offer of a draw."""
    store, place = visit.office.store, own_place(visit, match["number"])
    if not place.draw:
        raise Refusal(say("you have not offered a draw in game {game}", game=place.game_id))
    store.places.change(place.id, draw=False)
    return Answer(
        True, say("your offer of a draw in game {game} is taken back", game=place.game_id)
    )


def ready(visit: Visit, match: Match[str]) -> Answer:
    """Let a battle go on with the orders in hand, without waiting for the deadline."""
    office, place = visit.office, own_place(visit, match["number"])
    game = office.store.games.get(place.game_id)
    if not game.running:
        raise Refusal(say("game {game} is over", game=game.id))
    if not place.asked:
        return Answer(True, say("game {game} does not wait for you", game=game.id))
    session = Session(office.store, game)
    office.referee.answer(session, Seat(place.seat), visit.now)
    if office.referee.advance(session, visit.now):
        return Answer(True, say("game {game} goes on; the report follows", game=game.id), told=True)
    waiting = [s for s, p in session.places.items() if p.asked and not p.answered]
    if Seat(place.seat) in waiting:
        return Answer(
            False,
            say(
                "{seat} has no legal order in game {game}; send orders",
                seat=place.seat,
                game=game.id,
            ),
        )
    return Answer(
        True, say("noted; game {game} waits for {waiting}", game=game.id, waiting=waiting)
    )
