"""Nominations for medals, and who supports them: the tables `nomination` and `endorsement`."""

from datetime import datetime

from pbem.storage import Endorsement, Nomination, Store


def make(
    store: Store, game: int, persona: int, player: int, citation: str, now: datetime
) -> Nomination:
    """Add a nomination of a persona for what it did in a game, and return it."""
    return store.create(
        Nomination, game=game, persona=persona, player=player, citation=citation, made=now
    )


def endorse(store: Store, nomination: int, player: int, now: datetime) -> Endorsement:
    """Add a player's support for a nomination, and return it."""
    return store.create(Endorsement, nomination=nomination, player=player, made=now)


def give(store: Store, nomination: int, now: datetime) -> None:
    """Note that the medal was given."""
    given = Nomination.update(state="given", given=now)
    store.run(given.where(Nomination.id == nomination))
