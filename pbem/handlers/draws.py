"""DRAW and NO DRAW: a draw is offered, accepted and taken back, for all of a player's pilots."""

from re import Match

from engine.i18n import say
from pbem.games.places import one_each
from pbem.games.session import Session
from pbem.handlers.lookup import own_places, running_places
from pbem.handlers.request import Answer, Refusal, Request
from pbem.storage import Place


def draw(request: Request, match: Match[str]) -> Answer:
    """Offer a draw, or accept the one that is offered."""
    session, mine = running_places(request, match["number"])
    game = session.game
    for place in mine:
        session.change(session.seat_of(place.id), draw=True)
    if request.ports.referee.draw(session, request.now):
        return Answer(
            True,
            say("game {game} ends in a draw; its last report follows", game=game.id),
            separate=True,
        )
    others = [p for s, p in session.places.items() if session.active(s) and not p.draw]
    for other in one_each(others):
        _offer(request, session, other, mine[0].seat)
    text = say("a draw is offered in game {game}; it stands until you take it back", game=game.id)
    if len(session.places) > 2:
        text = say("{text}; {pilots} must still agree", text=text, pilots=[p.seat for p in others])
    return Answer(True, text)


def _offer(request: Request, session: Session, other: Place, seat: str) -> None:
    """Notify a player that a draw is offered."""
    ports, game = request.ports, session.game
    ports.outbox.write(
        ports.store.players.get(other.player_id),
        "draw_offer",
        request.now,
        ident=(game.id, other.seat, request.letter.sha256),
        reply=ports.reports.reply(game, other),
        system=game.system,
        game=ports.reports.game(game),
        offered_by=seat,
    )


def no_draw(request: Request, match: Match[str]) -> Answer:
    """Withdraw the player's offer of a draw."""
    store, places = request.ports.store, own_places(request, match["number"])
    game = places[0].game_id
    if not any(place.draw for place in places):
        raise Refusal(say("you have not offered a draw in game {game}", game=game))
    for place in places:
        store.places.change(place.id, draw=False)
    return Answer(True, say("your offer of a draw in game {game} is taken back", game=game))
