"""The deadline guard: outages and jumps of the clock punish nobody, and are reported once."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pbem.deadline_guard import held
from pbem.storage import Game
from tests.harness import START, House, Person, duel, open_house
from tests.players import address_of, words
from tests.test_deadline_calendar import ZONES, changes

HOUR = timedelta(hours=1)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path, outage_hours=6) as opened:
        yield opened


@pytest.fixture
def people(house: House) -> tuple[Person, Person]:
    return duel(house)


def test_an_outage_over_a_deadline_punishes_nobody_and_is_told_once(
    house: House, people: tuple[Person, Person]
) -> None:
    for _ in range(12):
        house.later(5)
        house.work()
    for person in people:
        person.new()
    house.later(26)
    told = [person.new() for person in people]
    assert [len(each) for each in told] == [1, 1]
    assert "out of reach" in words(told[0][0])
    assert house.game.deadline == house.now + 30 * HOUR
    assert [place.misses for place in house.store.places.all()] == [0, 0]
    house.later(1)
    assert [len(person.new()) for person in people] == [0, 0]


def test_fault_15_a_clock_that_jumps_a_year_and_back_leaves_a_turn_at_most(
    house: House, people: tuple[Person, Person]
) -> None:
    year = 365 * 24
    house.later(year)
    house.work()
    assert house.game.running
    assert house.game.deadline == house.now + 72 * HOUR
    house.later(-year)
    house.work()
    assert house.game.deadline == house.now + 72 * HOUR
    assert [place.misses for place in house.store.places.all()] == [0, 0]


def test_orders_that_came_in_the_outage_count(house: House, people: tuple[Person, Person]) -> None:
    house.later(80)
    for person in people:
        person.reply("STANDING\nELSE: SCAN\nEND", at=house.now - HOUR)
    house.work()
    assert house.game.steps > 1
    assert all(source == "else" for _, source in house.orders()[1:])


@pytest.mark.parametrize("hours", [0, 1, 5.9])
def test_what_is_no_outage_moves_nothing(
    house: House, people: tuple[Person, Person], hours: float
) -> None:
    last = START + 10 * HOUR
    assert held(house.service.ports, house.game, last, last + hours * HOUR) == START + 72 * HOUR


def game_due(house: House, deadline: datetime) -> Game:
    """Return the league's game with its orders due now."""
    return house.game._replace(deadline=deadline, opened=deadline - 72 * HOUR)


@pytest.mark.parametrize("name", ZONES)
def test_fault_15_whatever_the_clock_does_on_any_day_of_changing_clocks_nobody_loses_time(
    tmp_path: Path, name: str
) -> None:
    """Ten years: an outage of 26 hours, and a clock that jumps a year and back."""
    zone, year = ZoneInfo(name), 365 * 24 * HOUR
    with open_house(tmp_path, outage_hours=6, timezone=name) as house:
        duel(house)
        for day in changes(zone):
            for hour in range(0, 24, 6):
                last = datetime(day.year, day.month, day.day, hour, tzinfo=zone).astimezone(UTC)
                for left in (HOUR / 2, 5 * HOUR, 71 * HOUR):
                    game, fair = game_due(house, last + left), max(left, 30 * HOUR)
                    for later in (26 * HOUR, year):
                        assert (
                            held(house.service.ports, game, last, last + later)
                            == last + later + fair
                        )
                    jumped = game_due(house, last + year + fair)
                    assert held(house.service.ports, jumped, last + year, last) == last + fair


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
    with open_house(tmp_path, outage_hours=6, timezone=name, moderator=address_of("Mona")) as house:
        house.now = before
        people = duel(house)
        for _ in range(8):
            house.later(5)
            house.work()
        for person in people:
            person.new()
        house.later(26)
        assert [len(person.new()) for person in people] == [1, 1]
        assert house.game.deadline == house.now + 32 * HOUR
        for _ in range(3):
            house.later(0.1)
            assert [len(person.new()) for person in people] == [0, 0]
        mona = [each["Subject"] for each in house.person("Mona").letters]
        assert mona == ["[PBEM] Avalon League: 1 deadline put off"]
        assert [place.misses for place in house.store.places.all()] == [0, 0]


def test_an_outage_takes_no_time_from_a_deadline_that_was_put_off(
    house: House, people: tuple[Person, Person]
) -> None:
    house.later(1)
    house.work()
    late = house.game.deadline
    assert late is not None
    house.store.games.change(house.game.id, deadline=late + 240 * HOUR)
    house.later(26)
    house.work()
    assert house.game.deadline == late + 266 * HOUR


def test_an_outage_waits_for_who_is_away(tmp_path: Path) -> None:
    with open_house(tmp_path, outage_hours=6) as house:
        ann, _ = duel(house)
        ann.reply("AWAY 2026-11-03 TO 2026-11-20")
        house.work()
        before = house.game.deadline
        assert before is not None
        house.later(26)
        house.work()
        assert house.game.deadline is not None
        assert house.game.deadline >= before


def test_where_too_many_are_silent_at_once_deadlines_are_put_off_once(tmp_path: Path) -> None:
    """Two of two: their letters must be lost. A day later the deadlines are played."""
    with open_house(tmp_path, silent_players=2, moderator=address_of("Mona")) as house:
        people = duel(house)
        house.later(72.1)
        told = [person.new() for person in people]
        assert [len(each) for each in told] == [1, 1]
        assert "letters may have been lost" in words(told[0][0])
        assert house.game.deadline == house.now + 24 * HOUR
        mona = house.person("Mona").letters
        assert len(mona) == 1
        assert "letters may be lost on the way" in words(mona[0])
        assert [place.misses for place in house.store.places.all()] == [0, 0]
        house.later(24.1)
        house.work()
        assert house.game.turn == 2


def test_one_who_is_silent_among_two_is_nothing_improbable(tmp_path: Path) -> None:
    with open_house(tmp_path, silent_players=1) as house:
        ann, _ = duel(house)
        ann.ask("STANDING\nELSE: SCAN\nEND")
        house.later(72.1)
        house.work()
        assert house.game.turn == 2


def test_a_game_that_the_program_fails_at_stops_no_other(tmp_path: Path) -> None:
    with open_house(tmp_path, moderator=address_of("Mod")) as house:
        duel(house)
        house.store.games.change(1, state="{}")
        house.later(24 * 20)
        cat = house.person("Cat")
        cat.write("JOIN Cat Example")
        house.work()
        assert len(cat.letters) == 1
        game = house.store.games.get(1)
        assert (game.running, game.deadline, game.paused is None) == (True, None, False)
        house.later(24)
        house.work()
        told = [str(letter["Subject"]) for letter in house.person("Mod").letters]
        assert [subject for subject in told if "stands still" in subject] == [
            "[PBEM] Avalon League: game 1 stands still"
        ]
