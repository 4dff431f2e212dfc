"""The daemon at work until there is nothing left to do."""

import time
from datetime import datetime

from pbem.channels.mail.mailbox import Mailbox
from pbem.channels.mail.transport import Transport
from pbem.daemon import Daemon
from pbem.service import Service


class Watched:
    """A mailbox that ends its daemon's work where it would wait for letters that never come."""

    def __init__(self, real: Mailbox) -> None:
        self.account, self.folder = real.account, real.folder
        self.connect, self.arrivals, self.places = real.connect, real.arrivals, real.places
        self.lists, self.look_afresh = real.lists, real.look_afresh
        self.file, self.wake, self.close = real.file, real.wake, real.close
        self.daemon: Daemon | None = None
        self._again = False
        self._real = real

    @property
    def moves(self) -> bool:
        """Return whether letters can be moved."""
        return self._real.moves

    @property
    def withheld(self) -> dict[str, str]:
        """Return what can't be had."""
        return self._real.withheld

    def wait(self, seconds: float) -> bool:
        """Wait for sender and boards, and stop once nothing is left to send."""
        assert self.daemon is not None
        boards, store = self.daemon.boards, self.daemon.store
        while not all(worker.idle for worker in (self.daemon.sender, *boards)):
            time.sleep(0.002)
        # What boards have brought is for one more round, which knows up to when they were read.
        one_more, self._again = bool(boards) and not self._again, True
        if one_more or (boards and store.letters.count(state="received")):
            return True
        if not (store.outbox.count(state="queued") or store.posts.count(state="queued")):
            self.daemon.stop()
            return False
        return self._real.wait(seconds)


def work(service: Service, mailbox: Mailbox, transport: Transport, now: datetime) -> None:
    """Do what `pbem run` does, at one moment, until nothing waits."""
    watched = Watched(mailbox)
    watched.daemon = Daemon(service, watched, transport, lambda: now)
    watched.daemon.run()
