"""The timetable: the only module that sets a game's deadline, moves it or stops the clock."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from engine.registry import rules_of
from pbem.games import live_battles
from pbem.games.places_of_each_player import by_player
from pbem.games.reports.reports import Reports
from pbem.games.session import Session, thread_of
from pbem.people import absences
from pbem.settings.calendar import Absence, Calendar, due, left, reminders_due
from pbem.settings.sections import LeagueSettings
from pbem.storage import Game, Leave, Place, Player, Store, stored_games


class _Awaiting(NamedTuple):
    """A game whose deadline waits for a player, with the player's seat that it waits for."""

    game: Game
    deadline: datetime
    seat: str


class Timetable:
    """Sets when orders are due, and notifies the players whenever that changes."""

    def __init__(self, store: Store, reports: Reports, league: LeagueSettings) -> None:
        self.store, self.reports, self.league = store, reports, league

    def calendar(self, places: Iterable[Place]) -> Calendar:
        """Return the days on which no deadline falls for the awaited players of some places."""
        players = [one.player_id for one in places if self._awaits(one)]
        return absences.calendar(self.store, self.league, players)

    def turn(self, places: Iterable[Place], now: datetime) -> datetime:
        """Return the deadline of a whole turn that begins now for these places."""
        return due(now, self.league.allowed, self.calendar(places))

    def next_turn(self, session: Session, now: datetime) -> datetime | None:
        """Return the deadline of a game's turn that begins now, by what its moderator has set.

        The session's places count, since those in the database are still of the last turn. A battle
        in a chat room has its own clock, which may stand still.
        """
        if session.game.is_live:
            return live_battles.deadline(session, now)
        awaited = {one.player_id for one in session.places.values() if self._awaits(one)}
        leaves = [one for one in session.leaves if one.player_id in awaited]
        usual = due(now, self.league.allowed, absences.calendar_of(self.league, leaves))
        return _at_least(usual, session.game.extended)

    def begin_live_turn(self, session: Session, now: datetime) -> None:
        """Begin the time of a turn in a chat room anew, and write nobody a letter."""
        self._set(session.game, live_battles.deadline(session, now), now)

    def extend(self, game: Game, deadline: datetime, now: datetime, because: str) -> None:
        """Put a game's deadline off; the new one holds for the turn after, too."""
        # Kept, since otherwise the next report would set the usual deadline again.
        stored_games.change_game(self.store, game.id, extended=deadline)
        self.move(game, deadline, now, "extended", because=because)

    def move(
        self, game: Game, deadline: datetime | None, now: datetime, why: str, **facts: object
    ) -> Game:
        """Set a running game's deadline, or none, and notify each of its players.

        `why` names a sentence of the letter.
        """
        moved = self._set(game, deadline, now)
        for own in by_player(stored_games.places_in(self.store, game.id)).values():
            self._tell(moved, own, now, why, **facts)
        return moved

    def _set(self, game: Game, deadline: datetime | None, now: datetime) -> Game:
        """Set a running game's deadline, or none, of which the players are to be told.

        What tells them takes the place of the reminders that would be due already for the new
        deadline, so nobody is reminded twice; all others come in their time.
        """
        hours, opened = self.league.reminder_hours, min(game.opened or now, now)
        past = reminders_due(now, deadline, opened, hours) if deadline is not None else []
        reminded, sequence = past[-1] if past else None, game.sequence + 1
        moved = {"deadline": deadline, "opened": opened}
        told = {"reminded": reminded, "sequence": sequence}
        stored_games.change_game(self.store, game.id, **moved, **told)
        return self.store.get(Game, game.id)

    def pause(self, games: Iterable[Game], now: datetime, because: str = "") -> None:
        """Stop the clocks of games, and save the time that is left in each."""
        moved = list[Game]()
        for game in games:
            rest = max(self.left(game, now), timedelta(0))
            paused = int(rest.total_seconds())
            stored_games.change_game(self.store, game.id, paused=paused)
            moved.append(self._set(game, None, now))
        self._tell_of_all(moved, now, "paused", because)

    def resume(self, games: Iterable[Game], now: datetime, because: str = "") -> None:
        """Start the clocks of games again with the time that was left, at least an hour."""
        moved = list[Game]()
        for game in games:
            # A pause in the last minutes must leave time to write.
            rest = max(timedelta(seconds=game.paused or 0), timedelta(hours=1))
            stored_games.change_game(self.store, game.id, paused=None)
            # A game that awaits a ruling has no deadline before it goes on.
            session = Session(self.store, self.store.get(Game, game.id))
            deadline = None if session.question else self.after(game, rest, now)
            if deadline and game.is_live:
                deadline = live_battles.deadline(session, now)
            moved.append(self._set(game, deadline, now))
        self._tell_of_all(moved, now, "resumed", because)

    def away(self, player: Player, absence: Absence, now: datetime) -> list[Game]:
        """Save days away, and return the games whose deadlines move because of them."""
        # Measured before the absence counts: the player keeps the time that was left without it.
        left = [(one, self.left(one.game, now)) for one in self._awaiting(player)]
        absences.add(self.store, player.id, absence.first, absence.last)
        later = [(one, self.after(one.game, rest, now)) for one, rest in left]
        return [self._shift(one, t, now, "away") for one, t in later if t > one.deadline]

    def back(self, player: Player, leave: Leave, absence: Absence, now: datetime) -> list[Game]:
        """End an absence, and return the games whose deadlines are nearer now.

        Each game keeps the time that was left, at least a whole turn; no deadline gets later by it.
        If a game waits for the player, at least one day is used up (yesterday, if no other).
        Otherwise days that are entered and taken back again and again would move the deadline for
        ever.
        """
        left = [(one, self.left(one.game, now)) for one in self._awaiting(player)]
        today = now.astimezone(absence.zone).date()
        if absence.first < today or left:
            last = today - timedelta(days=1)
            absences.change(self.store, leave, min(absence.first, last), last)
        else:
            absences.remove(self.store, leave)
        least = self.league.allowed
        fair = [
            (one, _at_least(self.after(one.game, max(rest, least), now), one.game.extended))
            for one, rest in left
        ]
        return [self._shift(one, t, now, "back") for one, t in fair if t < one.deadline]

    def left(self, game: Game, now: datetime) -> timedelta:
        """Return the time until a deadline, without days on which somebody awaited is away."""
        return left(now, game.deadline or now, self._calendar(game))

    def after(self, game: Game, rest: timedelta, now: datetime) -> datetime:
        """Return the deadline that leaves this much time from now to those who are awaited."""
        return due(now, rest, self._calendar(game))

    def _awaits(self, place: Place) -> bool:
        """Return whether the clock waits for a place.

        Where all act together it waits also for those who have ordered, because otherwise it would
        show who has (decision 0016).
        """
        if not (place.asked and place.answered):
            return place.asked
        return Session(self.store, self.store.get(Game, place.game_id)).simultaneous

    def _calendar(self, game: Game) -> Calendar:
        return self.calendar(stored_games.places_in(self.store, game.id))

    def _awaiting(self, player: Player) -> list[_Awaiting]:
        """Return the games whose deadline waits for a player."""
        awaiting: dict[int, Place] = {}
        for place in stored_games.places_of(self.store, player.id):
            if self._awaits(place):
                awaiting.setdefault(place.game_id, place)
        found = [(self.store.get(Game, number), place.seat) for number, place in awaiting.items()]
        return [_Awaiting(g, g.deadline, seat) for g, seat in found if g.deadline is not None]

    def _shift(self, one: _Awaiting, deadline: datetime, now: datetime, why: str) -> Game:
        """Move a deadline for a player, who is named only by the seat."""
        return self.move(one.game, deadline, now, why, who=one.seat)

    def _tell(self, game: Game, places: list[Place], now: datetime, why: str, **facts: Any) -> None:
        """Send the player of some places their game's new deadline, and correct the calendar."""
        asked = [place for place in places if place.asked and not place.answered]
        own = [place for place in places if place.seat == facts.get("who")]
        # What a reply orders is for this place.
        place = (asked or own or places)[0]
        player = self.store.get(Player, place.player_id)
        self.reports.outbox.write(
            player,
            "moved",
            now,
            ident=(game.id, game.sequence, place.seat),
            thread=thread_of(place),
            due=self.reports.due(game, places, player, now),
            **self.reports.about(game, rules_of(game.system), place),
            why=why,
            own=bool(own),
            asked=[place.seat for place in asked],
            deadline=self.reports.moment(game.deadline, player),
            **facts,
        )
        self._note_invited(game, places)

    def _note_invited(self, game: Game, places: Iterable[Place]) -> None:
        for place in places:
            # Whose calendar has an entry must get a cancellation once nothing is asked any more.
            invited = place.asked and game.deadline is not None
            stored_games.change_place(self.store, place.id, invited=invited)

    def _tell_of_all(self, games: Iterable[Game], now: datetime, why: str, because: str) -> None:
        """Tell each player of the clocks of all their games: in one letter, however many."""
        told = dict[int, list[tuple[Game, list[Place]]]]()
        for game in games:
            for number, places in by_player(stored_games.places_in(self.store, game.id)).items():
                told.setdefault(number, []).append((game, places))
        for number, own in told.items():
            if len(own) == 1:
                self._tell(*own[0], now, why, because=because)
            else:
                self._tell_of_several(self.store.get(Player, number), own, now, why, because)

    def _tell_of_several(
        self,
        player: Player,
        own: Sequence[tuple[Game, list[Place]]],
        now: datetime,
        why: str,
        because: str,
    ) -> None:
        """Tell a player of the clocks of several games in one letter."""
        rows = [
            {
                "number": game.id,
                "title": rules_of(game.system).title,
                "seats": [place.seat for place in places],
                "deadline": self.reports.moment(game.deadline, player),
                "asked": [place.seat for place in places if place.asked and not place.answered],
            }
            for game, places in own
        ]
        self.reports.outbox.write(
            player,
            "clocks",
            now,
            ident=tuple(f"{game.id}-{game.sequence}" for game, _ in own),
            due=[
                due for game, places in own for due in self.reports.due(game, places, player, now)
            ],
            games=rows,
            why=why,
            because=because,
        )
        for game, places in own:
            self._note_invited(game, places)


def _at_least(deadline: datetime, extended: datetime | None) -> datetime:
    """Return a deadline, or the one that the moderator has set if that is later."""
    return deadline if extended is None else max(deadline, extended)
