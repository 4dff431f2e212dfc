"""A league's tables, its single values, and its own secret, which seals all rows."""

import re
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from pbem.storage import records
from pbem.storage.connection import StoreDown
from pbem.storage.migrations import SCHEMA, SECRET, UNSEALED, unsealed
from pbem.storage.repository import Repository
from pbem.storage.schema import TABLES
from pbem.storage.seals import Broken, SealedDatabase, Seals

_SECRET = re.compile("[0-9a-f]{64}")
_GONE = (
    "the league's own secret is gone or damaged, and all tokens and keys depend on it;"
    " restore a backup"
)


class Tables(SealedDatabase):
    """One league's database with a repository for each table."""

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
        self._set_up()
        try:
            self.secret = self._own_secret()
            if not only_read and self.meta(UNSEALED) == self._mark_of_migration():
                self.seal_all()
        except BaseException:
            self.close()
            raise

    def _set_up(self) -> None:
        """Set up a repository for each table."""
        self.players = Repository(self, records.Player)
        self.further = Repository(self, records.Further)
        self.blocks = Repository(self, records.Block)
        self.leaves = Repository(self, records.Leave)
        self.letters = Repository(self, records.Letter)
        self.personas = Repository(self, records.Persona)
        self.blueprints = Repository(self, records.Blueprint)
        self.pledges = Repository(self, records.Pledge)
        self.challenges = Repository(self, records.Challenge)
        self.summons = Repository(self, records.Summons)
        self.games = Repository(self, records.Game)
        self.places = Repository(self, records.Place)
        self.patrols = Repository(self, records.Patrol)
        self.turnouts = Repository(self, records.Turnout)
        self.steps = Repository(self, records.Step)
        self.rounds = Repository(self, records.Round)
        self.rulings = Repository(self, records.Ruling)
        self.stories = Repository(self, records.Story)
        self.watches = Repository(self, records.Watch)
        self.bans = Repository(self, records.Ban)
        self.tokens = Repository(self, records.Token)
        self.outbox = Repository(self, records.Outgoing)
        self.authorships = Repository(self, records.Authorship)
        self.bounces = Repository(self, records.Bounce)
        self.tallies = Repository(self, records.Tally)
        self.entries = Repository(self, records.Entry)
        self.rewards = Repository(self, records.Reward)
        self.nominations = Repository(self, records.Nomination)
        self.endorsements = Repository(self, records.Endorsement)
        self.posts = Repository(self, records.Post)
        self.subscriptions = Repository(self, records.Subscription)
        self.issues = Repository(self, records.Issue)
        self.editorials = Repository(self, records.Editorial)
        self.public_letters = Repository(self, records.PublicLetter)
        self._meta = Repository(self, records.Meta)

    def meta(self, key: str) -> str | None:
        """Return a single value."""
        row = self._meta.find(key=key)
        return None if row is None else row.value

    def set_meta(self, key: str, value: str) -> None:
        """Set a single value."""
        self._meta.put({"key": key}, value=value)

    def fresh_secret(self, repository: Repository[Any]) -> bytes:
        """Return a new secret of 32 bytes for a row that is about to be added to a repository."""
        return self.entropy(32)

    def seal_all(self) -> None:
        """Accept all rows as they are now as sound."""
        with self.transaction():
            self._meta.remove(key=UNSEALED)
            self.seals.renew_all()

    def broken(self) -> list[Broken]:
        """Return the rows that are not as this program wrote them."""
        return list(self.seals.broken())

    def read_damaged(self) -> None:
        """Also read texts that are not UTF-8; only for a SQLite file that is only inspected."""
        decode = partial(str, encoding="utf-8", errors="surrogateescape")
        self.database.connection().text_factory = decode

    def _own_secret(self) -> bytes:
        """Return the league's own secret, which tokens, keys and Message-IDs depend on."""
        known = self.meta(SECRET)
        if known is not None and _SECRET.fullmatch(known):
            secret = bytes.fromhex(known)
            self.seals = Seals(self, secret)
            return secret
        # A new secret would make all tokens and keys of an existing league invalid.
        if known is not None or self._holds_any():
            raise StoreDown(_GONE)
        fresh = self.entropy(32)
        self.seals = Seals(self, fresh)
        with self.transaction():
            self.set_meta(SECRET, fresh.hex())
            self.seals.touch_all()
        return fresh

    def _holds_any(self) -> bool:
        """Return whether any table holds more than a new database does."""
        others = [one.name for record, one in TABLES.items() if record is not records.Meta]
        found = (self.run(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone() for name in others)
        return self._meta.count(key__ne=SCHEMA) > 0 or any(found)

    def _mark_of_migration(self) -> str:
        return unsealed(self.meta(SECRET) or "", self.meta(SCHEMA) or "")
