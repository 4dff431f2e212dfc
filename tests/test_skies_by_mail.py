"""A battle of Black Skies by mail: secret cards from both sides, resolved in one step."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import fair
from pbem.games import export
from tests.harness import House, Person, open_house, skies
from tests.players import words

HAWKS = "Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
KITES = "Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as opened:
        yield opened


@pytest.fixture
def people(house: House) -> tuple[Person, Person]:
    return skies(house, HAWKS, KITES)


def test_a_turn_is_one_step_whose_dice_hang_on_the_orders_of_both(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("Red: 2 BREAK\nGold: ACCELERATE 2; HOLD FIRE\nRed: STEADY\nSALT abc")
    assert house.game.steps == 0
    bob.reply("Blue: STEADY; TARGETS Red\nGrey: 3 smooth")
    house.work()
    (step,) = house.store.steps.all(game=house.game.id)
    orders = json.loads(step.orders)
    assert [tuple(order) for order in orders] == [
        ("Hawks", "Red: BREAK LEFT"),
        ("Hawks", "Gold: ACCELERATE 2; HOLD FIRE"),
        ("Kites", "Blue: STEADY; TARGETS Red"),
        ("Kites", "Grey: SMOOTH RIGHT"),
        ("|referee", "END"),
    ]
    spoken = json.loads(step.words)
    assert spoken["Hawks"]["salts"] == ["abc"]
    assert spoken["Kites"]["salts"] == []
    assert len({word["letter"] for word in spoken.values()}) == 2
    game = house.game
    before, setup = json.loads(game.words), fair.fingerprint(json.loads(game.setup))
    ground = fair.Ground(game.secret, game.commitment, setup, "", before)
    assert step.digest == fair.digest_of(ground.step(0, spoken, orders))
    assert "Queued, one for each turn: Red: STEADY" in words(ann.last)


def test_cards_on_file_are_told_to_nobody_else(house: House, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask("Red: 2 BREAK; TARGETS Grey\nGold: AFTERBURNER")
    for told in (words(bob.ask("REPORT 1")), words(bob.ask("HISTORY 1"))):
        assert "BREAK LEFT; TARGETS" not in told
        assert "Gold: AFTERBURNER" not in told


def test_an_element_left_out_waits_for_the_deadline_and_flies_straight_on(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("Red: 2 BREAK")
    bob.reply("Blue: STEADY\nGrey: STEADY")
    house.work()
    assert house.game.steps == 0
    house.later(72.1)
    house.work()
    (step,) = house.store.steps.all(game=house.game.id)
    assert ["Hawks", "Gold: STEADY"] in json.loads(step.orders)
    assert [place.misses for place in house.store.places.all()] == [0, 0]


def test_a_battle_against_silence_ends_and_can_be_checked(tmp_path: Path) -> None:
    with open_house(tmp_path, misses_before_forfeit=2) as house:
        ann, _ = skies(house, HAWKS, KITES)
        while house.game.running:
            ann.reply("Red: 2 BREAK; HOLD FIRE\nGold: 3 BREAK; HOLD FIRE")
            house.later(72.1)
            house.work()
        assert "FORFEIT Kites" in house.orders()[-1][0]
        assert "the victory is Hawks" in words(ann.last)
        found = list(export.verify(export.export(house.store, house.game)))
    assert all(finding.ok for finding in found)


def test_every_inquiry_is_answered(house: House, people: tuple[Person, Person]) -> None:
    _, bob = people
    report = bob.last
    for asked, told in (
        ("STATUS", "Kites of Bob Example"),
        ("SHEET", "Kites, a squadron worth"),
        ("HISTORY 1", "How it stands"),
        ("STANDINGS", "Battles won 0 of 0"),
        ("MAP 1", "Map: "),
        ("PREVIEW\nBlue: BREAK LEFT\nGrey: STEADY", "Blue: BREAK LEFT"),
    ):
        assert told.lower() in words(bob.ask(asked, to=report)).lower()


def test_a_battle_is_fought_in_german(house: House) -> None:
    ann, bob = house.person("Ann"), house.person("Bob")
    for person, squadron in (
        (ann, "STAFFEL Geier MIT Heck: 2 Black Tiger KÖNNEN 2; Gold: 1 Gadfly KÖNNEN 3 TEMPO 8"),
        (bob, "SQUADRON Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3"),
    ):
        person.join()
        person.ask("LANGUAGE de" if person is ann else "STATUS")
        person.ask(squadron)
    ann.ask("FORDERE Kites MIT Geier")
    bob.ask("ACCEPT 1")
    bob.reply("Blue: STEADY; TARGETS Heck\nGrey: STEADY")
    house.work()
    report = ann.last_about("[G1-")
    told = words(ann.ask("Heck: SCHRAF LINKS\nGold: NACHBRENNER", to=report))
    assert "Vielleicht meintest du: Heck: SCHARF LINKS" in told
    answer = ann.ask("Heck: SCHARF LINKS; NICHT FEUERN\nGold: NACHBRENNER; ZIEL Blue 1", to=report)
    assert "Rotte Heck spielt SCHARF LINKS" in words(answer)
    texts = [text for step in house.store.steps.all() for _, text in json.loads(step.orders)]
    assert texts[:2] == ["Heck: BREAK LEFT; HOLD FIRE", "Gold: AFTERBURNER; TARGETS Blue 1"]
