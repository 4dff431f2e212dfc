"""The queue of posts: filled in the deciding transaction, and sent apart from it."""

import logging
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock
from typing import TypedDict

from engine.pictures import Picture
from pbem.channels.channel import (
    Channel,
    ChannelDown,
    ChannelFault,
    ChannelSettings,
    PostDeferred,
    PostRefused,
)
from pbem.channels.channel import Post as Outgoing
from pbem.channels.mail.backoff import REFUSED, Backoff
from pbem.intake import tokens_and_keys
from pbem.outgoing import link_faults
from pbem.outgoing.authorship import authors, note_authors
from pbem.outgoing.delivery import AFTER_REFUSAL, GIVE_UP, LEAST_TRIES
from pbem.rendering import Renderer
from pbem.rendering.letter_script import unwrapped
from pbem.settings import Settings, SettingsError
from pbem.storage import Authorship, Post, Store, StoreDown, queues
from pbem.storage.store import NOBODY

log = logging.getLogger("pbem")

MOST_TRIES = 5
"""After this many tries at which the program failed, a post is set aside."""
PATIENCE = 2
"""When this many posts in a row are refused, the fault is the board's, or ours."""
_RETRY = Backoff(first=60, most=3600)
OLDEST = timedelta(days=7)
"""A post that waited longer gets a later date, because news servers refuse old ones."""
BLANK = "\n\n"


@dataclass(frozen=True, slots=True)
class Flushed:
    """How many posts were sent, and what went wrong, each in a sentence."""

    sent: int
    faults: tuple[str, ...]


class Board(TypedDict):
    """The channel of a post: its name, whether people play there and write to the referee alone.

    `opens`: the post is the first of its thread there.
    """

    name: str
    play: bool
    private: bool
    opens: bool


