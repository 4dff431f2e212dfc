"""What every table is made of. Times are UTC in whole microseconds."""

from datetime import UTC, datetime, timedelta
from typing import Any

from peewee import BigIntegerField, DatabaseProxy, Model
from peewee import CharField as LimitedField

database = DatabaseProxy()
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def from_utc(when: datetime) -> int:
    """Return an aware time as microseconds since 1970."""
    return (when - _EPOCH) // _MICROSECOND


def to_utc(microseconds: int | None) -> datetime | None:
    """Return the aware time that is so many microseconds after 1970."""
    return None if microseconds is None else _EPOCH + timedelta(0, 0, microseconds)


class CharField(LimitedField):
    """A short text without a limit: no database cuts it off or refuses it."""

    def get_modifiers(self) -> None:
        """Return nothing: the column has no length."""


class UtcField(BigIntegerField):
    """An aware UTC time, stored as microseconds since 1970."""

    def db_value(self, value: Any) -> Any:
        """Turn an aware time into microseconds."""
        return from_utc(value) if isinstance(value, datetime) else value

    def python_value(self, value: Any) -> Any:
        """Turn microseconds into an aware time."""
        return to_utc(value)


class Base(Model):
    """A table of the league's database."""

    id: Any

    class Meta:
        database = database
        legacy_table_names = False
