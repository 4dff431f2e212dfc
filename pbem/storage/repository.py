"""One table seen from outside: frozen records out, plain values in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from peewee import BooleanField, Model

from pbem.storage.models import UtcField, database, from_utc, to_utc

R = TypeVar("R", bound=NamedTuple)
_ALL = 2**62
"""A limit that no table reaches."""


class Repository(Generic[R]):
    """The rows of one table; keywords are peewee's (`name=`, `due__lte=`).

    peewee takes longer to write a statement than the database takes to run it. So each statement is
    written once for a set of keywords, and kept.
    """

    def __init__(self, model: type[Model], row: type[R]) -> None:
        self.model = model
        self._row = row
        self._columns = [self._column(name) for name in row._fields]
        self._times = self._where(UtcField)
        self._bools = self._where(BooleanField)
        self._defaults = {
            name: field.default
            for name, field in model._meta.fields.items()
            if field.default is not None
        }
        self._written: dict[str, dict[tuple[object, ...], str]] = {}
        database.attach_callback(self._face)

    def _face(self, found: Any) -> None:
        """Look up the statements that were written for this kind of database."""
        self._send = found.execute_sql
        self._mark = str(found.param)
        self._kept = self._written.setdefault(self._mark, {})

    def _column(self, name: str) -> Any:
        return getattr(self.model, name)

    def run(self, statement: str, values: Iterable[Any] = ()) -> Any:
        """Run a statement with its values and return the cursor."""
        # The kept statements bypass peewee, so its conversion of times is done here.
        plain = [from_utc(value) if type(value) is datetime else value for value in values]
        return self._send(statement, plain)

    def _where(self, kind: type[Any]) -> list[int]:
        """Return the positions of the columns of a kind."""
        return [n for n, column in enumerate(self._columns) if isinstance(column, kind)]

    def _rows(self, query: Any) -> list[R]:
        return [self._row(*values) for values in query.tuples()]

    def _made(self, values: Sequence[Any]) -> R:
        """Return a record made of a database's values."""
        turned = list(values)
        for n in self._times:
            turned[n] = to_utc(turned[n])
        for n in self._bools:
            turned[n] = bool(turned[n])
        return self._row._make(turned)

    def query(self, **equal: Any) -> Any:
        """Return a query for rows by plain comparisons, oldest first."""
        found = self._selected().order_by(self.model._meta.primary_key)
        return found.filter(**equal) if equal else found

    def _selected(self) -> Any:
        return self.model.select(*self._columns)

    def _select(self, limit: int, equal: Mapping[str, Any]) -> list[R]:
        """Run the query for these keywords, with a statement that peewee wrote once."""
        names = sorted(equal)
        values = [equal[name] for name in names if equal[name] is not None]
        # IS NULL takes no value, so it needs a statement of its own.
        absent = [name for name in names if equal[name] is None] if len(values) < len(names) else ()
        key = ("select", *names, None, *absent)
        statement = self._kept.get(key)
        if statement is None:
            statement, _ = self.query(**equal).limit(limit).sql()
            self._kept[key] = statement
        try:
            return [self._made(row) for row in self.run(statement, [*values, limit]).fetchall()]
        except OverflowError:  # no row has a number of more than 64 bits
            return []

    def all(self, **equal: Any) -> list[R]:
        """Return all rows that fit, oldest first."""
        return self._select(_ALL, equal)

    def some(self, limit: int, **equal: Any) -> list[R]:
        """Return at most `limit` rows that fit, oldest first."""
        return self._select(limit, equal)

    def each(self) -> Iterator[R]:
        """Return all rows, oldest first, without holding them all in memory."""
        return (self._row(*values) for values in self.query().tuples().iterator())

    def latest(self, limit: int) -> list[R]:
        """Return at most `limit` rows, newest first."""
        key: Any = self.model._meta.primary_key
        return self._rows(self.query().order_by(key.desc()).limit(limit))

    def find(self, **equal: Any) -> R | None:
        """Return the oldest row that fits, or None."""
        return next(iter(self.some(1, **equal)), None)

    def get(self, key: Any) -> R:
        """Return the row of a primary key. Raise KeyError if there is none."""
        found = self.find(**{self._key: key})
        if found is None:
            raise KeyError(f"{self.model.__name__} {key}")
        return found

    def add(self, **values: Any) -> R:
        """Insert a row and return it."""
        made = self.insert(f'RETURNING "{self._key}"', **values).fetchone()
        return self.get(made[0])

    def insert(self, ending: str = "", **values: Any) -> Any:
        """Insert a row that nobody needs to see; `ending` is SQL for what to do on a conflict.

        Return the cursor, which holds what an ending with RETURNING asks for.
        """
        values = self._defaults | values
        key = ("insert", ending, *values)
        if key not in self._kept:
            names, marks = ", ".join(map(self._name, values)), ", ".join([self._mark] * len(values))
            self._kept[key] = f"INSERT INTO {self._table} ({names}) VALUES ({marks}) {ending}"
        return self.run(self._kept[key], values.values())

    def change(self, key: Any, **values: Any) -> None:
        """Change some values of the row of a primary key."""
        self.change_all({self._key: key}, **values)

    def change_each(self, keys: Sequence[Any], **values: Any) -> None:
        """Change some values of the rows of some primary keys, a few hundred at most."""
        if keys:
            changes = ", ".join(f"{self._name(name)} = {self._mark}" for name in values)
            fit = f"{self._name(self._key)} IN ({', '.join([self._mark] * len(keys))})"
            self.run(f"UPDATE {self._table} SET {changes} WHERE {fit}", [*values.values(), *keys])

    def change_all(self, equal: Mapping[str, Any], **values: Any) -> None:
        """Change some values of all rows with these values."""
        shape = ("change", *values, "where", *equal)
        if shape not in self._kept:
            changes = ", ".join(f"{self._name(name)} = {self._mark}" for name in values)
            fit = " AND ".join(f"{self._name(name)} = {self._mark}" for name in equal)
            self._kept[shape] = f"UPDATE {self._table} SET {changes} WHERE {fit}"
        self.run(self._kept[shape], [*values.values(), *equal.values()])

    def remove(self, **equal: Any) -> int:
        """Delete the rows that fit plain comparisons and return how many."""
        fit = " AND ".join(f"{self._name(name)} = {self._mark}" for name in equal)
        return int(self.run(f"DELETE FROM {self._table} WHERE {fit}", equal.values()).rowcount)

    def count(self, **equal: Any) -> int:
        """Count the rows that fit."""
        every = self.model.select()
        return int((every.filter(**equal) if equal else every).count())

    def highest(self) -> int:
        """Return the highest number of a row, 0 if there is none."""
        found = self.run(f"SELECT coalesce(max({self._name(self._key)}), 0) FROM {self._table}")
        return int(found.fetchone()[0])

    @property
    def _key(self) -> str:
        key: Any = self.model._meta.primary_key
        return str(key.name)

    @property
    def _table(self) -> str:
        return f'"{self.model._meta.table_name}"'

    def _name(self, name: str) -> str:
        return f'"{self.model._meta.combined[name].column_name}"'


