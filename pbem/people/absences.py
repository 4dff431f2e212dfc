"""Who is away, and on which days."""

from collections.abc import Iterable
from datetime import date

from pbem.deadlines import Absence, Calendar
from pbem.i18n import zones
from pbem.settings.sections import LeagueSettings
from pbem.storage import Game, Leave, Place, Player, Store


def absence(league: LeagueSettings, player: Player, leave: Leave) -> Absence:
    """Return a leave as days in its player's own zone."""
    first, last = date.fromisoformat(leave.first), date.fromisoformat(leave.last)
    return Absence(first, last, zones.zone(player.zone, league.zone))


def of(store: Store, league: LeagueSettings, player: Player) -> list[tuple[Leave, Absence]]:
    """Return a player's days away, past and future, in order."""
    found = store.all(Leave.select().where(Leave.player == player.id).order_by(Leave.id))
    return sorted(
        ((leave, absence(league, player, leave)) for leave in found), key=lambda one: one[1].first
    )


def calendar(store: Store, league: LeagueSettings, players: Iterable[int]) -> Calendar:
    """Return the days on which no deadline of these players falls."""
    absences = [
        days for one in set(players) for _, days in of(store, league, store.get(Player, one))
    ]
    return league.calendar_with(absences)


def delaying(store: Store, league: LeagueSettings, game: Game, place: Place) -> bool:
    """Return whether a place's player is away before a game's deadline, and so delays it."""
    if game.deadline is None or game.opened is None or not place.asked:
        return False
    days = of(store, league, store.get(Player, place.player_id))
    # An absence that was over when the turn opened has not moved its deadline.
    return any(one.start < game.deadline and game.opened < one.end for _, one in days)
