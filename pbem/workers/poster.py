"""The poster: publishes posts in a thread of its own, so that no board ever delays a letter."""

import logging
import threading
from datetime import datetime

from pbem.outgoing.posts import Posts
from pbem.service import Clock
from pbem.storage import StoreDown

log = logging.getLogger("pbem")

LONGEST = 300.0
"""The longest pause between two looks at the queue, in seconds."""


class Poster:
    """Publishes what is due, when it is woken and when the next post is due."""

    def __init__(self, posts: Posts, clock: Clock) -> None:
        self._posts, self._clock = posts, clock
        self._bell = threading.Event()
        self._stopping = False
        # A daemon thread: a post that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="poster", daemon=True)

    def start(self) -> None:
        """Start the thread, if the league has channels and this was not called before."""
        if self._posts.channels and self._thread.ident is None:
            self._thread.start()

    def wake(self) -> None:
        """Wake the thread: there may be new posts."""
        self._bell.set()

    def stop(self) -> None:
        """Stop after the current post; one that takes too long is left to the next start."""
        self._stopping = True
        self._bell.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        pause = 0.0
        try:
            while not self._stopping:
                self._bell.wait(pause)
                self._bell.clear()
                pause = self._round()
        finally:
            self._posts.store.close()

    def _round(self) -> float:
        """Publish what is due, and return the seconds until more is due."""
        try:
            done = self._posts.flush(self._clock())
            due = self._posts.next_due()
        except StoreDown as error:
            log.error("%s; posts are tried again", error)
            return 5.0
        except Exception:
            log.exception("the posts can't be published; they are tried again")
            return LONGEST
        for fault in done.faults:
            log.warning("%s Nothing is lost.", fault)
        if done.sent:
            log.info("%d posts published", done.sent)
        return self._until(due)

    def _until(self, due: datetime | None) -> float:
        if due is None:
            return LONGEST
        return min(LONGEST, max(0.5, (due - self._clock()).total_seconds()))
