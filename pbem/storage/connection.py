"""The connection to the database: opening, transactions, and running statements."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import islice
from logging import Logger
from time import monotonic
from typing import Any, TypeVar

from peewee import (
    SQL,
    BaseQuery,
    DatabaseError,
    Insert,
    InterfaceError,
    InternalError,
    ModelCompoundSelectQuery,
    ModelInsert,
    ModelSelect,
    OperationalError,
    _WriteQuery,
    fn,
)

from pbem.storage.backends import HELD, LOCKED, database_of, named
from pbem.storage.fields import Row
from pbem.storage.migrations import SchemaOld, SchemaUnknown, known, migrate

M = TypeVar("M", bound=Row)
T = TypeVar("T")

PORTION = 100
"""How many rows are read at a time where all are gone through: a letter may have a megabyte."""

_OPEN = nullcontext()


class StoreDown(Exception):
    """The database can't be used now; the text says why and what would help."""


class OtherSchema(StoreDown):
    """The database is of another version of the program, or another program's."""


class OldSchema(OtherSchema):
    """The database is of an earlier version, and is brought up once it is copied."""


class StoreLocked(StoreDown):
    """Another program has locked the database for longer than we wait."""


def _down(message: str) -> StoreDown:
    return StoreLocked(message) if message == LOCKED else StoreDown(message)


class _Written(threading.local):
    """What one thread has written."""

    statements = 0


