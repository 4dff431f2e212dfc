"""A second opinion on jumps of the clock: back, repeated, with restarts, and a clock that runs."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem import clock_jump
from pbem.people import persons
from pbem.service import Service
from pbem.settings.sections import PrivacySettings
from tests.harness import House, duel, open_house
from tests.players import address_of, words

YEAR = 400 * 24


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    news = {"when": "0 18 1 * *", "new_players": True}
    with open_house(
        tmp_path, outage_hours=6, newsletter=news, moderator=address_of("Mona")
    ) as opened:
        yield opened


def holds(house: House) -> tuple[int, int, int, list[int], list[bool]]:
    """Return what a jump could take: letters, people, issues, missed deadlines, running games."""
    store = house.store
    letters = [*store.letters.all(), *store.outbox.all()]
    return (
        sum(not row.content for row in letters),
        store.players.count(),
        store.issues.count(),
        [place.misses for place in store.places.all()],
        [game.running for game in store.games.all()],
    )


def restart(house: House) -> None:
    """Open the league again, as a daemon does that was ended."""
    house.service = Service(house.service.ports.settings, house.store)


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
    house: House, jumps: tuple[int, ...]
) -> None:
    ann, _ = duel(house)
    house.person("Dan").write("JOIN Dan Example")
    house.work()
    settings = replace(
        house.settings, privacy=PrivacySettings(keep_letters_days=30, unconfirmed_days=14)
    )
    house.service.ports = replace(house.service.ports, settings=settings)
    early, before = ann.letters[2], holds(house)
    for jump in jumps:
        house.later(jump)
        house.work()
        restart(house)
        house.later(1)
        house.work()
        assert holds(house) == before, jump
        assert clock_jump.waits_until(house.store, house.now) is not None
    if sum(jumps) < 60 * 24:
        assert "Hawk" in words(ann.ask("STATUS", early))


def test_hostile_clock_days_that_it_only_ran_through_are_no_days_of_work(house: House) -> None:
    duel(house)
    privacy = PrivacySettings(keep_letters_days=5, unconfirmed_days=5)
    before = holds(house)[0]
    for _ in range(8):  # a day and more each time, with a letter in each
        house.later(30)
        house.person("Dan").write("Hello?")
        house.work()
    persons.clean(house.store, privacy, house.now)
    assert holds(house)[0] == before


def test_hostile_clock_a_fresh_start_after_a_jump_waits_too(house: House) -> None:
    duel(house)
    house.later(YEAR)
    restart(house)
    house.work()
    until = clock_jump.waits_until(house.store, house.now)
    assert until == house.now + clock_jump.WAIT
    restart(house)
    house.later(5)
    house.work()
    assert clock_jump.waits_until(house.store, house.now) == until
    assert house.game.deadline is not None
    assert house.game.deadline - house.now > timedelta(hours=24)