class Posts:
    """Writes posts into the database, a row for each channel, and sends them in order."""

    def __init__(self, store: Store, renderer: Renderer, settings: Settings) -> None:
        self.store, self.renderer, self.settings = store, renderer, settings
        self._open: dict[str, Channel] = {}
        self._opening = Lock()

    @property
    def _language(self) -> str:
        return self.settings.league.language

    @property
    def channels(self) -> dict[str, ChannelSettings]:
        """Return the league's channels by name."""
        return dict(self.settings.channels)

    @property
    def boards(self) -> list[str]:
        """Return the names of the channels on which people play."""
        return [name for name, channel in self.channels.items() if channel.play]

    @property
    def edited(self) -> dict[str, ChannelSettings]:
        """Return the channels on which a post is edited where it stands."""
        able = ((name, one) for name, one in self.channels.items() if one.editable)
        return {name: one for name, one in able if not one.live}

    def write(
        self,
        kind: str,
        now: datetime,
        *,
        ident: str,
        thread: str,
        system: str | None = None,
        pictures: Sequence[Picture] = (),
        only: str = "",
        to: str = "",
        **facts: object,
    ) -> None:
        """Queue a post for every channel, or for `only` one; the same ident is queued once.

        A live channel gets nothing but what is for it `only`, in short lines: a room is for talk,
        and the rest for reading. `to` is the account that alone may read it. The first post of a
        thread opens it, and the others follow. Pictures are posts of their own, for the channels
        that take any. Templates get the channel as `board`.
        """
        for name, channel in self.channels.items():
            if only != name and (only or channel.live):
                continue
            board = self._board(name, channel, thread)
            folder = "chat" if channel.live else "posts"
            facts |= {"ident": ident, "board": board}
            made = self.renderer.post(
                kind, channel.post_format, system, self._language, folder, **facts
            )
            # In a chat room each paragraph is a line.
            blocks = [lines_of(b) for b in made.blocks] if channel.live else made.blocks
            bodies = {_numbered(ident, n): b for n, b in enumerate(parts(blocks, channel.limit), 1)}
            if channel.pictures:
                bodies |= {f"{_numbered(ident, n)}.svg": p.svg for n, p in enumerate(pictures, 1)}
            for post, body in bodies.items():
                words = {"title": made.title, "body": body, "recipient": to}
                queues.queue_post(self.store, now, channel=name, ident=post, thread=thread, **words)
                note_authors(self.store, Authorship.post_name(name, post), authors(facts))

    def _board(self, name: str, channel: ChannelSettings, thread: str) -> Board:
        return {
            "name": name,
            "play": channel.play,
            "private": channel.private,
            "opens": not self.has_thread(name, thread),
        }

    def topic(self, name: str) -> str:
        """Return the line that tells a stranger in a room how to begin."""
        form = self.channels[name].post_format
        return self.renderer.post("topic", form, None, self._language, "chat", board=name).title

    def has_thread(self, name: str, thread: str) -> bool:
        """Return whether a channel has got any post of a thread."""
        return queues.first(self.store, Post, channel=name, thread=thread) is not None

    def rewrite(self, kind: str, now: datetime, *, ident: str, **facts: object) -> None:
        """Queue a post that is edited where it stands, for the channels that can do that."""
        for name, channel in self.edited.items():
            form = channel.post_format
            notice = self.renderer.post(kind, form, None, self._language, "posts", **facts)
            # Only the first part, since what is edited must stay one post.
            body = next(parts(notice.blocks, channel.limit))
            words = {"title": notice.title, "body": body}
            queues.rewrite_post(self.store, name, ident, now, **words)

    def flush(self, now: datetime, name: str) -> Flushed:
        """Send all posts that are due on a channel.

        What was being sent when a program died may stand there already.
        """
        queues.untake_posts(self.store, name, now)
        faults = list[str]()
        try:
            sent = self._empty(name, now, faults)
        finally:
            if not self.channels[name].live:
                self._close(name)
        return Flushed(sent, tuple(faults))

    def flush_all(self, now: datetime) -> Flushed:
        """Send all posts that are due, on one channel after the other."""
        done = list[Flushed]()
        for name, channel in self.channels.items():
            done.append(self.flush(now, name))
            while channel.live and done[-1].sent:
                done.append(self.flush(now, name))
        return Flushed(sum(one.sent for one in done), tuple(f for one in done for f in one.faults))

    def hurry(self, now: datetime, name: str) -> None:
        """Let all that waits for a channel be due: it works again."""
        link_faults.works(self.store, link_faults.board(name))
        queues.hurry_posts(self.store, name, now)

    def next_due(self, name: str) -> datetime | None:
        """Return when the next post is due on a channel."""
        due = queues.next_due(self.store, Post, channel=name)
        fault = link_faults.failing(self.store).get(link_faults.board(name))
        return max(due, fault.until) if due and fault and fault.until else due

    def _empty(self, name: str, now: datetime, faults: list[str]) -> int:
        """Send a channel's posts, oldest first, and return how many were sent.

        A post that must wait holds up those after it in its thread alone, a board that is down or
        refuses several in a row holds up all. A live channel gets one post of each thread, since it
        takes its time for each, and none may wait for all of another.
        """
        link = link_faults.board(name)
        known = link_faults.failing(self.store).get(link)
        due = queues.next_due(self.store, Post, channel=name)
        if due is None or due > now or (known and known.until and known.until > now):
            return 0
        sent, refused, last, waiting = 0, 0, 0, set[str]()
        while row := queues.first(self.store, Post, id__gt=last, channel=name, state="queued"):
            last = row.id
            if row.due > now or row.thread in waiting:
                waiting.add(row.thread)
                continue
            fault = self._tried(row, now)
            if fault is None:
                sent, refused = sent + 1, 0
                link_faults.works(self.store, link)
                if self.channels[name].live:
                    waiting.add(row.thread)
                continue
            faults.append(f"{name}: {fault}")
            if isinstance(fault, PostRefused):
                continue
            waiting.add(row.thread)
            refused += 1
            down = isinstance(fault, ChannelDown)
            until = self.store.get(Post, row.id).due if down or refused == PATIENCE else None
            refuses = not isinstance(fault, ChannelDown) or fault.refused
            link_faults.failed(self.store, link, str(fault), now, refused=refuses, until=until)
            if until is not None:
                break
        return sent

    def _tried(self, row: Post, now: datetime) -> ChannelFault | None:
        """Send a post, and return what went wrong; it is put off then, or marked as failed."""
        try:
            self._put_up(row, now)
        except PostRefused as error:
            self._fail(row, str(error))
            return error
        except PostDeferred as error:
            if now - row.made > GIVE_UP and row.tries >= LEAST_TRIES:
                self._fail(row, str(error))
            else:
                self._defer(row, AFTER_REFUSAL, str(error), now)
            return error
        except ChannelDown as error:
            backoff = REFUSED if error.refused else _RETRY
            self._defer(row, backoff, str(error), now, unsure=error.unsure, after=error.after)
            return error
        except StoreDown:
            raise
        except Exception as error:  # a board or a program that does what nobody expects
            log.exception("a post can't be put up; it is tried again, %d times", MOST_TRIES)
            if row.tries >= MOST_TRIES:
                self._fail(row, repr(error))
                return PostRefused(repr(error))
            self._defer(row, _RETRY, repr(error), now)
            return ChannelDown(repr(error))
        return None

    def _put_up(self, row: Post, now: datetime) -> None:
        """Send a post, unless `pbem posts drop` has just dropped it."""
        channel = self.channel(row.channel)
        # Committed before the board is asked, so that a crash in between can be seen.
        if not queues.take_post(self.store, row, now):
            return
        stands = channel.publish(self._outgoing(row, now))
        topic = self.channels[row.channel].topic(stands)
        done = {"stands": stands, "topic": topic, "sent": now}
        done |= {"unsure": False, "tries": 0, "error": "", **NOBODY}
        with self.store.transaction():
            queues.mark_post(self.store, row, "sent", **done)

    def channel(self, name: str) -> Channel:
        """Return a channel, opened if it is not open yet. Raises ChannelDown."""
        # A live one is read in one thread, and written to in another.
        with self._opening:
            if name not in self._open:
                try:
                    self._open[name] = self.channels[name].open(self.settings)
                except SettingsError as error:
                    raise ChannelDown(str(error), refused=True) from error
            return self._open[name]

    def close(self) -> None:
        """Close the channels that are kept open."""
        for name in [*self._open]:
            self._close(name)

    def _close(self, name: str) -> None:
        channel = self._open.pop(name, None)
        if channel:
            channel.close()

    def _outgoing(self, row: Post, now: datetime) -> Outgoing:
        # A post of a thread answers the first of it that stands there.
        first = queues.first(
            self.store, Post, channel=row.channel, thread=row.thread, stands__ne=""
        )
        address, secret = self.settings.league.address, self.store.secret
        words = sha256(f"{row.title}\0{row.body}".encode()).hexdigest()
        # A board edits a post and keeps its id; elsewhere, another text is another post.
        about = (row.ident,) if self.channels[row.channel].editable else (row.ident, words)
        return Outgoing(
            ident=row.ident,
            message_id=tokens_and_keys.message_id(secret, address, "post", row.channel, *about),
            # Programs for mail and news show a thread by its titles.
            title=(first.title if first else "") or row.title,
            body=row.body,
            date=max(row.made, now - OLDEST),
            root=first.stands if first and first.id != row.id else "",
            stands=row.stands,
            unsure=row.unsure,
            to=row.recipient,
        )

    def _fail(self, row: Post, why: str) -> None:
        """Mark a post as failed; if it stood and is gone, it is posted again next time."""
        queues.mark_post(self.store, row, "failed", error=why, stands="", unsure=False)

    def _defer(
        self,
        row: Post,
        backoff: Backoff,
        why: str,
        now: datetime,
        *,
        unsure: bool = False,
        after: float = 0,
    ) -> None:
        pause = backoff.next(row.tries, random.Random(f"{row.channel}{row.ident}{row.tries}"))
        queues.change(
            self.store,
            row,
            state="queued",
            unsure=row.unsure or unsure,
            tries=row.tries + 1,
            due=now + timedelta(seconds=max(pause, after)),
            error=why,
        )


def lines_of(block: str) -> str:
    """Return a text with each paragraph on a line of its own, and no other lines."""
    return "\n".join(line.strip() for line in unwrapped(block).splitlines() if line.strip())


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
