"""Games, their places, and who watches them: who alone writes these tables.

`which` are values that rows must have, in the words of peewee's `filter`.
"""

from collections.abc import Collection
from datetime import datetime

from peewee import ModelSelect, fn

from pbem.storage.models import Game, Persona, Place, Watch
from pbem.storage.store import Store


def add_game(store: Store, **values: object) -> Game:
    """Add a game."""
    return store.create(Game, **values)


def change_game(store: Store, number: int, **values: object) -> None:
    """Change a game."""
    store.run(Game.update(**values).where(Game.id == number))


def add_place(store: Store, **values: object) -> None:
    """Add a place to a game."""
    store.run(Place.insert(**values))


def change_place(store: Store, number: int, **values: object) -> None:
    """Change a place."""
    store.run(Place.update(**values).where(Place.id == number))


def games(store: Store, **which: object) -> list[Game]:
    """Return the games with some values, oldest first."""
    return store.all(Game.select().filter(**which).order_by(Game.id))


def latest(store: Store, most: int, **which: object) -> list[Game]:
    """Return the latest games with some values, the latest first."""
    return store.all(Game.select().filter(**which).order_by(Game.id.desc()).limit(most))


def count(store: Store, **which: object) -> int:
    """Count the games with some values."""
    return store.count(Game.select().filter(**which))


def last_ended(store: Store, most: int) -> list[Game]:
    """Return the games that ended last, the last first; practice does not count."""
    ended = Game.select().where(
        Game.ended.is_null(False), Game.running == False, Game.practice == False
    )
    return store.all(ended.order_by(Game.ended.desc(), Game.id.desc()).limit(most))


def ended_between(store: Store, since: datetime, until: datetime) -> list[int]:
    """Return the numbers of the games that ended in a time, in that order; without practice."""
    ended = Game.select(Game.id).where(
        Game.running == False, Game.practice == False, Game.ended > since, Game.ended <= until
    )
    return [number for (number,) in store.tuples(ended.order_by(Game.ended, Game.id))]


def systems(store: Store, **which: object) -> set[str]:
    """Return the systems of the games with some values."""
    return {system for (system,) in store.tuples(Game.select(Game.system).filter(**which))}


def lengths(store: Store, system: str) -> list[tuple[int, int]]:
    """Return (steps, number) of a system's games that are over, the shortest first.

    Practice does not count, and nor do games without a step.
    """
    over = Game.select(Game.steps, Game.id).where(
        Game.running == False, Game.practice == False, Game.system == system, Game.steps > 0
    )
    return [(steps, number) for steps, number in store.tuples(over.order_by(Game.steps, Game.id))]


def of_players(
    store: Store, players: Collection[int], personas: "ModelSelect[Persona]"
) -> list[Game]:
    """Return the games of some players or personas, oldest first; practice does not count."""
    places = Place.select(Place.game).where(Place.player.in_(players) | Place.persona.in_(personas))
    return store.all(
        Game.select().where(Game.id.in_(places), Game.practice == False).order_by(Game.id)
    )


def due(store: Store, now: datetime) -> list[Game]:
    """Return the running games whose deadline has passed."""
    return games(store, running=True, deadline__lte=now)


def next_deadline(store: Store) -> datetime | None:
    """Return the next deadline of all games; None if there is none."""
    found: datetime | None = store.scalar(
        Game.select(fn.MIN(Game.deadline)).where(Game.running == True)
    )
    return found


def places(store: Store, **which: object) -> list[Place]:
    """Return the places with some values, or of games with some, in the order of their making."""
    return store.all(Place.select().filter(**which).order_by(Place.id))


def places_in(store: Store, game: int) -> list[Place]:
    """Return the places of a game, in the order in which they were taken."""
    return places(store, game=game)


def places_of(store: Store, player: int) -> list[Place]:
    """Return a player's places in running games."""
    return places(store, player=player, game__running=True)


def players(store: Store, **which: object) -> set[int]:
    """Return the numbers of the players whose places, or games, have some values."""
    return {number for (number,) in store.tuples(Place.select(Place.player).filter(**which))}


def fighting(store: Store, **which: object) -> set[int]:
    """Return the numbers of the personas that running games bind; practice does not count.

    A persona that has left its game is free. The places have some values, such as a `persona`.
    """
    which |= {"left": None, "game__running": True, "game__practice": False}
    return {number for (number,) in store.tuples(Place.select(Place.persona).filter(**which))}


def is_fighting(store: Store, persona: int) -> bool:
    """Return whether a running game that counts binds a persona, which has not left it."""
    return bool(fighting(store, persona=persona))


def watch(store: Store, game: int, player: int) -> None:
    """Let a player watch a game from now on."""
    if game not in watched_by(store, player):
        store.run(Watch.insert(game=game, player=player))


def unwatch(store: Store, game: int, player: int) -> bool:
    """Let a player watch a game no longer, and return whether they watched it."""
    return bool(store.run(Watch.delete().where(Watch.game == game, Watch.player == player)))


def watched_by(store: Store, player: int) -> list[int]:
    """Return the numbers of the games that a player watches, in the order of their WATCH."""
    return [row.game_id for row in store.of_player(Watch, player)]


def watchers(store: Store, game: int) -> list[int]:
    """Return the numbers of the players who watch a game, those first who came first."""
    rows = store.all(Watch.select().where(Watch.game == game).order_by(Watch.id))
    return [row.player_id for row in rows]
