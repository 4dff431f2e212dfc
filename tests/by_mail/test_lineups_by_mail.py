"""What players choose for a battle of Black Skies: speeds, the order of cards, asteroids."""

import json
from typing import Any

import pytest

from pbem.games.export import export, verify
from pbem.maintenance.fsck import check
from pbem.storage import Offer
from tests.support.harness import League, Person
from tests.support.players import words

HAWKS = "SQUADRON Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
KITES = "SQUADRON Kites WITH Blue: 2 Black Tiger SKILL 2"


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    """Ann with the squadron Hawks and Bob with Kites."""
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, squadron in ((ann, HAWKS), (bob, KITES)):
        person.join()
        assert "is on the list" in words(person.ask(squadron))
    return ann, bob


def setup(league: League) -> Any:
    """The set-up of the game that was begun last."""
    return json.loads(league.game.setup)


def test_both_choose_their_speeds_and_the_order_of_their_cards(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("CHALLENGE Kites WITH Hawks")
    text = words(ann.ask("LINEUP Hawks: gold SPEED 9, Red"))
    assert "Hawks enters its next battles so" in text
    assert "Their cards are played in this order: Gold, Red." in text
    bob.new()
    # His own choice renews the challenge again, and he may take it in the same letter.
    bob.reply("LINEUP Kites: Blue SPEED 11\nACCEPT 1")
    league.work()
    hawks, kites = setup(league)["teams"]
    assert [(e["name"], e["speed"]) for e in hawks["elements"]] == [("Red", 6), ("Gold", 9)]
    assert hawks["deck"] == ["Gold", "Red"]
    assert [e["speed"] for e in kites["elements"]] == [11]
    assert "deck" not in kites
    ann.reply("Red: STEADY\nGold: STEADY", ann.last_about("[G"))
    bob.reply("Blue: SURRENDER", bob.last_about("[G"))
    league.work()
    assert all(finding.ok for finding in verify(export(league.store, league.game)))
    assert list(check(league.store)) == []


def test_a_lineup_counts_from_the_next_battle(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("CHALLENGE Kites WITH Hawks")
    bob.ask("ACCEPT 1")
    before = setup(league)
    ann.ask("LINEUP Hawks: Red SPEED 0")
    assert setup(league) == before
    assert "Their cards" not in words(ann.ask("LINEUP Hawks: Red, Gold"))


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("LINEUP Hawks: Green SPEED 3", "Hawks has no element 'Green SPEED 3'"),
        ("LINEUP Hawks: Gold, gold", "Gold is named twice"),
        ("LINEUP Hawks: Gold SPEED 13", "speeds go from 0 to 12"),
        ("CHALLENGE Kites WITH Hawks ASTEROIDS", "there may be 1 to 9 asteroids"),
        ("CHALLENGE Kites WITH Hawks ASTEROIDS 10", "there may be 1 to 9 asteroids"),
        ("CHALLENGE Kites WITH Hawks FIRST me ASTEROIDS many", "Perhaps this helps: ASTEROIDS 6"),
    ],
)
def test_what_cannot_be_chosen_is_told(
    league: League, people: tuple[Person, Person], order: str, why: str
) -> None:
    assert why in words(people[0].ask(order))
    assert league.store.all(Offer.select().where(Offer.patrol == False).order_by(Offer.id)) == []


def test_a_challenge_asks_for_asteroids(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask("CHALLENGE Kites WITH Hawks FIRST me asteroids 5")
    assert "Asked for: ASTEROIDS 5." in words(ann.ask("STATUS"))
    bob.new()
    assert "Asked for: ASTEROIDS 5." in words(bob.last_about("Challenge from"))
    bob.ask("ACCEPT 1")
    rocks = setup(league)["asteroids"]
    assert len(rocks) == 5
    # Seen from the other side they lie in the same places.
    turned = [{**rock, "q": -rock["q"], "r": -rock["r"]} for rock in rocks]
    assert all(rock in rocks for rock in turned)
    assert "An asteroid of radius 2" in words(bob.last_about("[G"))


def test_anybody_may_be_asked_for_asteroids_in_german(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("LANGUAGE de")
    ann.ask("STARTORDNUNG Hawks: Gold TEMPO 4")
    ann.ask("FORDERE JEDEN MIT Hawks ASTEROIDEN 2")
    bob.ask("ACCEPT 1 WITH Kites")
    assert len(setup(league)["asteroids"]) == 2
    assert setup(league)["teams"][0]["elements"][1]["speed"] == 4


def test_a_game_without_asteroids_has_none(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, pilot in ((ann, "Hawk FOR cartel"), (bob, "Kestrel FOR alliance")):
        person.join()
        ship = "Angela 313B" if person is ann else "Rus 133-B"
        person.ask(f"ENLIST {pilot} WEAPONS 12 PILOTING 12 SENSORS 12 SHIP {ship}")
    text = words(ann.ask("CHALLENGE Kestrel WITH Hawk ASTEROIDS 3"))
    assert "there are no asteroids in this game" in text
