"""Fights of three squads by mail, each against all others: named, open to anybody, once more."""

from pathlib import Path

import pytest

from engine.starfarer.model import Battle
from pbem.games import offers
from pbem.games.session import Session
from pbem.storage import Game, Offer
from tests.support.harness import League, Person, open_league
from tests.support.players import words

SQUADS = (
    "SQUAD Ravens WITH Kitai: scout; Bo: guard, Sarn 40, jacket",
    "SQUAD Kites WITH Ann: duellist; Cy: medic",
    "SQUAD Herons WITH Dan: scout; Eva: medic",
)

ENLIST = "ENLIST {} FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S"

People = tuple[Person, Person, Person]


pytestmark = pytest.mark.league(systems=("starfarer",))


@pytest.fixture
def people(league: League) -> People:
    """Three players, each with a squad; the second writes German."""
    found = (league.person("Ada"), league.person("Bob"), league.person("Cleo"))
    for person, squad in zip(found, SQUADS, strict=True):
        person.join()
        person.ask(squad)
    found[1].ask("LANGUAGE de")
    return found


def teams(league: League) -> list[tuple[str, tuple[str, ...]]]:
    """The teams of the game, and who is in them."""
    state = Session(league.store, league.game).state
    assert isinstance(state, Battle)
    return [(team.name, team.members) for team in state.teams]


ALL = [("Ravens", ("Kitai", "Bo")), ("Kites", ("Ann", "Cy")), ("Herons", ("Dan", "Eva"))]


def test_three_squads_fight_each_against_all_others(league: League, people: People) -> None:
    ada, bob, cleo = people
    text = words(ada.ask("CHALLENGE Kites, Cleo Example WITH Ravens\n\nMay the best squad win."))
    assert "Done: challenge 1 is on its way to the players of Kites and Herons" in text
    assert "WORDS THAT NOBODY HAS SEEN | May the best squad win." in text
    for person, subject, phrase in (
        (bob, "Herausforderung von Ada Example: Ravens, Kites und Herons", "ANNEHMEN 1"),
        (cleo, "Challenge from Ada Example: Ravens, Kites and Herons", "ACCEPT 1"),
    ):
        letter = person.new()[-1]
        assert str(letter["Subject"]).endswith(subject)
        for part in (phrase, "116", "120"):
            assert part in words(letter)
        assert "May the best squad win" not in words(letter)
    ada.reply("STATUS")
    status = words(ada.new()[-1])
    assert "Ravens, Kites and Herons, each against all others" in status
    assert "wartet noch auf Herons" in words(bob.ask("ANNEHMEN 1"))
    cleo.ask("ACCEPT 1")
    assert teams(league) == ALL
    assert "Your move in 1: Ravens, Kites and Herons" in str(ada.new()[-1]["Subject"])
    assert "DIE LAGE JETZT" in words(bob.new()[-1])


def test_an_open_fight_begins_when_its_seats_are_taken(league: League, people: People) -> None:
    ada, bob, cleo = people
    text = words(ada.ask("CHALLENGE ANYBODY WITH Ravens SEATS 3 FIELD 100"))
    assert "open to anybody, with 3 seats, each against all others" in text
    assert "a fight of 3, each against all others" in words(cleo.ask("GAMES"))
    assert "Du hast einen Platz" in words(bob.ask("ANNEHMEN 1"))
    assert "you have a seat in challenge 1 already" not in words(cleo.ask("ACCEPT 1"))
    assert teams(league) == ALL
    state = Session(league.store, league.game).state
    assert isinstance(state, Battle)
    assert state.field == 100
    assert len(ada.new()) == 1


def test_a_seat_is_taken_once(league: League, people: People) -> None:
    ada, bob, _ = people
    bob.ask("FORDERE JEDEN MIT Kites PLÄTZE 3")
    ada.ask("ACCEPT 1")
    assert "you have a seat in challenge 1 already" in words(ada.ask("ACCEPT 1"))
    assert not league.store.all(Game.select().order_by(Game.id))


def test_a_seat_that_is_given_up_can_be_taken_again(league: League, people: People) -> None:
    ada, bob, cleo = people
    ada.ask("CHALLENGE ANYBODY WITH Ravens SEATS 4")
    bob.ask("ANNEHMEN 1")
    cleo.ask("ACCEPT 1")
    ada.new()
    assert "Dein Platz in Herausforderung 1 ist wieder frei" in words(bob.ask("ABLEHNEN 1"))
    for person in (ada, cleo):
        [letter] = person.new()
        assert "Kites has left a seat of challenge 1 by Ravens. The challenge stands" in words(
            letter
        )
    bob.ask("ANNEHMEN 1")
    offer = offers.get(league.store, 1)
    assert [[row.name for row in team] for team in offer.teams] == [
        ["Ravens"],
        ["Kites"],
        ["Herons"],
    ]


def test_who_can_not_fight_is_told_why(league: League, people: People) -> None:
    ada = people[0]
    ada.ask("SQUAD Owls WITH Fay: scout; Gus: guard")
    for order, why in (
        ("CHALLENGE Kites, Owls WITH Ravens", "Ravens and Owls belong to the same player"),
        ("CHALLENGE Kites, Kites WITH Ravens", "Kites is named twice"),
        ("CHALLENGE Kites, Heron WITH Ravens", "Herons"),
        ("CHALLENGE Kites, Herons WITH Ravens, Owls", "for several write TEAM before it"),
        ("CHALLENGE Kites, Herons, Ravens, Owls WITH Ravens", "is named twice"),
        ("CHALLENGE ANYBODY WITH Ravens SEATS 5", "2 to 4 squads fight each other, not 5"),
        ("CHALLENGE ANYBODY WITH Ravens SEATS 1", "2 to 4 squads fight each other, not 1"),
    ):
        assert why in words(ada.ask(order)), order
    assert league.store.count(Offer.select().where(Offer.patrol == False)) == 0


def test_a_rematch_is_of_all_three(league: League, people: People) -> None:
    ada, bob, cleo = people
    ada.ask("CHALLENGE Kites and Herons WITH Ravens")
    for person in (bob, cleo):
        person.ask("ACCEPT 1")
    for person, squad in ((bob, "YIELD"), (cleo, "YIELD")):
        names = "Ann Cy" if person is bob else "Dan Eva"
        person.reply("\n".join(f"{name}: {squad}" for name in names.split()))
    ada.reply("Kitai: HOLD\nBo: HOLD")
    league.work()
    assert not league.game.running
    assert "Ravens" in words(ada.last_about("is over"))
    bob.ask("REVANCHE 1")
    assert "Kites, Ravens and Herons" in str(ada.new()[-1]["Subject"])
    assert "Kites, Ravens and Herons" in str(cleo.new()[-1]["Subject"])


def test_other_systems_say_how_several_fight(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        people = [league.person(name) for name in ("Ada", "Bob", "Cleo")]
        for person, pilot in zip(people, ("Hawk", "Kestrel", "Merlin"), strict=True):
            person.join()
            person.ask(ENLIST.format(pilot))
        text = words(people[0].ask("CHALLENGE Kestrel, Merlin WITH Hawk"))
        assert "a duel is one against one; for several write TEAM before it" in text
        text = words(people[0].ask("CHALLENGE ANYBODY WITH Hawk SEATS 3"))
        assert "two pilots fight each other, not 3" in text
