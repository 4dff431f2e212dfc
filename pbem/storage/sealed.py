"""A database whose rows are sealed by the league's own secret, and its single values."""

import re
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from pbem.storage import models
from pbem.storage.connection import Line, StoreDown
from pbem.storage.migrations import SCHEMA, SECRET, UNSEALED, unsealed
from pbem.storage.repository import Repository
from pbem.storage.seals import Broken, Seals

_SECRET = re.compile("[0-9a-f]{64}")
_GONE = (
    "the league's own secret is gone or damaged, and all tokens and keys depend on it;"
    " restore a backup"
)


class Sealed(Line):
    """A league's database; each row written through it is sealed in the same transaction."""

    def __init__(
        self,
        url: str,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        *,
        only_read: bool = False,
    ) -> None:
        """Open a database by its URL. Raise StoreDown with a readable reason if that fails."""
        super().__init__(url, only_read=only_read)
        self.entropy = entropy
        try:
            self.secret = self._own_secret()
            self.seals = self._seals_by(self.secret)
            if not only_read and self.meta(UNSEALED) == unsealed(self.meta(SCHEMA) or ""):
                self.seal_all()
        except BaseException:
            self.close()
            raise

    def meta(self, key: str) -> str | None:
        """Return a single value."""
        mark = self.database.param
        row = self.run(f'SELECT "value" FROM "meta" WHERE "key" = {mark}', (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Set a single value."""
        models.Meta.put(key, value)

    def fresh_secret(self, shelf: Repository[Any]) -> bytes:
        """Return a new secret of 32 bytes for a row that is about to be added to a repository."""
        return self.entropy(32)

    def seal_all(self) -> None:
        """Accept all rows as they are now as sound."""
        with self.transaction():
            self.run(f'DELETE FROM "meta" WHERE "key" = {self.database.param}', (UNSEALED,))
            if self.seals is not None:
                self.seals.renew_all()

    def broken(self) -> list[Broken]:
        """Return the rows that are not as this program wrote them."""
        return list(self.seals.broken()) if self.seals is not None else []

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
        with self.transaction():
            self.set_meta(SECRET, fresh.hex())
            self.seals = self._seals_by(fresh)
            self.seals.touch_all()
        return fresh

    @staticmethod
    def _holds_any() -> bool:
        """Return whether any table holds more than a new database does."""
        tables = {*models.TABLES, *models.CHECKS} - {models.Meta}
        rows: list[Any] = [model.select() for model in tables]
        rows.append(models.Meta.select().where(models.Meta.key != SCHEMA))
        return any(each.exists() for each in rows)

    def _seals_by(self, secret: bytes) -> Seals:
        return Seals(self.database, secret, self._execute, self._execute_many)
