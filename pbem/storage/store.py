"""The store: one league's tables, its single values, and the questions that need several rows."""

import hashlib
import re
import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from engine.names import fold
from pbem.channels.mail.mailbox import Arrival
from pbem.intake import digest
from pbem.storage import records
from pbem.storage.connection import Connection, StoreDown
from pbem.storage.migrations import SCHEMA
from pbem.storage.personas import Personas
from pbem.storage.repository import PORTION, Repository, from_utc
from pbem.storage.schema import TABLES

SECRET = "secret"
"""The single value that is the league's own secret."""
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
# Passed as a value, since PostgreSQL's driver takes a % in a statement for a mark.
_GUESTS = f"{records.GUEST}%"
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
        self._set_up()
        try:
            self.secret = self._own_secret()
        except BaseException:
            self.close()
            raise

    def _set_up(self) -> None:
        """Set up a repository for each table."""
        self.players = Repository(self, records.Player)
        self.further = Repository(self, records.Further)
        self.accounts = Repository(self, records.Account)
        self.cursors = Repository(self, records.Cursor)
        self.blocks = Repository(self, records.Block)
        self.leaves = Repository(self, records.Leave)
        self.letters = Repository(self, records.Letter)
        self.personas = Personas(self, records.Persona)
        self.blueprints = Repository(self, records.Blueprint)
        self.pledges = Repository(self, records.Pledge)
        self.offers = Repository(self, records.Offer)
        self.offer_seats = Repository(self, records.OfferSeat)
        self.games = Repository(self, records.Game)
        self.places = Repository(self, records.Place)
        self.turnouts = Repository(self, records.Turnout)
        self.steps = Repository(self, records.Step)
        self.rounds = Repository(self, records.Round)
        self.rulings = Repository(self, records.Ruling)
        self.stories = Repository(self, records.Story)
        self.watches = Repository(self, records.Watch)
        self.bans = Repository(self, records.Ban)
        self.tokens = Repository(self, records.Token)
        self.questions = Repository(self, records.Question)
        self.outbox = Repository(self, records.Outgoing)
        self.authorships = Repository(self, records.Authorship)
        self.kept_words = Repository(self, records.KeptWords)
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
        others = [one.name for record, one in TABLES.items() if record is not records.Meta]
        found = (self.run(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone() for name in others)
        return self._meta.count(key__ne=SCHEMA) > 0 or any(found)

    def player_at(self, address: str) -> records.Player | None:
        """Return the player of an address, confirmed or not."""
        found = self.players.find(address=address)
        if found is not None:
            return found
        further = self.further.find(address=address)
        return None if further is None else self.players.get(further.player_id)

    def addresses_of(self, player: records.Player) -> list[str]:
        """Return a player's confirmed addresses, the one that letters go to first."""
        further = self.further.all(player=player.id)
        return list(dict.fromkeys([player.address, *(row.address for row in further)]))

    def prefer(self, player: records.Player, address: str) -> None:
        """Send letters to another address of a player from now on, and keep the old one too."""
        self.further.insert_if_new(player=player.id, address=player.address, added=player.joined)
        self.players.change(player.id, address=address)

    def player_named(self, name: str) -> records.Player | None:
        """Return the player of a name, without regard to case, accents or spacing."""
        return self.players.find(folded=fold(name))

    def persona_named(self, name: str) -> records.Persona | None:
        """Return the persona of a name, without regard to case, accents or spacing."""
        return self.personas.find(folded=fold(name))

    def personas_of(self, player_id: int, **which: str) -> list[records.Persona]:
        """Return a player's personas, without guests."""
        return [row for row in self.personas.all(player=player_id, **which) if not row.is_guest]

    def guest(self, player: records.Player, system: str, now: datetime) -> records.Persona:
        """Return what stands for a player in a game that no persona of theirs enters."""
        # No name is found by this, so that guests take no names from personas.
        folded = f"{records.GUEST}{player.id} {system}"
        return self.personas.find(folded=folded) or self.personas.add(
            player=player.id,
            system=system,
            name=player.name,
            folded=folded,
            side="",
            record="{}",
            joined=now,
        )

    def places_of(self, player_id: int) -> list[records.Place]:
        """Return a player's places in running games."""
        return self.places.all(player=player_id, game__running=True)

    def sides(self) -> list[tuple[str, str]]:
        """Return the sides that personas fight for, each with its system."""
        found = self.run(
            'SELECT DISTINCT "system", "side" FROM "persona" WHERE "rank" <> \'\' ORDER BY 1, 2'
        )
        return [(system, side) for system, side in found.fetchall()]

    def best(self, system: str, most: int, after: int = 0, side: str = "") -> list[records.Persona]:
        """Return the best careers of a system or a side, without the first `after`."""
        where, values = f'"system" = {self.mark}', [system]
        if side:
            where, values = f'{where} AND "side" = {self.mark}', [system, side]
        found = self.run(
            f'SELECT "id" FROM "persona" WHERE {where} AND "rank" > \'\' ORDER BY "rank", "name"'
            f" LIMIT {int(most)} OFFSET {int(after)}",
            values,
        )
        return [self.personas.get(number) for (number,) in found.fetchall()]

    def beside(self, row: records.Persona, most: int) -> list[records.Persona]:
        """Return the careers right before and behind one, `most` each, the best first."""
        numbers = list[int]()
        for sign, order in (("<", "DESC"), (">", "ASC")):
            found = self.run(
                f'SELECT "id" FROM "persona" WHERE "system" = {self.mark} AND "rank" > \'\''
                f' AND ("rank", "name") {sign} ({self.marks((1, 2))})'
                f' ORDER BY "rank" {order}, "name" {order} LIMIT {int(most)}',
                (row.system, row.rank, row.name),
            )
            numbers += [number for (number,) in found.fetchall()]
        rows = [self.personas.get(number) for number in numbers]
        return sorted(rows, key=lambda one: (one.rank, one.name))

    def place(self, system: str, rank: str) -> int:
        """Return the place of a rank in its system: 1 for the best."""
        return 1 + self.personas.count(system=system, rank__gt="", rank__lt=rank)

    def forces(self, system: str) -> list[tuple[str, str, str, int]]:
        """Return sides, ranks and figures of a system's careers, and how many have the same."""
        # By an index that holds all of these, so no record is read.
        found = self.run(
            'SELECT "side", "rank", "figures", count(*) FROM "persona"'
            f' WHERE "system" = {self.mark} AND "rank" > \'\' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3',
            (system,),
        )
        return [(side, rank, figures, count) for side, rank, figures, count in found.fetchall()]

    def rivals(self, player_id: int, most: int, after: int = 0) -> list[records.Persona]:
        """Return some of the other players' personas, those first whose players wrote last.

        The first `after` are left out.
        """
        mark = self.mark
        found = self.run(
            # CROSS, so that SQLite reads the players in this order, and stops.
            'SELECT "persona"."id" FROM "player" CROSS JOIN "persona"'
            f' WHERE "player"."id" = "persona"."player_id" AND "player"."id" <> {mark}'
            ' AND "player"."confirmed" AND NOT "player"."banned"'
            f' AND "persona"."folded" NOT LIKE {mark}'
            ' ORDER BY "player"."heard" DESC, "persona"."id"'
            f" LIMIT {mark} OFFSET {mark}",
            (player_id, _GUESTS, most, after),
        )
        return [self.personas.get(number) for (number,) in found.fetchall()]

    def turnout(self, player_id: int, most: int) -> tuple[int, int]:
        """Return how many of a player's last deadlines were met, and how many there were."""
        last = self.turnouts.latest(most, player=player_id)
        return sum(one.met for one in last), len(last)

    def persona_names(self) -> list[str]:
        """Return the names of all personas, oldest first."""
        found = self.personas.values("name", "folded")
        return [name for name, folded in found if not folded.startswith(records.GUEST)]

    def is_fighting(self, persona_id: int) -> bool:
        """Return whether a running game that counts binds a persona, which has not left it."""
        bound = self.places.all(persona=persona_id, game__running=True, left=None)
        # Asked one by one: nearly all games are no practice, so a list of them would be long.
        return any(self.games.count(id=one.game_id, practice=False) for one in bound)

    def known_places(
        self, account: str, folder: str, places: Collection[str], *, moves: bool
    ) -> set[str]:
        """Return which places in a folder are those of letters that are stored.

        Where it `moves` letters, one that was moved and lies there all the same is moved again.
        """
        found, rest = set[str](), iter(places)
        while some := list(islice(rest, 5 * PORTION)):
            here: dict[str, Any] = {"account": account, "folder": folder, "place__in": some}
            rows = self.letters.values("id", "place", "moved", **here)
            found.update(place for _, place, _ in rows)
            again = [number for number, _, moved in rows if moved]
            if moves:
                self.letters.change_each(again, moved=False)
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
        with self.transaction():
            return sum(self._keep(one, now, lists, account, folder) for one in letters)

    def _keep(
        self, one: Arrival, now: datetime, lists: Callable[[str], bool], account: str, folder: str
    ) -> bool:
        """Store a letter, or note its new place. Return whether it is new."""
        content: dict[str, Any] = {
            "account": account,
            "folder": folder,
            # Not by the hash: of a stranger's letter only the header may have been kept.
            "digest": digest(one.raw),
        }
        # A server whose clock is ahead must not make letters count as late.
        received = min(one.received, now)
        for number, place, at in self.letters.values("id", "place", "received", **content):
            if place == one.place or (at == from_utc(received) and not lists(place)):
                self.letters.change(number, place=one.place, moved=False)
                return False
        self.letters.insert(
            content=one.raw,
            place=one.place,
            message_id=message_id(one.raw),
            sha256=hashlib.sha256(one.raw).hexdigest(),
            received=received,
            kept=now,
            truncated=one.truncated,
            **content,
        )
        return True

    def unmoved(self, account: str, folder: str, limit: int = 500) -> list[tuple[int, str]]:
        """Return (id, place) of handled letters that are still in their folder."""
        here: dict[str, Any] = {"account": account, "folder": folder, "moved": False}
        return self.letters.values("id", "place", limit=limit, **here, state__ne="received")

    def namesakes_of(self, letter: records.Letter) -> list[Namesake]:
        """Return the other letters with a letter's Message-ID, oldest first."""
        found = self.letters.values(
            "id", "digest", "state", "klass", message_id=letter.message_id, id__ne=letter.id
        )
        return [Namesake(*one) for one in found]

    def count_today(self, what: str, now: datetime, more: int = 1) -> int:
        """Count something once more for today, or `more` times, and return the count so far."""
        day = {"day": now.date().isoformat(), "what": what}
        with self.writing():
            count = self.counted_today(what, now) + more
            self.tallies.put(day, so_far=count)
        return count

    def counted_today(self, what: str, now: datetime) -> int:
        """Return how often something was counted today."""
        tally = self.tallies.find(day=now.date().isoformat(), what=what)
        return 0 if tally is None else tally.so_far

    def counted_since(self, what: str, since: datetime) -> int:
        """Return how often something was counted on the days after the day of `since`."""
        day = since.date().isoformat()
        return sum(one.so_far for one in self.tallies.all(what=what, day__gt=day))

    def count_now(self, what: str, now: datetime) -> None:
        """Count something once more for this very second, for `counted_within`."""
        second = {"day": now.isoformat(timespec="seconds"), "what": what}
        with self.writing():
            found = self.tallies.find(**second)
            self.tallies.put(second, so_far=found.so_far + 1 if found else 1)

    def counted_within(self, what: str, span: timedelta, now: datetime) -> int:
        """Return how often `count_now` counted something within a span of time before now."""
        since = (now - span).isoformat(timespec="seconds")
        return sum(one.so_far for one in self.tallies.all(what=what, day__gt=since))

    def due_games(self, now: datetime) -> list[records.Game]:
        """Return the running games whose deadline has passed."""
        return self.games.all(running=True, deadline__lte=now)

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
            self.outbox.change_all({"slot": slot, "state": "queued"}, state="replaced")
        if self.outbox.insert_if_new(content=content, slot=slot, **values):
            return str(values["message_id"])
        return self.outbox.some(1, ident=ident)[0].message_id

    def remember_token(self, **values: Any) -> None:
        """Store a token; a known one lives as long as the newest letter that carries it."""
        self.tokens.put({"token": values["token"]}, **values)

    def claim(self, now: datetime, limit: int, **which: str) -> list[records.Outgoing]:
        """Return letters that are due, only of certain kinds, and mark them as being sent."""
        # In one transaction, so that no letter that is replaced meanwhile is sent.
        with self.transaction():
            found = self.outbox.some(limit, state="queued", due__lte=now, **which)
            self.outbox.change_each([row.id for row in found], state="sending")
        return found

    def unclaim(self) -> int:
        """Queue again what was being sent when a program died. Return how many."""
        return self.outbox.change_all({"state": "sending"}, state="queued")

    def mark_sent(self, letters: Sequence[records.Outgoing], now: datetime, forget: str) -> None:
        """Mark letters as sent, and drop the contents of those of the kind `forget`."""
        self.outbox.change_each([row.id for row in letters], state="sent", sent=now)
        if forgotten := [row.id for row in letters if row.kind == forget]:
            self.outbox.change_each(forgotten, content=b"")
        # The last letter confirms an erasure, so nothing of it may stay.
        for row in letters:
            if row.kind == FAREWELL:
                self.outbox.remove(id=row.id)

    def forget_tallies(self, holding: str, before: str = "9999") -> None:
        """Forget what was counted on earlier days for keys that contain a text."""
        for row in self.tallies.all(day__lt=before):
            if holding.casefold() in row.what.casefold():
                self.tallies.remove(id=row.id)

    def drop_handled(self, before: datetime) -> None:
        """Drop the bytes of letters that were handled before a time; their rows stay."""
        self.kept_words.remove(made__lt=before)
        self._drop(self.letters, handled__lt=before, state__ne="shunted")

    def drop_sent(self, before: datetime) -> None:
        """Drop the words of letters and private messages from before a time that wait no more."""
        self._drop(self.outbox, made__lt=before, state__in=SENT)
        private = {"made__lt": before, "recipient__ne": "", "state__ne": "queued"}
        self.posts.change_all(private, title="", body="")

    def _drop(self, rows: Repository[Any], **fits: Any) -> None:
        """Drop the bytes of letters that fit, in portions: what is changed is read before."""
        while some := rows.values("id", limit=PORTION, content__ne=b"", **fits):
            rows.change_each([number for (number,) in some], content=b"")

    def day_of_work(self, back: int, now: datetime) -> date | None:
        """Return the day that lies so many days of work before the latest; None if there are fewer.

        A day of work is one on which a round was noted; days after `now` do not count.
        """
        mark, day = self.mark, '"at" / 86400000000'
        days = f'SELECT DISTINCT {day} FROM "round" WHERE "at" <= {mark} ORDER BY 1 DESC'
        found = self.run(f"{days} LIMIT 1 OFFSET {mark}", (from_utc(now), back)).fetchone()
        return None if found is None else date(1970, 1, 1) + timedelta(days=int(found[0]))

    def clean_files(self) -> bool:
        """Make sure that nothing erased is left in the database's files; False if it must wait."""
        done = [self.run(statement) for statement in self.database.cleaning]
        # SQLite's log can't be emptied while somebody reads it: then its first figure is 1.
        return not any(one.description and one.fetchone()[0] for one in done)
