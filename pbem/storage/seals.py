"""Seals: a digest of each row as the program wrote it, which reveals every other change.

Every statement that writes is run through `Seals.write`, which asks the database for the keys of
the rows that it wrote. When the transaction ends, `Seals` reads those once more and renews their
digests in it. So no table and no column needs a line here, and a row that is written ten times is
sealed once.
"""

import hmac
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from hashlib import sha256
from operator import xor
from typing import Any, NamedTuple

from pbem.storage.writes import SEAL, TABLES, Plan, Table, plan

log = logging.getLogger("pbem")

SIZE = 16
"""The size of a digest in bytes."""
_NOTHING, _MASK = bytes(SIZE), (1 << 8 * SIZE) - 1
ALL = "*"
"""The name of the total of all totals."""
PORTION = 500
"""How many rows are read at a time."""
MOST = 20_000
"""How many rows are remembered as sound at most."""
NEW, SOUND, SPOILED = "new", "sound", "spoiled"
"""How a row was before it was written; one that is `new` and has a seal was removed by others."""
TOLD = "changed by something other than pbem (see `pbem fsck`): %s"

Run = Callable[[str, Sequence[Any]], Any]
"""Runs a statement with its values and returns the cursor; or does so for many rows."""


class Broken(NamedTuple):
    """A row that is not as the program wrote it: changed, added, or gone; or a table's `total`."""

    table: str
    what: str
    key: str


