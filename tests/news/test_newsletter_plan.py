"""When a newsletter is printed, by a cron line in the league's zone, and the feed of them."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.channels.mail.maildir import make_maildir
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.host.clock import next_ring
from pbem.news.newsletter import Newsletter
from pbem.storage import Issue
from tests.support.harness import League, Person, open_league
from tests.support.players import REFEREE
from tests.support.program import pbem, write_league

MONTHLY = "0 18 1 * *"
ATOM = {"a": "http://www.w3.org/2005/Atom"}

pytestmark = pytest.mark.league(newsletter={"when": MONTHLY, "feed": "feed.xml"})


def published(league: League) -> None:
    """Print an issue at once."""
    league.service.ports.newsletter.want()
    league.work()


def test_the_first_of_the_month_prints_one_issue(league: League, ann: Person) -> None:
    ann.ask("SUBSCRIBE")
    due = datetime(2026, 12, 1, 18, tzinfo=UTC)
    assert league.service.ports.newsletter.next_due(league.now) == due
    league.now = due - timedelta(seconds=1)
    assert ann.new() == []
    league.now = due
    [issue] = ann.new()
    assert "newsletter 1" in issue["Subject"]
    league.later(1)
    assert ann.new() == []
    assert league.service.ports.newsletter.next_issue(league.now) == datetime(
        2027, 1, 1, 18, tzinfo=UTC
    )


def test_the_first_issue_covers_all_since_the_league_began(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        ann = league.person("Ann")
        ann.join()
        ann.ask("ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B")
        league.later(24 * 40)
        assert "Pilot Hawk" in league.service.ports.newsletter.preview(league.now).text
        published(league)
        league.later(1)
        published(league)
        first, second = league.store.all(Issue.select().order_by(Issue.id))
        assert "Pilot Hawk" in json.loads(first.page)["en"]["text"]
        assert second.since == first.until


def test_issues_missed_in_an_outage_are_printed_once(league: League) -> None:
    league.work()
    league.later(24 * 100)
    league.work()
    league.work()
    assert [row.until for row in league.store.all(Issue.select().order_by(Issue.id))] == [
        league.now
    ]


def test_a_league_without_a_plan_prints_none(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        league.work()
        league.later(24 * 400)
        league.work()
        assert league.store.count(Issue.select()) == 0
        assert league.service.ports.newsletter.next_due(league.now) is None


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
@pytest.mark.parametrize("hour", [0, 2, 3, 23])
def test_no_day_of_a_year_is_left_out_when_clocks_change(zone: str, hour: int) -> None:
    place, moment, days = ZoneInfo(zone), datetime(2026, 12, 31, 22, tzinfo=UTC), list[date]()
    for _ in range(370):
        moment = next_ring(f"30 {hour} * * *", place, moment) or moment
        days.append(moment.astimezone(place).date())
    assert days == [days[0] + timedelta(days=n) for n in range(370)]


def test_a_time_that_the_clocks_skip_comes_an_hour_later() -> None:
    place = ZoneInfo("Europe/Berlin")
    for after in (
        datetime(2027, 3, 28, 0, 59, tzinfo=UTC),
        datetime(2027, 3, 28, 1, 10, tzinfo=UTC),
    ):
        assert next_ring("30 2 * * *", place, after) == datetime(2027, 3, 28, 1, 30, tzinfo=UTC)


@given(
    zone=st.sampled_from(["Europe/Oslo", "America/New_York", "Australia/Lord_Howe", "UTC"]),
    after=st.integers(0, 3 * 365 * 24 * 60).map(
        lambda minutes: datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    ),
    minute=st.integers(0, 59),
    hour=st.integers(0, 23),
)
def test_a_daily_time_comes_once_a_day_by_the_clocks_on_the_wall(
    zone: str, after: datetime, minute: int, hour: int
) -> None:
    place = ZoneInfo(zone)
    first = next_ring(f"{minute} {hour} * * *", place, after)
    assert first is not None
    second = next_ring(f"{minute} {hour} * * *", place, first)
    assert second is not None
    assert after < first < second
    days = [moment.astimezone(place).date() for moment in (first, second)]
    assert days[1] - days[0] == timedelta(days=1)
    assert first - after <= timedelta(hours=25)


@pytest.mark.parametrize(
    ("when", "weekdays"),
    [
        ("0 6 * * 0", {6}),
        ("0 6 * * 7", {6}),
        ("0 6 * * 1-5", {0, 1, 2, 3, 4}),
        ("0 6 * * mon", {0}),
    ],
)
def test_weekdays_count_as_in_a_crontab(when: str, weekdays: set[int]) -> None:
    moment, found = datetime(2026, 11, 1, tzinfo=UTC), set()
    for _ in range(10):
        moment = next_ring(when, ZoneInfo("UTC"), moment) or moment
        found.add(moment.weekday())
    assert found == weekdays


def test_the_feed_is_atom_with_ids_that_stay(league: League, tmp_path: Path) -> None:
    published(league)
    file = tmp_path / "feed.xml"
    first = ElementTree.parse(file).getroot()
    league.later(24)
    published(league)
    second = ElementTree.parse(file).getroot()
    assert second.tag == f"{{{ATOM['a']}}}feed"
    for feed in (first, second):
        for part in ("id", "title", "updated", "author/a:name"):
            assert feed.find(f"a:{part}", ATOM) is not None
        for entry in feed.findall("a:entry", ATOM):
            for part in ("id", "title", "updated", "content"):
                assert entry.find(f"a:{part}", ATOM) is not None
    assert first.findtext("a:id", "", ATOM) == second.findtext("a:id", "-", ATOM)
    ids = [entry.findtext("a:id", "", ATOM) for entry in second.findall("a:entry", ATOM)]
    assert ids[1:] == [first.findtext("a:entry/a:id", "", ATOM)]
    assert len(set(ids)) == 2
    assert second.findtext("a:updated", "", ATOM) == "2026-11-03T12:00:00Z"
    assert [each.name for each in tmp_path.iterdir() if "feed" in each.name] == ["feed.xml"]


def test_fault_38_no_character_breaks_the_feed(league: League, ann: Person, tmp_path: Path) -> None:
    ann.ask(
        "EDITORIAL\nAll is well \ufffe at \uffff the front, and <b>will be</b> so ]]> for long."
    )
    by_shell(league.service.ports, "PRINT 1", league.now)
    published(league)
    feed = ElementTree.parse(tmp_path / "feed.xml").getroot()
    assert "All is well" in feed.findtext("a:entry/a:content", "", ATOM)


def test_a_feed_that_cannot_be_written_stops_nothing(
    league: League, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "feed.xml").mkdir()
    published(league)
    assert league.store.count(Issue.select()) == 1
    assert "can't be written" in caplog.text


def test_a_kill_before_the_feed_is_made_up_for(league: League, tmp_path: Path) -> None:
    published(league)
    (tmp_path / "feed.xml").unlink()
    Newsletter(league.service.ports.reports).feed()
    assert (tmp_path / "feed.xml").exists()


@pytest.mark.long
def test_the_moderator_sees_orders_and_reads_issues_from_the_shell(tmp_path: Path) -> None:
    make_maildir(tmp_path / "in")
    section = {"name": "Avalon League", "address": REFEREE}
    maildir = {"path": "in", "out": "out"}
    file = write_league(tmp_path, {"league": section, "maildir": maildir})

    def run(*arguments: str) -> tuple[int, str, str]:
        ran = pbem("--config", file, *arguments)
        return ran.returncode, ran.stdout.decode(), ran.stderr.decode()

    run("once")
    assert "next issue: none" in run("newsletter")[1]
    assert "NEWSLETTER 1" in run("newsletter", "--preview")[1]
    assert run("newsletter", "1")[::2] == (2, "pbem: there is no newsletter 1; 0 are out\n")
    assert "sent in the next round of the referee" in run("newsletter", "--now")[1]
    assert run("once")[0] == 0
    first = run("newsletter", "1")
    assert "NEWSLETTER 1" in first[1]
    assert run("newsletter", "1") == first
    assert run("newsletter", "1", "--html")[1].startswith("<!DOCTYPE html>")
    assert run("newsletter", "1", "--now")[0] == 2
