"""The laurels: what a game leaves behind in its personas' careers."""

from datetime import datetime

from engine.seats import Seat
from pbem.games.reports import Reports
from pbem.games.session import Session, piece_of
from pbem.people import books
from pbem.sections import LeagueSettings
from pbem.store import Game, Place, Store


class Laurels:
    """Books what games that count are worth; within one transaction."""

    def __init__(self, store: Store, reports: Reports, league: LeagueSettings) -> None:
        self.store, self.reports, self.league = store, reports, league

    def book(self, session: Session, seat: Seat, place: Place, now: datetime) -> None:
        """Book what a game that has ended was for a seat's persona."""
        career = session.rules.career
        if career is None or session.game.practice or session.game.friendly:
            return
        row = self.store.personas.get(place.persona_id)
        self.store.places.change(place.id, record=row.record)
        change = career.after(piece_of(row), session.state, seat, self.league.day(now))
        books.enter(self.store, row, change, now, session.game.id)
        if row.player_id != place.player_id:
            self.reports.befell(row, change, now, ("game", session.game.id, session.game.turn))
        if session.game.major == "approved":
            books.enter(
                self.store, row, career.major(change.persona, session.state), now, session.game.id
            )

    def rule_major(self, game: Game, approved: bool, now: datetime) -> None:
        """Mark a battle as major or not, on the moderator's word (SP-31).

        What it is worth is given when the battle ends; at once, with a letter, where it has
        ended. What was approved stays approved.
        """
        if game.major == "approved" or game.practice or game.friendly:
            return
        session = Session(self.store, game)
        session.save(major="approved" if approved else "declined")
        career = session.rules.career
        if not approved or game.running or career is None:
            return
        for place in session.places.values():
            row = self.store.personas.get(place.persona_id)
            change = career.major(piece_of(row), session.state)
            if change.entries:
                books.enter(self.store, row, change, now, game.id)
                self.reports.befell(row, change, now, ("major", game.id))
