"""When orders are due: hours from now, but never on a day of rest. Pure functions."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
RETURN = timedelta(hours=24)
"""A player who comes back has this long before a deadline."""
# More than a year: by then each yearly holiday has come once.
_MOST_DAYS = 400


@dataclass(frozen=True, slots=True)
class Absence:
    """A player's days away in a zone of its own, first and last included."""

    first: date
    last: date
    zone: ZoneInfo

    @property
    def start(self) -> datetime:
        """The moment (UTC) at which the first day begins."""
        return at_local(self.first, time(), self.zone)

    @property
    def end(self) -> datetime:
        """The moment (UTC) at which the last day is over."""
        return at_local(self.last + timedelta(days=1), time(), self.zone)

    @property
    def days(self) -> int:
        """The number of days."""
        return (self.last - self.first).days + 1

    def holds(self, when: datetime) -> bool:
        """Return whether no deadline may fall then: in these days, or the 24 hours after them."""
        return self.start < when < self.end + RETURN


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The days on which no deadline falls: weekdays by name, holidays as dates or month-days.

    `absences` are those of the players whose orders are awaited.
    """

    zone: ZoneInfo
    rest: Collection[str] = ()
    holidays: Collection[str] = ()
    absences: tuple[Absence, ...] = field(default=())

    def is_free(self, when: datetime) -> bool:
        """Return whether no deadline may fall at a time."""
        day = when.astimezone(self.zone).date()
        return (
            WEEKDAYS[day.weekday()] in self.rest
            or day.isoformat() in self.holidays
            or day.strftime("%m-%d") in self.holidays
            or any(absence.holds(when) for absence in self.absences)
        )

    def stops(self) -> list[tuple[datetime, datetime]]:
        """Return the times (UTC) that do not count for deadlines, in order and without overlaps."""
        found: list[tuple[datetime, datetime]] = []
        for start, end in sorted((one.start, one.end) for one in self.absences):
            if found and start <= found[-1][1]:
                # Overlapping absences are one, so that no hour is subtracted twice.
                start, end = found[-1][0], max(end, found.pop()[1])
            found.append((start, end))
        return found


def due(now: datetime, allowed: timedelta, calendar: Calendar) -> datetime:
    """Return the deadline (UTC) for orders asked for now.

    It is `allowed` later in real hours, even if the clocks change meanwhile, and time that somebody
    is away does not count. If no deadline may fall then, it is at the same local time of the next
    day on which one may. A local time that is skipped by summer time is read as if the clocks had
    not changed; if one comes twice, the first counts.
    """
    earliest = _after(now, allowed, calendar)
    if not calendar.is_free(earliest):
        return earliest.astimezone(UTC)
    local = earliest.astimezone(calendar.zone)
    for days in range(1, _MOST_DAYS):
        later = at_local(local.date() + timedelta(days=days), local.time(), calendar.zone)
        if not calendar.is_free(later):
            return later
    raise ValueError("no day is left on which a deadline may fall")


def _after(now: datetime, allowed: timedelta, calendar: Calendar) -> datetime:
    """Return the time by which `allowed` has passed, without what does not count."""
    at, left = now, allowed
    for start, end in calendar.stops():
        if end <= at:
            continue
        if at + left <= start:
            break
        left -= max(start - at, timedelta(0))
        at = end
    return at + left


def left(now: datetime, deadline: datetime, calendar: Calendar) -> timedelta:
    """Return the time until a deadline, without what does not count."""
    stops = calendar.stops()
    lost = (max(min(end, deadline) - max(start, now), timedelta(0)) for start, end in stops)
    return deadline - now - sum(lost, timedelta(0))


def at_local(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """Return the moment (UTC) of a local day and time."""
    # fold=0 is the first of a time that comes twice (PEP 495).
    return datetime.combine(day, clock.replace(tzinfo=None, fold=0), zone).astimezone(UTC)


def used_days(absences: Iterable[Absence], year: int) -> int:
    """Count the days of a year that absences take, each day once."""
    days = {one.first + timedelta(days=n) for one in absences for n in range(one.days)}
    return sum(1 for day in days if day.year == year)


def reminders_due(
    now: datetime, deadline: datetime, opened: datetime, hours: Iterable[float]
) -> list[float]:
    """Return the reminders (hours before a deadline) whose time has come, the latest last.

    A reminder that would have been sent before the turn was opened is left out.
    """
    return sorted(
        (
            before
            for before in hours
            if opened < deadline - timedelta(hours=before) <= now < deadline
        ),
        reverse=True,
    )
