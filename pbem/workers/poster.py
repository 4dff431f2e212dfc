"""The poster: publishes posts in a thread of its own, so that no board ever delays a letter."""

import logging
from datetime import datetime

from pbem.clock import Clock
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.posts import Posts
from pbem.workers.worker import Worker

log = logging.getLogger("pbem")


class Poster(Worker):
    """Publishes what is due."""

    def __init__(self, posts: Posts, outbox: Outbox, clock: Clock) -> None:
        super().__init__("poster", outbox, clock)
        self._posts = posts

    def start(self) -> None:
        """Start the thread, if the league has channels."""
        if self._posts.channels:
            super().start()

    def work(self) -> int:
        """Publish what is due, and return how many posts."""
        done = self._posts.flush(self._clock())
        for fault in done.faults:
            log.warning("%s Nothing is lost.", fault)
        if done.sent:
            log.info("%d posts published", done.sent)
        return done.sent

    def next_due(self) -> datetime | None:
        """Return when the next post is due."""
        return self._posts.next_due()

    def close(self) -> None:
        """Close the thread's connection to the database."""
        self._posts.store.close()
