"""Nominations for medals, and who supports them: the tables `nomination` and `endorsement`."""

from datetime import datetime

from pbem.storage import Endorsement, Nomination, Store


def of(store: Store, game: int, persona: int) -> Nomination | None:
    """Return the nomination of a persona for what it did in a game, or None."""
    return store.first(
        Nomination.select().where(Nomination.game == game, Nomination.persona == persona)
    )


def still_open(store: Store) -> list[Nomination]:
    """Return the nominations that wait for support, oldest first."""
    return store.all(Nomination.select().where(Nomination.state == "open").order_by(Nomination.id))


def made_since(store: Store, since: datetime) -> list[Nomination]:
    """Return the nominations made since a time, oldest first."""
    return store.all(Nomination.select().where(Nomination.made >= since).order_by(Nomination.id))


def given_within(store: Store, since: datetime, until: datetime) -> list[Nomination]:
    """Return those whose medals were given after a time and up to another, oldest first."""
    within = Nomination.state == "given", Nomination.given > since, Nomination.given <= until
    return store.all(Nomination.select().where(*within).order_by(Nomination.id))


def endorsements(store: Store, nomination: int) -> list[Endorsement]:
    """Return the words of support for a nomination, oldest first."""
    these = Endorsement.nomination == nomination
    return store.all(Endorsement.select().where(these).order_by(Endorsement.id))


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
