"""The store: one league's tables, its single values, and the questions that need several rows."""

import hashlib
import platform
import re
import secrets
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from peewee import SQL, Expression, fn

from pbem.channels.mail.mailbox import Arrival
from pbem.intake import digest
from pbem.storage.connection import PORTION, Connection, M, StoreDown
from pbem.storage.fields import Row
from pbem.storage.migrations import SCHEMA
from pbem.storage.models import (
    MODELS,
    Game,
    KeptWords,
    Letter,
    Meta,
    Outgoing,
    Place,
    Post,
    Round,
    Step,
    Tally,
    Turnout,
)

SECRET = "secret"
"""The single value that is the league's own secret."""
OWNED_FOR = timedelta(minutes=10)
"""How long work that is in hand is left to the program that has it: then it has died."""
NOBODY: dict[str, object] = {"owner": "", "owned_until": None}
"""The values of a row that nobody has in hand."""
FAREWELL = "farewell"
"""The kind of the last letter to a player, which is itself erased once it is sent."""
SENT = ("sent", "failed", "replaced", "digested", "unwanted")
"""The states of an outgoing letter that waits no more."""
HANDLED = ("filed", "answered", "held", "discarded")
"""The states of letters that were handled."""
DROPPED = "dropped"
"""What a letter counts as that was discarded unread."""
WITHOUT_EFFECT = (DROPPED, "duplicate")
WAITING = ("queued", "sending", "held")
"""The states of one that still waits."""
_SECRET = re.compile("[0-9a-f]{64}")
_GONE = (
    "the league's own secret is gone or damaged, and all tokens and keys depend on it;"
    " restore a backup"
)
_MESSAGE_ID = re.compile(rb"^message-id:\s*(<[!-;=?-~]{1,900}>)", re.I | re.M)


def message_id(raw: bytes) -> str:
    """Return a letter's Message-ID, or an artificial one made from its content."""
    # Only the header counts: a body may quote another letter's Message-ID.
    head = raw[:102400].partition(b"\r\n\r\n")[0].partition(b"\n\n")[0]
    match = _MESSAGE_ID.search(head)
    if match is None:
        return f"<{hashlib.sha256(raw).hexdigest()[:32]}@no-message-id.invalid>"
    return match[1].decode("ascii")


class Namesake(NamedTuple):
    """A letter with the Message-ID of another one, as far as it is compared."""

    id: int
    digest: str
    state: str
    klass: str


class _Values(threading.local):
    """The single values as one thread has read them, if it keeps them for a while."""

    kept = False
    known: dict[str, str] | None = None


