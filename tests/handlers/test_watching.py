"""WATCH: another's battle by mail, as the public may know it."""

import pytest

from pbem.storage import stored_games
from tests.games.test_pictures import shown
from tests.support.harness import (
    League,
    Person,
    duel,
    play_on,
)
from tests.support.players import STANDING, plain, words

pytestmark = pytest.mark.league(turns_per_letter=4)


@pytest.fixture
def people(league: League) -> tuple[Person, Person, Person]:
    """Ann and Bob in a duel, and Cat, who looks on."""
    cat = league.person("Cat")
    cat.join()
    return *duel(league), cat


def test_a_battle_is_watched_to_its_end(
    league: League, people: tuple[Person, Person, Person]
) -> None:
    ann, bob, cat = people
    assert "come to you from now on" in words(cat.ask("WATCH 1"))
    assert "you watch game 1" in words(cat.ask("WATCH"))
    ann.reply(STANDING + "\nI am afraid.", ann.last_about("G1-"))
    bob.reply(STANDING + "STORY\nThe dark is deep.", bob.last_about("G1-"))
    seen = cat.new() + play_on(league, ann, bob, watching=cat)
    text = "\n".join(map(plain, seen))
    assert len(seen) == league.game.turn - 1
    assert "| The dark is deep." in text
    assert "afraid" not in text
    assert "your standing order" not in text
    assert "the last of its reports" in words(seen[-1])
    assert len({letter["References"] for letter in seen}) == 1
    # The last one has the picture of the whole duel besides.
    assert [len(shown(letter)) for letter in seen] == [1 for _ in seen]


def test_what_can_not_be_watched(league: League, people: tuple[Person, Person, Person]) -> None:
    ann, _, cat = people
    assert "you fight in game 1 yourself" in words(ann.ask("WATCH 1"))
    assert "there is no game 7" in words(cat.ask("WATCH 7"))
    assert "you do not watch game 1; you watch no battle" in words(cat.ask("UNWATCH 1"))
    assert "which game? you watch no battle" in words(cat.ask("UNWATCH"))
    ann.ask("PRACTICE WITH Hawk")
    assert "practice against the referee" in words(cat.ask("WATCH 2"))
    ann.reply("SURRENDER", ann.last_about("G1-"))
    stored_games.change_game(league.service.ports.store, 1, running=False)
    assert "game 1 is over" in words(cat.ask("WATCH 1"))


def test_a_watch_can_be_ended(league: League, people: tuple[Person, Person, Person]) -> None:
    ann, bob, cat = people
    cat.ask("WATCH 1\nWATCH 1")
    assert "no more reports of game 1" in words(cat.ask("UNWATCH"))
    ann.reply(STANDING, ann.last_about("G1-"))
    bob.reply(STANDING, bob.last_about("G1-"))
    assert cat.new() == []
