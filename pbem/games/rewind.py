"""Taking a game back to a step by the moderator's decision: log, careers, orders, a new turn."""

import json
from datetime import datetime

from engine import fair_dice
from engine.campaign import Campaign
from engine.campaign import Persona as Piece
from engine.errors import EngineError
from engine.i18n import say
from engine.seats import Seat
from engine.undo import Undo
from pbem.games import commitments, step_log
from pbem.games.career_entries import of_note
from pbem.games.persona_rules import piece_of
from pbem.games.referee import Referee
from pbem.games.session import Session, game_id
from pbem.games.step_log import rebuild
from pbem.people import career_log, personas
from pbem.storage import Persona, Place, Step, stored_games

_LAST_DAY = "9999-12-31"
"""By this day every prisoner has been exchanged."""


class Stuck(EngineError):
    """A game that can't be taken back; the text says why."""


def rewind(referee: Referee, session: Session, to: int, now: datetime) -> None:
    """Take a game back to after a step, or its START, with a full turn for everybody from there.

    If the game is over, its secret has been revealed. So a new one is drawn, and what the end
    brought to careers is taken back. A persona that takes part in it again must not have fought
    elsewhere since it left (SP-32). Raises UndoError for a step that does not stand, and Stuck.
    """
    _bar_rebinding(referee, session, to)
    secret, under, game = b"", "", session.game
    ended = game.ended or now
    if not game.running:
        _take_back(referee, session, now)
        secret = referee.store.fresh_secret(Step)
        terms = commitments.undo_terms(json.loads(game.setup), game.steps)
        under = fair_dice.commitment(secret, game_id(game.id), game.system, game.version, terms)
    session.undo(Undo(to, under), now, secret)
    # `undo` changes only the session's copy of the game, so `save` gets these values below.
    renewed, commitment = session.game.renewed, session.game.commitment
    referee.career_entries.bind(session, now)
    # Those who left with the letter that ended the game are out of it, now that it goes on.
    referee.career_entries.release(session, ended)
    session.save(running=True, ended=None, renewed=renewed, commitment=commitment)
    referee.reopen(session, now)


def _bar_rebinding(referee: Referee, session: Session, to: int) -> None:
    """Raise Stuck if the game would bind a free persona again that can't be bound.

    In a game whose end was entered in careers, `_gone_on` checks those that were in it to the end.
    """
    campaign, game, store = session.campaign, session.game, referee.store
    if campaign is None or game.practice:
        return
    ended = game.ended if game.friendly else None
    since = {seat: place.left or ended for seat, place in session.places.items()}
    if not any(since.values()):
        return
    state, _ = rebuild(
        session.rules,
        game.setup,
        step_log.steps_of(store, game.id),
        Undo(to),
    )
    for seat, place in session.places.items():
        row, when = store.get(Persona, place.persona_id), since[seat]
        piece = piece_of(row)
        if when is None or campaign.left(piece, state, seat, referee.league.day(when)) is not None:
            continue
        why = campaign.available(piece, _LAST_DAY)
        if stored_games.is_fighting(store, row.id) or _has_fought_since(referee, place, when):
            why = say("{name} has fought elsewhere since it left", name=row.name)
        if why is not None:
            raise Stuck(
                say(
                    "{why}, so game {game} can't go back to before that",
                    why=why,
                    game=game.id,
                )
            )


def _has_fought_since(referee: Referee, place: Place, since: datetime) -> bool:
    """Return whether a place's persona entered another game that counts, at a time or later."""
    entered = stored_games.places(
        referee.store,
        persona=place.persona_id,
        # Of games that began at the same moment, the later ones have the later places.
        id__gt=place.id,
        game__begun__gte=since,
        game__practice=False,
        game__friendly=False,
    )
    return bool(entered)


def _take_back(referee: Referee, session: Session, now: datetime) -> None:
    """Take back what the end of a game brought. Raises Stuck if a persona has gone on since."""
    game, campaign = session.game, session.campaign
    if game.practice or game.friendly or campaign is None or game.ended is None:
        return
    rows = {p.id: referee.store.get(Persona, p.persona_id) for p in session.places.values()}
    for place in session.places.values():
        why = _gone_on(referee, session, campaign, game.ended, place, rows[place.id])
        if why is not None:
            raise Stuck(say("{why}; the end of game {game} stands", why=why, game=session.game.id))
    for place in session.places.values():
        # Only after all were looked at, so a refusal has changed nothing.
        career_log.take_back(referee.store, rows[place.id], place.record, session.game.id, now)
        stored_games.change_place(referee.store, place.id, record="")


def _gone_on(
    referee: Referee,
    session: Session,
    campaign: Campaign,
    ended: datetime,
    place: Place,
    row: Persona,
) -> str | None:
    """Return what a persona has done since a game's end that can't be taken back, or None."""
    before = Piece(row.name, row.side, json.loads(place.record))
    day = referee.league.day(ended)
    out = referee.league.day(place.left or ended)
    # What the end made of the persona: if it is different now, something has happened since.
    piece = campaign.after(before, session.state, Seat(place.seat), day, out).persona
    if session.game.major == "approved":
        piece = of_note(campaign, piece, session.state, Seat(place.seat)).persona
    elsewhere = place.left is None and stored_games.is_fighting(referee.store, row.id)
    # As it is kept: JSON knows no tuples.
    gone_on = json.loads(json.dumps(piece.record)) != json.loads(row.record)
    if elsewhere or gone_on or _has_fought_since(referee, place, ended):
        return say("{name} has fought, spent or been honoured since", name=row.name)
    others = personas.of(referee.store, row.player_id, system=row.system)
    return campaign.crowded([piece_of(other) for other in others if other.id != row.id], before)
