"""The deadline guard: outages and jumps of the clock punish nobody, and are reported once."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pbem.games.reports.war_overview import state_of_war
from pbem.handlers.ports import Ports
from pbem.service import deadline_guard
from pbem.service.deadline_guard import held
from pbem.storage import Game, Place, stored_games
from tests.games.test_deadline_calendar import ZONES, changes
from tests.support.harness import START, League, Person, duel, open_league
from tests.support.players import address_of, words

HOUR = timedelta(hours=1)

pytestmark = pytest.mark.league(outage_hours=6)


def test_an_outage_over_a_deadline_punishes_nobody_and_is_told_once(
    league: League, people: tuple[Person, Person]
) -> None:
    for _ in range(12):
        league.later(5)
        league.work()
    for person in people:
        person.new()
    league.later(26)
    found = [person.new() for person in people]
    assert [len(each) for each in found] == [1, 1]
    assert "could not be reached" in words(found[0][0])
    assert league.game.deadline == league.now + 30 * HOUR
    assert [place.misses for place in league.store.all(Place.select().order_by(Place.id))] == [0, 0]
    league.later(1)
    assert [len(person.new()) for person in people] == [0, 0]


def test_fault_15_a_clock_that_jumps_a_year_and_back_leaves_a_turn_at_most(
    league: League, people: tuple[Person, Person]
) -> None:
    year = 365 * 24
    league.later(year)
    league.work()
    assert league.game.running
    assert league.game.deadline == league.now + 72 * HOUR
    league.later(-year)
    league.work()
    assert league.game.deadline == league.now + 72 * HOUR
    assert [place.misses for place in league.store.all(Place.select().order_by(Place.id))] == [0, 0]


def test_a_game_at_which_the_program_fails_keeps_the_deadline_of_no_other(
    league: League, people: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = people
    ann.ask("PRACTICE WITH Hawk")
    held_ = deadline_guard.held

    def failing(ports: Ports, game: Game, last: datetime, now: datetime) -> datetime | None:
        if game.id == 1:
            raise ValueError("a bug")
        return held_(ports, game, last, now)

    monkeypatch.setattr(deadline_guard, "held", failing)
    before = [game.deadline for game in league.store.all(Game.select().order_by(Game.id))]
    league.later(60)
    league.work()
    after = [game.deadline for game in league.store.all(Game.select().order_by(Game.id))]
    assert after == [before[0], league.now + 72 * HOUR]


def test_orders_that_came_in_the_outage_count(
    league: League, people: tuple[Person, Person]
) -> None:
    league.later(80)
    for person in people:
        person.reply("STANDING\nELSE: SCAN\nEND", at=league.now - HOUR)
    league.work()
    assert league.game.steps > 1
    assert all(source == "else" for _, source in league.orders()[1:])


@pytest.mark.parametrize("hours", [0, 1, 5.9])
def test_what_is_no_outage_moves_nothing(
    league: League, people: tuple[Person, Person], hours: float
) -> None:
    last = START + 10 * HOUR
    assert held(league.service.ports, league.game, last, last + hours * HOUR) == START + 72 * HOUR


def game_due(league: League, deadline: datetime) -> Game:
    """Return the league's game with its orders due now."""
    return league.game.changed(deadline=deadline, opened=deadline - 72 * HOUR)


@pytest.mark.parametrize("name", ZONES)
def test_fault_15_whatever_the_clock_does_on_any_day_of_changing_clocks_nobody_loses_time(
    tmp_path: Path, name: str
) -> None:
    """Ten years: an outage of 26 hours, and a clock that jumps a year and back."""
    zone, year = ZoneInfo(name), 365 * 24 * HOUR
    with open_league(tmp_path, outage_hours=6, timezone=name) as league:
        duel(league)
        for day in changes(zone):
            for hour in range(0, 24, 6):
                last = datetime(day.year, day.month, day.day, hour, tzinfo=zone).astimezone(UTC)
                for left in (HOUR / 2, 5 * HOUR, 71 * HOUR):
                    game, fair = game_due(league, last + left), max(left, 30 * HOUR)
                    for later in (26 * HOUR, year):
                        assert (
                            held(league.service.ports, game, last, last + later)
                            == last + later + fair
                        )
                    jumped = game_due(league, last + year + fair)
                    assert held(league.service.ports, jumped, last + year, last) == last + fair


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("Europe/Oslo", datetime(2027, 3, 26, 12, tzinfo=UTC)),
        ("America/New_York", datetime(2027, 11, 5, 12, tzinfo=UTC)),
        ("Australia/Lord_Howe", datetime(2027, 4, 2, 12, tzinfo=UTC)),
    ],
)
def test_an_outage_over_a_night_of_changing_clocks_is_told_once(
    tmp_path: Path, name: str, before: datetime
) -> None:
    with open_league(
        tmp_path, outage_hours=6, timezone=name, moderator=address_of("Mona")
    ) as league:
        league.now = before
        people = duel(league)
        for _ in range(8):
            league.later(5)
            league.work()
        for person in people:
            person.new()
        league.later(26)
        assert [len(person.new()) for person in people] == [1, 1]
        assert league.game.deadline == league.now + 32 * HOUR
        for _ in range(3):
            league.later(0.1)
            assert [len(person.new()) for person in people] == [0, 0]
        mona = [each["Subject"] for each in league.person("Mona").letters]
        assert mona == ["[PBEM] Avalon League: 1 deadline put off"]
        assert [place.misses for place in league.store.all(Place.select().order_by(Place.id))] == [
            0,
            0,
        ]


