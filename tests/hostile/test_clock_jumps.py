"""A clock that jumps destroys nothing: what can't be undone waits for a day, and days of work."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem import clock_jump
from pbem.maintenance.rebuild import rebuild
from pbem.outgoing.delivery import GIVE_UP, LEAST_TRIES
from pbem.settings.sections import PrivacySettings
from pbem.storage import Store
from tests.harness import House, duel, open_house
from tests.players import PATIENT, address_of, words
from tests.test_congestion import Busy

YEAR = 400 * 24
"""Hours of the glitch that was seen."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    news = {"when": "0 18 1 * *", "new_players": True}
    with open_house(
        tmp_path, outage_hours=6, newsletter=news, moderator=address_of("Mona"), patrol_house="easy"
    ) as opened:
        yield opened


def days(house: House, count: int, hours: int = 5) -> None:
    """Work for some days, with a look every few hours."""
    for _ in range(count * 24 // hours):
        house.later(hours)
        house.work()


def contents(store: Store) -> list[bool]:
    """Return of each letter, in and out, whether its words are still kept."""
    return [bool(row.content) for row in (*store.letters.all(), *store.outbox.all())]


def test_hostile_clock_a_glitch_of_400_days_erases_nothing_and_sends_no_newsletter(
    house: House,
) -> None:
    ann, _ = duel(house)
    dan = house.person("Dan")
    dan.write("JOIN Dan Example")
    house.work()
    before, people = contents(house.store), house.store.players.count()
    house.later(YEAR)
    for _ in range(5):
        house.work()
        house.later(4)
    assert contents(house.store)[: len(before)] == before
    assert house.store.players.count() == people
    assert house.store.issues.count() == 0
    assert house.game.running
    assert [place.misses for place in house.store.places.all()] == [0, 0]
    house.later(-YEAR - 20)
    for _ in range(5):
        house.work()
        house.later(4)
    assert contents(house.store)[: len(before)] == before
    assert house.store.players.count() == people
    assert house.store.issues.count() == 0
    assert house.game.deadline is not None
    assert house.game.deadline - house.now < timedelta(hours=72)
    assert "Hawk" in words(ann.ask("STATUS", ann.last_about("Welcome")))


def test_hostile_clock_after_the_day_all_goes_on_and_the_moderator_was_told_once(
    house: House,
) -> None:
    duel(house)
    house.later(30 * 24)
    house.work()
    [told] = [one for one in house.person("Mona").letters if "put off" in one["Subject"]]
    until = house.now + clock_jump.WAIT
    assert f"waits until {until:%Y-%m-%d %H:%M} UTC" in words(told)
    assert "GM CLOCK RIGHT" in words(told)
    days(house, 2)
    assert house.store.issues.count() == 1
    about = [one["Subject"] for one in house.person("Mona").letters]
    assert len([one for one in about if "put off" in one or "clock" in one]) == 1


def test_hostile_clock_the_moderator_says_that_the_clock_is_right(house: House) -> None:
    duel(house)
    house.later(30 * 24)
    house.work()
    assert house.store.issues.count() == 0
    assert "goes on" in house.rule("CLOCK RIGHT")
    house.later(1)
    house.work()
    assert house.store.issues.count() == 1


def test_hostile_clock_a_reply_token_lives_through_the_jump_and_dies_after_the_day(
    house: House,
) -> None:
    ann, _ = duel(house)
    early = ann.letters[2]
    house.later(YEAR)
    house.work()
    assert "Hawk" in words(ann.ask("STATUS", early))
    days(house, 2)
    assert "was not accepted" in ann.ask("STATUS", early)["Subject"]


def test_hostile_clock_no_deadline_reminder_or_patrol_is_due_in_the_day(house: House) -> None:
    ann, _ = duel(house)
    cat = house.person("Cat")
    cat.join()
    cat.ask("ENLIST Falcon FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B")
    cat.ask("PATROL WITH Falcon")
    days(house, 1)
    house.later(47)
    house.work()
    games = house.store.games.count()
    told = len([one for one in ann.letters if "reminder" in one["Subject"].lower()])
    for _ in range(5):
        house.later(4.5)
        house.work()
    assert house.game.steps == 1
    assert [place.misses for place in house.store.places.all(game=1)] == [0, 0]
    assert house.store.games.count() == games
    assert len([one for one in ann.letters if "reminder" in one["Subject"].lower()]) == told
    days(house, 3)
    assert house.store.games.count() == games + 1
    assert house.store.places.all(game=1)[0].misses == 1


def test_hostile_clock_digests_wait(house: House) -> None:
    ann, bob = duel(house)
    ann.ask("MAIL DIGEST")
    bob.reply(PATIENT, bob.last_about("G1-"))
    house.work()
    house.later(YEAR)
    house.work()
    assert not [one for one in ann.letters if "digest" in one["Subject"].lower()]


def test_hostile_clock_letters_are_dropped_after_as_many_days_of_work(tmp_path: Path) -> None:
    with open_house(tmp_path, outage_hours=6) as house:
        privacy = PrivacySettings(keep_letters_days=6, unconfirmed_days=4)
        told = replace(house.settings, privacy=privacy)
        house.service.ports = replace(house.service.ports, settings=told)
        ann = house.person("Ann")
        ann.write("JOIN Ann Example")
        house.work()
        house.later(YEAR)  # a machine that was really off
        days(house, 2)
        assert house.store.letters.all()[0].content
        assert house.store.players.count() == 1
        days(house, 2)
        assert house.store.players.count() == 0
        assert house.store.letters.all()[0].content
        days(house, 3)
        assert not house.store.letters.all()[0].content


def test_hostile_clock_no_letter_is_given_up_for_a_jump(tmp_path: Path) -> None:
    with open_house(tmp_path, outage_hours=6) as house:
        house.transport = Busy()
        house.service.ports.outbox.write_stranger("a@busy.example", "stranger", house.now, (1,), "")
        house.work()
        house.store.outbox.change(1, tries=LEAST_TRIES)
        house.later(GIVE_UP.total_seconds() / 3600 + 1)
        house.work()
        assert house.store.outbox.get(1).state == "queued"
        days(house, 3)
        assert house.store.outbox.get(1).state == "failed"


def test_hostile_clock_what_was_written_ahead_of_time_is_sent_when_the_clock_is_back(
    tmp_path: Path,
) -> None:
    with open_house(tmp_path, outage_hours=6) as house:
        ann = house.person("Ann")
        house.work()
        house.later(YEAR)
        ann.write("JOIN Ann Example")
        house.service.attend(house.mailbox, lambda: house.now)  # and it dies before it sends
        house.later(-YEAR)
        house.work()
        assert len(ann.letters) == 1


def test_hostile_clock_a_league_with_a_jump_is_rebuilt_the_same(house: House) -> None:
    duel(house)
    house.later(YEAR)
    house.work()
    house.later(5)
    house.work()
    house.later(-YEAR)
    days(house, 2)
    house.service.ports.store.close()
    assert rebuild(house.settings, house.settings.home / "new.db") == []
