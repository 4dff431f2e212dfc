"""One table seen from outside: frozen records out, plain values in."""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Generic

from pbem.storage.connection import Connection
from pbem.storage.schema import COMPRESSED, ESCAPED, TABLES, Column, R, Table

_OPERATORS = {"": "=", "ne": "<>", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}
_NULL = {"": "IS NULL", "ne": "IS NOT NULL"}
PORTION = 100
"""How many rows are read at a time where all are gone through: a letter may have a megabyte."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def from_utc(when: datetime) -> int:
    """Return an aware time as microseconds since 1970."""
    return (when - _EPOCH) // _MICROSECOND


def to_utc(microseconds: int) -> datetime:
    """Return the aware time that is so many microseconds after 1970."""
    return _EPOCH + timedelta(0, 0, microseconds)


def compressed(value: bytes) -> bytes:
    """Return bytes as the database keeps them; none stay none, so that SQL can ask for that."""
    # Level 1 takes three fifths of the time, but an eighth more of the disk.
    return zlib.compress(value, 6) if value else b""


def decompressed(value: bytes) -> bytes:
    """Return bytes as they were; those that somebody has spoiled come back as they are."""
    try:
        return zlib.decompress(value) if value else b""
    except zlib.error:
        return value


_Codec = Callable[[Any], Any]
# Lone surrogates are no UTF-8, and PostgreSQL refuses NUL.
_ESCAPE: _Codec = partial(re.compile("[\0\ud800-\udfff]").sub, lambda sign: ascii(sign[0])[1:-1])
_ENCODERS: dict[type[Any], _Codec] = {datetime: from_utc}
_DECODERS: dict[type[Any], _Codec] = {datetime: to_utc, bool: bool}


def encoder(column: Column) -> _Codec | None:
    """Return what makes the database's value of a record's; None where the two are the same."""
    if ESCAPED in column.marks:
        return _ESCAPE
    return compressed if COMPRESSED in column.marks else _ENCODERS.get(column.kind)


def _decoder(column: Column) -> _Codec | None:
    return decompressed if COMPRESSED in column.marks else _DECODERS.get(column.kind)


class Repository(Generic[R]):
    """The rows of one table, which a record describes; only here rows are written.

    Keywords say which rows are meant: `name="Ann"`, `due__lte=now`, `state__in=[...]`, or
    `game__running=True` for rows that refer to such a game. None stands for NULL.

    The few statements that this takes are written here, since peewee takes longer to write one than
    the database takes to run it (decision 0023).
    """

    def __init__(self, database: Connection, record: type[R], schema: str = "main") -> None:
        """Set up the table of a record; another `schema` is that of an attached database."""
        self.table = TABLES[record]
        self._database = database
        self._record = record
        name = self.table.name
        self._from = f'"{name}"' if schema == "main" else f'"{schema}"."{name}"'
        self._key = f'"{self.table.key}"'
        self._select = f"SELECT {self.table.names} FROM {self._from}"
        columns = self.table.by_name.items()
        self._names = {name: f'"{one.name}"' for name, one in columns}
        self._encoders = {name: made for name, one in columns if (made := encoder(one))}
        self._decoders = [
            (n, made) for n, one in enumerate(self.table.columns) if (made := _decoder(one))
        ]
        self._defaults = {
            one.name: one.default for one in self.table.columns if one.default is not None
        }
        self._equal = {name: f'"{one.name}" = {database.mark}' for name, one in columns}

    def all(self, **fits: Any) -> list[R]:
        """Return all rows that fit, oldest first."""
        where, values = self._where(fits)
        return self._rows(f"{where} ORDER BY {self._key}", values)

    def some(self, limit: int, **fits: Any) -> list[R]:
        """Return at most `limit` rows that fit, oldest first."""
        where, values = self._where(fits)
        return self._rows(f"{where} ORDER BY {self._key} LIMIT {limit}", values)

    def latest(self, limit: int, **fits: Any) -> list[R]:
        """Return at most `limit` rows that fit, newest first."""
        where, values = self._where(fits)
        return self._rows(f"{where} ORDER BY {self._key} DESC LIMIT {limit}", values)

    def each(self) -> Iterator[R]:
        """Yield all rows, oldest first, read in portions; one may be changed or removed then."""
        rows = self.some(PORTION)
        while rows:
            yield from rows
            rows = self.some(PORTION, **{f"{self.table.key}__gt": rows[-1][self.table.at]})

    def find(self, **fits: Any) -> R | None:
        """Return the oldest row that fits, or None."""
        where, values = self._where(fits)
        rows = self._rows(f"{where} ORDER BY {self._key} LIMIT 1", values)
        return rows[0] if rows else None

    def get(self, key: Any) -> R:
        """Return the row of a primary key. Raise KeyError if there is none."""
        found = self.find(**{self.table.key: key})
        if found is None:
            raise KeyError(f"{self._record.__name__} {key}")
        return found

    def values(self, *columns: str, limit: int | None = None, **fits: Any) -> list[Any]:
        """Return some columns of the rows that fit, oldest first, as the database has them."""
        names = ", ".join([self._names[name] for name in columns])
        where, values = self._where(fits)
        ending = "" if limit is None else f" LIMIT {limit}"
        statement = f"SELECT {names} FROM {self._from}{where} ORDER BY {self._key}{ending}"
        return list(self._database.run(statement, values).fetchall())

    def count(self, **fits: Any) -> int:
        """Count the rows that fit."""
        where, values = self._where(fits)
        found = self._database.run(f"SELECT count(*) FROM {self._from}{where}", values)
        return int(found.fetchone()[0])

    def highest(self, column: str = "id", **fits: Any) -> int:
        """Return the highest number in a column of the rows that fit, 0 if there is none."""
        return int(self._extreme("max", column, fits) or 0)

    def least(self, column: str, **fits: Any) -> Any:
        """Return the least value of a column among the rows that fit; None if there is none."""
        found, decode = self._extreme("min", column, fits), _decoder(self.table.by_name[column])
        return found if decode is None or found is None else decode(found)

    def _extreme(self, which: str, column: str, fits: Mapping[str, Any]) -> Any:
        where, values = self._where(fits)
        statement = f"SELECT {which}({self._names[column]}) FROM {self._from}{where}"
        return self._database.run(statement, values).fetchone()[0]

    def add(self, **values: Any) -> R:
        """Insert a row and return it."""
        return self.get(self._insert(values))

    def insert(self, **values: Any) -> None:
        """Insert a row that nobody needs to see."""
        self._insert(values)

    def insert_if_new(self, **values: Any) -> bool:
        """Insert a row, unless one has its keys. Return whether it is new."""
        return self._insert(values, "ON CONFLICT DO NOTHING") is not None

    def _insert(self, values: Mapping[str, Any], ending: str = "") -> Any:
        """Insert a row and return its key; None if there was a conflict."""
        whole = self._defaults | {self.table.by_name[name].name: values[name] for name in values}
        given = self._encoded(whole)
        names = ", ".join([self._names[name] for name in whole])
        # RETURNING is what both kinds of database know; only SQLite has the last row's number.
        statement = (
            f"INSERT INTO {self._from} ({names}) VALUES ({self._database.marks(given)})"
            f" {ending} RETURNING {self._key}"
        )
        with self._database.writing():
            made = self._database.run(statement, given).fetchone()
        return None if made is None else made[0]

    def change(self, key: Any, **values: Any) -> None:
        """Change some values of the row of a primary key."""
        self.change_all({self.table.key: key}, **values)

    def change_each(self, keys: Sequence[Any], **values: Any) -> None:
        """Change some values of the rows of some primary keys, a few hundred at most."""
        if keys:
            self.change_all({f"{self.table.key}__in": keys}, **values)

    def change_all(self, fits: Mapping[str, Any], **values: Any) -> int:
        """Change some values of all rows that fit, and return how many these are."""
        where, found = self._where(fits)
        changes = ", ".join([f"{self._names[name]} = {self._database.mark}" for name in values])
        given = self._encoded(values)
        with self._database.writing():
            statement = f"UPDATE {self._from} SET {changes}{where}"
            return int(self._database.run(statement, [*given, *found]).rowcount)

    def put(self, fits: Mapping[str, Any], **values: Any) -> None:
        """Change the row with some keys, or insert it."""
        with self._database.writing():
            if not self.change_all(fits, **values):
                self._insert({**fits, **values})

    def remove(self, **fits: Any) -> int:
        """Delete the rows that fit and return how many."""
        where, values = self._where(fits)
        with self._database.writing():
            return int(self._database.run(f"DELETE FROM {self._from}{where}", values).rowcount)

    def remove_each(self, keys: Sequence[Any]) -> None:
        """Delete the rows of some primary keys, a few hundred at most."""
        if keys:
            self.remove(**{f"{self.table.key}__in": keys})

    def _encoded(self, values: Mapping[str, Any]) -> list[Any]:
        """Return values as the database keeps them."""
        encoders = self._encoders
        return [
            encoders[name](value) if name in encoders and value is not None else value
            for name, value in values.items()
        ]

    def _where(self, fits: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """Return the SQL for some keywords, and its values."""
        tests, values = list[str](), list[Any]()
        for keyword, value in fits.items():
            # Nearly all are such, and need no search for an operator.
            if value is not None and keyword in self._equal:
                tests.append(self._equal[keyword])
                encode = self._encoders.get(keyword)
                values.append(encode(value) if encode else value)
            else:
                tests.append(self._test(self.table, keyword, value, values))
        return f" WHERE {' AND '.join(tests)}" if tests else "", values

    def _test(self, table: Table, keyword: str, value: Any, values: list[Any]) -> str:
        """Return the SQL for a keyword, and add its values to those of the statement."""
        name, _, rest = keyword.partition("__")
        column, operator = table.by_name[name], _OPERATORS.get(rest)
        if value is None:
            return f'"{column.name}" {_NULL[rest]}'
        encode = encoder(column)
        if rest == "in":
            values += map(encode, value) if encode else value
            return f'"{column.name}" IN ({self._database.marks(value)})'
        if rest == "ilike":
            operator = self._database.database.ilike
        if operator is not None:
            values.append(encode(value) if encode else value)
            return f'"{column.name}" {operator} {self._database.mark}'
        # What is left is a reference, such as `player__confirmed`: a test of the row it leads to.
        assert column.reference is not None, f"{keyword} is not a condition"
        other = TABLES[column.reference.record]
        test = self._test(other, rest, value, values)
        return f'"{column.name}" IN (SELECT "{other.key}" FROM "{other.name}" WHERE {test})'

    def _rows(self, ending: str, values: Sequence[Any]) -> list[R]:
        try:
            rows = self._database.run(f"{self._select}{ending}", values).fetchall()
        except OverflowError:  # no row has a number of more than 64 bits
            return []
        return list(self._records(rows))

    def _records(self, rows: Iterable[Sequence[Any]]) -> Iterator[R]:
        """Yield records made of a database's values."""
        for row in rows:
            values = list(row)
            for n, decode in self._decoders:
                if values[n] is not None:
                    values[n] = decode(values[n])
            yield self._record._make(values)
