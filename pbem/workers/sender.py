"""The sender: sends letters in a thread of its own, while others are being answered.

The thread never touches the database. The thread that writes there takes letters out for it, in a
transaction, and notes in the same transaction what became of earlier ones.
"""

import logging
import random
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from queue import SimpleQueue

from pbem.mail.backoff import LINK, REFUSED
from pbem.mail.transport import Transport, TransportDown
from pbem.outgoing.delivery import BATCH, Delivery, Outcome
from pbem.service import Clock
from pbem.storage import Outgoing, StoreDown

log = logging.getLogger("pbem")

LONGEST = timedelta(hours=1)
"""The longest pause; if more of it is left, the clock went back."""
PATIENCE = 30.0
"""How long to wait at the end for the letter that is being sent, in seconds."""
MOST = 4 * BATCH
"""The most letters that are out of the queue at a time."""


class Sender:
    """Passes letters to the transport, and pauses while its server can't be used.

    `ring` is called when the sender has nothing more to do.
    """

    def __init__(
        self, dispatch: Delivery, transport: Transport, clock: Clock, ring: Callable[[], None]
    ) -> None:
        self._dispatch, self._courier, self._clock, self._ring = dispatch, transport, clock, ring
        self._bag = SimpleQueue[Outgoing | None]()
        self._done = deque[Outcome]()
        self._out = 0
        self._down: TransportDown | None = None
        self._stopping = False
        self._sure = True
        """Whether it is known if the last transaction was committed."""
        self._refusals = self._sent = 0
        self._rng = random.Random()
        self._resend = clock()
        self._thread = threading.Thread(target=self._run, name="sender", daemon=True)

    def start(self) -> None:
        """Start the thread, once. What was being sent when a program died is sent again."""
        if self._thread.ident is None:
            self._dispatch.store.unclaim()
            self._thread.start()

    def stop(self) -> None:
        """Stop after the letter that is being sent; all others are left to the next start."""
        self._stopping = True
        self._bag.put(None)
        if self._thread.ident is not None:
            self._thread.join(PATIENCE)
        try:
            self._dispatch.note(list(self._done), self._clock())
            self._dispatch.store.unclaim()
        except StoreDown as error:
            log.error("%s; the last letters will be sent again", error)
        self._courier.close()

    @property
    def idle(self) -> bool:
        """Return whether no letter is out."""
        return not self._out

    def next_due(self, now: datetime) -> datetime | None:
        """Return when the next letter is due. While letters are out, `ring` will tell."""
        due = self._dispatch.store.next_retry()
        if due is None or due > now:
            return due
        return max(due, self._resend) if self.idle else None

    @contextmanager
    def turn(self, now: datetime) -> Iterator[None]:
        """Do a block in one transaction, which also notes what was sent and takes what is due."""
        sure, self._sure = self._sure, False
        with self._dispatch.store.transaction():
            yield
            # A snapshot: the thread may add outcomes meanwhile, and these leave the queue only
            # after the commit.
            done = [self._done[n] for n in range(len(self._done))]
            self._dispatch.note(done, now)
            out = self._out - len(done)
            if not (sure or out):
                # Nobody knows if the last commit went through, so rows may be marked in vain.
                self._dispatch.store.unclaim()
            rows = self._take(now, out)
        # While letters are out, `unclaim` has to wait, so this stays unsure.
        self._sure = sure or not out
        for _ in done:
            self._done.popleft()
        self._out += len(rows) - len(done)
        for row in rows:
            self._bag.put(row)
        self._tell(sum(one.sent for one in done))

    def look(self, now: datetime) -> None:
        """Note what was sent, and take what is due."""
        with self.turn(now):
            pass

    def _take(self, now: datetime, out: int) -> Sequence[Outgoing]:
        """Return what is due, as many as may be out."""
        if self._down is not None and not out:
            self._rest(self._down)
        rests = timedelta() < self._resend - now <= LONGEST
        if self._down is not None or rests or out >= MOST:
            return []
        rows = self._dispatch.take(now, MOST - out)
        # Newsletters go only when nothing else waits.
        return rows if rows or out else self._dispatch.take_bulk(now)

    def _rest(self, error: TransportDown) -> None:
        """Pause after a fault of the server, once all letters that it did not accept are back."""
        self._down = None
        backoff = REFUSED if error.refused else LINK
        pause = backoff.next(self._refusals, self._rng)
        self._refusals += 1
        self._resend = self._clock() + timedelta(seconds=pause)
        log.warning("%s Next try in %.0f s; nothing is lost.", error, pause)

    def _tell(self, sent: int) -> None:
        """Log how many were sent, once no more are out."""
        self._sent += sent
        if self._sent and not self._out:
            log.info("%d letters sent", self._sent, extra={"facts": {"sent": self._sent}})
            self._sent = 0

    def _run(self) -> None:
        while (row := self._bag.get()) is not None and not self._stopping:
            self._done.append(self._hand_over(row))
            if self._bag.empty():
                self._ring()

    def _hand_over(self, row: Outgoing) -> Outcome:
        """Send a letter, or return it to the queue where nothing can be sent now."""
        if self._down is None:
            try:
                outcome = self._dispatch.hand_over(self._courier, row, self._clock())
                self._refusals = 0
                return outcome
            except TransportDown as error:
                self._down = error
            except StoreDown as error:
                log.error("%s; a letter is queued again", error)
        return Outcome(row, "left", {"state": "queued"})
