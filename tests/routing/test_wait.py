"""WAIT and READY where turns are simultaneous, in systems that declare it."""

import pytest

from pbem.games.step_log import sheets_after
from pbem.handlers.moderator.ruling_table import rule
from pbem.storage import Place, Step, Turnout
from tests.support.harness import League, Person, duel, fixed_entropy, skies
from tests.support.players import words

RED, BLUE = "Red: STEADY; HOLD FIRE", "Blue: 2 BREAK; HOLD FIRE"

pytestmark = pytest.mark.league(entropy=fixed_entropy, turns_per_letter=4)


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    return skies(league, "Hawks WITH Red: 1 Gadfly SKILL 2", "Kites WITH Blue: 1 Gadfly SKILL 2")


def test_in_turns_one_after_the_other_nothing_waits(league: League) -> None:
    ann, _ = duel(league)
    answer = words(ann.ask("WAIT 1"))
    assert "in StarPilot 3.1 one acts after the other, and nothing waits" in answer
    assert not any(place.waiting for place in league.store.all(Place.select().order_by(Place.id)))


def test_a_turn_is_resolved_when_all_have_sent_orders(
    league: League, people: tuple[Person, Person]
) -> None:
    for person, order in zip(people, (RED, BLUE), strict=True):
        person.reply(order)
    league.work()
    assert league.game.turn == 2


def test_wait_holds_the_turn_until_ready(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    assert "held until its deadline, or your READY" in words(ann.ask(f"WAIT\n{RED}"))
    assert "The referee is waiting for" not in words(bob.ask(BLUE))
    assert "you are ready, and game 1 waits for others" in words(bob.ask("READY"))
    league.later(70)
    league.work()
    assert league.game.turn == 1
    ann.reply("READY")
    league.work()
    assert league.game.turn == 2
    assert not any(place.waiting for place in league.store.all(Place.select().order_by(Place.id)))


def test_ready_without_orders_is_told_so_whoever_else_is_ready(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    before = words(ann.ask("READY"))
    bob.ask(BLUE)
    assert "Hawks has no legal order in game 1; send orders" in before
    assert "Hawks has no legal order in game 1; send orders" in words(ann.ask("READY"))
    ann.reply(f"READY\n{RED}")
    league.work()
    assert league.game.turn == 2


def test_who_takes_a_place_over_has_not_said_wait(
    league: League, people: tuple[Person, Person]
) -> None:
    _, bob = people
    cid = league.person("Cid")
    cid.join()
    bob.ask("WAIT")
    with league.store.transaction():
        rule(league.service.ports, "OPEN 1 Kites", league.now)
    cid.reply("TAKEOVER 1")
    league.work()
    assert not any(place.waiting for place in league.store.all(Place.select().order_by(Place.id)))


def test_orders_after_each_turn_are_in_the_log(
    league: League, people: tuple[Person, Person]
) -> None:
    for person, element in zip(people, ("Red", "Blue"), strict=True):
        person.reply("\n".join([f"{element}: STEADY; HOLD FIRE"] * 3))  # nobody ends it early
    league.work()
    steps = league.store.all(Step.select().where(Step.game == league.game.id).order_by(Step.id))
    assert len(steps) == 3
    assert sheets_after(steps) == {
        p.seat: p.sheet for p in league.store.all(Place.select().order_by(Place.id))
    }


def test_wait_holds_the_turn_until_the_deadline_and_is_no_miss(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask(f"WAIT\n{RED}")
    bob.ask(BLUE)
    league.later(72.1)
    league.work()
    assert league.game.turn == 2
    assert [(p.misses, p.waiting) for p in league.store.all(Place.select().order_by(Place.id))] == [
        (0, False)
    ] * 2
    assert league.store.count(Turnout.select().where(Turnout.met == True)) == 2
