"""The alarm: a letter to the moderator when a trouble begins, and one when it is over."""

import json
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from pbem.outgoing.outbox import Outbox
from pbem.service.health import TROUBLES, Health, Trouble, examine, write_file
from pbem.storage import clock_jumps

log = logging.getLogger("pbem")

QUIET = timedelta(hours=1)
"""How long a trouble must be gone to be over, so that one that comes and goes counts as one."""


class Alarms:
    """Watches the service's health, and records in the database what was reported."""

    def __init__(self, outbox: Outbox, steady: Callable[[], float] = time.monotonic) -> None:
        self.outbox, self.store, self.settings = outbox, outbox.store, outbox.settings
        self._steady = steady
        self._looked: tuple[datetime, float] | None = None

    def look(self, now: datetime) -> Health:
        """Examine the service, report new troubles to the moderator, and write the health file."""
        # A monotonic clock runs alongside, so that a step of the wall clock can be seen.
        found = examine(self.settings, self.store, now, self._jump(now))
        seen = {trouble.key: trouble for trouble in found.troubles}
        for key in TROUBLES:
            self._follow(key, seen.get(key), now)
        if self.settings.watch.health_file:
            # A full disk is a trouble to report, and must not end the look.
            with suppress(OSError):
                write_file(self.settings.state(self.settings.watch.health_file), found)
        return found

    def _jump(self, now: datetime) -> timedelta:
        """Return how far the clock moved since the last look, beyond the time that passed."""
        last, self._looked = self._looked, (now, self._steady())
        if last is None:
            return timedelta()
        return (now - last[0]) - timedelta(seconds=self._looked[1] - last[1])

    def _follow(self, key: str, trouble: Trouble | None, now: datetime) -> None:
        """Follow one kind of trouble from its beginning to its end."""
        name = f"trouble {key}"
        known = json.loads(self.store.meta(name) or "{}")
        if trouble is not None:
            with self.store.transaction():
                if not known:
                    self._begin(trouble, now)
                since = known.get("since") or now.isoformat()
                # The first text was reported; the figures in it change with each look.
                text = known.get("text") or str(trouble.text)
                entry = {"since": since, "seen": now.isoformat(), "text": text}
                self.store.set_meta(name, json.dumps(entry))
        elif known and now - datetime.fromisoformat(known["seen"]) >= QUIET:
            with self.store.transaction():
                self._end(key, known, now)
                self.store.set_meta(name, "{}")

    def _begin(self, trouble: Trouble, now: datetime) -> None:
        log.error("trouble: %s", trouble.text, extra={"facts": {"trouble": trouble.key}})
        self._write(trouble.key, now, now.isoformat(), trouble.text, over=False)

    def _end(self, key: str, known: dict[str, str], now: datetime) -> None:
        log.info("over: %s", known["text"], extra={"facts": {"trouble": key}})
        self._write(key, now, known["since"], known["text"], over=True)

    def _write(self, key: str, now: datetime, since: str, text: str, *, over: bool) -> None:
        reported = key == "clock" and clock_jumps.waits_until(self.store, now) is not None
        if not reported:  # the round that saw the jump has reported it
            ident, when = (key, since, over), f"{since[:16].replace('T', ' ')} UTC"
            self.outbox.write_moderator("alarm", now, ident, text=text, over=over, since=when)
