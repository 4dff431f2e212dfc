"""The queue of posts: filled in the deciding transaction, and sent apart from it."""

import logging
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from engine.pictures import Picture
from pbem import tokens_and_keys
from pbem.forum.channel import Channel, ChannelDown, ChannelSettings, PostRefused
from pbem.forum.channel import Post as Outgoing
from pbem.mail.backoff import REFUSED, Backoff
from pbem.outgoing.outbox import authors, note_authors, post_name
from pbem.rendering import Renderer
from pbem.settings import Settings, SettingsError
from pbem.storage import Post, Store, StoreDown

log = logging.getLogger("pbem")

MOST_TRIES = 5
"""After this many tries at which the program failed, a post is set aside."""
_RETRY = Backoff(first=60, most=3600)
OLDEST = timedelta(days=7)
"""A post that waited longer gets a later date, because news servers refuse old ones."""
BLANK = "\n\n"


@dataclass(frozen=True, slots=True)
class Flushed:
    """How many posts were sent, and what went wrong, each in a sentence."""

    sent: int
    faults: tuple[str, ...]


class Posts:
    """Writes posts into the database, a row for each channel, and sends them in order."""

    def __init__(self, store: Store, renderer: Renderer, settings: Settings) -> None:
        self.store, self.renderer, self.settings = store, renderer, settings
        self._open: dict[str, Channel] = {}

    @property
    def _language(self) -> str:
        return self.settings.league.language

    @property
    def channels(self) -> dict[str, ChannelSettings]:
        """Return the league's channels by name."""
        return dict(self.settings.channels)

    @property
    def live(self) -> bool:
        """Return whether any channel can edit a post that stands there."""
        return any(channel.editable for channel in self.channels.values())

    def write(
        self,
        kind: str,
        now: datetime,
        *,
        ident: str,
        thread: str,
        system: str | None = None,
        pictures: Sequence[Picture] = (),
        **facts: object,
    ) -> None:
        """Queue a post for every channel; the same ident is queued once.

        The first post of a thread opens it, and the others follow. Pictures are posts of their own,
        for the channels that take any.
        """
        for name, channel in self.channels.items():
            made = self.renderer.post(
                kind, channel.post_format, system, self._language, ident=ident, **facts
            )
            bodies = {
                _numbered(ident, n): b for n, b in enumerate(parts(made.blocks, channel.limit), 1)
            }
            if channel.pictures:
                bodies |= {f"{_numbered(ident, n)}.svg": p.svg for n, p in enumerate(pictures, 1)}
            for post, body in bodies.items():
                self.store.posts.insert_if_new(
                    channel=name,
                    ident=post,
                    thread=thread,
                    title=made.title,
                    body=body,
                    due=now,
                    made=now,
                )
                note_authors(self.store, post_name(name, post), authors(facts))

    def rewrite(self, kind: str, now: datetime, *, ident: str, **facts: object) -> None:
        """Queue a post that is edited where it stands, for the channels that can do that."""
        for name, channel in self.channels.items():
            if channel.editable:
                notice = self.renderer.post(
                    kind, channel.post_format, None, self._language, **facts
                )
                # Only the first part, since what is edited must stay one post.
                body = next(parts(notice.blocks, channel.limit))
                self._replace(name, ident, notice.title, body, now)

    def _replace(self, name: str, ident: str, title: str, body: str, now: datetime) -> None:
        known = self.store.posts.find(channel=name, ident=ident)
        words: dict[str, object] = {"title": title, "body": body, "state": "queued", "made": now}
        if known is not None:
            self.store.posts.change(known.id, **words)
            return
        self.store.posts.insert(channel=name, ident=ident, thread=ident, due=now, **words)

    def flush(self, now: datetime) -> Flushed:
        """Send all posts that are due; a channel that is down does not hold up the others.

        What was being sent when a program died may stand there already.
        """
        # `unsure` makes a channel look first, so that no post stands there twice.
        self.store.posts.change_all({"state": "sending"}, state="queued", unsure=True)
        sent, faults = 0, list[str]()
        for name in self.channels:
            try:
                sent += self._empty(name, now, faults)
            finally:
                self._close(name)
        return Flushed(sent, tuple(faults))

    def next_due(self) -> datetime | None:
        """Return when the next post is due."""
        heads = (self._head(name) for name in self.channels)
        return min((row.due for row in heads if row), default=None)

    def _head(self, name: str) -> Post | None:
        return self.store.posts.find(channel=name, state="queued")

    def _empty(self, name: str, now: datetime, faults: list[str]) -> int:
        """Send a channel's posts, oldest first, until one must wait; return how many were sent."""
        sent = 0
        while (row := self._head(name)) and row.due <= now:
            try:
                sent += self._put_up(row, now)
            # This post can't stand there, but the next one may.
            except PostRefused as error:
                self._fail(row, str(error))
                faults.append(f"{name}: {error}")
            # The board is away: the posts after it wait, so that their order stays.
            except ChannelDown as error:
                self._defer(row, error, now)
                faults.append(f"{name}: {error}")
                break
            except StoreDown:
                raise
            except Exception as error:  # a board or a program that does what nobody expects
                faults.append(f"{name}: {error!r}")
                log.exception("a post can't be put up; it is tried again, %d times", MOST_TRIES)
                if row.tries < MOST_TRIES:
                    self._defer(row, ChannelDown(repr(error)), now)
                    break
                self._fail(row, repr(error))
        return sent

    def _put_up(self, row: Post, now: datetime) -> bool:
        """Send a post, and return True; False where `pbem posts drop` has just dropped it."""
        channel = self._channel(row.channel)
        # Committed before the board is asked, so that a crash in between can be seen.
        if not self.store.posts.change_all({"id": row.id, "state": "queued"}, state="sending"):
            return False
        stands = channel.publish(self._outgoing(row, now))
        done = {"unsure": False, "stands": stands, "tries": 0, "sent": now, "error": ""}
        with self.store.transaction():
            self.store.posts.change(row.id, **done)
            # Only if it is still being sent: a newer text may have been queued meanwhile.
            self.store.posts.change_all({"id": row.id, "state": "sending"}, state="sent")
        return True

    def _channel(self, name: str) -> Channel:
        """Return a channel, opened if it is not open yet. Raises ChannelDown."""
        if name not in self._open:
            try:
                self._open[name] = self.channels[name].open(self.settings)
            except SettingsError as error:
                raise ChannelDown(str(error), refused=True) from error
        return self._open[name]

    def _close(self, name: str) -> None:
        channel = self._open.pop(name, None)
        if channel:
            channel.close()

    def _outgoing(self, row: Post, now: datetime) -> Outgoing:
        # A post of a thread answers the first of it that stands there.
        first = self.store.posts.find(channel=row.channel, thread=row.thread, stands__ne="")
        address, secret = self.settings.league.address, self.store.secret
        words = sha256(f"{row.title}\0{row.body}".encode()).hexdigest()
        # A board edits a post and keeps its id; elsewhere, another text is another post.
        about = (row.ident,) if self.channels[row.channel].editable else (row.ident, words)
        return Outgoing(
            ident=row.ident,
            message_id=tokens_and_keys.message_id(secret, address, "post", row.channel, *about),
            title=row.title,
            body=row.body,
            date=max(row.made, now - OLDEST),
            root=first.stands if first and first.id != row.id else "",
            stands=row.stands,
            unsure=row.unsure,
        )

    def _fail(self, row: Post, why: str) -> None:
        """Mark a post as failed; if it stood and is gone, it is posted again next time."""
        self.store.posts.change(row.id, error=why, stands="", unsure=False)
        self.store.posts.change_all({"id": row.id, "state": "sending"}, state="failed")

    def _defer(self, row: Post, error: ChannelDown, now: datetime) -> None:
        """Retry later, for as long as it takes; the posts after it wait, too."""
        backoff = REFUSED if error.refused else _RETRY
        pause = backoff.next(row.tries, random.Random(f"{row.channel}{row.ident}{row.tries}"))
        self.store.posts.change(
            row.id,
            state="queued",
            unsure=row.unsure or error.unsure,
            tries=row.tries + 1,
            due=now + timedelta(seconds=max(pause, error.after)),
            error=str(error),
        )


def _numbered(ident: str, number: int) -> str:
    """Return the name of the post or picture with this number among those of one report."""
    return ident if number == 1 else f"{ident}.{number}"


def parts(blocks: Iterable[str], limit: int) -> Iterator[str]:
    """Join a post's blocks to parts that a channel takes; cut a block that is too long."""
    part = ""
    for piece in (piece for block in blocks for piece in _pieces(block, limit)):
        if part and len(part) + len(BLANK) + len(piece) > limit:
            yield part
            part = ""
        part += BLANK + piece if part else piece
    if part:
        yield part


def _pieces(block: str, limit: int) -> Iterator[str]:
    """Yield a block in pieces, cut at line ends, or else between words."""
    while len(block) > limit:
        at = max(block.rfind("\n", 1, limit), block.rfind(" ", 1, limit))
        at = at if at > 0 else limit
        yield block[:at]
        block = block[at:].lstrip()
    yield block