def test_an_outage_takes_no_time_from_a_deadline_that_was_put_off(
    league: League, people: tuple[Person, Person]
) -> None:
    league.later(1)
    league.work()
    late = league.game.deadline
    assert late is not None
    stored_games.change_game(league.store, league.game.id, deadline=late + 240 * HOUR)
    league.later(26)
    league.work()
    assert league.game.deadline == late + 266 * HOUR


@pytest.mark.league(outage_hours=6)
def test_an_outage_waits_for_who_is_away(league: League) -> None:
    ann, _ = duel(league)
    ann.reply("AWAY 2026-11-03 TO 2026-11-20")
    league.work()
    before = league.game.deadline
    assert before is not None
    league.later(26)
    league.work()
    assert league.game.deadline is not None
    assert league.game.deadline >= before


@pytest.mark.league(silent_players=2, moderator=address_of("Mona"))
def test_where_too_many_are_silent_at_once_deadlines_are_put_off_once(league: League) -> None:
    """Two of two: their letters must be lost. A day later the deadlines are played."""
    people = duel(league)
    league.later(72.1)
    found = [person.new() for person in people]
    assert [len(each) for each in found] == [1, 1]
    assert "letters may have been lost" in words(found[0][0])
    assert league.game.deadline == league.now + 24 * HOUR
    mona = league.person("Mona").letters
    assert len(mona) == 1
    assert "letters may be lost on the way" in words(mona[0])
    assert [place.misses for place in league.store.all(Place.select().order_by(Place.id))] == [0, 0]
    league.later(24.1)
    league.work()
    assert league.game.turn == 2


@pytest.mark.league(silent_players=2)
def test_a_deadline_that_can_not_be_put_off_is_played(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel(league)
    monkeypatch.setattr(league.service.ports.referee.timetable, "after", lambda *given: 1 / 0)
    league.later(72.1)
    league.work()
    assert league.game.turn == 2


@pytest.mark.league(silent_players=1)
def test_one_who_is_silent_among_two_is_nothing_improbable(league: League) -> None:
    ann, _ = duel(league)
    ann.ask("STANDING\nELSE: SCAN\nEND")
    league.later(72.1)
    league.work()
    assert league.game.turn == 2


def test_a_damaged_game_is_left_out_of_the_state_of_the_war(
    league: League, people: tuple[Person, Person]
) -> None:
    """It is posted with each report, and no report of another game may fail for it."""
    with league.store.transaction():
        assert [one["number"] for one in state_of_war(league.store)["running"]] == [1]
        stored_games.change_game(league.store, 1, state="{}")
        assert state_of_war(league.store)["running"] == []


@pytest.mark.league(moderator=address_of("Mod"))
def test_a_game_that_the_program_fails_at_stops_no_other(league: League) -> None:
    duel(league)
    stored_games.change_game(league.store, 1, state="{}")
    league.later(24 * 20)
    cat = league.person("Cat")
    cat.write("JOIN Cat Example")
    league.work()
    assert len(cat.letters) == 1
    game = league.store.get(Game, 1)
    assert (game.running, game.deadline, game.paused is None) == (True, None, False)
    league.later(24)
    league.work()
    found = [str(letter["Subject"]) for letter in league.person("Mod").letters]
    assert [subject for subject in found if "stands still" in subject] == [
        "[PBEM] Avalon League: game 1 stands still"
    ]
