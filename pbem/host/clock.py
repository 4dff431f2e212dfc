"""The clock, and cron lines."""

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger

_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""By cron's numbers, 0 to 7; APScheduler counts from Monday."""
_FARTHEST = timedelta(hours=2)
"""The farthest that clocks are set back or forward: two hours, at the Antarctic station Troll."""


Clock = Callable[[], datetime]


def wall_clock() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


class StepBack:
    """Knows whether the clock was set back, by one that only goes ahead."""

    def __init__(self) -> None:
        self._ahead = self._by_which_ahead()

    def happened(self) -> bool:
        """Return whether the clock was set back since this was last asked, by a second or more."""
        before, self._ahead = self._ahead, self._by_which_ahead()
        return before - self._ahead >= 1

    @staticmethod
    def _by_which_ahead() -> float:
        return time.time() - time.monotonic()


def next_ring(when: str, zone: ZoneInfo, after: datetime) -> datetime | None:
    """Return the first time (UTC) after `after` that a cron line names in a zone, None for never.

    A time that the clocks show twice counts once, and one that they skip comes an hour later. Raise
    ValueError, with the reason, for anything but a cron line of five fields.
    """
    fields = when.split()
    if len(fields) != 5:
        raise ValueError(f"{when!r} has {len(fields)} fields, not 5")
    # A number after a slash is a step and not a day, as in */2.
    fields[4] = re.sub(r"(?<!/)(?<!\d)[0-7](?!\d)", lambda day: _WEEKDAYS[int(day[0])], fields[4])
    # The trigger counts by the clocks on the wall, as if they never moved: in a zone of its own
    # APScheduler loses the midnight after summer time begins.
    trigger = CronTrigger.from_crontab(" ".join(fields), timezone=UTC)
    shown = after.astimezone(zone).replace(tzinfo=UTC) - _FARTHEST
    while True:
        found: datetime | None = trigger.get_next_fire_time(None, shown)
        if found is None:
            return None
        # Of a time that is shown twice this is the first, and a skipped one is moved on (PEP 495).
        moment = found.replace(tzinfo=zone).astimezone(UTC)
        if moment > after:
            return moment
        shown = found + timedelta(microseconds=1)
