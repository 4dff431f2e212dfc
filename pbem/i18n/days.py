"""Days and moments in words, in the reader's language."""

from datetime import date, datetime, tzinfo
from functools import lru_cache

from engine.i18n import Said, say

# Not strftime's names, which depend on the locale of the machine.
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
ZONES = ("CET", "CEST", "WET", "WEST", "EET", "EEST")
"""Abbreviations of time zones that have other names in other languages."""


@lru_cache(maxsize=256)
def dated(when: datetime, zone: tzinfo) -> Said:
    """Return a time in a zone: `Tue 24 Nov 2026, 20:00 CET`."""
    local = when.astimezone(zone)
    return say(
        "{weekday} {day}, {clock} {zone}",
        weekday=say(WEEKDAYS[local.weekday()]),
        day=day(local),
        clock=local.strftime("%H:%M"),
        # A message of its own, because German says MEZ for CET.
        zone=say(local.strftime("%Z")),
    )


@lru_cache(maxsize=256)
def in_utc(when: datetime) -> str:
    """Return a time in UTC: `2026-11-24 19:00 UTC`."""
    return when.strftime("%Y-%m-%d %H:%M UTC")


def day(local: date) -> Said:
    """Return a day: `24 Nov 2026`."""
    month = say(MONTHS[local.month - 1])
    return say("{day} {month} {year}", day=local.day, month=month, year=local.year)