class Connection:
    """A database by its URL. Each of its faults is raised as StoreDown."""

    def __init__(self, url: str, *, only_read: bool = False, upgrade: bool = False) -> None:
        """Open a database. Create it if it is missing; with `only_read`, only read it.

        A file of an earlier version is brought up with `upgrade`, and raises OldSchema without,
        since it must be copied first. A database on a server is brought up in any case.
        """
        self.url, self._only_read, self._upgrade = url, only_read, upgrade
        self._written = _Written()
        self._turn = threading.Lock()
        """Held by the thread whose transaction is under way; others wait for it."""
        self.database = _database(url, only_read)
        try:
            self._open()
        except BaseException:
            self.database.close()
            raise

    @property
    def writes(self) -> int:
        """How many statements of this thread so far may have changed a row."""
        return self._written.statements

    def _open(self) -> None:
        try:
            self.database.connect()
            if self._only_read:
                self.migrated_from = known(self.database)
            else:
                upgrade = self._upgrade or self.database.upgrades
                self.migrated_from = migrate(self.database, upgrade)
        except SchemaOld as error:
            raise OldSchema(str(error)) from None
        except SchemaUnknown as error:
            raise OtherSchema(str(error)) from None
        except (DatabaseError, InterfaceError) as error:
            raise StoreDown(self._first(error)) from None

    def _fault(self, error: BaseException) -> str:
        """Return what is wrong with the database; "" where the statement is at fault."""
        return str(self.database.fault(error, named(self.url)))

    def all(self, query: "ModelSelect[M]") -> list[M]:
        """Return the rows that a query finds. Raises StoreDown, as all that follow do."""
        return list(self._executed(query))

    def first(self, query: "ModelSelect[M]") -> M | None:
        """Return the first row that a query finds, or None."""
        return next(iter(self._executed(query.limit(1))), None)

    def find(self, model: type[M], key: object) -> M | None:
        """Return the row of a primary key, or None."""
        return self.first(model.select().where(model.key_field() == key))

    def get(self, model: type[M], key: object) -> M:
        """Return the row of a primary key. Raise KeyError if there is none."""
        found = self.find(model, key)
        if found is None:
            raise KeyError(f"{model.__name__} {key}")
        return found

    def by_key(self, model: type[M], keys: Iterable[object]) -> dict[Any, M]:
        """Return the rows of some primary keys, by these."""
        key, wanted = model.key_field(), {*keys}
        query = model.select().where(key.in_(wanted)).order_by(key)
        return {row.get_id(): row for row in self.all(query)} if wanted else {}

    def tuples(self, query: "ModelSelect[Any] | ModelCompoundSelectQuery") -> list[tuple[Any, ...]]:
        """Return the columns that a query selects, as a tuple for each row."""
        return list(self._executed(query.tuples()))

    def scalar(self, query: "ModelSelect[Any]") -> Any:
        """Return the first column of the first row, or None."""
        return next((row[0] for row in self._executed(query.tuples().limit(1))), None)

    def newest(self, model: type[M]) -> int:
        """Return the highest number of a table's rows, 0 if it has none."""
        return int(self.scalar(model.select(fn.MAX(model.key_field()))) or 0)

    def count(self, query: "ModelSelect[Any]") -> int:
        """Count the rows that a query finds."""
        return int(self.scalar(query.select(fn.COUNT(SQL("*")))))

    def size(self, model: type[M]) -> int:
        """Count the rows of a table."""
        return self.count(model.select())

    def exists(self, query: "ModelSelect[Any]") -> bool:
        """Return whether a query finds any row."""
        return self.scalar(query.select(SQL("1"))) is not None

    def each(self, model: type[M]) -> Iterator[M]:
        """Yield all rows, oldest first, read in portions; one may be changed or removed then."""
        key, query = model.key_field(), model.select().order_by(model.key_field()).limit(PORTION)
        rows = self.all(query)
        yield from rows
        while len(rows) == PORTION:
            rows = self.all(query.where(key > rows[-1].get_id()))
            yield from rows

    def create(self, model: type[M], **values: Any) -> M:
        """Insert a row and return it."""
        made: M = self.inserted(model.insert(**values).returning(model))
        return made

    def inserted(self, query: ModelInsert) -> Any:
        """Insert a row, or change the one in its place, and return what the query says of it."""
        with self.writing():
            made = self._executed(query)[0]
        self._written.statements += 1
        return made

    def run(self, query: _WriteQuery) -> int:
        """Insert, change or delete rows, and return how many these are."""
        with self.writing():
            if isinstance(query, Insert):
                # Only with RETURNING both kinds of database tell whether there was a conflict.
                count = len(self._executed(query.returning(SQL("1")).tuples()))
            else:
                count = int(self._executed(query))
        # A round that has written nothing is not noted, and not replayed (pbem.service.rounds).
        self._written.statements += count > 0
        return count

    def _executed(self, query: BaseQuery) -> Any:
        try:
            return query.execute(self.database)
        except OverflowError:  # no row has a number of more than 64 bits
            return []
        except Exception as error:
            raise self._as_fault(error) from error

    def execute_sql(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """Run a statement that peewee can't write, and return the cursor."""
        try:
            return self.database.execute_sql(statement, values)
        except Exception as error:
            raise self._as_fault(error) from error

    def _as_fault(self, error: Exception) -> Exception:
        """Return what to raise for an error: StoreDown if the database is at fault."""
        message = self._fault(error)
        return _down(message) if message else error

    def hold(self) -> None:
        """Keep other pbem daemons away from this database until it is closed. Raises StoreDown."""
        if not self.database.hold():
            raise StoreDown(HELD)

    def is_held(self) -> bool:
        """Return whether the database itself shows that a daemon works with it."""
        return bool(self.database.is_held())

    def unwritable(self) -> str:
        """Return why the database can't be written; "" where unknown. This changes nothing."""
        try:
            return str(self.database.unwritable(named(self.url)))
        except StoreDown as error:
            return str(error)
        except Exception as error:
            # The database asks through peewee, not through `run`, which knows its faults.
            if message := self._fault(error):
                return message
            raise

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read everything as it is at one moment. Only other connections may write meanwhile."""
        self.execute_sql(self.database.reading)
        try:
            yield
        finally:
            # Nothing was written, so a rollback that fails loses nothing.
            with suppress(StoreDown):
                self.execute_sql("ROLLBACK")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Do all of it or none. Inside another transaction, this part can be undone alone."""
        if self.database.in_transaction():
            with self.savepoint():
                yield
            return
        try:
            # A database that is waited for by asking again and again might let others in first.
            with self._turn, self.database.atomic():
                yield
        except (OperationalError, InterfaceError, InternalError) as error:
            raise _down(self._first(error)) from error

    def writing(self) -> AbstractContextManager[None]:
        """Write in the transaction that is open, or else in one of its own."""
        return _OPEN if self.database.in_transaction() else self.transaction()

    @contextmanager
    def alone(self, log: Logger, failed: str, *values: object) -> Iterator[None]:
        """Do a part that may fail: then it is undone and logged. Raises StoreDown.

        `failed` and its values are what the log says.
        """
        try:
            with self.transaction():
                yield
        except StoreDown:
            raise  # what comes after this part would fail too
        except Exception:
            log.exception(failed, *values)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Do a part of a transaction that can be undone alone; an inner part hides an outer one."""
        self.execute_sql("SAVEPOINT part")
        try:
            yield
        except StoreDown:
            with suppress(StoreDown):
                self._undo_part()
            raise
        except BaseException:
            self._undo_part()
            raise
        self.execute_sql("RELEASE SAVEPOINT part")

    def _undo_part(self) -> None:
        self.execute_sql("ROLLBACK TO SAVEPOINT part")
        self.execute_sql("RELEASE SAVEPOINT part")

    def _first(self, error: BaseException | None) -> str:
        """Return what failed first, where undoing what it broke has failed as well."""
        message, at = "", error
        # A failed rollback raises its own error; the one to report is further back in the chain.
        while at is not None:
            message, at = self._fault(at) or message, at.__context__
        return message or f"the database failed: {error}"


def is_away(url: str) -> str:
    """Return a sentence if the server of a database accepts no connections; "" where it does."""
    away = _database(url).is_away()
    return f"the server of the database {named(url)} can't be reached" if away else ""


def _database(url: str, only_read: bool = False) -> Any:
    try:
        return database_of(url, only_read)
    except ValueError as error:
        raise StoreDown(f"the database {named(url)} can't be opened: {error}") from None


def by_time(things: Iterator[T], most: int, seconds: float) -> Iterator[Iterator[T]]:
    """Yield groups for one transaction each: at most `most` things, and no more after `seconds`.

    A group must be used up before the next one is asked for.
    """
    for first in things:
        yield _timed(first, things, most - 1, monotonic() + seconds)


def _timed(first: T, rest: Iterator[T], more: int, end: float) -> Iterator[T]:
    yield first
    for _ in range(more):
        if monotonic() >= end:
            return
        yield from islice(rest, 1)
