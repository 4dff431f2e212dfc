"""Battles in chat rooms: their turns' time, and who has dropped; the table `live_battle` is theirs.

The rulings are SP-38 to SP-41. A battle of any system may be played live.
"""

import json
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import TypedDict

from engine.seats import Seat
from pbem.games.session import Session
from pbem.storage import Game, LiveBattle, Store, stored_games

TURN, FEWEST, MOST = 120, 30, 900
"""The seconds of a turn where the terms name none, and those that they may name (SP-38)."""
SECONDS = "SECONDS"
"""The word of a challenge's terms that names them."""
SPARE = 300
"""The seconds that all absences of a battle together may last (SP-39)."""
SILENT_TURNS = 3
"""For whom the clock has spoken so many turns in a row has dropped (SP-39)."""

READY, RUNNING, ADJOURNED = "ready", "running", "adjourned"
"""How a live battle stands (`Game.live`)."""
WORDS = {READY: "READY", RUNNING: "ADJOURN", ADJOURNED: "RESUME"}
"""The word that changes how a live battle stands, once all have said it (SP-40, SP-41)."""


class LiveFacts(TypedDict):
    """How a live battle stands, for a template: the seconds of a turn, and those of absences left.

    `gone` are the seats that have dropped.
    """

    stands: str
    seconds: int
    spare: int
    gone: list[Seat]


def seconds_of(terms: str) -> int | None:
    """Return the seconds that the terms of a challenge name for a turn, or None (SP-38)."""
    words = terms.split()
    named = words[words.index(SECONDS) + 1 :][:1] if SECONDS in words else []
    return int(named[0]) if named and named[0].isdecimal() else None


def begin(session: Session, channel: str, terms: str) -> None:
    """Note that a new game is played in a room; its clock waits until all are there."""
    store, number = session.store, session.game.id
    seconds = seconds_of(terms) or TURN
    timed = {"game": number, "channel": channel, "seconds": seconds, "spare": SPARE}
    store.run(LiveBattle.insert(**timed))
    stored_games.change_game(store, number, live=READY if _dropped(session, channel) else RUNNING)


def of(store: Store, number: int) -> LiveBattle:
    """Return how a live battle is timed."""
    return store.get(LiveBattle, number)


def in_room(store: Store, channel: str) -> list[Game]:
    """Return the running games of a room, the oldest first; those adjourned to mail, too."""
    here = store.tuples(LiveBattle.select(LiveBattle.game).where(LiveBattle.channel == channel))
    numbers = [number for (number,) in here]
    return stored_games.games(store, id__in=numbers, running=True) if numbers else []


def latest_in_room(store: Store, channel: str) -> Game | None:
    """Return the latest game of a room, be it over or not."""
    query = LiveBattle.select().where(LiveBattle.channel == channel)
    found = store.first(query.order_by(LiveBattle.game.desc()))
    return None if found is None else store.get(Game, found.game_id)


def dropped(session: Session) -> set[Seat]:
    """Return the seats whose players have dropped: gone from the room, or silent for long."""
    return _dropped(session, of(session.store, session.game.id).channel)


def _dropped(session: Session, channel: str) -> set[Seat]:
    there = {one.player_id for one in session.accounts if one.channel == channel and one.present}
    return {
        seat
        for seat in session.playing
        if (place := session.places[seat]).misses >= SILENT_TURNS or place.player_id not in there
    }


def facts(session: Session) -> LiveFacts:
    """Return how a live battle stands, for a template."""
    row = of(session.store, session.game.id)
    gone = sorted(_dropped(session, row.channel))
    return {"stands": session.game.live, "seconds": row.seconds, "spare": row.spare, "gone": gone}


def deadline(session: Session, now: datetime) -> datetime | None:
    """Return when the turn that begins now is over, and note whether it waits for an absent one.

    None while the battle waits for READY. While it waits for somebody who has dropped, it is when
    all absences together have lasted too long.
    """
    store, number = session.store, session.game.id
    row = of(store, number)
    spare = _spare(row, now)
    running = session.game.live == RUNNING
    asked = {seat for seat, place in session.places.items() if place.asked and not place.answered}
    waits = running and bool(asked & _dropped(session, row.channel))
    _change(store, number, spare=spare, waiting_since=now if waits else None)
    if not running:
        return None
    return now + timedelta(seconds=spare if waits else row.seconds)


def is_waiting(store: Store, number: int) -> bool:
    """Return whether a live battle waits for somebody who has dropped."""
    return of(store, number).waiting_since is not None


def note_word(session: Session, seats: Collection[Seat]) -> None:
    """Note that some seats have said the word that changes how a battle stands."""
    _say(session, _said(session) | set(seats))


def take_back_word(session: Session, seat: Seat) -> None:
    """Forget what a seat has said, since it goes on fighting."""
    _say(session, _said(session) - {seat})


def silent(session: Session) -> list[Seat]:
    """Return the seats in play that have not said the word that changes how a battle stands."""
    said = _said(session)
    return [seat for seat in session.playing if seat not in said]


def change_stand(store: Store, number: int, stands: str, now: datetime) -> None:
    """Change how a live battle stands; what was said before, and absences, count no longer."""
    spare = _spare(of(store, number), now)
    _change(store, number, said="[]", spare=spare, waiting_since=None)
    stored_games.change_game(store, number, live=stands)


def _said(session: Session) -> set[Seat]:
    """Return the seats that have said the word that changes how a battle stands."""
    return set(json.loads(of(session.store, session.game.id).said))


def _say(session: Session, seats: Collection[Seat]) -> None:
    _change(session.store, session.game.id, said=json.dumps(sorted(seats)))


def _spare(row: LiveBattle, now: datetime) -> int:
    """Return the seconds that absences may still last."""
    if row.waiting_since is None:
        return row.spare
    return max(0, row.spare - int((now - row.waiting_since).total_seconds()))


def _change(store: Store, number: int, **values: object) -> None:
    store.run(LiveBattle.update(**values).where(LiveBattle.game == number))
