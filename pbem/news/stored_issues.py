"""Newsletters, and players' texts for them: who alone writes these tables."""

from collections.abc import Collection
from datetime import datetime

from pbem.storage import Editorial, Issue, Store


def add(store: Store, since: datetime, until: datetime) -> Issue:
    """Add an issue of what happened in a time, without its pages, which show its number."""
    return store.create(Issue, since=since, until=until, due=until)


def change(store: Store, number: int, **values: object) -> None:
    """Change an issue."""
    store.run(Issue.update(**values).where(Issue.id == number))


def bring_back(store: Store, now: datetime) -> None:
    """Send now what is due later: a wrong clock has set that."""
    store.run(Issue.update(due=now).where(Issue.done == False, Issue.due > now))


def under_way(store: Store) -> Issue | None:
    """Return the oldest issue that has not gone out to all its readers, or None."""
    return store.first(Issue.select().where(Issue.done == False).order_by(Issue.id))


def latest(store: Store, most: int = 1) -> list[Issue]:
    """Return the latest issues, the latest first."""
    return store.all(Issue.select().order_by(Issue.id.desc()).limit(most))


def add_editorial(store: Store, **values: object) -> Editorial:
    """Add a player's text, which waits for the moderator."""
    return store.create(Editorial, **values)


def change_editorials(store: Store, numbers: Collection[int], state: str) -> None:
    """Change the state of some texts."""
    store.run(Editorial.update(state=state).where(Editorial.id.in_(numbers)))


def editorials(store: Store, **which: object) -> list[Editorial]:
    """Return the texts with some values, in the words of peewee's `filter`, oldest first."""
    return store.all(Editorial.select().filter(**which).order_by(Editorial.id))
