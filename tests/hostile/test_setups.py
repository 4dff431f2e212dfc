"""Names that collide in a set-up, and set-ups that the rules refuse: nobody is stopped by them."""

from dataclasses import replace
from itertools import product

import pytest

from engine.errors import SetupError
from engine.names import fold
from engine.registry import RULESETS
from pbem.storage import Offer
from tests.support.daemon_until_idle import work
from tests.support.harness import League, Person
from tests.support.players import words

AYES = "SQUADRON Ayes WITH Red: 2 Gadfly SKILL 2; Red 1: 1 Gadfly SKILL 2"
BEES = "SQUADRON Bees WITH Ayes Red: 2 Gadfly SKILL 2; Red 1: 1 Gadfly SKILL 2"
CEES = "SQUADRON Cees WITH Ayes Red 1: 2 Gadfly SKILL 2; Red: 1 Gadfly SKILL 2"

pytestmark = pytest.mark.league(patrol_bots="easy", patrol_hours=10)


def flying(league: League, name: str, *squadrons: str) -> Person:
    """Return a player with squadrons."""
    person = league.person(name)
    person.join()
    for squadron in squadrons:
        person.ask(squadron)
    return person


def elements(prefix: str, count: int) -> str:
    """Return the elements of a squadron, as its order writes them."""
    return "; ".join(f"{prefix}{n}: 1 Gadfly SKILL 2" for n in range(1, count + 1))


def test_hostile_two_ordinary_letters_leave_the_daemon_at_work(league: League) -> None:
    """The two lines of the issue: an element is called like another one's fighter."""
    ann = flying(league, "Ann", AYES)
    ann.ask("PATROL WITH Ayes")
    league.later(11)
    work(league.service, league.mailbox, league.post, league.now)
    [first] = ann.new()
    assert "a house player of the referee's is your opponent (its level: easy)" in words(first)
    assert [
        row.state
        for row in league.store.all(Offer.select().where(Offer.patrol == True).order_by(Offer.id))
    ] == ["begun"]


def test_hostile_names_that_collide_are_told_apart_in_every_battle() -> None:
    campaign = RULESETS["blackskies"].campaign
    assert campaign is not None
    pieces = [campaign.enlist(text.partition(" ")[2]) for text in (AYES, BEES, CEES)]
    pairs = [pair for pair in product(pieces, pieces) if pair[0] is not pair[1]]
    setups = [campaign.melee((one,), (other,), None) for one, other in pairs]
    setups += [
        campaign.melee(pieces[:2], pieces[2:], None),
        campaign.melee(pieces[2:], pieces[:2], None),
    ]
    for setup in setups:
        state = RULESETS["blackskies"].setup(setup)
        names = [fold(name) for name in (*state.elements, *state.fighters)]
        assert len(names) == len({*names})


def test_hostile_practice_with_names_that_collide_begins(league: League) -> None:
    ann = flying(league, "Ann", AYES)
    assert "the battle begins" in ann.ask("PRACTICE WITH Ayes")["Subject"]


def test_hostile_an_acceptance_with_names_that_collide_begins_the_battle(league: League) -> None:
    ann, bob = flying(league, "Ann", AYES), flying(league, "Bob", BEES)
    ann.ask("CHALLENGE Bees WITH Ayes")
    bob.new()
    assert "the battle begins" in bob.ask("ACCEPT 1")["Subject"]
    assert league.last_letter().state == "answered"


def test_hostile_a_team_of_more_than_eight_elements_is_refused_when_it_is_written(
    league: League,
) -> None:
    ann = flying(
        league,
        "Ann",
        f"SQUADRON Ayes WITH {elements('Red ', 5)}",
        f"SQUADRON Bees WITH {elements('Blue ', 4)}",
    )
    flying(league, "Bob", f"SQUADRON Cees WITH {elements('Gold ', 6)}")
    answer = words(ann.ask("TEAM CHALLENGE Cees WITH Ayes, Bees"))
    assert "a side has at most 8 elements, and these squadrons have 9" in answer
    assert league.store.all(Offer.select().where(Offer.patrol == False).order_by(Offer.id)) == []


def test_hostile_a_challenge_that_the_rules_refuse_by_now_is_closed(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No matter what has changed since it was written: all learn of it; no letter is shunted."""
    ann, bob = flying(league, "Ann", AYES), flying(league, "Bob", BEES)
    ann.ask("CHALLENGE Bees WITH Ayes")
    bob.new()
    _refuse_all(monkeypatch)
    answer = words(bob.ask("ACCEPT 1"))
    assert "the rules refuse this battle (setup.teams: the catalogue changed)" in answer
    assert [
        row.state
        for row in league.store.all(Offer.select().where(Offer.patrol == False).order_by(Offer.id))
    ] == ["void"]
    assert "Challenge 1 is closed" in ann.new()[-1]["Subject"]
    assert league.last_letter().state == "answered"


@pytest.mark.parametrize(
    "order", ["PRACTICE WITH Ayes", "SQUADRON Dees WITH Red: 1 Gadfly SKILL 2"]
)
def test_hostile_what_the_rules_refuse_is_answered(
    league: League, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    ann = flying(league, "Ann", AYES)
    _refuse_all(monkeypatch)
    assert "the rules refuse this battle" in words(ann.ask(order))
    assert league.last_letter().state == "answered"


def test_hostile_a_patrol_that_the_rules_refuse_ends_and_is_told(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = flying(league, "Ann", AYES)
    ann.ask("PATROL WITH Ayes")
    league.later(11)
    _refuse_all(monkeypatch)
    [letter] = ann.new()
    assert "Ayes is on patrol no longer" in letter["Subject"]
    assert [
        row.state
        for row in league.store.all(Offer.select().where(Offer.patrol == True).order_by(Offer.id))
    ] == ["void"]


def _refuse_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the rules refuse every set-up from now on."""

    def refuse(setup: object) -> object:
        raise SetupError("setup.teams: the catalogue changed")

    monkeypatch.setitem(RULESETS, "blackskies", replace(RULESETS["blackskies"], setup=refuse))
