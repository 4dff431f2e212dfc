"""What a game leaves behind in its personas' careers."""

import json
from datetime import datetime

from engine.campaign import Campaign, Change
from engine.campaign import Persona as Piece
from engine.seats import Seat
from pbem.games.offers import end_patrol
from pbem.games.persona_rules import piece_of
from pbem.games.reports.reports import Reports
from pbem.games.session import Session
from pbem.people import career_log
from pbem.settings.sections import LeagueSettings
from pbem.storage import Game, Persona, Place, Store, stored_games


class CareerEntries:
    """Enters the results of games that count in the career log; within one transaction."""

    def __init__(self, store: Store, reports: Reports, league: LeagueSettings) -> None:
        self.store, self.reports, self.league = store, reports, league

    def release(self, session: Session, now: datetime) -> None:
        """Free the personas that are out of a game which goes on for others (SP-32).

        What the game brings them is entered when it ends. A friendly game takes no prisoners.
        """
        campaign = session.campaign
        if campaign is None or session.game.practice or session.over:
            return
        staying = {place.persona_id for place in session.places.values() if place.left is None}
        personas = self.store.by_key(Persona, staying)
        for seat, place in session.places.items():
            if place.left is not None:
                continue
            row = personas[place.persona_id]
            free = campaign.left(piece_of(row), session.state, seat, self.league.day(now))
            if free is None:
                continue
            if not session.game.friendly:
                career_log.enter(self.store, row, Change(free), now)
            # The record as it was before: `bind` restores what leaving has changed.
            session.change(seat, left=now, unbound=row.record, vacant=False)

    def bind(self, session: Session, now: datetime) -> None:
        """Bind personas again to a game that was taken back to a step where they take part.

        Their patrols end.
        """
        campaign = session.campaign
        if campaign is None or session.game.practice:
            return
        for seat, place in session.places.items():
            row = self.store.get(Persona, place.persona_id)
            piece = piece_of(row)
            if campaign.left(piece, session.state, seat, self.league.day(now)) is not None:
                continue
            if place.left is not None and not session.game.friendly:
                # Captivity ends by it; what was spent since stays spent (docs/rulings.md, SP-32).
                before = Piece(row.name, row.side, json.loads(place.unbound))
                career_log.enter(self.store, row, Change(campaign.back(piece, before)), now)
            session.change(seat, left=None, unbound="")
            end_patrol(self.store, self.reports.outbox, row, session.game, now)

    def book(self, session: Session, seat: Seat, place: Place, now: datetime) -> None:
        """Enter in the career log what a finished game means for a seat's persona."""
        campaign = session.campaign
        if campaign is None or session.game.practice or session.game.friendly:
            return
        row = self.store.get(Persona, place.persona_id)
        # Kept so that the end of the game can be taken back (pbem.games.rewind).
        stored_games.change_place(self.store, place.id, record=row.record)
        # A prisoner's day counts from when the pilot left, though the battle went on (SP-32).
        day, out = self.league.day(now), self.league.day(place.left or now)
        change = campaign.after(piece_of(row), session.state, seat, day, out)
        career_log.enter(self.store, row, change, now, session.game.id)
        # Somebody else played to the end and gets the report, so the owner gets a letter.
        if row.player_id != place.player_id:
            self.reports.career_changed(
                row, change, now, ("game", session.game.id, session.game.turn)
            )
        if session.game.major == "approved":
            extra = of_note(campaign, change.persona, session.state, seat)
            career_log.enter(self.store, row, extra, now, session.game.id)

    def rule_major(self, game: Game, approved: bool, now: datetime) -> None:
        """Mark a battle as major or not, as the moderator decided (SP-31).

        The reward is entered when the battle ends; if it has ended already, at once and with a
        letter. An approval is never withdrawn.
        """
        if game.major == "approved" or game.practice or game.friendly:
            return
        session = Session(self.store, game)
        session.save(major="approved" if approved else "declined")
        campaign = session.campaign
        if not approved or game.running or campaign is None:
            return
        for seat, place in session.places.items():
            row = self.store.get(Persona, place.persona_id)
            change = of_note(campaign, piece_of(row), session.state, seat)
            if change.entries:
                career_log.enter(self.store, row, change, now, game.id)
                self.reports.career_changed(row, change, now, ("major", game.id))


def of_note(campaign: Campaign, piece: Piece, state: object, seat: Seat) -> Change:
    """Return what a major battle adds to a persona; nothing in a system without honours."""
    return Change(piece) if campaign.honours is None else campaign.honours.major(piece, state, seat)
