"""What somebody is told who orders a pilot that will never fight again: who can in its place."""

import json

import pytest

from pbem.people import personas
from pbem.storage import Game
from tests.by_mail.test_a_newcomer_plays import in_language
from tests.support.harness import League, Person, duel
from tests.support.link_taps import links, tap
from tests.support.players import KESTREL, plain, words

MERLIN = "ENLIST Merlin FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S"
ORDERS = {
    "REMATCH 1": "CHALLENGE Kestrel WITH Merlin",
    "CHALLENGE Kestrel WITH Hawk": "CHALLENGE Kestrel WITH Merlin",
    "CHALLENGE ANYBODY WITH Hawk": "CHALLENGE ANYBODY WITH Merlin",
    "PATROL WITH Hawk": "PATROL WITH Merlin",
    "PRACTICE WITH Hawk": "PRACTICE WITH Merlin",
}


def bereft(league: League, language: str) -> Person:
    """Bring somebody to the end of a duel in which their pilot dies."""
    ann, _ = duel(league)
    league.rule("FORFEIT 1 Hawk")
    row = personas.named(league.store, "Hawk")
    assert row is not None
    record = json.dumps(json.loads(row.record) | {"dead": True})
    personas.set_record(league.store, row, record)
    ann.ask(f"LANGUAGE {language}", ann.last_about("Welcome"))
    return ann


@pytest.mark.parametrize("language", ["en", "de"])
def test_whose_only_pilot_is_dead_is_offered_another(league: League, language: str) -> None:
    ann = bereft(league, language)
    for order in ORDERS:
        answer = ann.ask(order)
        assert {"en": "Hawk is dead", "de": "Hawk ist tot"}[language] in words(answer)
        [both] = [one for one in links(answer) if in_language("PRACTICE WITH", language) in one]
        assert both.count("\n") == 1
        assert {"en": "To fight, reply", "de": "Um zu kämpfen"}[language] in plain(answer)
    tap(ann, answer, both)
    ann.new()
    assert league.store.count(Game.select().where(Game.practice == True)) == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_has_another_pilot_is_offered_the_same_with_it(league: League, language: str) -> None:
    ann = bereft(league, language)
    ann.ask(MERLIN)
    for order, instead in ORDERS.items():
        found = links(ann.ask(order))
        assert in_language(instead, language) in found
        assert not [one for one in found if one.startswith(in_language("ENLIST", language))]


@pytest.mark.parametrize("language", ["en", "de"])
def test_games_lists_who_waits_on_patrol(league: League, language: str) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, pilot in ((ann, MERLIN), (bob, KESTREL)):
        person.join()
        person.ask(pilot)
    ann.ask(f"LANGUAGE {language}")
    heading = {"en": "ON PATROL", "de": "AUF PATROUILLE"}[language]
    assert heading not in plain(ann.ask("GAMES"))
    bob.ask("PATROL WITH Kestrel")
    answer = ann.ask("GAMES")
    assert heading in plain(answer)
    assert "Kestrel" in plain(answer)
    tap(ann, answer, in_language("PATROL", language))
    ann.new()
    assert league.store.count(Game.select().where(Game.running == True)) == 1
