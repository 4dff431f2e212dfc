"""Letters that came, and words of them that nobody has seen: who alone writes these tables."""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from pbem.channels.mail.mailbox import Arrival
from pbem.intake import digest
from pbem.storage.connection import PORTION
from pbem.storage.models import KeptWords, Letter
from pbem.storage.store import Store

HANDLED = ("filed", "answered", "held", "discarded")
"""The states of letters that were handled."""
DROPPED = "dropped"
"""What a letter counts as that was discarded unread."""
WITHOUT_EFFECT = (DROPPED, "duplicate")
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


def known_places(
    store: Store, account: str, folder: str, places: Collection[str], *, moves: bool
) -> set[str]:
    """Return which places in a folder are those of letters that are stored.

    Where it `moves` letters, one that was moved and lies there all the same is moved again.
    """
    found, rest = set[str](), iter(places)
    while some := list(islice(rest, 5 * PORTION)):
        rows = store.tuples(
            Letter.select(Letter.id, Letter.place, Letter.moved).where(
                Letter.account == account, Letter.folder == folder, Letter.place.in_(some)
            )
        )
        found.update(place for _, place, _ in rows)
        if moves:
            note_moved(store, [number for number, _, moved in rows if moved], moved=False)
    return found


def keep(
    store: Store,
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
    with store.transaction():
        while arrived:
            # One that comes twice is compared with its first delivery.
            first: dict[str, Arrival] = {}
            for one, content in arrived:
                first.setdefault(content, one)
            new += _keep(store, first, now, lists, account, folder)
            arrived = [pair for pair in arrived if pair[0] is not first[pair[1]]]
    return new


def _keep(
    store: Store,
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
    for kept in store.all(some.where(*found).order_by(Letter.id)):
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
            store.run(moved.where(Letter.id == row.id))
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
        store.run(Letter.insert_many(rows))
    return len(rows)


def keep_message(store: Store, raw: bytes, now: datetime, **values: object) -> None:
    """Store a message of a board raw, before anything else happens to it."""
    sha256 = hashlib.sha256(raw).hexdigest()
    named = {"account": "", "message_id": "", **values}
    # There is nothing to move: a board keeps its messages where they are.
    store.run(
        Letter.insert(content=raw, sha256=sha256, digest=sha256, kept=now, moved=True, **named)
    )


def unmoved(store: Store, account: str, folder: str, limit: int = 500) -> list[tuple[int, str]]:
    """Return (id, place) of handled letters that are still in their folder."""
    query = Letter.select(Letter.id, Letter.place).where(
        Letter.account == account,
        Letter.folder == folder,
        Letter.moved == False,
        Letter.state != "received",
    )
    return [(n, place) for n, place in store.tuples(query.order_by(Letter.id).limit(limit))]


def note_moved(store: Store, numbers: Collection[int], *, moved: bool = True) -> None:
    """Note whether letters lie in the folder for handled letters."""
    store.run(Letter.update(moved=moved).where(Letter.id.in_(numbers)))


def take(store: Store, letters: Iterable[Letter], now: datetime) -> None:
    """Take letters that still wait in hand."""
    taken = Letter.id.in_([one.id for one in letters]), Letter.state == "received"
    store.run(Letter.update(**store.owning(now)).where(*taken))


def change(store: Store, letter: Letter, **values: object) -> bool:
    """Change a letter, unless its state is no longer what was read; return whether it was changed.

    A person may drop or erase a letter while it is in hand.
    """
    same = Letter.id == letter.id, Letter.state == letter.state
    return bool(store.run(Letter.update(**values).where(*same)))


def waiting(store: Store, now: datetime, until: datetime | None = None) -> list[Letter]:
    """Return the letters that wait to be answered, or those received up to a time, in order.

    Those that another program has in hand are left out.
    """
    free = Letter.select().where(Letter.state == "received", store.not_owned(Letter, now))
    found = free if until is None else free.where(Letter.received <= until)
    # A database takes long to sort rows that hold whole letters.
    return sorted(store.all(found), key=lambda one: (one.received, one.id))


def letters(store: Store, **which: object) -> list[Letter]:
    """Return the letters with some values, in the words of peewee's `filter`, oldest first."""
    return store.all(Letter.select().filter(**which).order_by(Letter.id))


def count(store: Store, **which: object) -> int:
    """Count the letters with some values."""
    return store.count(Letter.select().filter(**which))


def message_names(store: Store, channel: str, player: int) -> list[str]:
    """Return the names of a player's messages on a board, and of those that are in hand."""
    # The message that is being answered has no player yet.
    theirs = Letter.channel == channel, (Letter.player == player) | (Letter.owner != "")
    return [name for (name,) in store.tuples(Letter.select(Letter.message_id).where(*theirs))]


def namesakes(store: Store, letter: Letter) -> list[Namesake]:
    """Return the other letters with a letter's Message-ID, oldest first."""
    query = Letter.select(Letter.id, Letter.digest, Letter.state, Letter.klass).where(
        Letter.message_id == letter.message_id, Letter.id != letter.id
    )
    return [Namesake(*one) for one in store.tuples(query.order_by(Letter.id))]


def keep_words(store: Store, player: int, place: int | None, text: str, now: datetime) -> None:
    """Keep words of a player's letter about a place, instead of those that were kept for it."""
    store.run(KeptWords.delete().where(KeptWords.player == player, KeptWords.place == place))
    store.run(KeptWords.insert(player=player, place=place, text=text, made=now))


def take_words(store: Store, player: int) -> tuple[KeptWords, ...]:
    """Return the words that a player's last letter left, and keep them no longer."""
    found = tuple(store.of_player(KeptWords, player))
    if found:
        store.run(KeptWords.delete().where(KeptWords.player == player))
    return found


def drop_handled(store: Store, before: datetime) -> None:
    """Drop the bytes of letters that were handled before a time; their rows stay."""
    store.run(KeptWords.delete().where(KeptWords.made < before))
    store.drop_contents(Letter, Letter.handled < before, Letter.state != "shunted")
