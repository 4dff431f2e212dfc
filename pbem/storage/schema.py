"""How a table is described: one record type with annotations, from which all else is derived.

    @table(unique=[("player_id", "other_id")])
    class Block(NamedTuple):
        id: int
        player_id: Annotated[int, References(Player)]
        other_id: Annotated[int, References(Player)]

Each field is a column. One that may be None may be NULL, and a default is what `insert` takes where
no value is passed. The key is `id`, which the database counts up, or the field marked as KEY.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

KEY, UNIQUE, INDEX = "key", "unique", "index"
COMPRESSED, ESCAPED = "compressed", "escaped"
"""Marks of a column, written as Annotated[str, UNIQUE].

What an ESCAPED text holds that no database takes is stored as escapes, so that any can be stored.
"""

R = TypeVar("R", bound=NamedTuple)


@dataclass(frozen=True, slots=True)
class References:
    """Marks a column that holds the key of another table's row, and what happens without it."""

    record: type[Any]
    on_delete: str = "CASCADE"


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `kind` is the type of its values in a record, if they are not None."""

    name: str
    kind: type[Any]
    null: bool
    default: Any
    marks: tuple[object, ...]

    @property
    def reference(self) -> References | None:
        """Return which table it refers to."""
        return next((one for one in self.marks if isinstance(one, References)), None)

    @property
    def short(self) -> str:
        """Return its name in peewee and in keywords: `game` for the column `game_id`."""
        return self.name.removesuffix("_id") if self.reference else self.name


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table, as its record describes it."""

    record: type[Any]
    name: str
    columns: tuple[Column, ...]
    unique: tuple[tuple[str, ...], ...]
    indexes: tuple[tuple[str, ...], ...]
    key: str = field(init=False)
    names: str = field(init=False)
    """All columns as SQL."""
    at: int = field(init=False)
    """Where the key stands among them."""
    bools: tuple[int, ...] = field(init=False)
    """Where columns of truths stand."""
    by_name: dict[str, Column] = field(init=False)
    """The columns; one that refers to a game is found as `game_id` and as `game`."""

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        by_name = {name: one for one in self.columns for name in (one.short, one.name)}
        set_(self, "by_name", by_name)
        keys = [n for n, one in enumerate(self.columns) if KEY in one.marks or one.name == "id"]
        set_(self, "at", keys[0])
        set_(self, "key", self.columns[keys[0]].name)
        kinds = [one.kind for one in self.columns]
        set_(self, "bools", tuple(n for n, kind in enumerate(kinds) if kind is bool))
        set_(self, "names", ", ".join(f'"{one.name}"' for one in self.columns))


TABLES: dict[type[Any], Table] = {}
"""All tables by their records; each comes after those that it refers to."""


def table(
    unique: Sequence[tuple[str, ...]] = (), indexes: Sequence[tuple[str, ...]] = ()
) -> Callable[[type[R]], type[R]]:
    """Return a decorator that makes a record the description of a table.

    `unique` and `indexes` are those over several columns.
    """

    def described(record: type[R]) -> type[R]:
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", record.__name__).lower()
        columns = tuple(_columns(record))
        TABLES[record] = Table(record, name, columns, tuple(unique), tuple(indexes))
        return record

    return described


def _columns(record: type[Any]) -> Iterator[Column]:
    for name, hint in get_type_hints(record, include_extras=True).items():
        marks = getattr(hint, "__metadata__", ())
        plain = get_args(hint)[0] if marks else hint
        kinds = get_args(plain) if get_origin(plain) else (plain,)
        [kind] = [one for one in kinds if one is not NoneType]
        default = record._field_defaults.get(name)
        yield Column(name, kind, NoneType in kinds, default, marks)
