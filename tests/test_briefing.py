"""The moderator's daily letter: what waits, once a day, and none on a day without anything."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.service import Service
from tests.harness import House, Person, duel, open_house
from tests.players import address_of, words


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path, moderator=address_of("Mona"), deadline_hours=2000) as opened:
        yield opened


@pytest.fixture
def mona(house: House) -> Person:
    house.work()
    return house.person("Mona")


def days(house: House, count: int) -> None:
    """Work for some days, with a look every two hours."""
    for _ in range(12 * count):
        house.later(2)
        house.work()


def test_nothing_is_written_where_nothing_waits(house: House, mona: Person) -> None:
    days(house, 3)
    assert mona.letters == []


def test_what_waits_is_told_once_a_day(house: House, mona: Person) -> None:
    ann, _ = duel(house)
    game = house.game
    house.store.games.change(game.id, major="asked")
    days(house, 2)
    assert len(mona.letters) == 2
    told = words(mona.last)
    assert "what waits for you" in mona.last["Subject"]
    assert "game 1 is proposed as a major battle" in told
    assert ann.name not in told
    house.store.games.change(game.id, major="declined")
    days(house, 2)
    assert len(mona.letters) == 2


def test_a_day_has_one_letter_across_restarts(house: House, mona: Person) -> None:
    duel(house)
    house.store.games.change(house.game.id, major="asked")
    house.later(24)
    for _ in range(3):
        house.service = Service(house.settings, house.store)
        house.work()
    assert len(mona.letters) == 1


def test_all_that_waits_is_in_it(house: House, mona: Person) -> None:
    ann, bob = duel(house)
    house.store.games.change(1, opened=house.now - timedelta(days=9), deadline=None, paused=1)
    place = house.store.places.all(game=1)[0]
    house.store.places.change(place.id, vacant=True)
    ann.ask("NOMINATE Kestrel IN 1\nShe stayed when she could have run.", ann.last_about("Welcome"))
    bob.new()
    letter = house.last_letter()
    house.store.letters.change(letter.id, state="shunted", error="Oops")
    row = house.store.outbox.all()[0]
    house.store.outbox.change(row.id, state="failed")
    house.later(24)
    house.work()
    told = words(mona.last)
    for part in (
        "nomination 1 of Kestrel",
        "game 1 stands still",
        "the place of Hawk is open",
        "letters were shunted: 1",
        "letters could not be sent: 1",
    ):
        assert part in told, part


def test_a_league_without_a_moderator_writes_to_nobody(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        duel(house)
        house.store.games.change(1, major="asked")
        before = len(house.post.letters)
        house.later(24)
        house.work()
        assert len(house.post.letters) == before
