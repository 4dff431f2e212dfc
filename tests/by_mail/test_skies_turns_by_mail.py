"""A turn of Black Skies as a report shows it: a whole turn to tap, what can be flown, why not."""

import re

import pytest

from tests.support.harness import League, Person, skies
from tests.support.link_taps import links
from tests.support.players import plain, words

HAWKS = "Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
KITES = "Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3"
LONGEST = 150
"""The most lines of a last letter."""


def told_to(person: Person) -> str:
    """The plain text of the last letter that came."""
    return plain(person.last).replace("\r\n", "\n")


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    return skies(league, HAWKS, KITES)


def test_one_link_sends_a_whole_turn(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    for person, elements in ((ann, ("Red", "Gold")), (bob, ("Blue", "Grey"))):
        found = [text for text in links(person.last) if text.startswith(f"{elements[0]}: ")]
        [turn] = found
        assert [line.split(":")[0] for line in turn.splitlines()] == list(elements)
        assert turn.splitlines()[0] in told_to(person)
        person.reply(turn)
    league.work()
    assert league.game.steps == 1


def test_what_an_element_can_fly_is_told_with_what_it_brings(
    people: tuple[Person, Person],
) -> None:
    found = told_to(people[0])
    assert len(re.findall(r"^(?:Red|Gold), by where the nearest enemy is", found, re.M)) == 2
    text = " ".join(found.split())
    assert "- HARD LEFT (half, turn 60°, half, turn 60°): speed 4, Blue 1 at 19.6" in text
    assert "ACCELERATE 1 (straight on, faster): speed 7, Blue 1 at 17 inches" in text
    assert "ACCELERATE 3: speed 9, Blue 1 at 15 inches" in text
    assert "  no roll" not in found


def test_what_cannot_be_ordered_has_its_reason(people: tuple[Person, Person]) -> None:
    found = told_to(people[0])
    found = " ".join(found.split())
    assert "Red: SNAKE LEFT, SIDESLIP LEFT (no side thrusters)" in found
    assert "WITHDRAW (an enemy is within 24 inches)" in found


def test_of_many_enemies_the_nearest_are_described_and_all_are_named(league: League) -> None:
    many = "Kites WITH " + "; ".join(f"Kite{n}: 1 Gadfly SKILL 3" for n in range(8))
    ann, _ = skies(league, HAWKS, many)
    text = words(ann.last_about("[G1-"))
    seen = text.partition("From the lead fighter of Red:")[2].partition("From the lead")[0]
    described, _, farther = seen.partition("Farther off: ")
    assert described.count(" o'clock, ") == 4
    farther, _, wingman = farther.partition("Its wingman is at ")
    assert farther.count(" o'clock") == 4
    assert " o'clock, " in wingman
    assert all(f"Kite{n} 1" in seen for n in range(8))


def test_a_turn_is_told_by_element(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask("Red: STEADY\nGold: ACCELERATE 2; HOLD FIRE")
    bob.ask("Blue: STEADY\nGrey: STEADY")
    bob.ask("REPORT 1", bob.last_about("[G1-"))
    found = told_to(bob)
    assert "\nTurn 1\n" in found
    assert re.search(
        r"^- Red flew STEADY, now heading east at speed 6\. Red 1\s+fired at", found, re.M
    )
    assert "Gold ACCELERATE 2, now heading east at speed 8" in words(bob.last)
    assert "The damage die" not in found


@pytest.mark.league(turns_per_letter=20)
def test_the_last_letter_of_a_long_battle_is_short(
    league: League, people: tuple[Person, Person]
) -> None:
    for person, names in zip(people, (("Red", "Gold"), ("Blue", "Grey")), strict=True):
        rules = [
            f"IF {when}: {name}: {card}"
            for name in names
            for when, card in (
                ("ENEMY LEFT", "SMOOTH LEFT"),
                ("ENEMY RIGHT", "SMOOTH RIGHT"),
                ("ENEMY BEHIND", "BREAK LEFT"),
                ("TURN >= 1", "STEADY"),
            )
        ]
        person.reply("\n".join(["STANDING", *rules, "END"]))
    league.work()
    while league.game.running:
        people[0].reply("READY")
        people[1].reply("READY")
        league.work()
    found = told_to(people[0])
    assert "is over" in people[0].last["Subject"]
    assert found.count("\nTurn ") > 5
    assert len(found.splitlines()) <= LONGEST


@pytest.mark.parametrize("language", ["en", "de"])
def test_whose_orders_are_filed_knows_when_the_turn_is_played(
    people: tuple[Person, Person], language: str
) -> None:
    said = {
        "en": "once all have ordered and nobody wants to wait; who has ordered yet is secret.",
        "de": "sobald alle befohlen haben und niemand warten will; wer schon befohlen hat,",
    }[language]
    ann = people[0]
    report = ann.last
    ann.ask(f"LANGUAGE {language}")
    assert said not in words(ann.ask("Red: STEADY", report))  # Gold has no card yet
    assert said in words(ann.ask("Gold: STEADY", report))


def test_standing_orders_of_an_element_that_left_are_not_told_any_more(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("STANDING sound\nGold: SURRENDER\nGold: STEADY")
    bob.reply("Blue: STEADY\nGrey: STEADY", bob.last_about("[G1-"))
    league.work()
    assert league.game.running
    for asked in ("REPORT 1", "PREVIEW\nRed: STEADY"):
        text = plain(ann.ask(asked, ann.last_about("[G1-")))
        assert "ELSE: Red: STEADY" in text
        assert "Gold: " not in text
