"""The versions of the database: each migration brings it one version up, in order.

The models describe the newest version. So a new database is made from them, and only a database of
an earlier version goes through the migrations after its own. A migration that adds a table or a
column looks like this:

    def _add_motto(database: Database) -> None:
        add_column(database, Player.motto)
"""

import hmac
from collections.abc import Callable
from typing import Any

from peewee import SQL, Database, Field
from playhouse.migrate import SchemaMigrator
from playhouse.migrate import migrate as alter

from pbem.storage.models import CHECKS, TABLES, Meta

SCHEMA = "schema"
SECRET = "secret"
"""The single value that is the league's own secret."""
UNSEALED = "unsealed"
"""The single value that a migration leaves, because it does not seal what it changes."""

MIGRATIONS: tuple[Callable[[Database], None], ...] = ()
"""The steps from version 1 on; the first leads to version 2."""


class SchemaUnknown(Exception):
    """The database is not of this program's version, and can't be brought to it."""


class SchemaTooNew(SchemaUnknown):
    """A later version of the program has written the database."""


def newest() -> int:
    """Return the version that this program knows."""
    return len(MIGRATIONS) + 1


def version(database: Database) -> int:
    """Return the version of a database, 0 for an empty one."""
    if not database.table_exists("meta"):
        return 0
    row = Meta.get_or_none(Meta.key == SCHEMA)
    return int(row.value) if row and row.value.isdecimal() else 0


def migrate(database: Database) -> int:
    """Bring a database to this program's version and return the version it had.

    Each migration is one transaction with the new version number. Raise SchemaTooNew if a later
    program has written the database.
    """
    before = version(database)
    if before > newest():
        raise SchemaTooNew(
            f"the database has schema {before}, this program knows {newest()}; install a newer pbem"
        )
    for number in range(before, newest()):
        with database.atomic():
            found = version(database)  # another program may have migrated it meanwhile
            if found == 0:
                database.create_tables((*TABLES, *CHECKS))
                Meta.put(SCHEMA, str(newest()))
            elif found == number:
                MIGRATIONS[number - 1](database)
                Meta.put(SCHEMA, str(number + 1))
                # The league's secret in it keeps others from asking for new seals by this value.
                Meta.put(UNSEALED, unsealed(str(number + 1)))
    return before


def known(database: Database) -> int:
    """Return the version of a database that is only read. Raise SchemaUnknown unless it is ours."""
    found = version(database)
    if found != newest():
        raise SchemaUnknown(
            f"the database has schema {found}, this program knows {newest()};"
            " `pbem run` brings an older one up"
        )
    return found


def unsealed(schema: str) -> str:
    """Return what a migration to a schema leaves as UNSEALED; nobody can guess it."""
    row = Meta.get_or_none(Meta.key == SECRET)
    secret = str(row.value).encode() if row else b""
    return hmac.new(secret, f"{UNSEALED} {schema}".encode(), "sha256").hexdigest()


def add_column(database: Database, column: Field) -> None:
    """Add a column of a model to its table.

    The default is written into the database, because SQLite would otherwise rebuild the whole
    table, and dropping the old table would drop all rows that refer to it.
    """
    added = column.clone()
    if not column.null:
        added.constraints = [SQL(f"DEFAULT {_literal(database, column.default)}")]
    table = column.model._meta.table_name
    migrator = SchemaMigrator.from_database(database)
    alter(migrator.add_column(table, column.column_name, added, allow_not_null=True))


def _literal(database: Any, value: str | bytes | int) -> str:
    """Return a default as SQL. No default has a quotation mark, and default bytes are empty."""
    if isinstance(value, bytes):
        return str(database.no_bytes)
    return f"'{value}'" if isinstance(value, str) else str(value)
