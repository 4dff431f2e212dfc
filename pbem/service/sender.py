"""The sender: sends letters in a thread of its own, so that no server delays the next answer."""

import logging
from collections.abc import Callable
from datetime import datetime

from pbem.channels.mail.backoff import Rest
from pbem.channels.mail.transport import Transport, TransportDown
from pbem.host.clock import Clock
from pbem.outgoing.delivery import Delivery
from pbem.storage import Outgoing, queues

log = logging.getLogger("pbem")


class Sender:
    """Sends what is due, and rests while the transport's server can't be used.

    It ends early once `go_on` returns False.
    """

    def __init__(
        self, delivery: Delivery, transport: Transport, clock: Clock, go_on: Callable[[], bool]
    ) -> None:
        self._delivery, self._transport = delivery, transport
        self._clock, self._go_on = clock, go_on
        self._rest = Rest(clock)

    def work(self) -> None:
        """Send what is due, unless the server needs a rest."""
        if self._rest.until is not None:
            return
        before = self._delivery.sent
        try:
            # Asked before each letter, so that a stop waits for one letter at most.
            self._delivery.flush(self._transport, self._clock, self._go_on)
        except TransportDown as error:
            if self._delivery.sent > before:
                self._rest.over()
            pause = self._rest.begin(error.refused)
            log.warning("%s Next try in %.0f s; nothing is lost.", error, pause)
        else:
            self._rest.over()
        if sent := self._delivery.sent - before:
            log.info("%d letters sent", sent, extra={"facts": {"sent": sent}})

    def next_due(self) -> datetime | None:
        """Return when the next letter is due, or the rest is over."""
        return self._rest.until or queues.next_due(self._delivery.store, Outgoing)
