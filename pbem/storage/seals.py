"""Seals: a digest of each row as the program wrote it, which reveals every other change.

A repository tells `Seals` which rows it is about to write or has written. When the transaction
ends, `Seals` reads those once more and renews their digests in it. So no table and no column needs
a line here, and a row that is written ten times is sealed once.
"""

import hmac
import logging
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache, reduce
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter, xor
from typing import Any, NamedTuple

from pbem.storage.connection import Connection
from pbem.storage.records import SEALED
from pbem.storage.schema import Table

log = logging.getLogger("pbem")

SIZE = 16
"""The size of a digest in bytes."""
_NOTHING, _MASK = bytes(SIZE), (1 << 8 * SIZE) - 1
ALL = "*"
"""The name of the total of all totals."""
PORTION = 500
"""How many rows are read at a time."""
NEW, UNCHECKED = b"new", b"unchecked"
"""What stands for the digest before the first change, where a row is new or need not be checked."""
_SPOILED = "changed by something other than pbem (see `pbem fsck`): %s"
_NAMES = {table.name for table in SEALED}


class Broken(NamedTuple):
    """A row that is not as the program wrote it: changed, added, or gone; or a table's `total`."""

    table: str
    what: str
    key: str


class _Written(threading.local):
    """The keys of the rows that a thread's transaction has written, each with its digest before."""

    def __init__(self) -> None:
        self.rows = defaultdict[Table, dict[Any, bytes]](dict)


