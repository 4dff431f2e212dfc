"""AWAY, BACK and TIMEZONE by mail: whose deadlines move, who is notified, and what is refused."""

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import icalendar
import pytest

from pbem.storage import Leave, Place
from tests.support.harness import League, Person, duel
from tests.support.players import PATIENT, words

HOUR = timedelta(hours=1)

pytestmark = pytest.mark.league(turns_per_letter=4, timezone="Europe/Oslo")


def answer_to(person: Person, text: str) -> str:
    """Send an order, and return the letter that answers it."""
    person.new()
    written = person.reply(text)
    [answer] = [each for each in person.new() if each["In-Reply-To"] == written["Message-ID"]]
    return words(answer)


def event(letter: EmailMessage) -> icalendar.Event:
    """Return the event of a letter's calendar file."""
    [file] = [p for p in letter.iter_attachments() if p.get_filename() == "deadline.ics"]
    [found] = icalendar.Calendar.from_ical(file.get_content()).walk("VEVENT")
    return found


def test_days_away_move_the_deadline_at_once_and_all_are_told(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.reply("AWAY 2026-11-04 TO 2026-11-13")
    [moved, answer] = sorted(ann.new(), key=lambda each: "new deadline" not in each["Subject"])
    assert "you have 32 of 42 days left in 2026" in words(answer)
    assert "the deadline moves in game 1" in words(answer)
    assert "Sun 15 Nov 2026, 13:00 CET." in words(moved)
    [letter] = bob.new()
    assert "the player of Hawk will be away" in words(letter)
    assert "Your orders for Kestrel are still needed" in words(letter)
    assert "2026-11-04" not in words(letter)
    assert league.game.deadline == datetime(2026, 11, 15, 12, tzinfo=UTC)
    league.later(72)
    assert [len(person.new()) for person in people] == [0, 0]
    assert [place.misses for place in league.store.all(Place.select().order_by(Place.id))] == [0, 0]


def test_a_turn_that_opens_while_somebody_is_away_begins_when_they_are_back(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.reply(f"AWAY 2026-11-02 TO 2026-11-08\n{PATIENT}")
    bob.reply(PATIENT)
    league.work()
    assert league.game.turn == 2
    assert league.game.deadline == datetime(2026, 11, 11, 23, tzinfo=UTC)
    report = words(bob.last_about("Your move in"))
    assert "later than usual, because the player of Hawk is away" in report
    assert "later than usual, because you are away" in words(ann.last)


def test_who_has_answered_holds_nothing_up(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = people
    before = league.game.deadline
    ann.ask(PATIENT)
    assert "no deadline moves now" in words(ann.ask("AWAY 2026-11-03 TO 2026-11-05"))
    assert league.game.deadline == before


def test_back_early_leaves_a_whole_turn(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.reply("AWAY 2026-11-04 TO 2026-11-20")
    league.work()
    league.later(5 * 24)
    for person in people:
        person.new()
    ann.reply("BACK")
    answer = next(each for each in ann.new() if "days left" in words(each))
    assert "has ended" in words(answer)
    assert "you have 39 of 42 days left in 2026" in words(answer)
    assert league.game.deadline == league.now + 72 * HOUR
    [letter] = bob.new()
    assert "is back, or will not be away" in words(letter)


@pytest.mark.league(away_days=2)
def test_days_put_down_and_taken_back_move_no_deadline_for_ever(league: League) -> None:
    ann, _ = duel(league)
    for days_left in (1, 0):
        assert league.game.deadline is not None
        league.now = league.game.deadline - 2 * HOUR
        answer_to(ann, f"AWAY {league.now.date()}")
        assert f"you have {days_left} of 2 days left" in answer_to(ann, "BACK")
    assert "you have 0 of 2 days left" in answer_to(ann, f"AWAY {league.now.date()}")


def test_days_to_come_are_taken_back(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = people
    before = league.game.deadline
    for text in ("AWAY 2026-11-04 TO 2026-11-05", "AWAY FROM 20.12.2026 UNTIL 3.1.2027"):
        ann.reply(text)
        league.work()
    assert "which absence?" in answer_to(ann, "BACK")
    ann.reply("BACK 2026-11-04")
    league.work()
    assert league.game.deadline == before
    listed = answer_to(ann, "AWAY")
    assert "you are away from 20 Dec 2026 to 3 Jan 2027; you have 29 of 42" in listed
    assert "is taken back" in answer_to(ann, "BACK")
    assert "you are not away" in answer_to(ann, "BACK")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("AWAY 2026-13-40 TO 2027-01-03", "2026-13-40 is not a day"),
        ("AWAY 20.12.2026 TO soon", "soon is not a day"),
        ("AWAY 20.13.2026", "20.13.2026 is not a day"),
        ("AWAY 2026-12-20 TO 2026-12-01", "2026-12-01 is before 2026-12-20"),
        ("AWAY 2026-11-01 TO 2026-11-05", "2026-11-01 is past; in Europe/Oslo it is 2026-11-02"),
        ("AWAY 2027-01-01 TO 2027-02-20", "that takes 51 days of 2027, and you have 42 of 42"),
        ("AWAY 9999-12-31", "more than a year off"),
        ("AWAY 2026-11-22 TO 2026-11-23", "from 20 Nov 2026 to 22 Nov 2026 already"),
    ],
)
def test_what_is_no_absence_is_refused(
    league: League, people: tuple[Person, Person], text: str, why: str
) -> None:
    ann, _ = people
    answer_to(ann, "AWAY 2026-11-20 TO 2026-11-22")
    assert why in answer_to(ann, text)
    assert league.store.count(Leave.select()) == 1


def test_days_are_counted_in_each_year(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = people
    answer = answer_to(ann, "AWAY 2026-12-20 TO 2027-01-03")
    assert "30 of 42 days left in 2026, you have 39 of 42 days left in 2027" in answer


def test_days_are_those_of_the_players_own_zone(
    league: League, people: tuple[Person, Person]
) -> None:
    """It is 3 November already in Apia (UTC+13) when it is noon of the 2nd in Greenwich."""
    ann, _ = people
    answer = answer_to(ann, "TIMEZONE pacific/apia")
    assert "in Pacific/Apia from now on; there it is Tue 3 Nov 2026, 01:00 +13" in answer
    assert "2026-11-02 is past" in answer_to(ann, "AWAY 2026-11-02")
    assert "by the calendar of Pacific/Apia; the deadline moves in game 1" in answer_to(
        ann, "AWAY 2026-11-03"
    )
    ann.reply("REPORT 1")
    league.work()
    assert "Sat 7 Nov 2026, 00:00 +13" in words(ann.last)


def test_an_unknown_zone_is_answered_with_near_ones(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    assert "Europe/Oslo" in answer_to(ann, "TIMEZONE Oslo")
    assert "America/New_York" in answer_to(ann, "TIMEZONE America/New Yrok")
    assert "in America/New_York from now on" in answer_to(ann, "TIMEZONE America/New York")
    assert "tell times in America/New_York" in answer_to(ann, "TIMEZONE")
    assert "write one like Europe/Oslo" in answer_to(ann, "TIMEZONE qqqqqqqq")


def test_the_calendar_follows_the_deadline_and_lets_go_of_it(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    first = event(bob.last_about("battle begins"))
    assert first["DTSTART"].dt == league.game.deadline
    ann.reply("AWAY 2026-11-04 TO 2026-11-05")
    league.work()
    second = event(bob.last_about("a new deadline"))
    assert (second["UID"], second["DTSTART"].dt) == (first["UID"], league.game.deadline)
    assert (second["STATUS"], str(second["SUMMARY"])) == (
        "CONFIRMED",
        "Game 1: orders for Kestrel",
    )
    for person, orders in ((ann, PATIENT), (bob, "SURRENDER")):
        person.reply(orders, person.last_about("battle begins"))
    league.work()
    assert not league.game.running
    last = event(bob.last)
    assert (last["UID"], last["STATUS"]) == (first["UID"], "CANCELLED")
    assert first["SEQUENCE"] < second["SEQUENCE"] < last["SEQUENCE"]


def test_a_story_of_going_away_is_no_order(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = people
    ann.reply("Away from home the stars look small.\nBack in the cockpit he smiled.")
    league.work()
    assert league.store.count(Leave.select()) == 0
    assert "Back in the cockpit he smiled." in words(ann.last)


def test_a_zone_named_in_the_same_letter_counts_for_the_days_below_it(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    answer = answer_to(ann, "TIMEZONE Pacific/Apia\nAWAY 2026-11-04")
    assert "by the calendar of Pacific/Apia" in answer
    assert "Sat 7 Nov 2026, 01:00 +13" in answer
