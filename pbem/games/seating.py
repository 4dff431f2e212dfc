"""A game's places: filled at its start, declared open, taken back, or taken over."""

import json
from collections.abc import Sequence
from datetime import datetime

from engine import codec
from engine.fair_dice import Words
from engine.orders.orders_on_file import Sheet
from engine.registry import rules_of
from engine.seats import Seat
from pbem.games.commitments import Entrant
from pbem.games.deadlines import Timetable
from pbem.games.offers import end_patrol
from pbem.games.places_of_each_player import one_each
from pbem.games.reports.reports import Reports
from pbem.games.session import Session, thread_of
from pbem.storage import Game, Place, Player, Store, stored_games

_FRESH = {
    "answered": False,
    "draw": False,
    "misses": 0,
    "reported_from": 0,
    "thread": "",
    "invited": False,
    "vacant": False,
    "waiting": False,
}
"""What a place is reset to for a new player. The next report shows the whole battle."""


class Seating:
    """Decides who plays in a game's places, and notifies everybody concerned."""

    def __init__(self, store: Store, reports: Reports, timetable: Timetable) -> None:
        self.store, self.reports, self.timetable = store, reports, timetable

    def fill(self, game: Game, entrants: Sequence[Entrant], now: datetime) -> None:
        """Create each persona's place in a game, and end its patrol."""
        empty = codec.encode(Sheet())
        for entrant in entrants:
            stored_games.add_place(
                self.store,
                game=game.id,
                seat=entrant.piece.name,
                player=entrant.persona.player_id,
                persona=entrant.persona.id,
                sheet=empty,
                before=empty,
                words=json.dumps(entrant.words),
            )
            # Practice does not bind a persona, so its patrol goes on.
            if not game.practice:
                end_patrol(self.store, self.reports.outbox, entrant.persona, game, now)

    def open(self, game: Game, place: Place, now: datetime) -> None:
        """Declare a place open by the moderator's decision, and notify everybody in the game."""
        stored_games.change_place(self.store, place.id, vacant=True)
        others = stored_games.places_in(self.store, game.id)
        for one in [place, *one_each(o for o in others if o.player_id != place.player_id)]:
            # Who is banned is told so by another letter, and could not keep the place by a word.
            if not self.store.get(Player, one.player_id).banned:
                self._tell(game, one, place.seat, "open", now)

    def keep(self, session: Session, seat: Seat, now: datetime) -> None:
        """Keep an open place for its player, who has written after all, and notify the others."""
        session.change(seat, vacant=False)
        player = session.places[seat].player_id
        others = (p for p in session.places.values() if p.player_id != player)
        for place in one_each(others):
            self._tell(session.game, place, seat, "back", now)

    def hand_over(
        self, game: Game, place: Place, player: Player, words: Words | None, now: datetime
    ) -> None:
        """Let a player take over an open place, with the time of a whole turn.

        The orders on file stay. So does the persona: what happens to it concerns its owner. The
        dice depend on the new player's `words` from now on, or on the old ones until there are any.
        The former player is notified, and the deadline is removed from that player's calendar.
        """
        # A calendar program removes an appointment only if the sequence number has grown.
        after = game.changed(sequence=game.sequence + 1)
        self._tell(after, place.changed(asked=False), place.seat, "lost", now)
        spoken = place.words if words is None else json.dumps(words)
        stored_games.change_place(self.store, place.id, player=player.id, words=spoken, **_FRESH)
        places, deadline = stored_games.places_in(self.store, game.id), game.deadline
        if deadline is not None and place.asked:
            # A new player gets a whole turn, and nobody else loses time by it.
            deadline = max(deadline, self.timetable.turn(places, now))
        moved = self.timetable.move(game, deadline, now, "taken", who=place.seat, by=player.name)
        session = Session(self.store, moved)
        taken = session.places[Seat(place.seat)]
        self.reports.again(session, taken, f"taken {moved.sequence}", now)

    def _tell(self, game: Game, place: Place, seat: str, what: str, now: datetime) -> None:
        """Write to the player of a place what happened to a seat, their own or another's."""
        player = self.store.get(Player, place.player_id)
        self.reports.outbox.write(
            player,
            "seat",
            now,
            # With the time, because a place may be opened twice in one turn.
            ident=(game.id, game.turn, seat, what, game.sequence, now.isoformat()),
            thread=thread_of(place),
            due=self.reports.due(game, [place], player, now) if what == "lost" else (),
            **self.reports.about(game, rules_of(game.system), place),
            what=what,
            seat=seat,
            own=place.seat == seat,
        )
