"""What a final letter leaves to do in each system: once more, the next one, or who comes after."""

import json
from pathlib import Path

import pytest

from engine.blackskies.persona_record import WINS_TO_RETIRE
from pbem.people import personas
from pbem.storage import Offer
from tests.by_mail.test_a_newcomer_plays import in_language
from tests.news.test_newsletter import deadly_entropy, published
from tests.support.harness import (
    League,
    Person,
    duel,
    open_league,
    play_on,
)
from tests.support.link_taps import links, tap
from tests.support.players import HAWK, STANDING, words

LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])
SQUADS = ("SQUAD Ravens WITH Kitai: scout; Bo: guard", "SQUAD Kites WITH Ann: duellist; Cy: medic")
GROUPS = ("GROUP Ravens WITH Red: 3 fighters", "GROUP Kites WITH Blue: 3 strikers")
SQUADRONS = (
    "SQUADRON Ravens WITH Red: 2 Black Tiger SKILL 2 3; Gold: 1 Gadfly SKILL 3 SPEED 8",
    "SQUADRON Kites WITH Blue: 2 Black Tiger SKILL 2",
)


def met(league: League, orders: tuple[str, str], language: str) -> tuple[Person, Person]:
    """Bring two people, the first of whom reads a language, to the first report of a battle."""
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, order in zip((ann, bob), orders, strict=True):
        person.join()
        person.ask(order)
    ann.ask("CHALLENGE Kites WITH Ravens")
    bob.new()
    bob.ask("ACCEPT 1")
    ann.ask(f"LANGUAGE {language}", ann.last_about("Welcome"))
    return ann, bob


def recorded(league: League, name: str, **figures: object) -> None:
    """Change what a persona has come to."""
    row = personas.named(league.store, name)
    assert row is not None
    personas.set_record(league.store, row, json.dumps(json.loads(row.record) | figures))


def final(league: League, person: Person, ruling: str) -> list[str]:
    """End the battle by a ruling, and return what a person's final letter has links for."""
    person.new()
    league.rule(ruling)
    return list(links(person.new()[-1]))


@LANGUAGES
@pytest.mark.parametrize("system", ["starfarer", "cortex", "blackskies"])
def test_a_final_letter_offers_a_rematch(tmp_path: Path, system: str, language: str) -> None:
    orders = {"starfarer": SQUADS, "cortex": GROUPS, "blackskies": SQUADRONS}[system]
    with open_league(tmp_path, systems=(system,)) as league:
        ann, _ = met(league, orders, language)
        found = final(league, ann, "FORFEIT 1 Ravens")
        assert in_language("REMATCH 1", language) in found
        tap(ann, ann.last, in_language("REMATCH 1", language))
        ann.new()
        assert (
            league.store.count(Offer.select().where(Offer.patrol == False, Offer.state == "open"))
            == 1
        )


@LANGUAGES
@pytest.mark.league(systems=("blackskies",))
def test_a_retired_squadron_has_a_successor(league: League, language: str) -> None:
    ann, _ = met(league, SQUADRONS, language)
    recorded(league, "Ravens", wins=WINS_TO_RETIRE - 1)
    found = final(league, ann, "FORFEIT 1 Kites")
    assert in_language("REMATCH 1", language) not in found
    [line] = [one for one in found if "Ravens 2" in one]
    assert line.startswith({"en": "SQUADRON", "de": "STAFFEL"}[language])
    tap(ann, ann.last, line)
    ann.new()
    old, new = (personas.named(league.store, name) for name in ("Ravens", "Ravens 2"))
    assert old is not None
    assert new is not None
    assert json.loads(new.record)["wings"] == json.loads(old.record)["wings"]
    # Now that somebody fights for Ann, the newsletter names nobody who comes after.
    ann.ask("SUBSCRIBE")
    published(league)
    assert not any("Ravens 3" in one for one in links(ann.new()[-1]))


@LANGUAGES
@pytest.mark.league(entropy=deadly_entropy)
def test_a_dead_pilot_has_a_successor(league: League, language: str) -> None:
    ann, bob = duel(league)
    ann.ask(f"LANGUAGE {language}", ann.last_about("Welcome"))
    ann.ask("SUBSCRIBE")
    for person in (ann, bob):
        person.reply(STANDING, person.last_about("[G1"))
    league.work()
    play_on(league, ann, bob)
    letter = ann.new()[-1]
    line = {
        "en": "ENLIST Hawk 2 FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B",
        "de": "ANWERBEN Hawk 2 FÜR Kartell WAFFEN 12 STEUERUNG 12 SENSOREN 12 SCHIFF Angela 313B",
    }[language]
    assert line in links(letter)
    assert in_language("REMATCH 1", language) not in links(letter)
    published(league)
    issue = ann.new()[-1]
    assert line in links(issue)
    tap(ann, issue, line)
    ann.new()
    assert personas.named(league.store, "Hawk 2") is not None


@LANGUAGES
def test_a_prisoner_is_told_when_a_rematch_is_possible(league: League, language: str) -> None:
    ann, _ = duel(league)
    ann.ask(f"LANGUAGE {language}", ann.last_about("Welcome"))
    # No link: on this day it would be refused.
    assert in_language("REMATCH 1", language) not in final(league, ann, "FORFEIT 1 Hawk")
    assert in_language("REMATCH 1", language) in words(ann.last)
    when = {"en": "exchanged on the next day", "de": "am nächsten Tag ausgetauscht"}
    assert when[language] in words(ann.last)


@LANGUAGES
@pytest.mark.league(patrol_bots="easy", patrol_hours=1)
def test_after_a_duel_with_the_house_the_next_patrol_is_offered(
    league: League, ann: Person, language: str
) -> None:
    ann.ask(HAWK)
    ann.ask(f"LANGUAGE {language}")
    ann.ask("PATROL WITH Hawk")
    league.later(2)
    ann.new()
    found = final(league, ann, "DRAW 1")
    assert in_language("PATROL WITH Hawk", language) in found
    assert in_language("REMATCH 1", language) not in found
    tap(ann, ann.last, in_language("PATROL WITH Hawk", language))
    ann.new()
    assert (
        league.store.count(Offer.select().where(Offer.patrol == True, Offer.state == "open")) == 1
    )


@LANGUAGES
@pytest.mark.parametrize("system", ["starpilot", "blackskies"])
def test_a_final_letter_says_that_what_was_damaged_is_whole_again(
    tmp_path: Path, system: str, language: str
) -> None:
    said = {
        "starpilot": {"en": "a ship that is whole and loaded", "de": "einem heilen, geladenen"},
        "blackskies": {"en": "all is repaired and loaded", "de": "wird alles repariert und"},
    }[system][language]
    with open_league(tmp_path, systems=(system,)) as league:
        if system == "starpilot":
            ann, _ = duel(league)
            ann.ask(f"LANGUAGE {language}", ann.last_about("Welcome"))
            final(league, ann, "FORFEIT 1 Kestrel")
        else:
            ann, _ = met(league, SQUADRONS, language)
            final(league, ann, "FORFEIT 1 Kites")
        assert said in words(ann.letters[-1])
