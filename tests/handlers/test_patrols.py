"""PATROL by mail: who meets whom, a house player after a while, and patrols that end."""

from pathlib import Path

import pytest

from pbem.people import personas
from pbem.storage import Entry, Game, Offer
from tests.support.harness import (
    League,
    Person,
    open_league,
    play_on,
)
from tests.support.players import HAWK, KESTREL, STANDING, words

HERON = "ENLIST Heron FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313A"

pytestmark = pytest.mark.league(patrol_bots="easy", patrol_hours=10)


def pilot_of(league: League, name: str, *pilots: str) -> Person:
    """Return a player with pilots."""
    person = league.person(name)
    person.join()
    for pilot in pilots:
        person.ask(pilot)
    return person


def test_the_next_that_may_be_fought_is_met(league: League) -> None:
    """Heron flies for Hawk's own side, so Hawk waits; Kestrel meets Hawk, who came first."""
    ann, cat = pilot_of(league, "Ann", HAWK), pilot_of(league, "Cat", HERON)
    bob = pilot_of(league, "Bob", KESTREL)
    assert "Hawk is on patrol, and meets the next" in words(ann.ask("PATROL WITH Hawk"))
    assert "within 10 h, a house player (easy) does" in words(cat.ask("PATROL"))
    assert "Hawk of Ann Example" in words(bob.ask("STATUS"))
    assert ": on patrol." in words(bob.last)
    first = bob.ask("patrol with kestrel")
    assert "the battle begins" in first["Subject"]
    assert "the battle begins" in ann.new()[-1]["Subject"]
    assert league.game.practice is False
    states = [
        row.state
        for row in league.store.all(Offer.select().where(Offer.patrol == True).order_by(Offer.id))
    ]
    assert states == ["begun", "open"]


def test_the_house_comes_after_a_while_and_the_duel_counts(league: League) -> None:
    ann = pilot_of(league, "Ann", HAWK)
    ann.ask("PATROL WITH Hawk")
    league.later(9)
    assert ann.new() == []
    league.later(1.1)
    [first] = ann.new()
    assert "a house player of the referee's is your opponent (its level: easy)" in words(first)
    assert "This battle counts like any other" in words(first)
    league.later(1)
    assert ann.new() == []
    ann.reply(STANDING, first)
    league.work()
    play_on(league, ann)
    hawk = personas.named(league.store, "Hawk")
    assert hawk is not None
    assert (
        league.store.count(
            Entry.select().where(Entry.persona == hawk.id, Entry.game == league.game.id)
        )
        > 0
    )


def test_without_a_house_a_patrol_waits_on(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        ann = pilot_of(league, "Ann", HAWK)
        assert "may be fought." in words(ann.ask("PATROL WITH Hawk"))
        league.later(1000)
        assert ann.new() == []
        assert "Hawk is back from patrol" in words(ann.ask("PATROL OFF Hawk"))
        assert "Hawk is not on patrol" in words(ann.ask("PATROL OFF Hawk"))


def test_a_patrol_lapses_with_another_battle_and_its_player_is_told(league: League) -> None:
    ann, bob = pilot_of(league, "Ann", HAWK), pilot_of(league, "Bob", KESTREL)
    ann.ask("PATROL WITH Hawk")
    assert "is on patrol already" in words(ann.ask("PATROL WITH Hawk"))
    bob.ask("CHALLENGE Hawk WITH Kestrel")
    [challenge] = ann.new()
    ann.reply("ACCEPT 1", challenge)
    notice, first = sorted(ann.new(), key=lambda each: "begins" in each["Subject"])
    assert f"Hawk has got into game {league.game.id}, so the patrol is over" in words(notice)
    assert "the battle begins" in first["Subject"]
    assert (
        league.store.count(Offer.select().where(Offer.patrol == True, Offer.state == "lapsed")) == 1
    )
    bob.new()
    assert "Kestrel is in a game already" in words(
        bob.ask("PATROL WITH Kestrel", bob.last_about("Welcome"))
    )


def test_practice_ends_no_patrol(league: League) -> None:
    ann = pilot_of(league, "Ann", HAWK)
    ann.ask("PATROL WITH Hawk")
    ann.ask("PRACTICE WITH Hawk")
    assert (
        league.store.count(Offer.select().where(Offer.patrol == True, Offer.state == "open")) == 1
    )


def test_nobody_meets_a_pilot_of_their_own(league: League) -> None:
    ann = pilot_of(league, "Ann", HAWK, KESTREL)
    ann.ask("PATROL WITH Hawk")
    ann.ask("PATROL WITH Kestrel")
    assert league.store.count(Game.select()) == 0
    assert "you have no pilot called Nobody" in words(ann.ask("PATROL WITH Nobody"))
