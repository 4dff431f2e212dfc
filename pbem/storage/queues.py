"""The queues of letters and posts that go out: who alone writes these tables.

`which` are values that rows must have, in the words of peewee's `filter`.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from peewee import fn

from pbem.storage.models import Outgoing, Post
from pbem.storage.store import FAREWELL, NOBODY, Store

Q = TypeVar("Q", Outgoing, Post)

SENT = ("sent", "failed", "replaced", "digested", "unwanted")
"""The states of an outgoing letter that waits no more."""
WAITING = ("queued", "sending", "held")
"""The states of one that still waits."""
BULK = "newsletter"
"""The kind of letters that wait while any other is due, and whose contents are not kept."""


def queue(store: Store, slot: str, content: bytes, **values: object) -> str:
    """Queue a letter, unless one has its ident, and return the Message-ID of that ident.

    Unsent letters of the same slot are replaced (slot '': none).
    """
    ident = values.setdefault("ident", values["message_id"])
    # Only while it waits: what is being sent now can't be called back.
    if slot:
        waiting = Outgoing.slot == slot, Outgoing.state == "queued"
        store.run(Outgoing.update(state="replaced").where(*waiting))
    letter = Outgoing.insert(content=content, slot=slot, **values)
    if store.run(letter.on_conflict_ignore()):
        return str(values["message_id"])
    return str(store.scalar(Outgoing.select(Outgoing.message_id).where(Outgoing.ident == ident)))


def queue_post(store: Store, now: datetime, **values: object) -> None:
    """Queue a post, unless its channel has one of its ident."""
    store.run(Post.insert(due=now, made=now, **values).on_conflict_ignore())


def rewrite_post(store: Store, channel: str, ident: str, now: datetime, **words: object) -> None:
    """Queue a post with new words, in the place of an earlier one with its ident."""
    words |= {"state": "queued", "made": now}
    same = Post.channel == channel, Post.ident == ident
    if not store.run(Post.update(**words).where(*same)):
        store.run(Post.insert(channel=channel, ident=ident, thread=ident, due=now, **words))


def claim(store: Store, now: datetime, limit: int) -> list[Outgoing]:
    """Return letters that are due, marked as being sent; bulk only where no other is due."""
    due = Outgoing.select().where(Outgoing.state == "queued", Outgoing.due <= now)
    others = due.where(Outgoing.kind != BULK).order_by(Outgoing.id).limit(limit)
    # One by one: what is due meanwhile must not wait behind a whole issue.
    bulk = due.where(Outgoing.kind == BULK).order_by(Outgoing.id).limit(1)
    # In one transaction, so that no letter that is replaced meanwhile is sent.
    with store.transaction():
        found = store.all(others) or store.all(bulk)
        claimed = Outgoing.update(state="sending", **store.owning(now))
        store.run(claimed.where(Outgoing.id.in_([row.id for row in found])))
    return found


def take_post(store: Store, row: Post, now: datetime) -> bool:
    """Mark a post as being sent, and return True; False where it is not queued any more."""
    queued = Post.id == row.id, Post.state == "queued"
    return bool(store.run(Post.update(state="sending", **store.owning(now)).where(*queued)))


def unclaim(store: Store, now: datetime) -> None:
    """Queue letters again that were being sent when a program died."""
    died = Outgoing.state == "sending", store.not_owned(Outgoing, now)
    store.run(Outgoing.update(state="queued", **NOBODY).where(*died))


def untake_posts(store: Store, channel: str, now: datetime) -> None:
    """Queue a channel's posts again that were being sent when a program died."""
    # `unsure` makes a channel look first, so that no post stands there twice.
    died = Post.channel == channel, Post.state == "sending", store.not_owned(Post, now)
    store.run(Post.update(state="queued", unsure=True).where(*died))


