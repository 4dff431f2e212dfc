"""Moments at which the service did something: who alone writes their table."""

from datetime import date, datetime, timedelta

from peewee import SQL

from pbem.storage.models import Round
from pbem.storage.store import Store


def note(store: Store, at: datetime, **values: object) -> None:
    """Note a moment, and what was done then, so that it can be replayed."""
    store.run(Round.insert(at=at, **values))


def day_of_work(store: Store, back: int, now: datetime) -> date | None:
    """Return the day that lies so many days of work before the latest; None if there are fewer.

    A day of work is one on which a round was noted; days after `now` do not count.
    """
    day = Round.at / SQL("86400000000")
    days = Round.select(day).where(Round.at <= now).distinct().order_by(SQL("1").desc())
    found = store.scalar(days.offset(back))
    return None if found is None else date(1970, 1, 1) + timedelta(days=int(found))
