"""A board's worker: publishes its posts and reads it, in a thread of its own.

So a board that is slow or down delays neither letters nor other boards.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cached_property

from pbem.channels.channel import Board, ChannelDown, ChannelFault, LiveBoard
from pbem.channels.mail.backoff import Rest
from pbem.host.clock import Clock
from pbem.outgoing.posts import Posts
from pbem.service import inbox
from pbem.storage import stored_games

log = logging.getLogger("pbem")

STEADY = timedelta(minutes=1)
"""How long a live board must have worked until its next fault counts as the first."""


class BoardWorker:
    """Publishes what is due on one board, and reads what is new there.

    `heard` is called when something new was stored, `wake` when a live board is to be read, and
    `go_on` is asked before it speaks again.
    """

    def __init__(
        self,
        name: str,
        posts: Posts,
        clock: Clock,
        heard: Callable[[], None] = lambda: None,
        wake: Callable[[], None] = lambda: None,
        go_on: Callable[[], bool] = lambda: True,
    ) -> None:
        self.name, self._posts, self._clock = name, posts, clock
        self._heard, self._wake, self._go_on = heard, wake, go_on
        self._rest = Rest(clock)
        self._up_since: datetime | None = None
        self.live = posts.channels[name].live

    def publish(self) -> None:
        """Publish what is due; on a live board also what becomes due meanwhile."""
        while self._publish_once() and self.live and self._go_on():
            pass

    def _publish_once(self) -> int:
        done = self._posts.flush(self._clock(), self.name)
        for fault in done.faults:
            log.warning("%s Nothing is lost.", fault)
        if done.sent:
            log.info("%d posts published on %s", done.sent, self.name)
        return done.sent

    def next_post(self) -> datetime | None:
        """Return when the next post is due."""
        return self._posts.next_due(self.name)

    def read(self) -> None:
        """Read what is new, unless the board needs a rest; publish what is due, if it is not live.

        A live board is published on in another thread, since it takes its time.
        """
        if not self.live:
            # In this order: what we have just posted is known before answers to it are read.
            self.publish()
        if self._rest.until is not None:
            return
        now = self._clock()
        try:
            store, settings = self._posts.store, self._posts.settings
            new = inbox.read_board(store, settings, self.name, now, self.kept_open())
        except ChannelFault as error:
            down = error if isinstance(error, ChannelDown) else None
            self._rest.begin(
                refused=down is not None and down.refused, least=down.after if down else 0
            )
            kept = "What is said meanwhile is not heard." if self.live else "Nothing is lost."
            log.warning("%s can't be read: %s %s", self.name, error, kept)
            self._up_since = None
            return
        if self.live:
            if self._up_since is None:
                self._up_since = now
                self._posts.hurry(now, self.name)
            # A server that cuts each connection soon would else see a login every second.
            if now - self._up_since > STEADY:
                self._rest.over()
        else:
            self._rest.over()
        if new:
            log.info("%d messages came from %s", new, self.name)
        deadline = stored_games.next_deadline(store)
        # A deadline waits until its board has been read since.
        if new or (self.live and deadline is not None and deadline <= now):
            self._heard()

    def next_look(self) -> datetime | None:
        """Return when the board may be read again after a fault, or must be for a deadline."""
        if not self.live or self._rest.until is not None:
            return self._rest.until
        deadline = stored_games.next_deadline(self._posts.store)
        return deadline if deadline is not None and deadline > self._clock() else None

    def kept_open(self) -> Board | None:
        """Return a live board, which is open as long as we work, or None. Raises ChannelDown."""
        if not self.live:
            return None
        board = self._posts.channel(self.name)
        assert isinstance(board, LiveBoard), f"{self.name} is live, and can't be listened to"
        board.attend(self._wake, self._topic)
        return board

    @cached_property
    def _topic(self) -> str:
        return self._posts.topic(self.name)
