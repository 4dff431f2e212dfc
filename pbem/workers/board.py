"""A board's worker: publishes its posts and reads it, in a thread of its own.

So a board that is slow or down delays neither letters nor other boards.
"""

import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from pbem import inbox
from pbem.channels.channel import ChannelDown, ChannelFault
from pbem.channels.mail.backoff import LINK, REFUSED
from pbem.clock import Clock
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.posts import Posts
from pbem.workers.worker import Worker

log = logging.getLogger("pbem")

POLL = timedelta(seconds=30)
"""How long after a look at a board the next one comes."""


class BoardWorker(Worker):
    """Publishes what is due on one board, then reads what is new there, if it is played on.

    `heard` is called when something new was stored.
    """

    def __init__(
        self,
        name: str,
        posts: Posts,
        outbox: Outbox,
        clock: Clock,
        heard: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(f"board {name}", outbox, clock)
        self._name, self._posts, self._heard = name, posts, heard
        self._look: datetime | None = None
        """When the board is read next; None for at once."""
        self._failures = 0
        self._rng = random.Random()

    def work(self) -> None:
        """Publish what is due, and read what is new."""
        # In this order: what we have just posted is known before answers to it are read.
        done = self._posts.flush(self._clock(), self._name)
        for fault in done.faults:
            log.warning("%s Nothing is lost.", fault)
        if done.sent:
            log.info("%d posts published on %s", done.sent, self._name)
        if self._posts.channels[self._name].play and self._is_due():
            self._read()

    def next_due(self) -> datetime | None:
        """Return when the next post is due, or the next look."""
        moments = [self._posts.next_due(self._name)]
        if self._posts.channels[self._name].play:
            moments.append(self._look or self._clock())
        return min((one for one in moments if one is not None), default=None)

    def close(self) -> None:
        """Close the thread's connection to the database."""
        self._posts.store.close()

    def _is_due(self) -> bool:
        # If more of the pause is left than any pause takes, the clock went back.
        longest = timedelta(seconds=REFUSED.most)
        return self._look is None or not timedelta() < self._look - self._clock() <= longest

    def _read(self) -> None:
        now = self._clock()
        try:
            new = inbox.read_board(self._posts.store, self._posts.settings, self._name, now)
        except ChannelFault as error:
            refused = isinstance(error, ChannelDown) and error.refused
            after = error.after if isinstance(error, ChannelDown) else 0
            pause = (REFUSED if refused else LINK).next(self._failures, self._rng)
            self._failures += 1
            self._look = now + timedelta(seconds=max(pause, after))
            log.warning("%s can't be read: %s Nothing is lost.", self._name, error)
            return
        self._failures, self._look = 0, now + POLL
        if new:
            log.info("%d messages came from %s", new, self._name)
            self._heard()
