"""READY, WAIT and DRAW: agreements about a game, for all of a player's pilots in it."""

from re import Match

from engine.i18n import say
from pbem.games import simultaneous
from pbem.games.places import one_each
from pbem.games.session import Session
from pbem.handlers.own import own_places
from pbem.handlers.request import Answer, Refusal, Request
from pbem.storage import Place


def draw(request: Request, match: Match[str]) -> Answer:
    """Offer a draw, or accept the one that is offered."""
    session, mine = _running(request, match["number"])
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


def _running(request: Request, number: str | None) -> tuple[Session, list[Place]]:
    """Return a running game, and the player's places that are still active in it.

    Raise Refusal where the game is over, or none of them is.
    """
    store, places = request.ports.store, own_places(request, number)
    game = store.games.get(places[0].game_id)
    if not game.running:
        raise Refusal(say("game {game} is over", game=game.id))
    session = Session(store, game)
    mine = [place for place in places if session.active(session.seat_of(place.id))]
    if not mine:
        seats = [place.seat for place in places]
        raise Refusal(
            say("game {game} goes on without {seats}, out of the battle", game=game.id, seats=seats)
        )
    return session, mine


def no_draw(request: Request, match: Match[str]) -> Answer:
    """Withdraw the player's offer of a draw."""
    store, places = request.ports.store, own_places(request, match["number"])
    game = places[0].game_id
    if not any(place.draw for place in places):
        raise Refusal(say("you have not offered a draw in game {game}", game=game))
    for place in places:
        store.places.change(place.id, draw=False)
    return Answer(True, say("your offer of a draw in game {game} is taken back", game=game))


def wait(request: Request, match: Match[str]) -> Answer:
    """Hold a turn of simultaneous orders until its deadline, or until the player writes READY."""
    session, mine = _running(request, match["number"])
    game, title = session.game.id, session.rules.title
    if not session.simultaneous:
        why = say("in {title} one acts after the other, and nothing waits", title=title)
        hint = say(
            "whoever is asked has until the deadline; {order} goes on sooner", order=say("READY")
        )
        raise Refusal(why, hint)
    for place in mine:
        request.ports.store.places.change(place.id, waiting=True)
    until = say(
        "game {game} is held until its deadline, or your {order}", game=game, order=say("READY")
    )
    return Answer(True, until)


def ready(request: Request, match: Match[str]) -> Answer:
    """Continue a battle with the orders on file, without waiting for the deadline.

    Where the same letter holds orders or a story for that battle, these are filed first.
    """
    session, mine = _running(request, match["number"])
    game = session.game
    asked = [session.seat_of(place.id) for place in mine if place.asked or place.waiting]
    if not asked:
        return Answer(True, say("game {game} does not wait for you", game=game.id))
    for seat in asked:
        session.change(seat, waiting=False)
        session.speak(seat, request.words)
        request.ports.referee.answer(session, seat, request.now)
    # `goes_on` leaves the rest to the battle orders, which run the game after filing theirs.
    first = not request.alone or not (session.simultaneous or session.awaited)
    if game.id in request.games and first:
        session.save()
        return Answer(True, "", goes_on=game.id)
    filled = simultaneous.complete(session, request.player.id)
    if request.alone:
        session.answer(request.player.id, request.letter.message_id)  # the next report is the reply
    if request.ports.referee.advance(session, request.now):
        return Answer(
            True, say("game {game} goes on; the report follows", game=game.id), separate=True
        )
    waiting, unready = session.awaited, request.ports.referee.unready(session)
    unable = [seat for seat in asked if seat in waiting or seat in unready]
    if unable:
        return Answer(
            False,
            say(
                "{seat} has no legal order in game {game}; send orders",
                seat=unable[0],
                game=game.id,
            ),
        )
    if session.simultaneous:
        # The names are left out: opponents may not know who has sent orders already.
        if filled:
            text = say(
                "you are ready; the referee fills in an order for {pieces}, and game {game} waits"
                " for others",
                pieces=filled,
                game=game.id,
            )
            return Answer(True, text)
        return Answer(True, say("you are ready, and game {game} waits for others", game=game.id))
    return Answer(
        True,
        say("you are ready, and game {game} waits for {waiting}", game=game.id, waiting=waiting),
    )
