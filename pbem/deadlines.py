"""When orders are due: hours from now, but never on a day of rest; a pure function of its facts."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MOST_DAYS = 400


@dataclass(frozen=True, slots=True)
class Absence:
    """A player's days away in the league's zone, first and last included."""

    first: date
    last: date

    def covers(self, day: date) -> bool:
        """Tell whether a day is one of them."""
        return self.first <= day <= self.last


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The days on which no deadline falls: weekdays by name, holidays as dates or month-days."""

    zone: ZoneInfo
    rest: Collection[str] = ()
    holidays: Collection[str] = ()
    absences: tuple[Absence, ...] = field(default=())

    def is_free(self, day: date) -> bool:
        """Tell whether no deadline falls on a day."""
        return (
            WEEKDAYS[day.weekday()] in self.rest
            or day.isoformat() in self.holidays
            or day.strftime("%m-%d") in self.holidays
            or any(absence.covers(day) for absence in self.absences)
        )


def due(now: datetime, allowed: timedelta, calendar: Calendar) -> datetime:
    """Give the deadline (UTC) for orders asked for now.

    It is `allowed` later in real hours, whatever the clocks do meanwhile; if that is a free day,
    at the same local time of the next day that is not. A local time that a change to summer time
    leaves out is read as if the clocks had not changed; of one that comes twice the first counts.
    """
    earliest = now + allowed
    local = earliest.astimezone(calendar.zone)
    day = local.date()
    if not calendar.is_free(day):
        return earliest.astimezone(UTC)
    for _ in range(_MOST_DAYS):
        day += timedelta(days=1)
        if not calendar.is_free(day):
            return at_local(day, local.time(), calendar.zone)
    raise ValueError("no day is left on which a deadline may fall")


def at_local(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """Give the moment (UTC) of a local day and time."""
    return datetime.combine(day, clock.replace(tzinfo=None, fold=0), zone).astimezone(UTC)


def used_days(absences: Iterable[Absence], year: int) -> int:
    """Count the days of a year that absences take, each day once."""
    days: set[date] = set()
    for absence in absences:
        span = (absence.last - absence.first).days + 1
        days |= {absence.first + timedelta(days=n) for n in range(max(span, 0))}
    return sum(1 for day in days if day.year == year)


def reminders_due(
    now: datetime, deadline: datetime, opened: datetime, hours: Iterable[float]
) -> list[float]:
    """Give the reminders (hours before a deadline) whose time has come, the latest last.

    A reminder that would have gone out before the turn was opened is left out.
    """
    return sorted(
        (
            before
            for before in hours
            if opened < deadline - timedelta(hours=before) <= now < deadline
        ),
        reverse=True,
    )
