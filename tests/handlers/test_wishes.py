"""MAIL and FORMAT: fewer letters, and nothing in them is lost or reported twice."""

import re
from datetime import UTC, datetime
from email.message import EmailMessage
from zoneinfo import ZoneInfo

import pytest

from pbem.outgoing.digest import blocks, last_hour
from pbem.storage import Outgoing
from tests.support.harness import League, Person, duel
from tests.support.players import STANDING, plain, steps_told, words

pytestmark = pytest.mark.league(turns_per_letter=2)


@pytest.fixture
def people(league: League) -> tuple[Person, Person, Person]:
    """Ann and Bob in a duel, which Cat watches."""
    cat = league.person("Cat")
    cat.join()
    ann, bob = duel(league)
    cat.ask("WATCH 1")
    return ann, bob, cat


def on(league: League, ann: Person, bob: Person) -> None:
    """Play the duel on: Bob's orders lead him on, Ann is asked each time."""
    ann.reply("SCAN", ann.last_about("G1-"))
    bob.reply(STANDING, bob.last_about("G1-"))
    league.work()


def test_what_was_chosen_is_told_and_what_is_not_known_refused(
    people: tuple[Person, Person, Person],
) -> None:
    cat = people[2]
    assert "every letter comes to you at once" in words(cat.ask("MAIL"))
    assert "MAIL does not know weekly" in words(cat.ask("MAIL weekly"))
    assert "all else in one letter a day" in words(cat.ask("MAIL DIGEST"))
    assert "all else in one letter a day" in words(cat.ask("MAIL"))
    assert "behind FORMAT one of these: html, text" in words(cat.ask("FORMAT pdf"))


def test_plain_text_alone(people: tuple[Person, Person, Person]) -> None:
    cat = people[2]
    answer = cat.ask("FORMAT text")
    assert answer.get_content_type() == "multipart/alternative"
    answer = cat.ask("FORMAT")
    assert answer.get_content_type() == "text/plain"
    assert "plain text, without HTML" in words(answer)
    cat.ask("FORMAT html")
    assert cat.ask("FORMAT").get_content_type() == "multipart/alternative"


def test_a_digest_tells_all_once_a_day(
    league: League, people: tuple[Person, Person, Person]
) -> None:
    ann, bob, cat = people
    cat.ask("MAIL digest")
    on(league, ann, bob)
    ann.ask("PRESS AS Hawk\nHello all!")
    assert cat.new() == []
    league.later(24)
    [digest] = cat.new()
    assert digest["Subject"].endswith("2 letters that could wait")
    assert "GAME 1, WHICH YOU ARE WATCHING: HAWK AGAINST KESTREL" in plain(digest)
    assert "| Hello all!" in plain(digest)
    league.later(24)
    assert cat.new() == []


def test_what_is_held_is_sent_when_the_digest_is_given_up(
    league: League, people: tuple[Person, Person, Person]
) -> None:
    ann, bob, cat = people
    cat.ask("MAIL digest")
    on(league, ann, bob)
    assert len(cat.new()) == 0
    cat.reply("MAIL turns")
    assert len(cat.new()) == 2
    league.later(24)
    assert cat.new() == []


def test_decisions_alone_and_no_step_lost(
    league: League, people: tuple[Person, Person, Person]
) -> None:
    ann, bob, cat = people
    bob.ask("MAIL decisions")
    cat.ask("MAIL decisions")
    before = len(bob.letters)
    on(league, ann, bob)
    for _ in range(12):
        if league.game.running:
            ann.reply("JINK\nSCAN", ann.last_about("G1-"))
            league.later(73)
            league.work()
    theirs = [plain(letter) for letter in bob.letters[before:]]
    told = steps_told(theirs)
    assert len(told) > 6
    assert told == list(range(1, 1 + len(told)))
    assert len(theirs) < len(ann.letters)
    ann.ask("PRESS AS Hawk\nHello all!", ann.last_about("G1-"))
    assert not any("Hello all!" in plain(letter) for letter in cat.new())
    assert league.store.count(Outgoing.select().where(Outgoing.state == "unwanted")) == 2


def test_the_hour_of_a_digest_is_the_leagues(league: League) -> None:
    oslo = ZoneInfo("Europe/Oslo")
    spring = datetime(2026, 3, 29, 5, 30, tzinfo=UTC)
    assert last_hour(spring, 7, oslo) == datetime(2026, 3, 29, 5, 0, tzinfo=UTC)
    assert last_hour(datetime(2026, 3, 29, 4, 0, tzinfo=UTC), 7, oslo) == datetime(
        2026, 3, 28, 6, 0, tzinfo=UTC
    )


def test_a_letter_s_paragraphs_are_known_by_their_form() -> None:
    found = blocks(["THE BATTLE", "One\ntwo.", "- a\n  b\n- c", "| x\n| y", "  Beams   2", ""])
    assert list(found) == [
        {"kind": "heading", "lines": ["THE BATTLE"]},
        {"kind": "para", "lines": ["One two."]},
        {"kind": "points", "lines": ["a b", "c"]},
        {"kind": "tale", "lines": ["x", "y"]},
        {"kind": "lines", "lines": ["  Beams   2"]},
    ]


def files(letter: EmailMessage) -> list[str]:
    """Return the calendar files attached to a letter, each with its effect."""
    parts = [p for p in letter.iter_attachments() if p.get_content_type() == "text/calendar"]
    found = [part.get_payload(decode=True).decode() for part in parts]
    return [re.findall(r"STATUS:(\w+)", text)[0] for text in found]


def test_a_digest_takes_deadlines_off_the_calendar(
    league: League, people: tuple[Person, Person, Person]
) -> None:
    """Bob misses a deadline; the report of what came of it can wait, and asks nothing of him."""
    ann, bob, _ = people
    bob.ask("MAIL digest", bob.last_about("Welcome"))
    ann.reply("SCAN", ann.last_about("G1-"))
    league.work()
    assert files(bob.last_about("[G1")) == ["CONFIRMED"]
    before = len(bob.letters)
    league.later(73)
    league.work()
    assert league.store.count(Outgoing.select().where(Outgoing.state == "held")) == 1
    league.later(24)
    league.work()
    digests = [one for one in bob.letters[before:] if "could wait" in one["Subject"]]
    assert [files(one) for one in digests] == [["CANCELLED"]]
