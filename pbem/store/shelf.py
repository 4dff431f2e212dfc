"""One table seen from outside: frozen rows out, plain values in."""

from dataclasses import fields
from typing import Any, Generic, TypeVar

from peewee import Model

R = TypeVar("R")


class Shelf(Generic[R]):
    """The rows of one table; keywords are peewee's (`name=`, `due__lte=`)."""

    def __init__(self, model: type[Model], row: type[R]) -> None:
        self.model = model
        self._row = row
        names = [field.name for field in fields(row)]  # type: ignore[arg-type]
        self._columns = [getattr(model, name) for name in names]

    def _rows(self, query: Any) -> list[R]:
        return [self._row(*values) for values in query.tuples()]

    def query(self, **equal: Any) -> Any:
        """Select rows by plain comparisons, oldest first."""
        found = self.model.select(*self._columns).order_by(self.model._meta.primary_key)
        return found.filter(**equal) if equal else found

    def all(self, **equal: Any) -> list[R]:
        """Give all rows that fit, oldest first."""
        return self._rows(self.query(**equal))

    def some(self, limit: int, **equal: Any) -> list[R]:
        """Give at most `limit` rows that fit, oldest first."""
        return self._rows(self.query(**equal).limit(limit))

    def find(self, **equal: Any) -> R | None:
        """Give the oldest row that fits, or None."""
        return next(iter(self.some(1, **equal)), None)

    def get(self, key: Any) -> R:
        """Give the row of a primary key; raises KeyError."""
        column = self.model._meta.primary_key
        rows = self._rows(self.model.select(*self._columns).where(column == key))
        if not rows:
            raise KeyError(f"{self.model.__name__} {key}")
        return rows[0]

    def add(self, **values: Any) -> R:
        """Insert a row and give it."""
        made = self.model.create(**values)
        return self.get(made.get_id())

    def insert(self, **values: Any) -> None:
        """Insert a row that nobody needs to see."""
        self.model.insert(**values).execute()

    def change(self, key: Any, **values: Any) -> None:
        """Change some values of the row of a primary key."""
        self.model.update(**values).where(self.model._meta.primary_key == key).execute()

    def count(self, **equal: Any) -> int:
        """Count the rows that fit."""
        return int(self.query(**equal).count())