class Seals:
    """The seals of one database, by the league's own secret; each thread has its transaction."""

    def __init__(self, connection: Connection, secret: bytes) -> None:
        self._secret = secret
        self._connection, self._run = connection, connection.run
        self._written = _Written()
        mark = self._mark = connection.mark
        self._put_seals = (
            f'INSERT INTO "seal" ("row", "digest") VALUES ({mark}, {mark})'
            ' ON CONFLICT ("row") DO UPDATE SET "digest" = excluded."digest"'
        )
        self._put_totals = (
            f'INSERT INTO "total" ("name", "rows", "digest") VALUES ({mark}, {mark}, {mark})'
            ' ON CONFLICT ("name") DO UPDATE'
            ' SET "rows" = excluded."rows", "digest" = excluded."digest"'
        )

    def added(self, table: Table, key: object) -> None:
        """Note a row that was inserted."""
        self._written.rows[table].setdefault(key, NEW)

    def will_change(self, table: Table, where: str, values: Sequence[Any]) -> bool:
        """Note rows that are about to be changed, as they still are; return whether there are any.

        A row that was spoiled before does not become sound by a change.
        """
        known = self._written.rows[table]
        rows = self._run(f'SELECT {table.names} FROM "{table.name}"{where}', values).fetchall()
        for row in rows:
            # Only its first change in a transaction can tell: after that the row is ours.
            if row[table.at] not in known:
                known[row[table.at]] = self._digest(table, row)
        return bool(rows)

    def will_remove(self, table: Table, where: str, values: Sequence[Any]) -> None:
        """Note rows that are about to be removed, and what the database changes with them."""
        keys = self._run(f'SELECT "{table.key}" FROM "{table.name}"{where}', values).fetchall()
        for some in _portions(keys):
            given = [key for (key,) in some]
            rows = self._written.rows[table]
            # It needs no check: a row that goes gets no seal that could hide a change.
            for key in given:
                rows.setdefault(key, UNCHECKED)
            for other, column, with_it in _referring(table):
                fit = f' WHERE "{column}" IN ({self._connection.marks(given)})'
                # What the database removes or changes by itself, no repository notes.
                (self.will_remove if with_it else self.will_change)(other, fit, given)

    def touch_all(self) -> None:
        """Note every row, so that all are sealed again."""
        for table in SEALED:
            keys = self._run(f'SELECT "{table.key}" FROM "{table.name}"').fetchall()
            self._written.rows[table] = dict.fromkeys([key for (key,) in keys], UNCHECKED)

    def renew_all(self) -> None:
        """Seal every row as it is now, and forget what was sealed before."""
        self._run('DELETE FROM "seal"')
        self._run('DELETE FROM "total"')
        self.touch_all()

    def forget(self) -> None:
        """Forget what was written, because it was undone."""
        self._written.rows.clear()

    def renew(self) -> None:
        """Seal what this thread has written, within its transaction."""
        written = self._written.rows
        rows = [(table, *row) for table, known in written.items() for row in known.items()]
        written.clear()
        changes = dict[str, tuple[int, int]]()
        for some in _portions(rows):
            self._renew(some, changes)
        self._add_up({name: change for name, change in changes.items() if any(change)})

    def _add_up(self, changes: Mapping[str, tuple[int, int]]) -> None:
        """Change totals, and the total of all totals by what each of them was and is.

        So if a total was changed from outside, the total of all totals no longer fits.
        """
        if not changes:
            return
        found = self._some("total", "name", [*changes, ALL])
        known = {row[0]: (row[1], row[2]) for row in found}
        count, whole = _counted(known.get(ALL))
        totals = list[tuple[object, ...]]()
        for name, (rows, digest) in changes.items():
            before, sum_ = _counted(known.get(name))
            total = before + rows, _sized(sum_ ^ digest)
            totals.append((name, *total))
            count += name not in known
            whole ^= self._leaf(name, total)
            whole ^= self._leaf(name, known[name]) if name in known else 0
        self._run(self._put_totals, [*totals, (ALL, count, _sized(whole))], many=True)

    def _leaf(self, name: object, total: tuple[Any, Any]) -> int:
        """Return what a table's total adds to the total of all."""
        message = ascii((ALL, name, total[0], _plain(total[1]))).encode()
        return int.from_bytes(hmac.digest(self._secret, message, "sha256")[:SIZE])

    def _renew(
        self, rows: Sequence[tuple[Table, Any, bytes]], changes: dict[str, tuple[int, int]]
    ) -> None:
        """Seal some rows, each with its table, its key and its digest before.

        Add to `changes` what that changes in the tables' totals: how many rows, and the digest.
        """
        found = self._some("seal", "row", [f"{table.name} {key}" for table, key, _ in rows])
        before = {name: _plain(seal) for name, seal in found}
        now, spoiled = dict[str, bytes](), list[str]()
        for table, group in groupby(rows, itemgetter(0)):
            known = {key: was for _, key, was in group}
            for row in self._some(table.name, table.key, list(known), table.names):
                name, was = f"{table.name} {row[table.at]}", known[row[table.at]]
                digest = self._digest(table, row)
                # A new row that has a seal already was removed by somebody else before.
                if was is not UNCHECKED and was != before.get(name, NEW):
                    spoiled.append(name)
                    # A spoiled row gets a seal that can't fit, so that fsck still finds it.
                    digest = _sized(~_number(digest))
                now[name] = digest
        if spoiled:
            log.error(_SPOILED, ", ".join(spoiled))
        if new := [one for one in now.items() if before.get(one[0]) != one[1]]:
            self._run(self._put_seals, new, many=True)
        if gone := [name for name in before if name not in now]:
            self._run(f'DELETE FROM "seal" WHERE "row" IN ({self._connection.marks(gone)})', gone)
        for seals, count in ((before, -1), (now, 1)):
            for name, digest in seals.items():
                of = name.partition(" ")[0]
                known_rows, whole = changes.get(of, (0, 0))
                changes[of] = known_rows + count, whole ^ int.from_bytes(digest[:SIZE])

    def _some(self, table: str, key: str, keys: Sequence[Any], columns: str = "*") -> Any:
        """Return the rows of some keys, which are so few that they fit into a statement."""
        fit = f'"{key}" IN ({self._connection.marks(keys)})'
        return self._run(f'SELECT {columns} FROM "{table}" WHERE {fit}', keys).fetchall()

    def _digest(self, table: Table, row: Sequence[Any]) -> bytes:
        """Return the digest of a row; it is the same in each kind of database."""
        values = list(row)
        for n in table.bools:
            # SQLite returns numbers for truths, PostgreSQL does not.
            values[n] = int(values[n]) if values[n] is True or values[n] is False else values[n]
        for n in table.blobs:
            # A letter's bytes would become four times as many characters.
            values[n] = sha256(values[n]).digest() if type(values[n]) is bytes else values[n]
        # Not `repr`: what it escapes changes with Python's version of Unicode.
        message = f"{table.name} {values!a}".encode()
        return hmac.digest(self._secret, message, "sha256")[:SIZE]

    def broken(self) -> Iterator[Broken]:
        """Return what is not as the program wrote it, table by table."""
        found = self._run('SELECT * FROM "total"').fetchall()
        totals = {row[0]: (row[1], row[2]) for row in found}
        whole = totals.pop(ALL, (0, _NOTHING))
        leaves = [self._leaf(name, total) for name, total in totals.items()]
        if whole[0] != len(leaves) or _plain(whole[1]) != _sized(reduce(xor, leaves, 0)):
            yield Broken("total", "whole", "")
        for table in SEALED:
            total = totals.pop(table.name, (0, _NOTHING))
            if self._connection.database.table_exists(table.name):
                yield from self._broken(table, total)
        yield from (Broken(str(name), "total", "") for name in totals)
        rows = self._run('SELECT "row" FROM "seal"').fetchall()
        strays = {str(row) for (row,) in rows if str(row).partition(" ")[0] not in _NAMES}
        yield from (Broken("seal", "total", stray) for stray in sorted(strays))

    def _broken(self, table: Table, total: tuple[Any, Any]) -> Iterator[Broken]:
        # "!" comes right after the space in ASCII, so this range holds exactly the table's seals.
        prefix, mark = f"{table.name} ", self._mark
        statement = f'SELECT * FROM "seal" WHERE "row" >= {mark} AND "row" < {mark}'
        seals = dict(self._run(statement, (prefix, prefix[:-1] + "!")).fetchall())
        sealed = len(seals), reduce(xor, map(_number, seals.values()), 0)
        if (total[0], _plain(total[1])) != (sealed[0], _sized(sealed[1])):
            yield Broken(table.name, "total", "")
        for row in self._run(f'SELECT {table.names} FROM "{table.name}"'):
            name = f"{prefix}{row[table.at]}"
            if name not in seals:
                yield Broken(table.name, "added", str(row[table.at]))
            elif _plain(seals.pop(name)) != self._digest(table, row):
                yield Broken(table.name, "changed", str(row[table.at]))
        yield from (Broken(table.name, "gone", name.removeprefix(prefix)) for name in seals)


