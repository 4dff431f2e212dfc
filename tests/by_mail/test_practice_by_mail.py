"""PRACTICE: a duel by mail with a house pilot, from the first letter to the last."""

import json

import pytest

from engine.registry import RULESETS
from pbem.games import export
from pbem.people import personas
from pbem.storage import Entry, Game, Place
from tests.support.harness import League, Person, duel
from tests.support.link_taps import links, tap
from tests.support.players import HAWK, STANDING, is_last_report, words
from tests.support.team_battles import FALCON


@pytest.fixture
def ann(league: League) -> Person:
    """Ann, who has Hawk."""
    person = league.person("Ann")
    person.join()
    person.ask(HAWK)
    return person


def record(league: League) -> str:
    persona = personas.named(league.store, "Hawk")
    assert persona is not None
    return persona.record


@pytest.mark.parametrize("strength", RULESETS["starpilot"].strengths)
def test_it_is_fought_to_its_end_by_replies(league: League, ann: Person, strength: str) -> None:
    before = record(league)
    first = ann.ask(f"PRACTICE WITH Hawk AGAINST {strength}")
    assert f"the referee plays your opponent (level: {strength})" in words(first)
    assert league.game.bots == strength
    reports = [ann.ask(STANDING)]
    while league.game.running:
        reports.append(ann.ask("READY"))
    assert is_last_report(reports[-1])
    assert "It was practice" in words(reports[-1])
    assert record(league) == before
    assert league.store.count(Entry.select().where(Entry.game == league.game.id)) == 0
    assert all(finding.ok for finding in export.verify(league.service.export(league.game)))


def test_each_letter_gets_the_whole_exchange(league: League, ann: Person) -> None:
    ann.ask("PRACTICE WITH Hawk")
    for _ in range(4):
        steps = league.game.steps
        ann.ask("SCAN")
        assert league.game.steps == steps + 2
        assert [source for _, source in league.orders()[-2:]] == ["queue", "house"]
    [place] = league.store.all(
        Place.select().where(Place.game == league.game.id).order_by(Place.id)
    )
    assert (place.seat, place.asked) == ("Hawk", True)


def test_it_does_not_stand_in_the_way_of_a_duel(league: League) -> None:
    ann, _ = duel(league)
    text = words(ann.ask("PRACTICE WITH Hawk AGAINST easy"))
    assert "game 2" in text.lower()
    ann.ask("SURRENDER")
    assert not league.store.get(Game, 2).running
    assert league.store.get(Game, 1).running


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("PRACTICE WITH Hawk AGAINST mean", "there are easy, sound, sharp"),
        ("PRACTICE WITH Falcon", "you have no pilot called Falcon"),
    ],
)
def test_what_is_refused(league: League, ann: Person, order: str, answer: str) -> None:
    assert answer in words(ann.ask(order))
    assert league.store.count(Game.select()) == 0


@pytest.mark.parametrize("order", ["PRACTICE", "PRACTICE WITH Hawk"])
def test_one_pilot_practises_in_one_game(league: League, ann: Person, order: str) -> None:
    ann.ask("PRACTICE")
    refused = ann.ask(order)
    assert "practising already, in game 1" in words(refused)
    assert {"REPORT 1", "DRAW 1"} <= {*links(refused)}
    tap(ann, refused, "DRAW 1")
    league.work()
    assert not league.game.running


def test_who_has_several_pilots_is_asked_which_one_practises(league: League, ann: Person) -> None:
    ann.ask(FALCON)
    refused = ann.ask("PRACTICE")
    tap(ann, refused, "PRACTICE WITH Falcon")
    league.work()
    assert [place.seat for place in league.store.all(Place.select().order_by(Place.id))] == [
        "Falcon"
    ]


def test_who_has_no_pilot_is_shown_how_to_begin(league: League) -> None:
    bob = league.person("Bob")
    bob.join()
    refused = bob.ask("PRACTICE")
    assert "nobody fights for you" in words(refused)
    tap(bob, refused, next(lines for lines in links(refused) if lines.startswith("ENLIST")))
    league.work()
    assert league.game.practice


def test_a_draw_needs_nobody_else(league: League, ann: Person) -> None:
    ann.ask("PRACTICE")
    last = ann.ask("DRAW")
    assert is_last_report(last)
    assert "A draw" in last["Subject"]


def test_who_falls_silent_ends_it_without_consequence(league: League, ann: Person) -> None:
    before = record(league)
    ann.ask("PRACTICE")
    for _ in range(league.settings.league.misses_before_forfeit):
        assert league.game.running
        league.later(24 * 8)
        ann.new()
    assert not league.game.running
    assert record(league) == before
    assert json.loads(league.orders()[-1][0]) == [["|referee", "DRAW"]]


def test_status_tells_of_it(league: League, ann: Person) -> None:
    ann.ask("PRACTICE")
    assert "Hawk against the referee" in words(ann.ask("STATUS"))


@pytest.mark.parametrize("order", ["HISTORY 1", "RECEIPTS 1", "MAP 1", "WATCH 1"])
def test_practice_is_shown_to_nobody_else(league: League, ann: Person, order: str) -> None:
    ann.ask("PRACTICE WITH Hawk")
    bob = league.person("Bob")
    bob.join()
    assert "is not made public" in words(bob.ask(order))
    if order != "WATCH 1":
        ann.reply(order)
        assert all("is not made public" not in words(each) for each in ann.new())
