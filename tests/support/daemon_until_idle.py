"""The daemon at work until there is nothing left to do."""

import time
from collections.abc import Iterator
from datetime import datetime

from pbem.channels.mail.mailbox import Batch, Known, Mailbox
from pbem.channels.mail.transport import Transport
from pbem.service.daemon import Daemon
from pbem.service.service import Service
from pbem.storage import Cursor, Letter, Outgoing, Post


class Watched:
    """A mailbox that ends its daemon's work where it would wait for letters that never come."""

    def __init__(self, real: Mailbox) -> None:
        self.account, self.folder = real.account, real.folder
        self.connect, self.places = real.connect, real.places
        self.lists, self.look_afresh = real.lists, real.look_afresh
        self.file, self.close = real.file, real.close
        self.wake = real.wake
        self.daemon: Daemon | None = None
        self._rounds = 0
        self._last_before_reading: int | None = None
        self._real = real

    @property
    def moves(self) -> bool:
        """Return whether letters can be moved."""
        return self._real.moves

    @property
    def withheld(self) -> dict[str, str]:
        """Return what can't be had."""
        return self._real.withheld

    def arrivals(self, known: Known) -> Iterator[Batch]:
        """Yield what came."""
        self._rounds += 1
        return self._real.arrivals(known)

    def wait(self, seconds: float) -> bool:
        """Wait for sender and boards, and stop once nothing is left to do."""
        assert self.daemon is not None
        while not self.daemon.jobs.waiting:
            if not self._unread():
                # What boards have brought is for one more round, which knows when they were read.
                if self.daemon.boards and self._last_before_reading is None:
                    self._last_before_reading = self._rounds
                    return True
                # That round is asked for, and need not wait for its thread yet.
                if self._rounds != self._last_before_reading and not self._waits():
                    self.daemon.stop()
                    return False
            time.sleep(0.002)
        return False

    def _unread(self) -> bool:
        """Return whether a board was not read in this run."""
        assert self.daemon is not None
        now, ports = self.daemon.clock(), self.daemon.service.ports
        played = [name for name, channel in ports.posts.channels.items() if channel.play]
        return any(
            not ports.store.count(Cursor.select().where(Cursor.channel == name, Cursor.read == now))
            for name in played
        )

    def _waits(self) -> bool:
        """Return whether anything is to be answered or sent."""
        assert self.daemon is not None
        store = self.daemon.store
        received = Letter.select().where(Letter.state == "received")
        if not self.daemon.boards:
            # One that failed waits for the next run, but one in hand was in a round that failed.
            received = received.where(Letter.owner != "")
        waiting = store.exists(received)
        leaving = (
            model.select().where(model.state.in_(("queued", "sending")))
            for model in (Outgoing, Post)
        )
        return bool(waiting) or any(map(store.exists, leaving))


def work(service: Service, mailbox: Mailbox, transport: Transport, now: datetime) -> None:
    """Do what `pbem run` does, at one moment, until nothing waits."""
    watched = Watched(mailbox)
    watched.daemon = Daemon(service, watched, transport, lambda: now)
    watched.daemon.run()
