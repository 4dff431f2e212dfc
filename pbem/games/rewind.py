"""Taking a game back to a step, on the moderator's word: log, books, orders, and a fresh turn."""

import json
from datetime import datetime

from engine import fair
from engine.errors import EngineError
from engine.ruleset import Persona as Piece
from engine.said import say
from engine.seats import Seat
from engine.undo import Undo
from pbem.games import pledges
from pbem.games.referee import Referee
from pbem.games.session import Session, game_id, piece_of
from pbem.people import books
from pbem.store import Persona, Place


class Stuck(EngineError):
    """A game that can't be taken back; the text says why."""


def rewind(referee: Referee, session: Session, to: int, now: datetime) -> None:
    """Take a game back to after a step, and go on from there with a full turn for everybody.

    Where the game is over its secret has been told, so that a new one is drawn, and its books are
    taken back. Raises UndoError for a step that does not stand, and Stuck.
    """
    secret, under, game = b"", "", session.game
    if not game.running:
        _take_back(referee, session, now)
        secret = referee.store.fresh_secret(referee.store.steps)
        terms = pledges.undo_terms(json.loads(game.setup), game.steps)
        under = fair.commitment(secret, game_id(game.id), game.system, game.version, terms)
    session.undo(Undo(to, under), now, secret)
    renewed, commitment = session.game.renewed, session.game.commitment
    session.save(running=True, ended=None, renewed=renewed, commitment=commitment)
    referee.reopen(session, now)


def _take_back(referee: Referee, session: Session, now: datetime) -> None:
    """Take back what the end of a game brought; raises Stuck where a persona has gone on since."""
    game = session.game
    if game.practice or game.friendly or session.rules.career is None:
        return
    rows = {p.id: referee.store.personas.get(p.persona_id) for p in session.places.values()}
    for place in session.places.values():
        why = _gone_on(referee, session, place, rows[place.id])
        if why is not None:
            raise Stuck(say("{why}; the end of game {game} stands", why=why, game=session.game.id))
    for place in session.places.values():
        books.take_back(referee.store, rows[place.id], place.record, session.game.id, now)
        referee.store.places.change(place.id, record="")


def _gone_on(referee: Referee, session: Session, place: Place, row: Persona) -> str | None:
    """Say what has happened to a persona since a game's end that can't be taken back, or None."""
    career, game = session.rules.career, session.game
    assert career is not None
    assert game.ended is not None
    if not place.record:
        return say("it ended before the program kept what is needed to go back")
    before = Piece(row.name, row.side, json.loads(place.record))
    day = referee.league.day(game.ended)
    piece = career.after(before, session.state, Seat(place.seat), day).persona
    if game.major == "approved":
        piece = career.major(piece, session.state).persona
    if piece != piece_of(row) or referee.store.is_fighting(row.id):
        return say("{name} has fought, spent or been honoured since", name=row.name)
    others = referee.store.personas.all(player=row.player_id, system=row.system)
    return career.crowded([piece_of(other) for other in others if other.id != row.id], before)
