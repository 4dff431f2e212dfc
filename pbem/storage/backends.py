"""The kinds of database and where they differ: opening, locking, cleaning, faults."""

import os
import re
import sqlite3
import threading
from contextlib import suppress
from functools import partialmethod
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from peewee import OperationalError, PostgresqlDatabase, SqliteDatabase
from playhouse import db_url

from pbem.host.ownership import to_owner_of_folder

LOCKED = "the database is locked by another program; is a second pbem running?"
HELD = "another pbem works for this league, perhaps on another machine; stop it first"
_NO_UTF8 = "it is not in UTF8; make one by: createdb -T template0 -E UTF8"
_FULL = "the disk that holds the database is full; make room and it goes on"
_PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "full",  # with less, a power cut could undo letters that the mail server dropped
    "secure_delete": 1,  # what is deleted is overwritten
    "foreign_keys": 1,  # SQLite checks none unless it is asked to
    "busy_timeout": 5000,
    "temp_store": "memory",
    "cache_size": -16 * 1024,  # KiB
}
_LINK = {
    "application_name": "pbem",
    "client_encoding": "utf8",
    "connect_timeout": 10,  # s
    "keepalives_idle": 30,  # s
    "keepalives_interval": 10,  # s
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,  # ms
}
"""How to reach a server where the URL does not say otherwise."""
_SESSION = {
    "lock_timeout": 5000,  # ms
    "tcp_keepalives_idle": 30,  # s
    "tcp_keepalives_interval": 10,  # s
    "tcp_keepalives_count": 3,
}
"""What the server does: it drops a client that is silent, and frees its locks."""
_LOST = 4
"""How libpq calls the transaction of a connection that was lost: PQTRANS_UNKNOWN."""

_LOCK = int.from_bytes(b"pbem")
"""PostgreSQL's advisory locks have two numbers, this and one of the two below."""
_WRITING, _WORKING = 1, 2
_HOLD = "SELECT pg_try_advisory_lock(%s, %s)"
_IS_HELD = """\
SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory' AND granted
    AND classid = %s AND objid = %s AND objsubid = 2)
"""
_ONLY_READ = """\
SELECT pg_is_in_recovery()
    OR (SELECT reset_val FROM pg_settings WHERE name = 'default_transaction_read_only') = 'on',
    has_database_privilege(current_database(), 'TEMP')
"""
_PROBE = """\
CREATE TEMP TABLE pbem_probe ON COMMIT DROP AS
SELECT number, md5(number::text) || md5(number::text) AS filling
    FROM generate_series(1, 2000) AS number
"""


_NEXT_NUMBER = """\
CREATE OR REPLACE FUNCTION next_number(name text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE found integer;
BEGIN
    EXECUTE format('SELECT coalesce(max(id), 0) + 1 FROM %%I', name) INTO found;
    RETURN found;
END $$
"""


class Sqlite(SqliteDatabase):
    """SQLite: one file. A transaction locks it from its beginning."""

    upgrades = False
    """Whether an old database is brought up at once; a file is copied first."""
    no_bytes = "X''"
    ilike = "LIKE"
    reading = "BEGIN"
    # What was deleted is overwritten at once, but pages that were split may hold copies of it.
    cleaning = ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
    acting = "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')"
    """Finds what acts by itself or hides a table (triggers, views). pbem makes none of these."""
    # A transaction that begins by reading could find the file locked when it comes to write.
    begin = partialmethod(SqliteDatabase.begin, "IMMEDIATE")

    def __init__(self, database: str, only_read: bool = False, **_: Any) -> None:
        if only_read:
            if not os.path.isfile(database):
                # SQLite would make an empty file, and a wrong path would look like a new league.
                raise ValueError("there is no such file; `pbem init` makes a league")
            pragmas = {"query_only": 1, "busy_timeout": 5000, "temp_store": "memory"}
            super().__init__(_to_be_read(Path(database)), pragmas=pragmas, uri=True)
            return
        _make_private(database)
        super().__init__(database, pragmas=_PRAGMAS)

    def count_up(self, name: str) -> None:
        """Do nothing: SQLite numbers the rows of a table without gaps."""

    def hold(self) -> bool:
        """Return True: a lock file next to the database keeps other programs away."""
        return True

    def is_held(self) -> bool:
        """Return False: SQLite does not know; the lock file next to the database does."""
        return False

    def unwritable(self, name: str) -> str:
        """Return "": SQLite does not know; the permissions of its folder show it."""
        return ""

    def is_away(self) -> bool:
        """Return False: a file is never away. It can be opened, or it can't."""
        return False

    def fault(self, error: BaseException, name: str) -> str:
        """Return what is wrong with the named database; "" where the statement is at fault."""
        if type(error).__name__ != "OperationalError":
            return ""
        code = getattr(_of_driver(error), "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        # The lowest byte is the kind of fault; the others say more of it.
        if message := _SQLITE_FAULTS.get(code & 0xFF):
            return message.format(name)
        return f"the database failed: {error}"


_SQLITE_FAULTS = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: (
        "the disk of the database {} can't be used (I/O error); see whether it is full (df) or"
        " broken (dmesg)"
    ),
    sqlite3.SQLITE_CANTOPEN: "the database {} can't be opened: no such folder, or no right to it",
    sqlite3.SQLITE_READONLY: (
        "the database {} can't be written: the file and its folder must belong to whom pbem runs as"
    ),
}


