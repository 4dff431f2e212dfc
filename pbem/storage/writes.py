"""Statements that write: which table each writes to, and how the database names the rows."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from peewee import BlobField, BooleanField, ForeignKeyField

from pbem.storage import models

_WRITE = re.compile(
    r"(?P<verb>INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)"
    r' (?:main\.)?"?(?P<name>\w+)"?(?P<rest>.*)',
    re.S,
)
_CHANGE = re.compile(r" SET (?P<set>(?:(?!SELECT).)*?)(?P<where> WHERE .*|)", re.S)
_UPSERT = re.compile(
    r" \((?P<names>[^()]+)\) VALUES \([^()]*\) ON CONFLICT \((?P<keys>[^()]+)\) DO UPDATE .*", re.S
)
_BY_KEY = r' WHERE "{0}" (?:= {mark}|IN \({mark}(?:, {mark})*\))'
SEAL = """(SELECT "digest" FROM "seal" WHERE "row" = '{0.name} ' || "{0.name}"."{0.key}")"""


@dataclass(frozen=True, slots=True)
class Table:
    """What a table's rows are read and sealed by.

    `columns` begin with the key; `blobs` and `bools` are the positions of bytes and of booleans.
    """

    name: str
    key: str
    columns: str
    blobs: tuple[int, ...]
    bools: tuple[int, ...]
    owned: tuple[tuple[str, str, bool], ...]
    """The tables that refer to it, by which column, and whether their rows are removed with it."""

    def named(self, key: object) -> str:
        """Return the name of the seal of a row."""
        return f"{self.name} {key}"


def _table(model: Any) -> Table:
    key = model._meta.primary_key.column_name
    fields = [model._meta.primary_key, *model._meta.sorted_fields]
    return Table(
        model._meta.table_name,
        key,
        ", ".join(f'"{field.column_name}"' for field in fields),
        tuple(n for n, field in enumerate(fields) if isinstance(field, BlobField)),
        tuple(n for n, field in enumerate(fields) if isinstance(field, BooleanField)),
        tuple(
            (other._meta.table_name, field.column_name, field.on_delete == "CASCADE")
            for other in models.TABLES
            for field in other._meta.sorted_fields
            if isinstance(field, ForeignKeyField) and field.rel_model is model
        ),
    )


TABLES: Mapping[str, Table] = {made.name: made for made in map(_table, models.TABLES)}


@dataclass(frozen=True, slots=True)
class Plan:
    """How to run a statement: what it writes to, and how to find the rows that it writes.

    `before` reads those that are there already, each with its seal. It takes the values of the
    statement at the positions `picks`, or else all after the first `skip`. A statement that `adds`
    can only write rows that were not there.
    """

    table: Table
    statement: str
    removes: bool = False
    adds: bool = False
    before: str = ""
    skip: int = 0
    picks: tuple[int, ...] = ()
    by_key: bool = False
    """Whether the values for `before` are the keys of the rows."""

    def picked(self, values: Sequence[Any]) -> Sequence[Any]:
        """Return the values for `before`."""
        return [values[n] for n in self.picks] if self.picks else values[self.skip :]


def plan(statement: str, mark: str) -> Plan | None:
    """Return a plan for running a statement; None if it writes to no table that is sealed."""
    match = _WRITE.match(statement)
    table = TABLES.get(match["name"]) if match else None
    if match is None or table is None:
        return None
    if match["verb"] == "DELETE FROM":
        statement = f'SELECT "{table.key}" FROM "{table.name}"{match["rest"]}'
        return Plan(table, statement, removes=True)
    ending = "," if " RETURNING " in statement else " RETURNING"
    rewritten, rest = f'{statement}{ending} "{table.key}"', match["rest"]
    before = f'SELECT {table.columns}, {SEAL.format(table)} FROM "{table.name}"'
    if change := _CHANGE.fullmatch(rest.partition(" RETURNING ")[0]):
        skip, where = change["set"].count(mark), change["where"]
        by_key = re.fullmatch(_BY_KEY.format(table.key, mark=re.escape(mark)), where) is not None
        return Plan(table, rewritten, before=f"{before}{where}", skip=skip, by_key=by_key)
    if upsert := _UPSERT.fullmatch(rest):
        names, keys = upsert["names"].split(", "), upsert["keys"].split(", ")
        fit = " AND ".join(f"{key} = {mark}" for key in keys)
        return Plan(
            table,
            rewritten,
            before=f"{before} WHERE {fit}",
            picks=tuple(map(names.index, keys)),
            by_key=keys == [f'"{table.key}"'],
        )
    adds = match["verb"] == "INSERT INTO" and "DO UPDATE" not in rest
    return Plan(table, rewritten, adds=adds)