class Written:
    """What a statement that wrote has returned, with a cursor's methods."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self._rows = iter(rows)
        self.rowcount = len(rows)
        self.lastrowid = rows[-1][-1] if rows else None

    def fetchone(self) -> Any:
        """Return the next row, or None."""
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""
        return list(self._rows)


class _Turn(threading.local):
    """What one thread has written in its transaction, and which rows it knows to be sound.

    `touched` are the keys of the rows written, by table, each with how it was before. What was
    sealed here stays `sound` as long as no other connection has written, which `version` shows.
    """

    def __init__(self) -> None:
        self.touched: dict[str, dict[Any, str]] = {}
        self.sound: set[str] = set()
        self.version: object = None
        self.begun = False


class Seals:
    """The seals of one database, by the league's own secret; each thread has its transaction."""

    def __init__(self, database: Any, secret: bytes, run: Run, run_many: Run) -> None:
        self._database, self._secret = database, secret
        self._run, self._run_many = run, run_many
        self._turn = _Turn()
        self._plans: dict[str, Plan | None] = {}
        mark = self._mark = str(database.param)
        self._put_seals = (
            f'INSERT INTO "seal" ("row", "digest") VALUES ({mark}, {mark})'
            ' ON CONFLICT ("row") DO UPDATE SET "digest" = excluded."digest"'
        )
        self._put_totals = (
            f'INSERT INTO "total" ("name", "rows", "digest") VALUES ({mark}, {mark}, {mark})'
            ' ON CONFLICT ("name") DO UPDATE'
            ' SET "rows" = excluded."rows", "digest" = excluded."digest"'
        )

    def write(self, statement: str, values: Sequence[Any]) -> Any:
        """Run a statement that writes, and note the rows that it wrote."""
        if statement not in self._plans:
            self._plans[statement] = plan(statement, self._mark)
        made = self._plans[statement]
        if made is None:
            return self._run(statement, values)
        if not self._turn.begun:
            self._watch()
        if made.before:
            self._look_before(made, values)
        # The keys are read before the rows are gone, with what the database will remove along with
        # them.
        if made.removes:
            keys = self._run(made.statement, values).fetchall()
            self._touch(made.table, [key for (key,) in keys])
            return self._run(statement, values)
        rows = self._run(made.statement, values).fetchall()
        touched, was = (
            self._turn.touched.setdefault(made.table.name, {}),
            NEW if made.adds else SOUND,
        )
        for row in rows:
            touched.setdefault(row[-1], was)
        return Written(rows)

    def _look_before(self, made: Plan, values: Sequence[Any]) -> None:
        """Check the rows that a statement will change, unless they are known to be sound."""
        picked, here = made.picked(values), self._turn.touched.setdefault(made.table.name, {})
        if made.by_key and self._turn.sound.issuperset(map(made.table.named, picked)):
            for key in picked:
                here.setdefault(key, SOUND)
            return
        self._look(made.table, self._run(made.before, picked).fetchall())

    def _watch(self) -> None:
        """Forget which rows are sound if another connection has written since then."""
        version = self._database.written_elsewhere()
        if version is None or version != self._turn.version or len(self._turn.sound) > MOST:
            self._turn.sound = set()
        self._turn.version, self._turn.begun = version, True

    def _look(self, table: Table, rows: Sequence[Any]) -> None:
        """Note rows that are about to be changed, and which of them something else has changed.

        A row that was spoiled before does not become sound by a change.
        """
        touched = self._turn.touched.setdefault(table.name, {})
        for *row, seal in rows:
            if row[0] not in touched:
                sound = seal is not None and _plain(seal) == self._digest(table, row)
                touched[row[0]] = SOUND if sound else SPOILED

    def _touch(self, table: Table, keys: Sequence[Any]) -> None:
        """Note rows that are to be removed, and what the database removes or changes with them."""
        if not keys:
            return
        touched = self._turn.touched.setdefault(table.name, {})
        for key in keys:
            touched.setdefault(key, SOUND)
        for name, column, owned in table.owned:
            other = TABLES[name]
            if owned:
                found = self._among(other, f'"{other.key}"', column, keys)
                if name != table.name:
                    self._touch(other, [key for (key,) in found])
            else:
                columns = f"{other.columns}, {SEAL.format(other)}"
                self._look(other, self._among(other, columns, column, keys))

    def touch_all(self) -> None:
        """Note every row, so that all are sealed again."""
        for table in TABLES.values():
            keys = self._run(f'SELECT "{table.key}" FROM "{table.name}"', ()).fetchall()
            self._turn.touched[table.name] = dict.fromkeys([key for (key,) in keys], SOUND)

    def renew_all(self) -> None:
        """Seal every row as it is now, and forget what was sealed before."""
        self._run('DELETE FROM "seal"', ())
        self._run('DELETE FROM "total"', ())
        self.touch_all()

    def forget(self) -> None:
        """Forget what was written, because it was undone."""
        self._turn.touched, self._turn.sound, self._turn.begun = {}, set(), False

    def renew(self) -> None:
        """Seal what this thread has written, within its transaction."""
        touched = {name: keys for name, keys in self._turn.touched.items() if keys}
        self._turn.touched, self._turn.begun = {}, False
        changes = dict.fromkeys(touched, (0, 0))
        for name, keys in touched.items():
            some = list(keys)
            for at in range(0, len(some), PORTION):
                rows, digest = self._renew(TABLES[name], some[at : at + PORTION], keys)
                changes[name] = changes[name][0] + rows, changes[name][1] ^ digest
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
        for name, (rows, digest) in changes.items():
            before, sum_ = _counted(known.get(name))
            total = before + rows, _sized(sum_ ^ digest)
            count += name not in known
            whole ^= self._leaf(name, total)
            whole ^= self._leaf(name, known[name]) if name in known else 0
            self._run(self._put_totals, (name, *total))
        self._run(self._put_totals, (ALL, count, _sized(whole)))

    def _leaf(self, name: object, total: tuple[Any, Any]) -> int:
        """Return what a table's total adds to the total of all."""
        message = ascii((ALL, name, total[0], _plain(total[1]))).encode()
        return _number(hmac.digest(self._secret, message, "sha256"))

    def _renew(
        self, table: Table, keys: Sequence[Any], known: Mapping[Any, str]
    ) -> tuple[int, int]:
        """Seal some rows of a table. Return the change of its total: rows, and digest."""
        before = dict(self._seals([table.named(key) for key in keys]))
        now, spoiled = {}, list[str]()
        for row in self._among(table, table.columns, table.key, keys):
            name, was, digest = table.named(row[0]), known[row[0]], self._digest(table, row)
            if was == SPOILED or (was == NEW and name in before):
                spoiled.append(name)
                # A spoiled row gets a seal that can't fit, so that fsck still finds it.
                digest = _sized(~_number(digest))
            now[name] = digest
        self._turn.sound.update(now)
        if spoiled:
            log.error(TOLD, ", ".join(spoiled))
            self._turn.sound.difference_update(spoiled)
        new = [one for one in now.items() if before.get(one[0]) != one[1]]
        if new:
            self._run_many(self._put_seals, new)
        if gone := [name for name in before if name not in now]:
            fit, given = self._database.among(gone)
            self._run(f'DELETE FROM "seal" WHERE "row" {fit}', (given,))
        digests = map(_number, (*before.values(), *now.values()))
        return len(now) - len(before), reduce(xor, digests, 0)

    def _seals(self, names: Sequence[str]) -> Any:
        return self._some("seal", "row", names)

    def _some(self, table: str, key: str, keys: Sequence[str]) -> Any:
        fit, given = self._database.among(keys)
        return self._run(f'SELECT * FROM "{table}" WHERE "{key}" {fit}', (given,)).fetchall()

    def _among(self, table: Table, columns: str, column: str, keys: Sequence[Any]) -> Any:
        fit, given = self._database.among(keys)
        statement = f'SELECT {columns} FROM "{table.name}" WHERE "{column}" {fit}'
        return self._run(statement, (given,)).fetchall()

    def _digest(self, table: Table, row: Sequence[Any]) -> bytes:
        """Return the digest of a row; it is the same in each kind of database.

        The texts come one after the other, after a list of their lengths and of all other values.
        """
        values = list(row)
        for n in table.bools:
            values[n] = int(values[n]) if isinstance(values[n], bool) else values[n]
        for n in table.blobs:
            if isinstance(values[n], bytes):
                values[n] = sha256(values[n]).digest()
        shape = [len(value) if type(value) is str else ascii(value) for value in values]
        texts = "".join([value for value in values if type(value) is str])
        message = f"{table.name} {shape} {texts}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._secret, message, "sha256")[:SIZE]

    def broken(self) -> Iterator[Broken]:
        """Return what is not as the program wrote it, table by table."""
        found = self._run('SELECT * FROM "total"', ()).fetchall()
        totals = {row[0]: (row[1], row[2]) for row in found}
        whole = totals.pop(ALL, (0, _NOTHING))
        leaves = [self._leaf(name, total) for name, total in totals.items()]
        if whole[0] != len(leaves) or _plain(whole[1]) != _sized(reduce(xor, leaves, 0)):
            yield Broken("total", "whole", "")
        for table in TABLES.values():
            total = totals.pop(table.name, (0, _NOTHING))
            if self._database.table_exists(table.name):
                yield from self._broken(table, total)
        yield from (Broken(str(name), "total", "") for name in totals)
        rows = self._run('SELECT "row" FROM "seal"', ()).fetchall()
        strays = {str(row) for (row,) in rows if str(row).partition(" ")[0] not in TABLES}
        yield from (Broken("seal", "total", stray) for stray in sorted(strays))

    def _broken(self, table: Table, total: tuple[Any, Any]) -> Iterator[Broken]:
        # "!" comes right after the space in ASCII, so this range holds exactly the table's seals.
        prefix, mark = table.named(""), self._mark
        statement = f'SELECT * FROM "seal" WHERE "row" >= {mark} AND "row" < {mark}'
        seals = dict(self._run(statement, (prefix, prefix[:-1] + "!")).fetchall())
        sealed = len(seals), reduce(xor, map(_number, seals.values()), 0)
        if (total[0], _plain(total[1])) != (sealed[0], _sized(sealed[1])):
            yield Broken(table.name, "total", "")
        cursor = self._run(f'SELECT {table.columns} FROM "{table.name}"', ())
        while rows := cursor.fetchmany(PORTION):
            for row in rows:
                name = table.named(row[0])
                if name not in seals:
                    yield Broken(table.name, "added", str(row[0]))
                elif _plain(seals.pop(name)) != self._digest(table, row):
                    yield Broken(table.name, "changed", str(row[0]))
        yield from (Broken(table.name, "gone", name.removeprefix(prefix)) for name in seals)


def _plain(value: Any) -> bytes:
    """Return a digest as bytes, whatever somebody has put in its place."""
    return bytes(value) if isinstance(value, bytes | memoryview) else ascii(value).encode()


def _counted(total: tuple[Any, Any] | None) -> tuple[int, int]:
    """Return a total's rows and digests, whatever somebody has put in their place."""
    rows, digest = total or (0, _NOTHING)
    return rows if isinstance(rows, int) else 0, _number(digest)


def _number(digest: Any) -> int:
    return int.from_bytes(_plain(digest)[:SIZE])


def _sized(number: int) -> bytes:
    return (number & _MASK).to_bytes(SIZE)
