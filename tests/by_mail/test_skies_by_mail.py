"""A battle of Black Skies by mail: secret cards from both sides, resolved in one step."""

import json

import pytest

from engine import fair_dice
from pbem.storage import Place, Step
from tests.support.harness import League, Person, skies
from tests.support.players import words

HAWKS = "Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
KITES = "Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3"


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    return skies(league, HAWKS, KITES)


def test_a_turn_is_one_step_whose_dice_hang_on_the_orders_of_both(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("Red: 2 BREAK\nGold: ACCELERATE 2; HOLD FIRE\nRed: STEADY\nSALT abc")
    assert league.game.steps == 0
    bob.reply("Blue: STEADY; TARGETS Red\nGrey: 3 smooth")
    league.work()
    (step,) = league.store.all(Step.select().where(Step.game == league.game.id).order_by(Step.id))
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
    game = league.game
    before, setup = json.loads(game.words), fair_dice.fingerprint(json.loads(game.setup))
    ground = fair_dice.Ground(game.secret, game.commitment, setup, "", before)
    assert step.digest == fair_dice.digest_of(ground.step(0, spoken, orders))
    assert "Queued for Red, one for each turn: STEADY" in words(ann.last)


def test_an_element_left_out_waits_for_the_deadline_and_flies_straight_on(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("Red: 2 BREAK")
    bob.reply("Blue: STEADY\nGrey: STEADY")
    league.work()
    assert league.game.steps == 0
    league.later(72.1)
    league.work()
    (step,) = league.store.all(Step.select().where(Step.game == league.game.id).order_by(Step.id))
    assert ["Hawks", "Gold: STEADY"] in json.loads(step.orders)
    assert [place.misses for place in league.store.all(Place.select().order_by(Place.id))] == [0, 0]


def test_a_battle_is_fought_in_german(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
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
    league.work()
    report = ann.last_about("[G1-")
    shown = words(ann.ask("Heck: SCHRAF LINKS\nGold: NACHBRENNER", to=report))
    assert "Vielleicht meinst du Heck: SCHARF LINKS" in shown
    answer = ann.ask("Heck: SCHARF LINKS; NICHT FEUERN\nGold: NACHBRENNER; ZIEL Blue 1", to=report)
    assert "Heck fliegt SCHARF LINKS" in words(answer)
    texts = [
        text
        for step in league.store.all(Step.select().order_by(Step.id))
        for _, text in json.loads(step.orders)
    ]
    assert texts[:2] == ["Heck: BREAK LEFT; HOLD FIRE", "Gold: AFTERBURNER; TARGETS Blue 1"]
