"""Sending the queue: letters are claimed and handed to a transport, and outcomes recorded."""

import logging
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.channels.mail.backoff import Backoff
from pbem.channels.mail.congestion import Congestion
from pbem.channels.mail.transport import Deferred, Rejected, Transport, TransportDown
from pbem.host.clock import Clock
from pbem.outgoing import link_faults
from pbem.outgoing.reachability import note, return_path
from pbem.settings import Settings
from pbem.storage import Outgoing, Store, StoreDown, by_time, clock_jumps, queues
from pbem.storage.store import NOBODY

log = logging.getLogger("pbem")

_NOT_NOTED = "that the address of player %d was refused can't be noted"

BATCH = 50
SECONDS = 1.0
"""For how many seconds letters are sent before their outcomes are recorded."""
COUNTED = ("sent", "deferred", "refused")
"""The outcomes that are counted."""
GIVE_UP = timedelta(days=5)
LEAST_TRIES = 10
"""The fewest tries of a letter before it is given up, however old it is."""
MOST_TRIES = 28
"""The most tries of a letter whose age is not known. With RETRY they take about five days."""
RETRY = Backoff(first=60, most=6 * 3600)
"""How long a letter waits for its next try."""
AFTER_REFUSAL = Backoff(first=300, most=6 * 3600)
"""How long it waits after a 5xx: quotas are counted by the hour or by the day."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a letter: `sent`, `deferred`, `refused`, or `left` while its domain is paused.

    `values` are further columns of its row, and `fault` is what a refusal named (see `Outgoing`).
    """

    row: Outgoing
    what: str
    values: Mapping[str, object] = field(default_factory=dict)
    fault: str = ""

    @property
    def sent(self) -> bool:
        """Return whether the letter was accepted."""
        return self.what == "sent"


