"""Who is away, and on which days."""

from collections.abc import Iterable
from datetime import date

from pbem.i18n import zones
from pbem.settings.calendar import Absence, Calendar
from pbem.settings.sections import LeagueSettings
from pbem.storage import Game, Leave, Place, Player, Store


def add(store: Store, player: int, first: date, last: date) -> None:
    """Add days on which a player is away."""
    store.run(Leave.insert(player=player, first=first.isoformat(), last=last.isoformat()))


def change(store: Store, leave: Leave, first: date, last: date) -> None:
    """Change the days of an absence."""
    days = Leave.update(first=first.isoformat(), last=last.isoformat())
    store.run(days.where(Leave.id == leave.id))


def remove(store: Store, leave: Leave) -> None:
    """Take back an absence."""
    store.run(Leave.delete().where(Leave.id == leave.id))


def absence(league: LeagueSettings, player: Player, leave: Leave) -> Absence:
    """Return a leave as days in its player's own zone."""
    first, last = date.fromisoformat(leave.first), date.fromisoformat(leave.last)
    return Absence(first, last, zones.zone(player.zone, league.zone))


def of(store: Store, league: LeagueSettings, player: Player) -> list[tuple[Leave, Absence]]:
    """Return a player's days away, past and future, in order."""
    found = store.of_player(Leave, player.id)
    return sorted(
        ((leave, absence(league, player, leave)) for leave in found), key=lambda one: one[1].first
    )


def calendar(store: Store, league: LeagueSettings, players: Iterable[int]) -> Calendar:
    """Return the days on which no deadline of these players falls."""
    return calendar_of(league, of_players(store, players))


def calendar_of(league: LeagueSettings, leaves: Iterable[Leave]) -> Calendar:
    """Return the days on which no deadline falls for players with these days away."""
    days = [absence(league, leave.player, leave) for leave in leaves]
    return league.calendar_with(sorted(days, key=lambda one: one.first))


def of_players(store: Store, players: Iterable[int]) -> list[Leave]:
    """Return the days away of some players, each with its player."""
    query = Leave.select(Leave, Player).join(Player).where(Leave.player.in_(list(set(players))))
    return store.all(query.order_by(Leave.id))


def delaying(league: LeagueSettings, game: Game, place: Place, leaves: Iterable[Leave]) -> bool:
    """Return whether a place's player is away before a game's deadline, and so delays it.

    `leaves` are the days away of all who play, each with its player.
    """
    if game.deadline is None or game.opened is None or not place.asked:
        return False
    own = (one for one in leaves if one.player_id == place.player_id)
    days = (absence(league, leave.player, leave) for leave in own)
    # An absence that was over when the turn opened has not moved its deadline.
    return any(one.start < game.deadline and game.opened < one.end for one in days)