_OPEN = nullcontext()


class SealedDatabase(Connection):
    """A league's database; each row that a repository writes is sealed in the same transaction."""

    seals: Seals

    def writing(self) -> AbstractContextManager[None]:
        """Write rows in the transaction that is open, or else in one that ends with their seals."""
        return _OPEN if self.database.in_transaction() else self.transaction()

    def before_commit(self) -> None:
        """Seal what was written."""
        self.seals.renew()

    def undone(self) -> None:
        """Forget what was written: otherwise the next transaction would seal it."""
        self.seals.forget()


@cache
def _referring(table: Table) -> list[tuple[Table, str, bool]]:
    """Return the tables that refer to one, by which column, and whether their rows go with it."""
    return [
        (other, column.name, column.reference.on_delete == "CASCADE")
        for other in SEALED
        for column in other.columns
        if column.reference and column.reference.record is table.record
    ]


def _portions(rows: Iterable[Any]) -> Iterator[list[Any]]:
    left = iter(rows)
    while some := list(islice(left, PORTION)):
        yield some


def _plain(value: Any) -> bytes:
    """Return a digest as bytes, whatever somebody has put in its place."""
    return bytes(value) if isinstance(value, bytes | memoryview) else ascii(value).encode()


def _counted(total: tuple[Any, Any] | None) -> tuple[int, int]:
    """Return a total's rows and digests, whatever somebody has put in their place."""
    rows, digest = total or (0, _NOTHING)
    return rows if isinstance(rows, int) else 0, _number(digest)


def _number(digest: Any) -> int:
    return int.from_bytes((digest if type(digest) is bytes else _plain(digest))[:SIZE])


def _sized(number: int) -> bytes:
    return (number & _MASK).to_bytes(SIZE)