class Postgres(PostgresqlDatabase):
    """PostgreSQL: a server. A writer holds an advisory lock, and all others wait.
    Its rows are numbered as in SQLite, without gaps. A sequence would lose the numbers of
    transactions that were undone, and a second try would then have other numbers than the first.
    """

    upgrades = True
    no_bytes = "''"
    ilike = "ILIKE"
    reading = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    cleaning = ("VACUUM FULL",)
    acting = (
        "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
        " WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace"
        " UNION ALL SELECT rulename FROM pg_rules WHERE schemaname = current_schema()"
        " UNION ALL SELECT viewname FROM pg_views WHERE schemaname = current_schema()"
    )
    field_types = PostgresqlDatabase.field_types | {
        "AUTO": "INTEGER",
        "TEXT": 'TEXT COLLATE "C"',  # sorted as in SQLite, by bytes
    }

    def __init__(self, database: str, only_read: bool = False, **given: Any) -> None:
        self._only_read = only_read
        self._holder: int | None = None
        self._adapter: Any = None
        # What the URL says comes last, so that it wins over our own defaults.
        wanted: dict[str, Any] = {"prefer_psycopg3": True} | _LINK | given
        super().__init__(database, **wanted)
        if not isinstance(self._adapter, self.psycopg3_adapter):
            raise ValueError("its driver is missing; install it: pip install 'pbem[postgres]'")

    def cursor(self, named_cursor: bool | None = None) -> Any:
        """Return a cursor. Outside a transaction, reconnect first if the server has gone."""
        lost = not self.is_closed() and self._adapter.txn_status(self.connection()) == _LOST
        if lost and not self.in_transaction():
            self.close()
        return super().cursor(named_cursor)

    def begin(self, isolation_level: str | None = None) -> None:
        """Begin a transaction that may write, once no other one does."""
        super().begin(isolation_level)
        try:
            self.execute_sql("SELECT pg_advisory_xact_lock(%s, %s)", (_LOCK, _WRITING))
        except BaseException:
            self.rollback()
            raise

    def commit(self) -> None:
        """Commit. Raise OperationalError if the transaction was lost before."""
        if not self.is_connection_usable():
            raise OperationalError("the transaction was lost")
        super().commit()

    def count_up(self, name: str) -> None:
        """Number the rows of a new table without gaps."""
        self.execute_sql(_NEXT_NUMBER)
        number = f"ALTER COLUMN id SET DEFAULT next_number('{name}')"
        self.execute_sql(f'ALTER TABLE "{name}" {number}')

    def hold(self) -> bool:
        """Keep other daemons away while this one is connected. Return whether that worked."""
        self._holder = threading.get_ident()
        return bool(self.execute_sql(_HOLD, (_LOCK, _WORKING)).fetchone()[0])

    def is_held(self) -> bool:
        """Return whether a daemon works with this database, on any machine."""
        held = self.execute_sql(_IS_HELD, (_LOCK, _WORKING)).fetchone()[0]
        return bool(held)

    def unwritable(self, name: str) -> str:
        """Return why the server allows no writing; "" where it does, or can't be asked.

        This writes to a table that nobody else sees, in a transaction that is undone.
        """
        only_read, may_try = self.execute_sql(_ONLY_READ).fetchone()
        if only_read:
            return _POSTGRES_FAULTS["25006"].format(name)
        # Only a real write shows a full disk, so this writes more than one page.
        if may_try:
            self.execute_sql("BEGIN READ WRITE")
            try:
                self.execute_sql(_PROBE)
            finally:
                self.execute_sql("ROLLBACK")
        return ""

    def is_away(self) -> bool:
        """Return whether the server accepts no connections at the moment, from anybody."""
        from psycopg.conninfo import make_conninfo
        from psycopg.pq import PGconn, Ping

        wanted = make_conninfo(dbname=self.database, **self.connect_params)
        return PGconn.ping(wanted.encode()) in (Ping.REJECT, Ping.NO_RESPONSE)

    def _initialize_connection(self, conn: Any) -> None:
        wrong = "" if conn.info.parameter_status("server_encoding") == "UTF8" else _NO_UTF8
        session: dict[str, object] = {**_SESSION}
        if self._only_read:
            session["default_transaction_read_only"] = "on"
        conn.execute("; ".join(f"SET {name} = {value}" for name, value in session.items()))
        # A reconnect has lost the advisory lock, which another daemon may have taken meanwhile.
        if not wrong and self._holder == threading.get_ident():
            [held] = conn.execute(_HOLD, (_LOCK, _WORKING)).fetchone()
            wrong = "" if held else HELD
        if wrong:
            conn.close()
            raise OperationalError(wrong)

    def fault(self, error: BaseException, name: str) -> str:
        """Return what is wrong with the named database; "" where the statement is at fault."""
        cause = _of_driver(error)
        state = getattr(cause, "sqlstate", None) or ""
        for beginning, message in _POSTGRES_FAULTS.items():
            if state.startswith(beginning):
                return message.format(name)
        if not _FAULTS & {kind.__name__ for kind in type(error).__mro__}:
            return ""
        # libpq puts the addresses that it tried before the reason.
        why = " ".join(str(cause).rpartition("FATAL:")[2].split())
        return f"the database {name} can't be used: {why}"