class Store(Connection):
    """One league's database: a repository for each table, single values, and questions."""

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

    def places_in(self, game_id: int) -> list[Place]:
        """Return the places of a game, in the order in which they were taken."""
        return self.all(Place.select().where(Place.game == game_id).order_by(Place.id))

    def steps_of(self, game_id: int) -> list[Step]:
        """Return the steps of a game, in their order."""
        return self.all(Step.select().where(Step.game == game_id).order_by(Step.id))

    def places_of(self, player_id: int) -> list[Place]:
        """Return a player's places in running games."""
        running = Game.select(Game.id).where(Game.running == True)
        return self.all(
            Place.select()
            .where(Place.player == player_id, Place.game.in_(running))
            .order_by(Place.id)
        )

    def turnouts(self, players: Collection[int], most: int) -> dict[int, list[bool]]:
        """Return which of their last deadlines some players met, by their numbers."""
        age = fn.ROW_NUMBER().over(partition_by=[Turnout.player], order_by=[Turnout.id.desc()])
        each = Turnout.select(Turnout.player, Turnout.met, age.alias("age"))
        last = each.where(Turnout.player.in_(list(players))).alias("last")
        query = Turnout.select(last.c.player_id, last.c.met).from_(last).where(last.c.age <= most)
        found: dict[int, list[bool]] = {player: [] for player in players}
        for player, met in self.tuples(query):
            found[player].append(bool(met))
        return found

    def is_fighting(self, persona_id: int) -> bool:
        """Return whether a running game that counts binds a persona, which has not left it."""
        bound = Place.persona == persona_id, Place.left.is_null()
        return self.exists(
            Place.select().join(Game).where(*bound, Game.running == True, Game.practice == False)
        )

    def known_places(
        self, account: str, folder: str, places: Collection[str], *, moves: bool
    ) -> set[str]:
        """Return which places in a folder are those of letters that are stored.

        Where it `moves` letters, one that was moved and lies there all the same is moved again.
        """
        found, rest = set[str](), iter(places)
        while some := list(islice(rest, 5 * PORTION)):
            rows = self.tuples(
                Letter.select(Letter.id, Letter.place, Letter.moved).where(
                    Letter.account == account, Letter.folder == folder, Letter.place.in_(some)
                )
            )
            found.update(place for _, place, _ in rows)
            again = [number for number, _, moved in rows if moved]
            if moves:
                self.run(Letter.update(moved=False).where(Letter.id.in_(again)))
        return found

    def keep(
        self,
        account: str,
        folder: str,
        now: datetime,
        letters: Sequence[Arrival],
        lists: Callable[[str], bool] = lambda place: False,
    ) -> int:
        """Store letters raw before anything else happens to them. Return how many are new.

        A stored letter is known by its content, wherever it lies: one that came to another place
        (`lists` returns whether any lies at the old one still) is the same, and moved again.
        """
        # Not by the hash: of a stranger's letter only the header may have been kept.
        arrived, new = [(one, digest(one.raw)) for one in letters], 0
        with self.transaction():
            while arrived:
                # One that comes twice is compared with its first delivery.
                first: dict[str, Arrival] = {}
                for one, content in arrived:
                    first.setdefault(content, one)
                new += self._keep(first, now, lists, account, folder)
                arrived = [pair for pair in arrived if pair[0] is not first[pair[1]]]
        return new

    def _keep(
        self,
        arrived: Mapping[str, Arrival],
        now: datetime,
        lists: Callable[[str], bool],
        account: str,
        folder: str,
    ) -> int:
        """Store letters, or note their new places; they stand under their digests."""
        found = Letter.account == account, Letter.folder == folder, Letter.digest.in_([*arrived])
        known: dict[str, list[Letter]] = {}
        some = Letter.select(Letter.id, Letter.digest, Letter.place, Letter.received)
        for kept in self.all(some.where(*found).order_by(Letter.id)):
            known.setdefault(kept.digest, []).append(kept)
        rows = list[dict[str, object]]()
        for content, one in arrived.items():
            # A server whose clock is ahead must not make letters count as late.
            received = min(one.received, now)
            same = (
                row
                for row in known.get(content, ())
                if row.place == one.place or (row.received == received and not lists(row.place))
            )
            if (row := next(same, None)) is not None:
                moved = Letter.update(place=one.place, moved=False)
                self.run(moved.where(Letter.id == row.id))
                continue
            rows.append(
                {
                    "account": account,
                    "folder": folder,
                    "digest": content,
                    "content": one.raw,
                    "place": one.place,
                    "message_id": message_id(one.raw),
                    "sha256": hashlib.sha256(one.raw).hexdigest(),
                    "received": received,
                    "kept": now,
                    "truncated": one.truncated,
                }
            )
        if rows:
            self.run(Letter.insert_many(rows))
        return len(rows)

    def unmoved(self, account: str, folder: str, limit: int = 500) -> list[tuple[int, str]]:
        """Return (id, place) of handled letters that are still in their folder."""
        query = Letter.select(Letter.id, Letter.place).where(
            Letter.account == account,
            Letter.folder == folder,
            Letter.moved == False,
            Letter.state != "received",
        )
        return [(n, place) for n, place in self.tuples(query.order_by(Letter.id).limit(limit))]

    def namesakes_of(self, letter: Letter) -> list[Namesake]:
        """Return the other letters with a letter's Message-ID, oldest first."""
        query = Letter.select(Letter.id, Letter.digest, Letter.state, Letter.klass).where(
            Letter.message_id == letter.message_id, Letter.id != letter.id
        )
        return [Namesake(*one) for one in self.tuples(query.order_by(Letter.id))]

    def count_today(self, what: str, now: datetime, more: int = 1) -> int:
        """Count something once more for today, or `more` times, and return the count so far."""
        return self._count(now.date().isoformat(), what, more)

    def _count(self, day: str, what: str, more: int = 1) -> int:
        counted = Tally.insert(day=day, what=what, so_far=more).on_conflict(
            conflict_target=[Tally.day, Tally.what], update={Tally.so_far: Tally.so_far + more}
        )
        return int(self.inserted(counted.returning(Tally)).so_far)

    def _counted(self, day: str, what: str) -> int:
        return int(
            self.scalar(Tally.select(Tally.so_far).where(Tally.day == day, Tally.what == what)) or 0
        )

    def counted_today(self, what: str, now: datetime) -> int:
        """Return how often something was counted today."""
        return self._counted(now.date().isoformat(), what)

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

    def due_games(self, now: datetime) -> list[Game]:
        """Return the running games whose deadline has passed."""
        due = Game.select().where(Game.running == True, Game.deadline <= now)
        return self.all(due.order_by(Game.id))

    def message_id(self, ident: str, fresh: str) -> str:
        """Return the Message-ID to use for an ident: the fresh one (a replay: the old one)."""
        return fresh

    def queue(self, slot: str, content: bytes, **values: Any) -> str:
        """Queue a letter, unless one has its ident, and return the Message-ID of that ident.

        Unsent letters of the same slot are replaced (slot '': none).
        """
        ident = values.setdefault("ident", values["message_id"])
        # Only while it waits: what is being sent now can't be called back.
        if slot:
            waiting = Outgoing.slot == slot, Outgoing.state == "queued"
            self.run(Outgoing.update(state="replaced").where(*waiting))
        letter = Outgoing.insert(content=content, slot=slot, **values)
        if self.run(letter.on_conflict_ignore()):
            return str(values["message_id"])
        return str(self.scalar(Outgoing.select(Outgoing.message_id).where(Outgoing.ident == ident)))

    def not_owned(self, model: type[Letter | Outgoing | Post], now: datetime) -> Expression:
        """Return the condition of rows that no other program has in hand."""
        free: Expression = model.owner.in_(("", self.owner)) | (model.owned_until < now)
        return free

    def owning(self, now: datetime) -> dict[str, object]:
        """Return the values of a row that this program takes in hand."""
        return {"owner": self.owner, "owned_until": now + OWNED_FOR}

    def claim(self, now: datetime, limit: int, *which: Expression) -> list[Outgoing]:
        """Return letters that are due, only of certain kinds, and mark them as being sent."""
        due = Outgoing.select().where(Outgoing.state == "queued", Outgoing.due <= now, *which)
        # In one transaction, so that no letter that is replaced meanwhile is sent.
        with self.transaction():
            found = self.all(due.order_by(Outgoing.id).limit(limit))
            claimed = Outgoing.update(state="sending", **self.owning(now))
            self.run(claimed.where(Outgoing.id.in_([row.id for row in found])))
        return found

    def unclaim(self, now: datetime) -> int:
        """Queue again what was being sent when a program died. Return how many."""
        died = Outgoing.state == "sending", self.not_owned(Outgoing, now)
        return self.run(Outgoing.update(state="queued", **NOBODY).where(*died))

    def mark_sent(self, letters: Sequence[Outgoing], now: datetime, forget: str) -> None:
        """Mark letters as sent, and drop the contents of those of the kind `forget`."""
        numbers = [row.id for row in letters]
        self.run(Outgoing.update(state="sent", sent=now, **NOBODY).where(Outgoing.id.in_(numbers)))
        if forgotten := [row.id for row in letters if row.kind == forget]:
            self.run(Outgoing.update(content=b"").where(Outgoing.id.in_(forgotten)))
        # The last letter confirms an erasure, so nothing of it may stay.
        if last := [row.id for row in letters if row.kind == FAREWELL]:
            self.run(Outgoing.delete().where(Outgoing.id.in_(last)))

    def forget_tallies(self, holding: str, before: str = "9999") -> None:
        """Forget what was counted on earlier days for keys that contain a text."""
        for row in self.all(Tally.select().where(Tally.day < before)):
            if holding.casefold() in row.what.casefold():
                self.run(Tally.delete().where(Tally.id == row.id))

    def drop_handled(self, before: datetime) -> None:
        """Drop the bytes of letters that were handled before a time; their rows stay."""
        self.run(KeptWords.delete().where(KeptWords.made < before))
        self._drop(Letter, Letter.handled < before, Letter.state != "shunted")

    def drop_sent(self, before: datetime) -> None:
        """Drop the words of letters and private messages from before a time that wait no more."""
        self._drop(Outgoing, Outgoing.made < before, Outgoing.state.in_(SENT))
        private = Post.made < before, Post.recipient != "", Post.state != "queued"
        self.run(Post.update(title="", body="").where(*private))

    def _drop(self, model: type[Letter] | type[Outgoing], *which: Expression) -> None:
        """Drop the bytes of letters, in portions: what is changed is read before."""
        full = model.select(model.id).where(model.content != b"", *which).limit(PORTION)
        while some := [number for (number,) in self.tuples(full)]:
            self.run(model.update(content=b"").where(model.id.in_(some)))

    def day_of_work(self, back: int, now: datetime) -> date | None:
        """Return the day that lies so many days of work before the latest; None if there are fewer.

        A day of work is one on which a round was noted; days after `now` do not count.
        """
        day = Round.at / SQL("86400000000")
        days = Round.select(day).where(Round.at <= now).distinct().order_by(SQL("1").desc())
        found = self.scalar(days.offset(back))
        return None if found is None else date(1970, 1, 1) + timedelta(days=int(found))

    def clean_files(self) -> bool:
        """Make sure that nothing erased is left in the database's files; False if it must wait."""
        done = [self.execute_sql(statement) for statement in self.database.cleaning]
        # SQLite's log can't be emptied while somebody reads it: then its first figure is 1.
        return not any(one.description and one.fetchone()[0] for one in done)
