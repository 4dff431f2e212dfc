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
from tests.support.harness import League, duel, open_league
from tests.support.players import address_of, words

YEAR = 400 * 24


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    news = {"when": "0 18 1 * *", "new_players": True}
    with open_league(
        tmp_path, outage_hours=6, newsletter=news, moderator=address_of("Mona")
    ) as opened:
        yield opened


def holds(league: League) -> tuple[int, int, int, list[int], list[bool]]:
    """Return what a jump could take: letters, people, issues, missed deadlines, running games."""
    store = league.store
    letters = [*store.letters.all(), *store.outbox.all()]
    return (
        sum(not row.content for row in letters),
        store.players.count(),
        store.issues.count(),
        [place.misses for place in store.places.all()],
        [game.running for game in store.games.all()],
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
        assert clock_jump.waits_until(league.store, league.now) is not None
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
    persons.clean(league.store, privacy, league.now)
    assert holds(league)[0] == before


def test_hostile_clock_a_fresh_start_after_a_jump_waits_too(league: League) -> None:
    duel(league)
    league.later(YEAR)
    restart(league)
    league.work()
    until = clock_jump.waits_until(league.store, league.now)
    assert until == league.now + clock_jump.WAIT
    restart(league)
    league.later(5)
    league.work()
    assert clock_jump.waits_until(league.store, league.now) == until
    assert league.game.deadline is not None
    assert league.game.deadline - league.now > timedelta(hours=24)
