"""The line to the database: opened, guarded, and its statements run without detours."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from peewee import (
    DatabaseError,
    ImproperlyConfigured,
    InterfaceError,
    OperationalError,
    SqliteDatabase,
)
from playhouse import db_url

from pbem.store import models
from pbem.store.migrations import SchemaTooNew, migrate

_PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "full",
    "foreign_keys": 1,
    "busy_timeout": 5000,
    "temp_store": "memory",
    "cache_size": -16 * 1024,  # KiB
}
_WRITES = ("INSERT", "UPDATE", "DELETE")


class StoreDown(Exception):
    """The database can't be used now; the text says why and what would help."""


class Line:
    """A database by its URL; whatever fails about it is told as StoreDown."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.writes = 0
        """How many statements have run so far that may have changed a row."""
        self._lock = ["IMMEDIATE"] if url.startswith("sqlite") else []
        try:
            self.database = db_url.connect(url)
            if isinstance(self.database, SqliteDatabase):
                _make_private(str(self.database.database))
                self.database = SqliteDatabase(self.database.database, pragmas=_PRAGMAS)
            self.database.execute_sql = self.run
            models.database.initialize(self.database)
            self.database.connect()
            self.migrated_from = migrate(self.database)
        except (RuntimeError, ImproperlyConfigured) as error:
            raise StoreDown(f"the database {url} can't be opened: {error}") from None
        except SchemaTooNew as error:
            raise StoreDown(str(error)) from None
        except (DatabaseError, InterfaceError) as error:
            raise _explain(error, url) from None

    def run(self, statement: str, values: Sequence[Any] | None = None) -> Any:
        """Run a statement, in a transaction or not, and give the cursor; raises StoreDown."""
        if statement.startswith(_WRITES):
            self.writes += 1
        try:
            cursor = self.database.cursor()
            cursor.execute(statement, values or ())
        except Exception as error:
            if _is_fault(error):
                raise _explain(error, self.url) from error
            raise
        return cursor

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Do all of it or none; within another, a part of it that is undone alone."""
        if self.database.in_transaction():
            with self.savepoint():
                yield
            return
        try:
            with self.database.atomic(*self._lock):
                yield
        except OperationalError as error:
            raise _explain(_first(error), self.url) from error

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Do a part of a transaction that can be undone alone; an inner part hides an outer."""
        self.run("SAVEPOINT part")
        try:
            yield
        except StoreDown:
            with suppress(StoreDown):
                self._undo_part()
            raise
        except BaseException:
            self._undo_part()
            raise
        self.run("RELEASE SAVEPOINT part")

    def _undo_part(self) -> None:
        self.run("ROLLBACK TO SAVEPOINT part")
        self.run("RELEASE SAVEPOINT part")


def _explain(error: BaseException, url: str) -> StoreDown:
    text = str(error)
    if "locked" in text:
        return StoreDown("the database is locked by another program; is a second pbem running?")
    if "full" in text:
        return StoreDown("the disk that holds the database is full; make room and it goes on")
    if "unable to open" in text:
        return StoreDown(f"the database {url} can't be opened: no such folder, or no right to it")
    if "readonly" in text:
        return StoreDown(
            f"the database {url} can't be written: the file and its folder must belong to whom"
            " pbem runs as"
        )
    return StoreDown(f"the database failed: {text}")


def _make_private(path: str) -> None:
    """Make a database that only its owner may read: it holds secrets and addresses."""
    if path != ":memory:" and not os.path.exists(path):
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def _is_fault(error: BaseException) -> bool:
    """Tell whether the database fails, and no statement; all drivers have one name for it."""
    return type(error).__name__ == OperationalError.__name__


def _first(error: BaseException) -> BaseException:
    """Give the fault that came first, where undoing what it broke has failed as well."""
    first, at = error, error.__context__
    while at is not None:
        if _is_fault(at):
            first = at
        at = at.__context__
    return first
