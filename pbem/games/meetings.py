"""Which players met: how often they fight each other, and who has an interest in a battle's end."""

from collections.abc import Collection
from datetime import datetime
from itertools import product

from pbem.games.session import Session
from pbem.people import personas
from pbem.settings.sections import LeagueSettings
from pbem.storage import Game, Persona, Store, stored_games


def sides(store: Store, game: Game) -> list[set[int]]:
    """Return the players of each side of a game: the owners of its personas, and substitutes."""
    session, found = Session(store, game), dict[str, set[int]]()
    for seat, place in session.places.items():
        side = session.rules.side(session.state, seat)
        both = session.owners[place.persona_id], place.player_id
        found.setdefault(side, set()).update(both)
    return list(found.values())


def pilots(session: Session) -> dict[str, list[Persona]]:
    """Return the personas of each side of a game, by the sides' names."""
    places = session.places.items()
    rows = session.store.by_key(Persona, [place.persona_id for _, place in places])
    found = dict[str, list[Persona]]()
    for seat, place in places:
        side = session.rules.side(session.state, seat)
        found.setdefault(side, []).append(rows[place.persona_id])
    return found


def are_opponents(teams: Collection[set[int]], one: int, other: int) -> bool:
    """Return whether two players are on different sides."""
    return any(one in a and other in b for a, b in product(teams, teams) if a is not b)


def counted_today(
    store: Store,
    league: LeagueSettings,
    ones: Collection[int],
    others: Collection[int],
    now: datetime,
) -> int:
    """Return how many counting battles two of these players began against each other today.

    Of all pairs of one side and the other, the figure is that of the pair that met most often.
    """
    today = league.day(now)
    met = [
        sides(store, game)
        for game in _of(store, {*ones, *others})
        if not game.friendly and league.day(game.begun) == today
    ]
    pairs = product(ones, others)
    return max((sum(are_opponents(teams, *pair) for teams in met) for pair in pairs), default=0)


def met_since(store: Store, player: int, others: Collection[int], since: datetime) -> bool:
    """Return whether a player was in a battle with one of the others since a time, on any side."""
    for game in _of(store, {player}):
        lately = game.running or (game.ended or game.begun) >= since
        if lately and set().union(*sides(store, game)) & {*others}:
            return True
    return False


def met_on(
    store: Store, league: LeagueSettings, one: int, other: int, days: Collection[str]
) -> bool:
    """Return whether two players began or ended a battle against each other on one of the days."""
    for game in _of(store, {one}):
        on = {league.day(game.begun), league.day(game.ended or game.begun)}
        if on & {*days} and are_opponents(sides(store, game), one, other):
            return True
    return False


def _of(store: Store, players: Collection[int]) -> list[Game]:
    """Return the games of some players, but practice, oldest first."""
    # A player's persona may be played by somebody else, and the player may play another's.
    return stored_games.of_players(store, players, personas.owned_by(players))