class Delivery:
    """Empties the queue: claims letters, hands them over, and records the outcomes."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store, self.settings = store, settings
        self.counts = Counter(dict.fromkeys((("outgoing", what) for what in COUNTED), 0))
        """How many letters were sent and so on. Its keys stay, since another thread reads them."""
        self._congestion = Congestion()
        self._done: list[Outcome] = []
        """The outcomes that are not recorded yet."""
        self._patient = False
        """Whether no letter is given up because the clock jumped; set when letters are claimed."""

    @property
    def sent(self) -> int:
        """Return how many letters were sent since the program started."""
        return self.counts["outgoing", "sent"]

    def flush(
        self, transport: Transport, clock: Clock, go_on: Callable[[], bool] = lambda: True
    ) -> int:
        """Send everything that is due, and return how many were sent. Raises TransportDown.

        It ends early once `go_on` returns False. What was being sent when a program died, or the
        database failed, is sent again.
        """
        before = self.sent
        try:
            self._empty(transport, clock, go_on)
        except TransportDown as error:
            why, refused = str(error), error.refused
            link_faults.failed(self.store, link_faults.SERVER, why, clock(), refused=refused)
            raise
        return self.sent - before

    def _empty(self, transport: Transport, clock: Clock, go_on: Callable[[], bool]) -> None:
        self.settle(clock())
        try:
            while batch := self._claim(clock()):
                for part in by_time(iter(batch), BATCH, SECONDS):
                    for row in part:
                        if not go_on():
                            return
                        self._done.append(self._hand_over(transport, row, clock()))
                    self._record(clock())
        finally:
            # What is done is recorded even if the transport failed at a later letter.
            self.settle(clock())

    def settle(self, now: datetime) -> None:
        """Record the outcomes, and put letters that were not sent back into the queue."""
        self._record(now, at_end=True)

    def _claim(self, now: datetime) -> list[Outgoing]:
        """Return letters that are due, marked as being sent; bulk only where no other is due."""
        self._patient = clock_jumps.waits(self.store, self.settings.league, now)
        return queues.claim(self.store, now, BATCH)

    def _hand_over(self, transport: Transport, row: Outgoing, now: datetime) -> Outcome:
        """Hand over a letter and return the outcome; skip it if its domain is paused.

        If the program fails at a letter, it is deferred, as if the server had deferred it. Raises
        TransportDown and StoreDown.
        """
        try:
            return self._tried(transport, row, now)
        except (TransportDown, StoreDown):
            raise
        except Exception as error:
            log.exception("letter %d can't be handed over; it is put off", row.id)
            return Outcome(row, "deferred", self._deferred(row, repr(error), now))

    def _tried(self, transport: Transport, row: Outgoing, now: datetime) -> Outcome:
        rest = self._congestion.until(row.recipient, now)
        # It costs no try, because the letter itself was not offered.
        if rest is not None:
            return Outcome(row, "left", {"state": "queued", "due": rest})
        try:
            sender = return_path(self.store, self.settings, row, now)
            transport.send(sender, row.recipient, row.content)
        except Deferred as error:
            return self._put_off(row, error, now)
        except Rejected as error:
            log.warning("letter %d is given up: %s", row.id, error)
            values = {"state": "failed", "error": str(error)}
            return Outcome(row, "refused", values, "address" if error.bad_address else "letter")
        self._congestion.took(row.recipient)
        return Outcome(row, "sent")

    def _put_off(self, row: Outgoing, error: Deferred, now: datetime) -> Outcome:
        """Put a letter off; after a few in a row, also all others to its domain, or all of them."""
        if error.code is None:
            # Without a reply of the server it is not known that anybody defers letters.
            return Outcome(row, "deferred", self._deferred(row, str(error), now))
        if error.code < 500:
            self._congestion.put_off(row.recipient, now)
            return Outcome(row, "deferred", self._deferred(row, str(error), now))
        self._congestion.refused(row.recipient, now)
        values = self._deferred(row, str(error), now, AFTER_REFUSAL)
        what = "is given up" if values["state"] == "failed" else "is put off"
        log.warning("letter %d %s: %s", row.id, what, error)
        return Outcome(row, "deferred", values, "server")

    def _record(self, now: datetime, *, at_end: bool = False) -> None:
        """Record the outcomes, all of them or none; `at_end` put back what was not sent."""
        done = list(self._done)
        with self.store.transaction():
            queues.mark_sent(self.store, [one.row for one in done if one.sent], now)
            for one in done:
                if not one.sent:
                    queues.change(self.store, one.row, **one.values, **NOBODY, fault=one.fault)
                if one.fault == "address" and one.row.player_id is not None:
                    # If this fails, the rest is recorded all the same.
                    with self.store.alone(log, _NOT_NOTED, one.row.player_id):
                        note(self.store, one.row.player_id, "refused", one.row.message_id, now)
            self._note_server(now)
            if at_end:
                queues.unclaim(self.store, now)
        # Only once it is committed: if the database failed, it is recorded with the next letters.
        del self._done[: len(done)]
        self.counts.update(("outgoing", one.what) for one in done if one.what in COUNTED)

    def _note_server(self, now: datetime) -> None:
        """Note whether the server took the last letter, or refused it and may mean us."""
        telling = [one for one in self._done if one.sent or one.fault == "server"]
        if not telling:
            return
        last = telling[-1]
        if last.sent:
            link_faults.works(self.store, link_faults.SERVER)
            return
        # Without the address, because this stays when the player is erased.
        why = str(last.values["error"]).replace(last.row.recipient, "a player")
        link_faults.failed(self.store, link_faults.SERVER, why, now, refused=True)

    def _deferred(
        self, row: Outgoing, why: str, now: datetime, retry: Backoff = RETRY
    ) -> dict[str, object]:
        """Return the values for a retry, or for giving up after five days and ten tries.

        Going by days alone would give up a letter at its first try after a jump of the clock.
        """
        ahead = row.made > now  # written while the clock was ahead, so that its age is not known
        old = row.tries >= MOST_TRIES if ahead else now - row.made > GIVE_UP
        old = old and row.tries >= LEAST_TRIES
        # After a jump nobody knows how long a letter has really waited.
        if old and not self._patient:
            return {"state": "failed", "error": why}
        # The seed makes the wait the same for a letter and a try, and spreads those of many.
        wait = retry.next(row.tries, random.Random(row.message_id + str(row.tries)))
        due = now + timedelta(seconds=wait)
        return {"state": "queued", "tries": row.tries + 1, "due": due, "error": why}
