"""A clock that jumps destroys nothing: what can't be undone waits for a day, and days of work."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.maintenance.rebuild import rebuild
from pbem.outgoing.delivery import GIVE_UP, LEAST_TRIES
from pbem.people import personal_data
from pbem.service.service import Service
from pbem.settings.sections import PrivacySettings
from pbem.storage import Game, Issue, Letter, Outgoing, Place, Player, Store, clock_jumps
from tests.channels.mail.test_congestion import Busy
from tests.support.harness import League, duel
from tests.support.players import PATIENT, address_of, words

YEAR = 400 * 24
"""Hours of the glitch that was seen."""


pytestmark = pytest.mark.league(
    outage_hours=6,
    newsletter={"when": "0 18 1 * *", "new_players": True},
    moderator=address_of("Mona"),
    patrol_bots="easy",
)


def days(league: League, count: int, hours: int = 5) -> None:
    """Work for some days, with a look every few hours."""
    for _ in range(count * 24 // hours):
        league.later(hours)
        league.work()


def contents(store: Store) -> list[bool]:
    """Return of each letter, in and out, whether its words are still kept."""
    return [
        bool(row.content)
        for row in (
            *store.all(Letter.select().order_by(Letter.id)),
            *store.all(Outgoing.select().order_by(Outgoing.id)),
        )
    ]


def test_hostile_clock_a_glitch_of_400_days_erases_nothing_and_sends_no_newsletter(
    league: League,
) -> None:
    ann, _ = duel(league)
    dan = league.person("Dan")
    dan.write("JOIN Dan Example")
    league.work()
    before, people = contents(league.store), league.store.count(Player.select())
    league.later(YEAR)
    for _ in range(5):
        league.work()
        league.later(4)
    assert contents(league.store)[: len(before)] == before
    assert league.store.count(Player.select()) == people
    assert league.store.count(Issue.select()) == 0
    assert league.game.running
    assert [place.misses for place in league.store.all(Place.select().order_by(Place.id))] == [0, 0]
    league.later(-YEAR - 20)
    for _ in range(5):
        league.work()
        league.later(4)
    assert contents(league.store)[: len(before)] == before
    assert league.store.count(Player.select()) == people
    assert league.store.count(Issue.select()) == 0
    assert league.game.deadline is not None
    assert league.game.deadline - league.now < timedelta(hours=72)
    assert "Hawk" in words(ann.ask("STATUS", ann.last_about("Welcome")))


def test_hostile_clock_after_the_day_all_goes_on_and_the_moderator_was_told_once(
    league: League,
) -> None:
    duel(league)
    league.later(30 * 24)
    league.work()
    [letter] = [one for one in league.person("Mona").letters if "put off" in one["Subject"]]
    until = league.now + clock_jumps.WAIT
    assert f"waits until {until:%Y-%m-%d %H:%M} UTC" in words(letter)
    assert "GM CLOCK RIGHT" in words(letter)
    days(league, 2)
    assert league.store.count(Issue.select()) == 1
    about = [one["Subject"] for one in league.person("Mona").letters]
    assert len([one for one in about if "put off" in one or "clock" in one]) == 1


def test_hostile_clock_the_moderator_says_that_the_clock_is_right(league: League) -> None:
    duel(league)
    league.later(30 * 24)
    league.work()
    assert league.store.count(Issue.select()) == 0
    assert "goes on" in league.rule("CLOCK RIGHT")
    league.later(1)
    league.work()
    assert league.store.count(Issue.select()) == 1


def test_hostile_clock_a_reply_token_lives_through_the_jump_and_dies_after_the_day(
    league: League,
) -> None:
    ann, _ = duel(league)
    early = ann.letters[2]
    league.later(YEAR)
    league.work()
    assert "Hawk" in words(ann.ask("STATUS", early))
    days(league, 2)
    assert "was not accepted" in ann.ask("STATUS", early)["Subject"]


def test_hostile_clock_no_deadline_reminder_or_patrol_is_due_in_the_day(league: League) -> None:
    ann, _ = duel(league)
    cat = league.person("Cat")
    cat.join()
    cat.ask("ENLIST Falcon FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B")
    cat.ask("PATROL WITH Falcon")
    days(league, 1)
    league.later(47)
    league.work()
    games = league.store.count(Game.select())
    told = len([one for one in ann.letters if "reminder" in one["Subject"].lower()])
    for _ in range(5):
        league.later(4.5)
        league.work()
    assert league.game.steps == 1
    assert [
        place.misses
        for place in league.store.all(Place.select().where(Place.game == 1).order_by(Place.id))
    ] == [0, 0]
    assert league.store.count(Game.select()) == games
    assert len([one for one in ann.letters if "reminder" in one["Subject"].lower()]) == told
    days(league, 3)
    assert league.store.count(Game.select()) == games + 1
    assert league.store.all(Place.select().where(Place.game == 1).order_by(Place.id))[0].misses == 1


def test_hostile_clock_digests_wait(league: League) -> None:
    ann, bob = duel(league)
    ann.ask("MAIL DIGEST")
    bob.reply(PATIENT, bob.last_about("G1-"))
    league.work()
    league.later(YEAR)
    league.work()
    assert not [one for one in ann.letters if "digest" in one["Subject"].lower()]


@pytest.mark.league(outage_hours=6)
def test_hostile_clock_letters_are_dropped_after_as_many_days_of_work(league: League) -> None:
    privacy = PrivacySettings(keep_letters_days=6, unconfirmed_days=4)
    told = replace(league.settings, privacy=privacy)
    league.service.ports = replace(league.service.ports, settings=told)
    ann = league.person("Ann")
    ann.write("JOIN Ann Example")
    league.work()
    league.later(YEAR)  # a machine that was really off
    days(league, 2)
    assert league.store.all(Letter.select().order_by(Letter.id))[0].content
    assert league.store.count(Player.select()) == 1
    days(league, 2)
    assert league.store.count(Player.select()) == 0
    assert league.store.all(Letter.select().order_by(Letter.id))[0].content
    days(league, 3)
    assert not league.store.all(Letter.select().order_by(Letter.id))[0].content


@pytest.mark.league(outage_hours=6)
def test_hostile_clock_no_letter_is_given_up_for_a_jump(league: League) -> None:
    league.transport = Busy()
    league.service.ports.outbox.write_stranger("a@busy.example", "stranger", league.now, (1,), "")
    league.work()
    league.store.run(Outgoing.update(tries=LEAST_TRIES).where(Outgoing.id == 1))
    league.later(GIVE_UP.total_seconds() / 3600 + 1)
    league.work()
    assert league.store.get(Outgoing, 1).state == "queued"
    days(league, 3)
    assert league.store.get(Outgoing, 1).state == "failed"


@pytest.mark.league(outage_hours=6)
def test_hostile_clock_what_was_written_ahead_of_time_is_sent_when_the_clock_is_back(
    league: League,
) -> None:
    ann = league.person("Ann")
    league.work()
    league.later(YEAR)
    ann.write("JOIN Ann Example")
    league.service.attend(league.mailbox, lambda: league.now)  # and it dies before it sends
    league.later(-YEAR)
    league.work()
    assert len(ann.letters) == 1


def test_hostile_clock_a_league_with_a_jump_is_rebuilt_the_same(league: League) -> None:
    duel(league)
    league.later(YEAR)
    league.work()
    league.later(5)
    league.work()
    league.later(-YEAR)
    days(league, 2)
    league.service.ports.store.close()
    assert rebuild(league.settings, league.settings.home / "new.db") == []


def holds(league: League) -> tuple[int, int, int, list[int], list[bool]]:
    """Return what a jump could take: letters, people, issues, missed deadlines, running games."""
    store = league.store
    letters = [
        *store.all(Letter.select().order_by(Letter.id)),
        *store.all(Outgoing.select().order_by(Outgoing.id)),
    ]
    return (
        sum(not row.content for row in letters),
        store.count(Player.select()),
        store.count(Issue.select()),
        [place.misses for place in store.all(Place.select().order_by(Place.id))],
        [game.running for game in store.all(Game.select().order_by(Game.id))],
    )


def restart(league: League) -> None:
    """Open the league again, as a daemon does that was ended."""
    league.service = Service(league.service.ports.settings, league.store)


@pytest.mark.parametrize(
    "jumps",
    [
        (YEAR,),
        (-YEAR,),
        (-YEAR, YEAR),
        (YEAR, -YEAR, YEAR, -YEAR),
        (YEAR, YEAR, YEAR),
        (25, 25, 25, 25, 25, 25),
        (-25, -25, 100, -25),
    ],
)
def test_hostile_clock_jumps_of_all_kinds_take_nothing(
    league: League, jumps: tuple[int, ...]
) -> None:
    ann, _ = duel(league)
    league.person("Dan").write("JOIN Dan Example")
    league.work()
    settings = replace(
        league.settings, privacy=PrivacySettings(keep_letters_days=30, unconfirmed_days=14)
    )
    league.service.ports = replace(league.service.ports, settings=settings)
    early, before = ann.letters[2], holds(league)
    for jump in jumps:
        league.later(jump)
        league.work()
        restart(league)
        league.later(1)
        league.work()
        assert holds(league) == before, jump
        assert clock_jumps.waits_until(league.store, league.now) is not None
    if sum(jumps) < 60 * 24:
        assert "Hawk" in words(ann.ask("STATUS", early))


def test_hostile_clock_days_that_it_only_ran_through_are_no_days_of_work(league: League) -> None:
    duel(league)
    privacy = PrivacySettings(keep_letters_days=5, unconfirmed_days=5)
    before = holds(league)[0]
    for _ in range(8):  # a day and more each time, with a letter in each
        league.later(30)
        league.person("Dan").write("Hello?")
        league.work()
    personal_data.clean(league.store, privacy, league.now)
    assert holds(league)[0] == before


def test_hostile_clock_a_fresh_start_after_a_jump_waits_too(league: League) -> None:
    duel(league)
    league.later(YEAR)
    restart(league)
    league.work()
    until = clock_jumps.waits_until(league.store, league.now)
    assert until == league.now + clock_jumps.WAIT
    restart(league)
    league.later(5)
    league.work()
    assert clock_jumps.waits_until(league.store, league.now) == until
    assert league.game.deadline is not None
    assert league.game.deadline - league.now > timedelta(hours=24)
