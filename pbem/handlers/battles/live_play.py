"""READY, ADJOURN and RESUME, and who is in the room: how a live battle stands (SP-39 to SP-41)."""

from collections.abc import Iterator
from datetime import datetime
from re import Match
from typing import Literal

from engine.i18n import Said, say
from pbem.games import live_battles
from pbem.games.session import Session, game_id
from pbem.handlers.names.own_pilots_and_places import running_places
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Refusal, Request
from pbem.people import linked_accounts
from pbem.storage import Account, Game, Letter, Place, stored_games


def adjourn(request: Request, match: Match[str]) -> Answer:
    """Go on by mail, once all have asked for it (SP-40)."""
    session, mine = running_places(request, match["number"])
    number = session.game.id
    if session.game.live == live_battles.ADJOURNED:
        raise Refusal(
            say("game {game} is played by mail already", game=number),
            say("RESUME in the room goes on there"),
        )
    if not session.game.is_live:
        raise Refusal(say("game {game} is not played in a chat room", game=number))
    return _say(request, session, mine, live_battles.ADJOURNED)


def resume(request: Request, match: Match[str]) -> Answer:
    """Go on in the room, once all who take part have said so there (SP-40)."""
    session, mine = running_places(request, match["number"])
    number = session.game.id
    if session.game.live != live_battles.ADJOURNED:
        raise Refusal(say("game {game} is not adjourned", game=number))
    if not request.live:
        raise Refusal(
            say("a battle is resumed in its room, where all are"),
            say("write it in {room}", room=live_battles.of(session.store, number).channel),
        )
    return _say(request, session, mine, live_battles.RUNNING)


def ready(request: Request, session: Session, mine: list[Place]) -> Answer:
    """Begin the turn anew after the referee was away, once all are ready (SP-41)."""
    if not request.live:
        room = live_battles.of(session.store, session.game.id).channel
        raise Refusal(
            say("a battle begins in its room, where all are"), say("write it in {room}", room=room)
        )
    return _say(request, session, mine, live_battles.RUNNING)


def _say(request: Request, session: Session, mine: list[Place], stands: str) -> Answer:
    """Note that a player has said the word that a battle waits for, and act once all have."""
    number, word = session.game.id, live_battles.WORDS[session.game.live]
    seats = [session.seat_of(place.id) for place in mine]
    live_battles.note_word(session, seats)
    about = request.ports, request.letter, session, request.now
    if silent := live_battles.silent(session):
        _tell(*about, "word", seat=seats[0], word=word)
        text = say(
            "game {game} waits for {word} of {others}", game=number, word=word, others=silent
        )
        return Answer(True, text, separate=request.live)
    if stands == live_battles.ADJOURNED:
        _tell(*about, "adjourned")
    request.ports.referee.change_live_stand(session, stands, request.now)
    # What comes next, in the room or by mail, is the answer.
    return Answer(True, _done(number, stands), separate=True)


def _done(number: int, stands: str) -> Said:
    if stands == live_battles.ADJOURNED:
        return say("game {game} goes on by mail", game=number)
    return say("game {game} goes on", game=number)


def note_presence(
    ports: Ports, letter: Letter, account: Account, now: datetime, *, present: bool
) -> None:
    """Note that a player has come into a room, or left it, and time their battles there anew.

    `letter` is the line that tells it.
    """
    if account.present == present:
        return
    linked_accounts.note_presence(ports.store, account, present=present)
    for game, place in _live_places(ports, account):
        if present:
            note_back(ports, letter, game, place, now)
        else:
            _restart(ports, letter, game, now, place.seat, "gone")


def note_back(ports: Ports, letter: Letter, game: Game, place: Place, now: datetime) -> None:
    """Note that the player of a place has not dropped any more (SP-39)."""
    stored_games.change_place(ports.store, place.id, misses=0)
    _restart(ports, letter, game, now, place.seat, "back")


def _restart(
    ports: Ports,
    letter: Letter,
    game: Game,
    now: datetime,
    seat: str,
    what: Literal["gone", "back"],
) -> None:
    """Time a running live battle's turn anew where it begins or ceases to wait for a seat."""
    if game.live != live_battles.RUNNING or game.paused is not None:
        return
    session = Session(ports.store, game)
    waited = live_battles.is_waiting(ports.store, game.id)
    asked = any(p.asked and not p.answered and p.seat == seat for p in session.places.values())
    if not asked or waited == (what == "gone"):
        return
    ports.referee.timetable.begin_live_turn(session, now)
    _tell(ports, letter, Session(ports.store, session.game), now, what, seat=seat)


def referee_was_away(ports: Ports, letter: Letter, now: datetime) -> None:
    """Stop the clocks of a room's battles, and say where each stands (SP-41)."""
    linked_accounts.note_nobody_present(ports.store, letter.channel)
    for game in live_battles.in_room(ports.store, letter.channel):
        if game.is_live:
            live_battles.change_stand(ports.store, game.id, live_battles.READY, now)
            session = Session(ports.store, game.changed(live=live_battles.READY))
            ports.referee.timetable.begin_live_turn(session, now)
            _tell(ports, letter, session, now, "away")


def _live_places(ports: Ports, account: Account) -> Iterator[tuple[Game, Place]]:
    """Yield the live battles of an account's player in its room, with the player's places."""
    for game in live_battles.in_room(ports.store, account.channel):
        if game.is_live:
            for place in stored_games.places(ports.store, game=game.id, player=account.player_id):
                yield game, place


def _tell(
    ports: Ports,
    letter: Letter,
    session: Session,
    now: datetime,
    what: Literal["gone", "back", "away", "word", "adjourned"],
    *,
    seat: str = "",
    word: str = "",
) -> None:
    """Say in a battle's room why its clock has changed, or which `word` it still waits for.

    `letter` is the line that has caused it.
    """
    game = session.game
    ports.posts.write(
        "clock",
        now,
        ident=f"{game_id(game.id)}-{what}-{letter.id}",
        thread=game_id(game.id),
        system=game.system,
        only=live_battles.of(ports.store, game.id).channel,
        game=game_id(game.id),
        what=what,
        seat=seat,
        word=word,
        silent=live_battles.silent(session),
        view=session.rules.view(session.state, None),
        asked=list(session.unanswered),
        live=live_battles.facts(session),
    )
