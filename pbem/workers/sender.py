"""The sender: sends letters in a thread of its own, so that no server delays the next answer."""

import logging
import random
from datetime import datetime, timedelta

from pbem.channels.mail.backoff import LINK, REFUSED
from pbem.channels.mail.transport import Transport, TransportDown
from pbem.clock import Clock
from pbem.outgoing.delivery import Delivery
from pbem.outgoing.outbox import Outbox
from pbem.storage import StoreDown
from pbem.workers.worker import Worker

log = logging.getLogger("pbem")

LONGEST = timedelta(hours=1)
"""The longest pause; if more of it is left, the clock went back."""
PATIENCE = 30.0
"""How long to wait at the end for the letter that is being sent, in seconds."""


class Sender(Worker):
    """Sends what is due, and pauses while the transport's server can't be used."""

    def __init__(
        self, delivery: Delivery, transport: Transport, outbox: Outbox, clock: Clock
    ) -> None:
        super().__init__("sender", outbox, clock)
        self._delivery, self._transport = delivery, transport
        self._refusals = 0
        self._rng = random.Random()
        self._resend: datetime | None = None

    def work(self) -> None:
        """Send what is due, unless the server needs a rest."""
        if self._rests():
            return
        before = self._delivery.sent
        try:
            # Asked before each letter, so that a stop waits for one letter at most.
            self._delivery.flush(self._transport, self._clock, lambda: not self._stopping)
        except TransportDown as error:
            self._rest(error, self._delivery.sent > before)
        else:
            self._refusals, self._resend = 0, None
        if sent := self._delivery.sent - before:
            log.info("%d letters sent", sent, extra={"facts": {"sent": sent}})

    def next_due(self) -> datetime | None:
        """Return when the next letter is due."""
        if self._rests():
            return self._resend
        found: datetime | None = self._delivery.store.outbox.least("due", state="queued")
        return found

    def stop(self, patience: float = PATIENCE) -> None:
        """Stop after the letter that is being sent; all others are left to the next start."""
        super().stop(patience)
        try:
            # The thread has done this, unless a server keeps it waiting.
            self._delivery.settle(self._clock())
        except StoreDown as error:
            log.error("%s; the last letters will be sent again", error)

    def close(self) -> None:
        """Close the connections to the server and to the database."""
        self._transport.close()
        self._delivery.store.close()

    def _rests(self) -> bool:
        resend = self._resend
        return resend is not None and timedelta() < resend - self._clock() <= LONGEST

    def _rest(self, error: TransportDown, sent: bool) -> None:
        """Pause after a fault of the server, longer after each one in a row."""
        self._refusals = 0 if sent else self._refusals
        # Longer after a refused login: servers lock accounts out after several (fault 8).
        pause = (REFUSED if error.refused else LINK).next(self._refusals, self._rng)
        self._refusals += 1
        self._resend = self._clock() + timedelta(seconds=pause)
        log.warning("%s Next try in %.0f s; nothing is lost.", error, pause)
