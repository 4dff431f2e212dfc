"""Cards of Black Skies by mail: each element's own, from letter to letter, until READY."""

import json

import pytest

from engine import codec
from engine.orders.orders_on_file import Sheet
from pbem.storage import Place
from tests.support.harness import League, Person, skies
from tests.support.players import words

HAWKS = "Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
KITES = "Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3"


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    return skies(league, HAWKS, KITES)


def test_all_elements_are_ordered_however_their_names_and_cards_meet(league: League) -> None:
    names = [f"Kite{n}" for n in range(8)]
    mine = "Kites WITH " + "; ".join(f"{name}: 1 Gadfly SKILL 3" for name in names)
    ann, bob = skies(league, mine, "Hawks WITH Red: 1 Gadfly SKILL 3")
    text = words(ann.ask("\n".join(f"{name}: AFTERBURNER" for name in names)))
    assert "No order yet" not in text
    assert "Game 1 has your orders: AFTERBURNER for Kite0 to Kite7." in text
    bob.reply("Red: STEADY")
    league.work()
    assert league.game.steps == 1


def test_a_later_letter_leaves_the_cards_of_other_elements(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    text = words(ann.ask("Gold: ACCELERATE 2; HOLD FIRE"))
    assert "No order yet for Red. The turn waits for your orders until the deadline." in text
    assert "the referee orders Red: STEADY" in text
    text = words(ann.ask("Red: BREAK LEFT"))
    assert "These orders from an earlier letter stay on file: Gold: ACCELERATE 2; HOLD FIRE" in text
    assert "No order yet" not in text
    assert "in place of" not in text
    text = words(ann.ask("Red: 3 SMOOTH\nRed: STEADY"))
    assert "replace those that you sent before" in text
    bob.reply("Blue: STEADY\nGrey: STEADY")
    league.work()
    [(orders, _)] = league.orders()
    assert ["Hawks", "Red: SMOOTH RIGHT"] in json.loads(orders)
    assert ["Hawks", "Gold: ACCELERATE 2; HOLD FIRE"] in json.loads(orders)
    assert "Queued for Red, one for each turn: STEADY." in words(ann.last)


@pytest.mark.parametrize(
    ("language", "card", "why"),
    [
        ("en", "Red: SIDESLIP LEFT", "these fighters lack the thrusters for that card"),
        ("de", "Red: SEITGLEITEN LINKS", "Diesen Jägern fehlen die Triebwerke für diese Karte"),
        ("en", "Red: ACCELERATE 9", "ACCELERATE goes up to the acceleration"),
        ("de", "Red: BESCHLEUNIGEN 9", "BESCHLEUNIGEN geht bis zur Beschleunigung"),
    ],
)
def test_a_card_that_is_never_possible_takes_no_card_off_the_file(
    language: str, card: str, why: str, league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask(f"LANGUAGE {language}", ann.last_about("[G1-"))
    ann.ask("Red: BREAK LEFT\nGold: STEADY", ann.last_about("[G1-"))
    text = words(ann.ask(card, ann.last_about("[G1-")))
    assert f'"{card}"' in text
    assert why in text
    bob.reply("Blue: STEADY\nGrey: STEADY", bob.last_about("[G1-"))
    league.work()
    [(orders, _)] = league.orders()
    assert ["Hawks", "Red: BREAK LEFT"] in json.loads(orders)


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("en", "because WITHDRAW is only for elements with no enemy within 24 inches"),
        ("de", "denn RÜCKZUG geht nur, wenn kein Feind innerhalb von 24 Zoll ist"),
    ],
)
def test_a_card_that_is_not_possible_yet_waits_behind_one_that_is(
    language: str, why: str, league: League, people: tuple[Person, Person]
) -> None:
    # Only a later legal order replaces an earlier one (BS-10).
    ann, bob = people
    ann.ask(f"LANGUAGE {language}", ann.last_about("[G1-"))
    ann.ask("Red: BREAK LEFT\nGold: STEADY", ann.last_about("[G1-"))
    assert why in words(ann.ask("Red: WITHDRAW", ann.last_about("[G1-")))
    bob.reply("Blue: STEADY\nGrey: STEADY", bob.last_about("[G1-"))
    league.work()
    [(orders, _)] = league.orders()
    assert ["Hawks", "Red: BREAK LEFT"] in json.loads(orders)


