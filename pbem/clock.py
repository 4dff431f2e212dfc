"""The clock, and cron lines. The only module that uses APScheduler."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger

_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""By cron's numbers, 0 to 7; APScheduler counts from Monday."""


Clock = Callable[[], datetime]


def wall_clock() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def next_ring(when: str, zone: ZoneInfo, after: datetime) -> datetime | None:
    """Return the first time (UTC) after `after` that a cron line names in a zone, None for never.

    A time that the clocks show twice counts once, and one that they skip comes an hour later. Raise
    ValueError, with the reason, for anything but a cron line of five fields.
    """
    fields = when.split()
    if len(fields) != 5:
        raise ValueError(f"{when!r} has {len(fields)} fields, not 5")
    fields[4] = re.sub(r"(?<!/)(?<!\d)[0-7](?!\d)", lambda day: _WEEKDAYS[int(day[0])], fields[4])
    trigger = CronTrigger.from_crontab(" ".join(fields), timezone=zone)
    shown, start = after.astimezone(zone).replace(tzinfo=None), after + timedelta(microseconds=1)
    while True:
        found: datetime | None = trigger.get_next_fire_time(None, start)
        if found is None:
            return None
        if found.replace(tzinfo=None) > shown:
            return found.astimezone(UTC)
        start += timedelta(hours=1)  # skip the hour that clocks show twice when summer time ends