def mark_sent(store: Store, letters: Sequence[Outgoing], now: datetime) -> None:
    """Mark letters as sent, and drop the contents of bulk."""
    numbers = [row.id for row in letters]
    store.run(Outgoing.update(state="sent", sent=now, **NOBODY).where(Outgoing.id.in_(numbers)))
    if forgotten := [row.id for row in letters if row.kind == BULK]:
        store.run(Outgoing.update(content=b"").where(Outgoing.id.in_(forgotten)))
    # The last letter confirms an erasure, so nothing of it may stay.
    if last := [row.id for row in letters if row.kind == FAREWELL]:
        store.run(Outgoing.delete().where(Outgoing.id.in_(last)))


def mark_post(store: Store, row: Post, state: str, **values: object) -> None:
    """Note what came of sending a post: its new state, and further values."""
    store.run(Post.update(**values).where(Post.id == row.id))
    # Only if it is still being sent: a newer text may have been queued meanwhile.
    sending = Post.id == row.id, Post.state == "sending"
    store.run(Post.update(state=state).where(*sending))


def change(store: Store, row: Outgoing | Post, **values: object) -> None:
    """Change a row."""
    model = type(row)
    store.run(model.update(**values).where(model.id == row.id))


def release_held(store: Store, player: int) -> None:
    """Queue a player's letters that were held for a digest."""
    held = Outgoing.player == player, Outgoing.state == "held"
    store.run(Outgoing.update(state="queued").where(*held))


def move_thread(store: Store, channel: str, thread: str, to: str) -> None:
    """Let a channel's thread go on as that of another ident."""
    store.run(Post.update(thread=to).where(Post.channel == channel, Post.thread == thread))


def drop_messages(store: Store, channel: str, account: str) -> None:
    """Drop the private messages that wait for an account on a board."""
    private = Post.channel == channel, Post.recipient == account, Post.state == "queued"
    store.run(Post.delete().where(*private))


def drop_sent(store: Store, before: datetime) -> None:
    """Drop the words of letters and private messages from before a time that wait no more."""
    store.drop_contents(Outgoing, Outgoing.made < before, Outgoing.state.in_(SENT))
    private = Post.made < before, Post.recipient != "", Post.state != "queued"
    store.run(Post.update(title="", body="").where(*private))


def bring_back(store: Store, after: datetime, now: datetime) -> None:
    """Make due now what is due after a time: a wrong clock has set that."""
    for model in (Outgoing, Post):
        store.run(model.update(due=now).where(model.state == "queued", model.due > after))


def hurry_posts(store: Store, channel: str, now: datetime) -> None:
    """Make all posts due now that are queued for a channel."""
    waiting = Post.channel == channel, Post.state == "queued", Post.due > now
    store.run(Post.update(due=now).where(*waiting))


def rows(store: Store, model: type[Q], **which: object) -> list[Q]:
    """Return the rows with some values, oldest first."""
    return store.all(model.select().filter(**which).order_by(model.id))


def first(store: Store, model: type[Q], **which: object) -> Q | None:
    """Return the first row with some values, or None."""
    return store.first(model.select().filter(**which).order_by(model.id))


def count(store: Store, model: type[Q], **which: object) -> int:
    """Count the rows with some values."""
    return store.count(model.select().filter(**which))


def latest(store: Store, most: int, **which: object) -> list[Outgoing]:
    """Return the latest letters with some values, the latest first."""
    return store.all(Outgoing.select().filter(**which).order_by(Outgoing.id.desc()).limit(most))


def players_with_held(store: Store) -> list[int]:
    """Return the numbers of the players for whom letters are held, in order."""
    held = Outgoing.select(Outgoing.player).where(Outgoing.state == "held").distinct()
    # A replay writes their digests in the same order.
    return [player for (player,) in store.tuples(held.order_by(Outgoing.player)) if player]


def next_due(store: Store, model: type[Q], **which: object) -> datetime | None:
    """Return when the next of what is queued, with some values, is due; None for never."""
    waiting = model.select(fn.MIN(model.due)).where(model.state == "queued")
    found: datetime | None = store.scalar(waiting.filter(**which))
    return found


def stuck(store: Store, model: type[Q]) -> list[Q]:
    """Return what failed, and what is put off after a try."""
    put_off = (model.state == "queued") & (model.tries > 0)
    return store.all(model.select().where((model.state == "failed") | put_off).order_by(model.id))
