"""Whole databases: copied while in use, moved into others, checked, counted."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from peewee import ForeignKeyField

from pbem.storage.backends import HELD, named
from pbem.storage.connection import Connection, StoreDown
from pbem.storage.fields import Row
from pbem.storage.migrations import SCHEMA, newest
from pbem.storage.models import MODELS

_PREFIX = "sqlite:///"
_HELD = ("player", "letter", "game")


def file_of(url: str) -> Path | None:
    """Return the file of a SQLite database; None for a database on a server."""
    return Path(url.removeprefix(_PREFIX)) if url.startswith(_PREFIX) else None


def copy(url: str, target: Path) -> None:
    """Copy a database as it is at one moment into a new file, while others may write.

    A SQLite file goes through SQLite's backup API in one step, which reads from one snapshot, and
    is not migrated. Raises StoreDown.
    """
    source = file_of(url)
    # The copy holds secrets too, so it must never be readable by others, not even at first.
    target.touch(0o600)
    if source is None:
        carry(url, f"{_PREFIX}{target}")
    with closing(sqlite3.connect(target)) as new, _readable(source or target):
        if source is not None:
            with _opened(source) as old:
                old.backup(new)
        # A backup must be one file, without a separate log.
        new.execute("PRAGMA journal_mode = delete")
    check(target)


def carry(source: str, target: str, *, alone: bool = False) -> dict[str, int]:
    """Copy all rows as they are at one moment into another database that holds no league yet.

    `alone`: raise StoreDown where a daemon works with the old one, as far as its server knows.
    Returns the same counts as `held`. Raises StoreDown.
    """
    file = file_of(source)
    if file is None:
        return _carry_all(source, target, alone)
    if not file.is_file():
        raise StoreDown(f"there is no file {file}")
    with upgraded(file) as copied:
        return _carry_all(copied, target)


@contextmanager
def upgraded(file: Path) -> Iterator[str]:
    """Copy a SQLite file, bring the copy to this program's schema, and give its URL for a while."""
    with TemporaryDirectory(prefix="pbem-") as folder:
        url = f"{_PREFIX}{folder}/league.db"
        copy(f"{_PREFIX}{file}", Path(folder) / "league.db")
        Connection(url, upgrade=True).close()
        yield url


def _carry_all(source: str, target: str, alone: bool = False) -> dict[str, int]:
    with (
        closing(Connection(source)) as old,
        closing(Connection(target)) as new,
        old.snapshot(),
        new.transaction(),
    ):
        if alone and old.is_held():
            raise StoreDown(HELD)
        if any(_counted(new.execute_sql).values()):
            raise StoreDown(f"the database {named(target)} holds a league; make a new one")
        # Opening it, `pbem check` and others have written a few rows there; all rows come from the
        # old database. Those that refer to others go first.
        for model in reversed(MODELS):
            new.run(model.delete())
        for model in MODELS:
            _carry(model, old, new)
        return _counted(new.execute_sql)


def _carry(model: type[Row], old: Connection, new: Connection) -> None:
    """Copy the rows of a table, a portion at a time."""
    for row in old.each(model):
        new.run(model.insert(row.__data__))


def check(file: Path) -> None:
    """Raise StoreDown unless the file is a sound database of a league that this program knows."""
    for fault in damage(file):
        raise StoreDown(f"{file} is damaged: {fault}")
    with _opened(file) as database, _readable(file):
        row = database.execute("SELECT value FROM meta WHERE key = ?", (SCHEMA,)).fetchone()
    if row is None or not str(row[0]).isdecimal() or int(row[0]) < 1:
        raise StoreDown(f"{file} does not tell its schema; restore a backup")
    schema = int(row[0])
    if schema > newest():
        raise StoreDown(f"{file} has schema {schema}, this program knows {newest()}")


def damage(file: Path) -> list[str]:
    """Return what SQLite itself finds wrong: broken pages, and references to missing rows."""
    with _opened(file) as database:
        try:
            pages = database.execute("PRAGMA integrity_check").fetchall()
            strays = database.execute("PRAGMA foreign_key_check").fetchall()
        except sqlite3.DatabaseError as error:
            return [str(error)]
    found = [str(text) for (text,) in pages if text != "ok"]
    return found + [
        f"table {table}, row {row}: it refers to a row of {parent} that is gone"
        for table, row, parent, _ in strays
    ]


def unlike(url: str) -> list[str]:
    """Return which tables, columns, keys and indexes differ from what pbem made.

    Triggers and views of others are named too, since they can change what pbem writes. Raises
    StoreDown.
    """
    with closing(Connection(url)) as opened:
        acting = [str(name) for (name,) in opened.execute_sql(opened.database.acting).fetchall()]
        faults = [f"pbem has made no trigger or view {name}" for name in sorted(acting)]
        found = (fault for model in MODELS for fault in _unlike(model, opened.database))
        return [*found, *faults]


def _unlike(model: type[Row], database: Any) -> Iterator[str]:
    name, fields = model._meta.table_name, model._meta.sorted_fields
    if not database.table_exists(name):
        yield f"table {name} is gone"
        return
    columns = {one.name: bool(one.null) for one in database.get_columns(name)}
    if columns != {one.column_name: one.null for one in fields}:
        yield f"table {name} has other columns than pbem has made"
    keys = {(one.column, one.dest_table) for one in database.get_foreign_keys(name)}
    refers = [one for one in fields if isinstance(one, ForeignKeyField)]
    if keys != {(one.column_name, one.rel_model._meta.table_name) for one in refers}:
        yield f"table {name} has other foreign keys than pbem has made"
    found = {(tuple(one.columns), bool(one.unique)) for one in database.get_indexes(name)}
    wanted = {
        (tuple(field.column_name for field in one._expressions), bool(one._unique))
        for one in model._meta.fields_to_index()
    }
    for names, _ in sorted(wanted - found):
        yield f"table {name} has no index of {', '.join(names)} any more"


def held(file: Path) -> dict[str, int]:
    """Count a league's players, letters and games. Raises StoreDown."""
    with _opened(file) as database, _readable(file):
        return _counted(database.execute)


def _counted(run: Callable[[str], Any]) -> dict[str, int]:
    counts = (run(f"SELECT count(*) FROM {name}").fetchone() for name in _HELD)
    return {f"{name}s": count for name, (count,) in zip(_HELD, counts, strict=True)}


def set_aside(file: Path, mark: str) -> Path | None:
    """Rename a database with its journal, and return its new name; None where there is none."""
    if not file.exists():
        return None
    aside = file.with_name(f"{file.name}.{mark}")
    for ending in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            file.with_name(file.name + ending).rename(aside.with_name(aside.name + ending))
    return aside


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    with _readable(file):
        database = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=30)
    with closing(database):
        yield database


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreDown(f"{file} can't be read as a league's database: {error}") from None
