"""SQLite files as wholes: copied while they are in use, tried, and counted."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from pbem.store.line import StoreDown
from pbem.store.migrations import SCHEMA, VERSION

_PREFIX = "sqlite:///"
_HELD = ("player", "letter", "game")


def file_of(url: str) -> Path:
    """Give the file of a SQLite database; raises StoreDown for any other database."""
    if not url.startswith(_PREFIX) or url.endswith(":memory:"):
        raise StoreDown("this works on SQLite files; use pg_dump and pg_restore for PostgreSQL")
    return Path(url.removeprefix(_PREFIX))


def copy(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, while others may write; raises StoreDown.

    It goes through SQLite's backup API in one step, which reads from one snapshot. Neither file
    is migrated.
    """
    target.touch(0o600)
    with _opened(source) as old, closing(sqlite3.connect(target)) as new, _told(source):
        old.backup(new)
        new.execute("PRAGMA journal_mode = delete")
    check(target)


def check(file: Path) -> None:
    """Raise StoreDown for anything but a sound database of a league that this program knows."""
    for fault in damage(file):
        raise StoreDown(f"{file} is damaged: {fault}")
    with _opened(file) as database, _told(file):
        row = database.execute("SELECT value FROM meta WHERE key = ?", (SCHEMA,)).fetchone()
    schema = int(row[0]) if row else 0
    if schema > VERSION:
        raise StoreDown(f"{file} has schema {schema}, this program knows {VERSION}")


def damage(file: Path) -> list[str]:
    """Say what SQLite itself finds wrong: broken pages, and rows that refer to none."""
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


def held(file: Path) -> dict[str, int]:
    """Count a league's players, letters and games; raises StoreDown."""
    with _opened(file) as database, _told(file):
        counts = (database.execute(f"SELECT count(*) FROM {name}").fetchone() for name in _HELD)
        return {f"{name}s": count for name, (count,) in zip(_HELD, counts, strict=True)}


def set_aside(file: Path, mark: str) -> Path | None:
    """Rename a database with its journal, and give its new name; None where there is none."""
    if not file.exists():
        return None
    aside = file.with_name(f"{file.name}.{mark}")
    for ending in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            file.with_name(file.name + ending).rename(aside.with_name(aside.name + ending))
    return aside


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    with _told(file):
        database = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=30)
    with closing(database):
        yield database


@contextmanager
def _told(file: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreDown(f"{file} can't be read as a league's database: {error}") from None
