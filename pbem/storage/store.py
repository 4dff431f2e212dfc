"""The store: one league's database with its single values and counts of what was done."""

import platform
import re
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial

from peewee import Expression, fn

from pbem.storage.connection import PORTION, Connection, M, StoreDown
from pbem.storage.fields import Row
from pbem.storage.migrations import SCHEMA
from pbem.storage.models import (
    MODELS,
    Letter,
    Meta,
    Outgoing,
    Post,
    Tally,
)

SECRET = "secret"
"""The single value that is the league's own secret."""
OWNED_FOR = timedelta(minutes=10)
"""How long work that is in hand is left to the program that has it: then it has died."""
NOBODY: dict[str, object] = {"owner": "", "owned_until": None}
"""The values of a row that nobody has in hand."""
FAREWELL = "farewell"
"""The kind of the last letter to a player, which is itself erased once it is sent."""
_SECRET = re.compile("[0-9a-f]{64}")
_GONE = (
    "the league's own secret is gone or damaged, and all tokens and keys depend on it;"
    " restore a backup"
)


class _Values(threading.local):
    """The single values as one thread has read them, if it keeps them for a while."""

    kept = False
    known: dict[str, str] | None = None


class Store(Connection):
    """One league's database, with single values, counts, and what the owners of tables share."""

    def __init__(
        self,
        url: str,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        *,
        only_read: bool = False,
        upgrade: bool = False,
    ) -> None:
        """Open a database as Connection does. Raise StoreDown with a reason if that fails."""
        super().__init__(url, only_read=only_read, upgrade=upgrade)
        self.entropy = entropy
        self._values = _Values()
        self.owner = platform.node() or "pbem"
        """How this program marks what it has in hand: a machine has one daemon."""
        try:
            self.secret = self._own_secret()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def values_read_once(self) -> Iterator[None]:
        """Let `meta` read all single values at once while the block runs, for this thread.

        They are read again after one is set. What a transaction reads comes from the database.
        """
        outer, self._values.kept = self._values.kept, True
        try:
            yield
        finally:
            self._values.kept, self._values.known = outer, None

    def meta(self, key: str) -> str | None:
        """Return a single value."""
        if self._values.kept and not self.database.in_transaction():
            if self._values.known is None:
                self._values.known = {one.key: one.value for one in self.all(Meta.select())}
            return self._values.known.get(key)
        row = self.first(Meta.select().where(Meta.key == key))
        return None if row is None else row.value

    def set_meta(self, key: str, value: str) -> None:
        """Set a single value."""
        self._values.known = None
        self.run(
            Meta.insert(key=key, value=value).on_conflict(
                conflict_target=[Meta.key], preserve=[Meta.value]
            )
        )

    def fresh_secret(self, model: type[Row]) -> bytes:
        """Return a new secret of 32 bytes for a row that is about to be added to a table."""
        return self.entropy(32)

    def read_damaged(self) -> None:
        """Also read texts that are not UTF-8; only for a SQLite file that is only inspected."""
        decode = partial(str, encoding="utf-8", errors="surrogateescape")
        self.database.connection().text_factory = decode

    def _own_secret(self) -> bytes:
        """Return the league's own secret, which tokens, keys and Message-IDs depend on."""
        known = self.meta(SECRET)
        if known is not None and _SECRET.fullmatch(known):
            return bytes.fromhex(known)
        # A new secret would make all tokens and keys of an existing league invalid.
        if known is not None or self._holds_any():
            raise StoreDown(_GONE)
        fresh = self.entropy(32)
        self.set_meta(SECRET, fresh.hex())
        return fresh

    def _holds_any(self) -> bool:
        """Return whether any table holds more than a new database does."""
        others = (model.select() for model in MODELS if model is not Meta)
        known = self.exists(Meta.select().where(Meta.key != SCHEMA))
        return known or any(map(self.exists, others))

    def of_player(self, model: type[M], player_id: int) -> list[M]:
        """Return the rows of a table that belong to a player, oldest first."""
        owner = model._meta.fields["player"]
        return self.all(model.select().where(owner == player_id).order_by(model.key_field()))

    def count_today(self, what: str, now: datetime, more: int = 1) -> int:
        """Count something once more for today, or `more` times, and return the count so far."""
        return self._count(now.date().isoformat(), what, more)

    def _count(self, day: str, what: str, more: int = 1) -> int:
        counted = Tally.insert(day=day, what=what, so_far=more).on_conflict(
            conflict_target=[Tally.day, Tally.what], update={Tally.so_far: Tally.so_far + more}
        )
        return int(self.inserted(counted.returning(Tally)).so_far)

    def counted_today(self, what: str, now: datetime) -> int:
        """Return how often something was counted today."""
        today = Tally.day == now.date().isoformat(), Tally.what == what
        return int(self.scalar(Tally.select(Tally.so_far).where(*today)) or 0)

    def _counted_after(self, what: str, day: str) -> int:
        after = Tally.select(fn.SUM(Tally.so_far)).where(Tally.what == what, Tally.day > day)
        return int(self.scalar(after) or 0)

    def counted_since(self, what: str, since: datetime) -> int:
        """Return how often something was counted on the days after the day of `since`."""
        return self._counted_after(what, since.date().isoformat())

    def count_now(self, what: str, now: datetime) -> None:
        """Count something once more for this very second, for `counted_within`."""
        self._count(now.isoformat(timespec="seconds"), what)

    def counted_within(self, what: str, span: timedelta, now: datetime) -> int:
        """Return how often `count_now` counted something within a span of time before now."""
        return self._counted_after(what, (now - span).isoformat(timespec="seconds"))

    def message_id(self, ident: str, fresh: str) -> str:
        """Return the Message-ID to use for an ident: the fresh one (a replay: the old one)."""
        return fresh

    def not_owned(self, model: type[Letter | Outgoing | Post], now: datetime) -> Expression:
        """Return the condition of rows that no other program has in hand."""
        free: Expression = model.owner.in_(("", self.owner)) | (model.owned_until < now)
        return free

    def owning(self, now: datetime) -> dict[str, object]:
        """Return the values of a row that this program takes in hand."""
        return {"owner": self.owner, "owned_until": now + OWNED_FOR}

    def forget_tallies(self, holding: str, before: str = "9999") -> None:
        """Forget what was counted on earlier days for keys that contain a text."""
        for row in self.all(Tally.select().where(Tally.day < before)):
            if holding.casefold() in row.what.casefold():
                self.run(Tally.delete().where(Tally.id == row.id))

    def drop_contents(self, model: type[Letter] | type[Outgoing], *which: Expression) -> None:
        """Drop the bytes of letters, in portions: what is changed is read before."""
        full = model.select(model.id).where(model.content != b"", *which).limit(PORTION)
        while some := [number for (number,) in self.tuples(full)]:
            self.run(model.update(content=b"").where(model.id.in_(some)))

    def clean_files(self) -> bool:
        """Make sure that nothing erased is left in the database's files; False if it must wait."""
        done = [self.execute_sql(statement) for statement in self.database.cleaning]
        # SQLite's log can't be emptied while somebody reads it: then its first figure is 1.
        return not any(one.description and one.fetchone()[0] for one in done)
