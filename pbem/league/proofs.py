"""RECEIPTS and MAP: a battle's dice and its picture, as far as who asks may know them."""

from re import Match
from typing import TYPE_CHECKING

from engine.ruleset import Picture
from engine.said import say
from engine.seats import Seat
from pbem.games import gallery
from pbem.games.account import words_told
from pbem.games.gallery import Eye
from pbem.games.session import Session
from pbem.league.histories import game_meant
from pbem.league.visit import DRAWN, STEP, Answer, Refusal, Visit, pay

if TYPE_CHECKING:
    from pbem.office import Office


def receipts(visit: Visit, match: Match[str]) -> Answer:
    """Send all dice of a battle so far; with its secret once it is over."""
    office, session, seat = _opened(visit, match["number"])
    game = session.game
    pay(visit, STEP * game.steps)
    steps = office.reports.steps(session, seat, 0)
    office.outbox.write(
        visit.player,
        "receipts",
        visit.now,
        ident=("receipts", game.id, visit.letter.sha256),
        system=game.system,
        game=office.reports.game(game),
        steps=steps,
        words=words_told(steps),
        secret="" if game.running else game.dice_secret.hex(),
    )
    return Answer(True, say("the dice come in a letter of their own"), told=True)


def picture(visit: Visit, match: Match[str]) -> Answer:
    """Send a battle's picture, with all that it shows in words: as it is, or after a step."""
    office, session, seat = _opened(visit, match["number"])
    game, outbox = session.game, office.outbox
    pay(visit, DRAWN + (STEP * game.steps if match["step"] or not game.running else 0))
    eye = Eye(outbox.press, outbox.language(visit.player), seat)
    step = None if match["step"] is None else int(match["step"])
    drawn = gallery.drawn(eye, session) if step is None else _still(eye, session, step)
    if not drawn:
        raise Refusal(
            say("there is no picture of game {number}", number=game.id),
            say("REPORT {number} and HISTORY {number} tell it in words", number=game.id),
        )
    outbox.write(
        visit.player,
        "map",
        visit.now,
        ident=("map", game.id, step, visit.letter.sha256),
        system=game.system,
        game=office.reports.game(game),
        step=step,
        shown=[one.alt for one in drawn],
        pictures=drawn,
    )
    return Answer(True, say("the picture comes in a letter of its own"), told=True)


def _still(eye: Eye, session: Session, step: int) -> tuple[Picture, ...]:
    """Draw a battle as it was after a step; raises Refusal."""
    stills = gallery.stills(eye, session, step)
    if step not in stills:
        raise Refusal(
            say("game {number} has no step {step} that stands", number=session.game.id, step=step),
            say("each report tells the number of its steps"),
        )
    return stills[step]


def _opened(visit: Visit, number: str | None) -> tuple["Office", Session, Seat | None]:
    """Open the game that is meant, and give the seat that the player has in it, if any."""
    session = Session(visit.office.store, game_meant(visit, number))
    mine = (seat for seat, p in session.places.items() if p.player_id == visit.player.id)
    return visit.office, session, next(mine, None)