def test_what_follows_a_card_is_not_told_to_the_other_side(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    text = words(ann.ask("Gold: SMOOTH LEFT; at full tilt"))
    assert "Gold: SMOOTH LEFT; at full tilt" in text
    assert "OTHERS WILL READ THIS" not in text
    ann.ask("Red: STEADY\nGold: STEADY\nSTORY\nHome we fly.")
    bob.reply("Blue: STEADY\nGrey: STEADY")
    league.work()
    told = "".join(map(words, bob.letters))
    assert "Home we fly." in told
    assert "full tilt" not in told


def test_ready_fills_in_the_cards_that_are_missing(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("Red: BREAK LEFT")
    assert (
        "you are ready; the referee fills in an order for Gold, and game 1 waits for others"
        in words(ann.ask("READY"))
    )
    text = words(bob.ask("Grey: STEADY\nREADY"))
    # His letter closed the turn, so its answer is the report.
    assert "[G1-T2" in bob.last["Subject"]
    assert "Turn 1" in text
    [(orders, _)] = league.orders()
    found = json.loads(orders)
    assert ["Hawks", "Gold: STEADY"] in found
    assert ["Kites", "Blue: STEADY"] in found


def test_a_card_may_follow_ready(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = people
    text = words(ann.ask("READY\nRed: BREAK LEFT"))
    assert "are filed, and you are ready." in text
    assert "The referee fills in what you have not ordered: Gold: STEADY." in text
    text = words(ann.ask("Gold: ACCELERATE 1"))
    assert "stay on file: Red: BREAK LEFT" in text
    place = next(
        p for p in league.store.all(Place.select().order_by(Place.id)) if p.seat == "Hawks"
    )
    assert sorted(codec.decode(place.sheet, Sheet).queue) == [
        "Gold: ACCELERATE 1",
        "Red: BREAK LEFT",
    ]


def test_each_element_has_an_else_of_its_own(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    text = words(
        ann.ask("STANDING\nELSE: Red: BREAK LEFT\nELSE: Gold: DECELERATE\nELSE: Red: STEADY\nEND")
    )
    assert "What is in the way: there is an ELSE for Red already; the first counts." in text
    assert "ELSE: Red: BREAK LEFT" in text
    assert "ELSE: Gold: DECELERATE" in text
    bob.reply("Blue: STEADY\nGrey: STEADY")
    league.work()
    [(orders, _)] = league.orders()
    assert json.loads(orders)[:2] == [["Hawks", "Red: BREAK LEFT"], ["Hawks", "Gold: DECELERATE"]]


def test_cards_are_merged_in_german_too(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    report = ann.last
    ann.ask("LANGUAGE de")
    text = words(ann.ask("Gold: BESCHLEUNIGEN 2", to=report))
    assert "Noch kein Befehl für Red." in text
    text = words(ann.ask("Red: SCHARF LINKS", to=report))
    assert "bleiben in Kraft: Gold: BESCHLEUNIGEN 2" in text
    text = words(ann.ask("SONST: Red: GERADEAUS\nSONST: Gold: GERADEAUS", to=report))
    assert "Noch kein Befehl" not in text
    bob.reply("Blue: STEADY\nGrey: STEADY")
    league.work()
    assert ["Hawks", "Gold: ACCELERATE 2"] in json.loads(league.orders()[0][0])


def test_ready_a_second_else_and_own_short_names_are_told_in_german(league: League) -> None:
    twins = "WITH Red: 1 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
    ann, bob = skies(league, f"Hawks {twins}", f"Kites {twins}")
    ann.ask("LANGUAGE de")
    report = ann.ask("BERICHT 1")
    assert "Hawks Gold gehört dir, und Kites Gold der anderen Seite;" in words(report)
    rules = "SONST: Red: GERADEAUS\nSONST: Gold: GERADEAUS\nSONST: Red: SCHARF LINKS"
    assert "Für Hawks Red gibt es schon ein SONST;" in words(ann.ask(rules, report))
    ann.ask("DAUERBEFEHLE KEINE\nRed: SCHARF LINKS; ZIELE Kites Gold", report)
    told = words(ann.ask("BEREIT", report))
    assert "du bist bereit; der Schiedsrichter ergänzt einen Befehl für " in told
    bob.reply("Red: STEADY\nGold: STEADY")
    league.work()
    [(orders, _)] = league.orders()
    assert [order for _, order in json.loads(orders)][:2] == [
        "Hawks Red: BREAK LEFT; TARGETS Kites Gold",
        "Hawks Gold: STEADY",
    ]


def test_elements_of_the_same_name_keep_their_short_names(league: League) -> None:
    twins = "WITH Red: 1 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
    ann, bob = skies(league, f"Hawks {twins}", f"Kites {twins}")
    told = words(ann.last)
    whose = "Hawks Gold is yours, and Kites Gold is the other side's; in your orders Gold is yours."
    assert whose in told
    text = words(ann.ask("Gold: ACCELERATE 2; TARGETS Kites Gold, Red 1\nHawks Red: BREAK LEFT"))
    assert "No order yet" not in text
    bob.reply("KITES RED: STEADY\nGold steady")
    league.work()
    [(orders, _)] = league.orders()
    assert [order for _, order in json.loads(orders)] == [
        "Hawks Red: BREAK LEFT",
        "Hawks Gold: ACCELERATE 2; TARGETS Kites Gold, Kites Red 1",
        "Kites Red: STEADY",
        "Kites Gold: STEADY",
        "END",
    ]
