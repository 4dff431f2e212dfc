"""READY and WAIT: go on before the deadline, or hold a turn until then."""

from collections.abc import Sequence
from re import Match

from engine.i18n import Said, say
from engine.seats import Seat
from pbem.games import simultaneous
from pbem.games.session import Session
from pbem.handlers.lookup import running_places
from pbem.handlers.request import Answer, Refusal, Request


def wait(request: Request, match: Match[str]) -> Answer:
    """Hold a turn of simultaneous orders until its deadline, or until the player writes READY."""
    session, mine = running_places(request, match["number"])
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
    session, mine = running_places(request, match["number"])
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
        text = say(
            "{seat} has no legal order in game {game}; send orders", seat=unable[0], game=game.id
        )
        return Answer(False, text)
    return Answer(True, _still_waiting(session, filled, waiting), title=say("You are ready"))


def _still_waiting(session: Session, filled: Sequence[str], waiting: Sequence[Seat]) -> Said:
    """Return what to answer who is ready while the game waits for others.

    `filled` are the pieces that the referee fills in an order for.
    """
    game = session.game.id
    if not session.simultaneous:
        return say("you are ready, and game {game} waits for {waiting}", game=game, waiting=waiting)
    # The names are left out: opponents may not know who has sent orders already.
    if filled:
        return say(
            "you are ready; the referee fills in an order for {pieces}, and game {game} waits for"
            " others",
            pieces=filled,
            game=game,
        )
    return say("you are ready, and game {game} waits for others", game=game)
