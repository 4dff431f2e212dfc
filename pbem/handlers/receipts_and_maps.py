"""RECEIPTS and MAP: a battle's dice and its picture, as far as the player may know them."""

from re import Match

from engine.i18n import say
from engine.pictures import Picture
from engine.seats import Seat
from pbem.games import drawings
from pbem.games.drawings import Viewer
from pbem.games.receipt import receipt
from pbem.games.session import Session
from pbem.handlers.histories import game_meant
from pbem.handlers.request import DRAWN, STEP, Answer, Refusal, Request, pay
from pbem.ports import Ports


def receipts(request: Request, match: Match[str]) -> Answer:
    """Send all dice of a battle so far, with its secret once it is over."""
    ports, session, seat = _opened(request, match["number"])
    game = session.game
    pay(request, STEP * game.steps)
    steps = ports.reports.steps(session, seat, 0)
    ports.outbox.write(
        request.player,
        "receipts",
        request.now,
        ident=("receipts", game.id, request.letter.sha256),
        system=game.system,
        game=ports.reports.game(game),
        attachments=[receipt(ports.outbox, session, request.player, steps)],
        over=not game.running,
    )
    return Answer(True, say("the dice come in a letter of their own"), separate=True)


def picture(request: Request, match: Match[str]) -> Answer:
    """Send a battle's picture with a description in words: as it is now, or after a step."""
    ports, session, seat = _opened(request, match["number"])
    game, outbox = session.game, ports.outbox
    pay(request, DRAWN + (STEP * game.steps if match["step"] or not game.running else 0))
    viewer = Viewer(outbox.renderer, outbox.language(request.player), seat)
    step = None if match["step"] is None else int(match["step"])
    drawn = drawings.drawn(viewer, session) if step is None else _still(viewer, session, step)
    if not drawn:
        raise Refusal(
            say("there is no picture of game {number}", number=game.id),
            say("REPORT {number} and HISTORY {number} tell it in words", number=game.id),
        )
    outbox.write(
        request.player,
        "map",
        request.now,
        ident=("map", game.id, step, request.letter.sha256),
        system=game.system,
        game=ports.reports.game(game),
        step=step,
        shown=[one.alt for one in drawn],
        pictures=drawn,
    )
    return Answer(True, say("the picture comes in a letter of its own"), separate=True)


def _still(viewer: Viewer, session: Session, step: int) -> tuple[Picture, ...]:
    """Draw a battle as it was after a step; raise Refusal where there is no such step."""
    stills = drawings.stills(viewer, session, step)
    if step not in stills:
        raise Refusal(
            say("game {number} has no step {step} that stands", number=session.game.id, step=step),
            say("each report tells the number of its steps"),
        )
    return stills[step]


def _opened(request: Request, number: str | None) -> tuple[Ports, Session, Seat | None]:
    """Return the session of the game that is meant, and the player's seat in it, if any."""
    session = Session(request.ports.store, game_meant(request, number))
    mine = (seat for seat, p in session.places.items() if p.player_id == request.player.id)
    return request.ports, session, next(mine, None)