_POSTGRES_FAULTS = {
    "25006": "the database {} can't be written: its server only lets it be read",
    "42501": "the database {} can't be used: it must belong to the user that pbem is there",
    "53100": _FULL,
    "55P03": LOCKED,
    "57P": "the server of the database {} is going down, or coming up; it is tried again",
}
"""What SQLSTATE codes mean (PostgreSQL's appendix A), by their first characters."""
_FAULTS = {"OperationalError", "InternalError", "InterfaceError"}

_KINDS: dict[str, type[Sqlite] | type[Postgres]] = {
    "sqlite": Sqlite,
    "postgres": Postgres,
    "postgresql": Postgres,
}


def database_of(url: str, only_read: bool = False) -> Any:
    """Return the database of a URL, not connected yet. Raise ValueError if the URL is wrong."""
    try:
        kind = _KINDS[urlsplit(url).scheme]
        given = db_url.parse(url, unquote_password=True, unquote_user=True)
    except (KeyError, ValueError):
        given = {}
    if not given.get("database"):
        raise ValueError("write it like sqlite:///league.db or postgres://pbem@localhost/pbem")
    return kind(only_read=only_read, **given)


def _of_driver(error: BaseException) -> BaseException:
    """Return the driver's exception, which has the code, from the one that peewee makes of it."""
    found: BaseException = getattr(error, "orig", error)
    return found


def named(url: str) -> str:
    """Return a URL without its password, safe to show."""
    return re.sub(r"(?<=://)([^/@:]*):.*@", r"\1@", re.sub(r"(password=)[^&]*", r"\1***", url))


def _to_be_read(file: Path) -> str:
    """Return the URI by which SQLite opens an existing file without creating one.

    On a read-only disk SQLite could not create its files for readers. Without a log (-wal) nobody
    has the database open, so it can be read as a file that never changes.
    """
    writable = os.access(file.parent, os.W_OK)
    still = not writable and not file.with_name(f"{file.name}-wal").exists()
    return f"{file.absolute().as_uri()}?mode=rw" + ("&immutable=1" if still else "")


def _make_private(path: str) -> None:
    """Create the file so that only its owner may read it: it holds secrets and addresses."""
    if path != ":memory:" and not os.path.exists(path):
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            to_owner_of_folder(Path(path))
