"""The moderator's daily letter: what waits, once a day, and none on a day without anything."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.service.service import Service
from pbem.storage import Game, Letter, Outgoing, Place, stored_games
from tests.support.harness import League, Person, duel, open_league
from tests.support.players import address_of, words

pytestmark = pytest.mark.league(moderator=address_of("Mona"), deadline_hours=2000)


@pytest.fixture
def mona(league: League) -> Person:
    league.work()
    return league.person("Mona")


def days(league: League, count: int) -> None:
    """Work for some days, with a look every two hours."""
    for _ in range(12 * count):
        league.later(2)
        league.work()


def test_nothing_is_written_where_nothing_waits(league: League, mona: Person) -> None:
    days(league, 3)
    assert mona.letters == []


def test_what_waits_is_told_once_a_day(league: League, mona: Person) -> None:
    ann, _ = duel(league)
    game = league.game
    stored_games.change_game(league.store, game.id, major="asked")
    days(league, 2)
    assert len(mona.letters) == 2
    text = words(mona.last)
    assert "what waits for you" in mona.last["Subject"]
    assert "game 1 is proposed as a major battle" in text
    assert ann.name not in text
    stored_games.change_game(league.store, game.id, major="declined")
    days(league, 2)
    assert len(mona.letters) == 2


def test_a_day_has_one_letter_across_restarts(league: League, mona: Person) -> None:
    duel(league)
    stored_games.change_game(league.store, league.game.id, major="asked")
    league.later(24)
    for _ in range(3):
        league.service = Service(league.settings, league.store)
        league.work()
    assert len(mona.letters) == 1


def test_all_that_waits_is_in_it(league: League, mona: Person) -> None:
    ann, bob = duel(league)
    league.store.run(
        Game.update(opened=league.now - timedelta(days=9), deadline=None, paused=1).where(
            Game.id == 1
        )
    )
    place = league.store.all(Place.select().where(Place.game == 1).order_by(Place.id))[0]
    stored_games.change_place(league.store, place.id, vacant=True)
    ann.ask("NOMINATE Kestrel IN 1\nShe stayed when she could have run.", ann.last_about("Welcome"))
    bob.new()
    letter = league.last_letter()
    league.store.run(Letter.update(state="shunted", error="Oops").where(Letter.id == letter.id))
    row = league.store.all(Outgoing.select().order_by(Outgoing.id))[0]
    league.store.run(Outgoing.update(state="failed").where(Outgoing.id == row.id))
    league.later(12)
    bob.write("STATUS")
    league.work()
    held = league.last_letter().id
    league.store.run(Letter.update(state="held").where(Letter.id == held))
    league.later(12)
    league.work()
    text = words(mona.last)
    for part in (
        "nomination 1, of Kestrel",
        "game 1 stands still",
        "the place of Hawk is open",
        "letters that the program set aside: 1",
        "letters that could not be sent: 1",
        f"held until their players say YES: {held}; pbem held list says more",
    ):
        assert part in text, part


def test_a_league_without_a_moderator_writes_to_nobody(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        duel(league)
        stored_games.change_game(league.store, 1, major="asked")
        before = len(league.post.letters)
        league.later(24)
        league.work()
        assert len(league.post.letters) == before
