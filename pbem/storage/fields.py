"""What all tables share: the base of their models, and fields that peewee does not have."""

import re
import zlib
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, overload

from peewee import BigIntegerField, BlobField, Field, Model, ModelDelete, TextField

V = TypeVar("V")

# The types of peewee's fields (types-peewee) have a parameter; its classes take none.
Field.__class_getitem__ = classmethod(lambda cls, _: cls)  # type: ignore[attr-defined]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Lone surrogates are no UTF-8, and PostgreSQL refuses NUL.
_escape = partial(re.compile("[\0\ud800-\udfff]").sub, lambda sign: ascii(sign[0])[1:-1])


class Row(Model):
    """The base of all models: a row of a table.

    No model is bound to a database, since one process may have several: a query is run by a store.
    Two rows are equal if all their values are.
    """

    class Meta:
        """Tables are named like `kept_words`."""

        legacy_table_names = False

    if TYPE_CHECKING:  # what types-peewee says of it, no class can be asked for

        @classmethod
        def delete(cls) -> ModelDelete: ...

    @classmethod
    def key_field(cls) -> Field[Any]:
        """Return the field that is the primary key."""
        found = cls._meta.primary_key
        assert isinstance(found, Field)
        return found

    def changed(self, **values: Any) -> Self:
        """Return a copy with other values. The database keeps its own."""
        return type(self)(**{**self.__data__, **values})

    __hash__ = Model.__hash__

    def __eq__(self, other: object) -> bool:
        """Return whether all values are the same."""
        return type(self) is type(other) and self.__data__ == vars(other)["__data__"]

    def __ne__(self, other: object) -> bool:
        """Return whether any value differs."""
        return not self == other


class UtcField(Field[V]):
    """An aware time, kept as microseconds since 1970."""

    @overload
    def __new__(
        cls, *args: Any, null: Literal[True], **kwargs: Any
    ) -> "UtcField[datetime | None]": ...
    @overload
    def __new__(
        cls, *args: Any, null: Literal[False] = ..., **kwargs: Any
    ) -> "UtcField[datetime]": ...
    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make a field; its type is that of its values."""
        return super().__new__(cls)

    field_type = BigIntegerField.field_type

    def db_value(self, value: datetime | int | None) -> int | None:
        """Return what the database keeps."""
        return (value - _EPOCH) // _MICROSECOND if isinstance(value, datetime) else value

    def python_value(self, value: int | None) -> datetime | None:
        """Return the aware time."""
        return None if value is None else _EPOCH + timedelta(0, 0, value)


class EscapedField(TextField):
    """A text that may hold what no database takes; that is kept as escapes."""

    def db_value(self, value: str | None) -> str | None:
        """Return what the database keeps."""
        return None if value is None else _escape(value)


class CompressedField(BlobField):
    """Bytes that are kept compressed; none stay none, so that a query can ask for that."""

    def db_value(self, value: bytes | None) -> object:
        """Return what the database keeps."""
        # Level 1 takes three fifths of the time, but an eighth more of the disk.
        return super().db_value(zlib.compress(value, 6) if value else value)

    def python_value(self, value: bytes | None) -> bytes | None:
        """Return the bytes as they were; those that somebody has spoiled come back as they are."""
        try:
            return zlib.decompress(value) if value else value
        except zlib.error:
            return value
