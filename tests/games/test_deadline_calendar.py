"""Deadlines over time zones, days of rest, and every change of the clocks in ten years."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.settings.calendar import RETURN, Absence, Calendar, due, left, reminders_due, used_days

ZONES = (
    "Europe/Oslo",
    "Europe/London",
    "America/New_York",
    "America/Los_Angeles",
    "America/Sao_Paulo",
    "Australia/Lord_Howe",
    "Australia/Adelaide",
    "Pacific/Apia",
    "Africa/Casablanca",
    "Asia/Kathmandu",
)
WEEKEND = ("saturday", "sunday")


def changes(zone: ZoneInfo) -> list[date]:
    """Return each day of ten years on which the zone's clocks change."""
    day, found = date(2020, 1, 1), []
    while day < date(2030, 1, 1):
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone)
        if noon.utcoffset() != (noon - timedelta(days=1)).utcoffset():
            found.append(day)
        day += timedelta(days=1)
    return found


@pytest.mark.parametrize("name", ZONES)
def test_hours_are_real_hours_on_every_day_of_changing_clocks(name: str) -> None:
    zone = ZoneInfo(name)
    for day in changes(zone):
        for hour in range(0, 24, 3):
            asked = datetime(day.year, day.month, day.day, hour, tzinfo=zone) - timedelta(days=1)
            now = asked.astimezone(UTC)
            assert due(now, timedelta(hours=24), Calendar(zone=zone)) == now + timedelta(hours=24)


@pytest.mark.parametrize("name", ZONES)
def test_no_deadline_falls_on_a_free_day_around_changing_clocks(name: str) -> None:
    zone = ZoneInfo(name)
    calendar = Calendar(zone=zone, rest=WEEKEND, holidays=("12-25", "2026-03-30"))
    for day in changes(zone):
        for hours in range(0, 96, 7):
            now = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(days=2)
            found = due(now, timedelta(hours=hours), calendar)
            assert found >= now + timedelta(hours=hours)
            assert not calendar.is_free(found)
            assert found - now - timedelta(hours=hours) < timedelta(days=5)


@given(
    st.sampled_from(ZONES),
    st.integers(0, 10 * 365 * 24 * 60),
    st.integers(0, 500),
    st.sets(st.sampled_from(WEEKEND)),
)
def test_a_deadline_is_never_early_and_never_on_a_free_day(
    name: str, minutes: int, hours: int, rest: set[str]
) -> None:
    calendar = Calendar(zone=ZoneInfo(name), rest=rest)
    now = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    found = due(now, timedelta(hours=hours), calendar)
    assert found >= now + timedelta(hours=hours)
    assert not calendar.is_free(found)


def test_a_deadline_waits_until_a_player_is_back() -> None:
    oslo = ZoneInfo("Europe/Oslo")
    away = Absence(date(2026, 12, 20), date(2027, 1, 3), oslo)
    calendar = Calendar(zone=oslo, absences=(away,))
    now = datetime(2026, 12, 18, 10, tzinfo=UTC)
    assert due(now, timedelta(hours=72), calendar) == datetime(2027, 1, 5, 10, tzinfo=UTC)


@pytest.mark.parametrize("name", ZONES)
def test_who_is_away_over_changing_clocks_has_all_the_hours_at_home(name: str) -> None:
    """Hours at home are as many as everybody has, on every such day of ten years."""
    zone, allowed = ZoneInfo(name), timedelta(hours=72)
    for day in changes(zone):
        for before in range(4):
            away = Absence(day - timedelta(days=before), day + timedelta(days=3 - before), zone)
            calendar = Calendar(zone=zone, absences=(away,))
            for hours in range(-30, 120, 25):
                now = away.start + timedelta(hours=hours)
                found = due(now, allowed, calendar)
                lost = max(min(away.end, found) - max(away.start, now), timedelta(0))
                assert found - now - lost >= allowed
                assert left(now, found, calendar) >= allowed
                assert not away.start < found < away.end + RETURN
                assert found - now <= allowed + (away.end - away.start) + RETURN


@given(
    st.sampled_from(ZONES),
    st.integers(0, 10 * 365 * 24),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=4),
    st.sets(st.sampled_from(WEEKEND)),
)
def test_absences_delay_a_deadline_by_their_own_days_at_most(
    name: str, hours: int, spans: list[tuple[int, int]], rest: set[str]
) -> None:
    zone, allowed = ZoneInfo(name), timedelta(hours=72)
    now = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=hours)
    today = now.astimezone(zone).date()
    absences = tuple(
        Absence(today + timedelta(days=start), today + timedelta(days=start + more), zone)
        for start, more in spans
    )
    calendar = Calendar(zone=zone, rest=rest, absences=absences)
    found = due(now, allowed, calendar)
    assert left(now, found, calendar) >= allowed
    assert not calendar.is_free(found)
    most = sum((one.end - one.start + RETURN for one in absences), timedelta(0))
    assert found - now <= allowed + most + timedelta(days=4 * (len(absences) + 1))


def test_days_away_are_counted_once_and_by_the_year() -> None:
    spans = [
        Absence(date(2026, 12, 20), date(2027, 1, 3), ZoneInfo("UTC")),
        Absence(date(2026, 12, 30), date(2026, 12, 31), ZoneInfo("UTC")),
    ]
    assert (used_days(spans, 2026), used_days(spans, 2027)) == (12, 3)


def test_a_league_that_never_plays_has_no_deadline() -> None:
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", *WEEKEND)
    calendar = Calendar(zone=ZoneInfo("UTC"), rest=days)
    with pytest.raises(ValueError, match="no day"):
        due(datetime(2026, 1, 1, tzinfo=UTC), timedelta(hours=1), calendar)


def test_reminders_come_in_their_time_and_none_before_the_turn() -> None:
    opened = datetime(2026, 5, 1, 12, tzinfo=UTC)
    deadline = opened + timedelta(hours=20)
    at = [opened + timedelta(hours=h) for h in (1, 13, 15, 20)]
    found = [reminders_due(now, deadline, opened, (24, 6)) for now in at]
    assert found == [[], [], [6], []]
