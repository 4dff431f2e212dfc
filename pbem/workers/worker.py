"""A thread of the daemon that does one kind of work whenever there is some."""

import logging
import threading
from abc import ABC, abstractmethod
from datetime import datetime, timedelta

from engine.i18n import say
from pbem.clock import Clock
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.retried_tasks import Task, attempt
from pbem.storage import StoreDown

log = logging.getLogger("pbem")

PAUSE = 5.0
"""How long to wait before the work is tried again after a fault, in seconds."""
LEAST, LONGEST = 0.5, 300.0
"""The shortest and the longest pause between two looks at a queue, in seconds."""


class Worker(ABC):
    """Does its work when it is woken, and when more of it is due; `pbem once` calls `work` alone.

    The thread has a connection to the database of its own, and waits its turn to write.
    """

    def __init__(self, name: str, outbox: Outbox, clock: Clock) -> None:
        self._outbox, self._clock = outbox, clock
        self._bell = threading.Event()
        self._bell.set()
        self._waiting = self._stopping = False
        label = say("a part of each round ({part})", part=f"the {name}")
        self._task = Task(f"daemon: the {name}", label, self.work, vital=True)
        # A daemon thread: a server that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @abstractmethod
    def work(self) -> object:
        """Do all that is due now."""

    @abstractmethod
    def next_due(self) -> datetime | None:
        """Return when more is due; None if nothing waits."""

    @abstractmethod
    def close(self) -> None:
        """Close what the work has opened; called in the thread that has done it."""

    @property
    def idle(self) -> bool:
        """Return whether there is nothing to do before it is woken, or more is due."""
        # In this order: the thread leaves its wait before it resets the bell.
        return not self._bell.is_set() and self._waiting

    def start(self) -> None:
        """Start the thread, unless that was done before."""
        if self._thread.ident is None:
            self._thread.start()

    def wake(self) -> None:
        """Make the thread look for work."""
        self._bell.set()

    def stop(self, patience: float = 5) -> None:
        """Stop after what is being done; if it takes too many seconds, leave it."""
        self._stopping = True
        self._bell.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def _run(self) -> None:
        try:
            pause = 0.0
            while not self._stopping:
                self._waiting = True
                self._bell.wait(pause)
                self._waiting = False
                # Before the work: what comes while it is done rings again.
                self._bell.clear()
                pause = self._round()
        finally:
            # In this thread: each has its own connection to the database.
            self.close()

    def _round(self) -> float:
        """Work, and return the seconds until more is due. No exception ends the thread."""
        try:
            if not attempt(self._outbox, self._task, self._clock()):
                return PAUSE
            due = self.next_due()
        except StoreDown as error:
            log.error("%s; it is tried again", error)
            return PAUSE
        except Exception:
            log.exception("a worker failed; it is tried again")
            return PAUSE
        until = due - self._clock() if due is not None else timedelta(seconds=LONGEST)
        return min(LONGEST, max(LEAST, until.total_seconds()))