class Papers(Repository[R]):
    """A repository whose rows each have a `content`, which is kept in a table of its own.

    The content is stored together with its row and may be dropped later; nothing else changes it.
    """

    def __init__(self, model: type[Model], row: type[R], text: Any) -> None:
        self._text = text
        super().__init__(model, row)

    def _column(self, name: str) -> Any:
        return self._text.content if name == "content" else super()._column(name)

    def _selected(self) -> Any:
        return super()._selected().join(self._text)

    def file(self, content: bytes, **values: Any) -> bool:
        """Insert a row with its content, unless one has its keys. Return whether it is new."""
        made = self.insert(f'ON CONFLICT DO NOTHING RETURNING "{self._key}"', **values).fetchone()
        if made is not None:
            texts = f'"{self._text._meta.table_name}" ("of_id", "content")'
            given = (made[0], content)
            self.run(f"INSERT INTO {texts} VALUES ({self._mark}, {self._mark})", given)
        return made is not None

    def cut(self, key: Any, content: bytes) -> None:
        """Replace the content of a row by this shorter one."""
        self._text.update(content=content).where(self._text.of == key).execute()

    def drop(self, keys: Any) -> None:
        """Drop the content of some rows; `keys` is a list or a query."""
        self._text.update(content=b"").where(self._text.of.in_(keys)).execute()
