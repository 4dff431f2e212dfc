"""A board's worker: publishes its posts and reads it, in a thread of its own.

So a board that is slow or down delays neither letters nor other boards.
"""

import logging
from collections.abc import Callable
from datetime import datetime

from pbem.channels.channel import ChannelDown, ChannelFault
from pbem.channels.mail.backoff import Rest
from pbem.host.clock import Clock
from pbem.outgoing.posts import Posts
from pbem.service import inbox

log = logging.getLogger("pbem")


class BoardWorker:
    """Publishes what is due on one board, and reads what is new there.

    `heard` is called when something new was stored.
    """

    def __init__(
        self, name: str, posts: Posts, clock: Clock, heard: Callable[[], None] = lambda: None
    ) -> None:
        self.name, self._posts, self._clock, self._heard = name, posts, clock, heard
        self._rest = Rest(clock)

    def publish(self) -> None:
        """Publish what is due."""
        done = self._posts.flush(self._clock(), self.name)
        for fault in done.faults:
            log.warning("%s Nothing is lost.", fault)
        if done.sent:
            log.info("%d posts published on %s", done.sent, self.name)

    def next_post(self) -> datetime | None:
        """Return when the next post is due."""
        return self._posts.next_due(self.name)

    def read(self) -> None:
        """Publish what is due, and read what is new, unless the board needs a rest."""
        # In this order: what we have just posted is known before answers to it are read.
        self.publish()
        if self._rest.until is not None:
            return
        now = self._clock()
        try:
            new = inbox.read_board(self._posts.store, self._posts.settings, self.name, now)
        except ChannelFault as error:
            down = error if isinstance(error, ChannelDown) else None
            self._rest.begin(
                refused=down is not None and down.refused, least=down.after if down else 0
            )
            log.warning("%s can't be read: %s Nothing is lost.", self.name, error)
            return
        self._rest.over()
        if new:
            log.info("%d messages came from %s", new, self.name)
            self._heard()

    def next_look(self) -> datetime | None:
        """Return when the board may be read again after a fault."""
        return self._rest.until
