"""The guard: outages and jumps of the clock punish nobody, and are told once."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.guard import held
from tests.house import START, House, Person, duel, open_house
from tests.players import words

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
    assert house.game.deadline == house.now + 12 * HOUR
    assert [place.misses for place in house.store.places.all()] == [0, 0]
    house.later(1)
    assert [len(person.new()) for person in people] == [0, 0]


def test_a_clock_that_jumps_a_year_and_back_leaves_a_turn_at_most(
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
    assert held(house.office, house.game, last, last + hours * HOUR) == START + 72 * HOUR
