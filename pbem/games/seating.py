"""Places whose players are silent: declared open, taken back, or taken over by another player."""

import json
from datetime import datetime

from engine.fair import Words
from engine.seats import Seat
from pbem.games.reports import Reports, one_each
from pbem.games.session import Session, thread_of
from pbem.games.timetable import Timetable
from pbem.storage import Game, Place, Player, Store

_FRESH = {
    "answered": False,
    "draw": False,
    "misses": 0,
    "retold": 0,
    "thread": "",
    "invited": False,
    "vacant": False,
    "waiting": False,
}
"""A place as a player finds it who has only come; the report tells the battle from its start."""


class Seating:
    """Says who may sit in a game's places, and tells all concerned."""

    def __init__(self, store: Store, reports: Reports, timetable: Timetable) -> None:
        self.store, self.reports, self.timetable = store, reports, timetable

    def open(self, game: Game, place: Place, now: datetime) -> None:
        """Declare a place open on the moderator's word, and tell everybody in the game."""
        self.store.places.change(place.id, vacant=True)
        others = self.store.places.all(game=game.id)
        for one in [place, *one_each(o for o in others if o.player_id != place.player_id)]:
            self._tell(game, one, place.seat, "open", now)

    def keep(self, session: Session, seat: Seat, now: datetime) -> None:
        """Give an open place back to its player, who has written, and tell the others."""
        if session.places[seat].vacant:
            session.change(seat, vacant=False)
            player = session.places[seat].player_id
            others = (p for p in session.places.values() if p.player_id != player)
            for place in one_each(others):
                self._tell(session.game, place, seat, "back", now)

    def hand_over(
        self, game: Game, place: Place, player: Player, words: Words | None, now: datetime
    ) -> None:
        """Let a player take an open place over, with the time of a whole turn.

        The orders on file stay, and so does the persona: what befalls it is its owner's. The dice
        depend on the new player's `words` from now on, or on the old ones until there are any. The
        player before is told, and the deadline goes out of that player's calendar.
        """
        after = game._replace(sequence=game.sequence + 1)
        self._tell(after, place._replace(asked=False), place.seat, "lost", now)
        spoken = place.words if words is None else json.dumps(words)
        self.store.places.change(place.id, player=player.id, words=spoken, **_FRESH)
        places, deadline = self.store.places.all(game=game.id), game.deadline
        if deadline is not None and place.asked:
            deadline = max(deadline, self.timetable.turn(places, now))
        moved = self.timetable.move(game, deadline, now, "taken", who=place.seat, by=player.name)
        session = Session(self.store, moved)
        taken = session.places[Seat(place.seat)]
        self.reports.again(session, taken, f"taken {moved.sequence}", now)

    def _tell(self, game: Game, place: Place, seat: str, what: str, now: datetime) -> None:
        """Tell the player of a place what became of a seat, theirs or another's."""
        self.reports.outbox.write(
            self.store.players.get(place.player_id),
            "seat",
            now,
            ident=(game.id, game.turn, seat, what, game.sequence, now.isoformat()),
            reply=self.reports.reply(game, place),
            system=game.system,
            thread=thread_of(place),
            due=self.reports.due(game, place, now) if what == "lost" else None,
            game=self.reports.game(game),
            what=what,
            seat=seat,
            own=place.seat == seat,
        )
