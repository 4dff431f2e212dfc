"""What the last letter of a battle offers can be done on the day on which it comes."""

import pytest

from pbem.people import career_log, personas
from tests.support.each_system import FORCES, SYSTEMS, first_reports
from tests.support.harness import League, Person, duel
from tests.support.link_taps import links
from tests.support.players import words

SEATS = {system: [force.split()[1] for force in both[:2]] for system, both in FORCES.items()}
OFFERS = ("REMATCH", "PATROL", "SPEND", "CHALLENGE", "PRACTICE")


def offered(league: League, person: Person) -> list[str]:
    """Return the orders that the last letter of the battle has links for."""
    league.work()
    found = links(person.last_about("[G1-"))
    return [one for one in found if one.split()[0] in OFFERS]


@pytest.mark.league(systems=SYSTEMS)
@pytest.mark.parametrize("loser", [0, 1, None])
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_final_letter_offers_is_done(league: League, system: str, loser: int | None) -> None:
    people = first_reports(league, system, "en")
    league.rule("DRAW 1" if loser is None else f"FORFEIT 1 {SEATS[system][loser]}")
    for person in people:
        for order in offered(league, person)[:1]:
            assert "Done:" in words(person.ask(order)) or "Game 2" in words(person.last), order
        league.later(24)
        league.work()


@pytest.mark.league(systems=SYSTEMS)
def test_points_are_offered_only_when_they_can_be_spent(league: League) -> None:
    ann, _ = first_reports(league, "starpilot", "en")
    row = personas.named(league.store, "Hawk")
    assert row is not None
    given = row.record.replace('"hp": 0', '"hp": 30')
    assert given != row.record
    personas.set_record(league.store, row, given)
    # The commitment to its die must be told before the first reward.
    career_log.next_reward(league.store, row)
    league.rule("DRAW 1")
    assert "SPEND 1 FOR Hawk" in offered(league, ann)
    spent = ann.ask("SPEND 1 FOR Hawk")
    if "send the order again" in words(spent):
        spent = ann.ask("SPEND 1 FOR Hawk")
    assert "could not be done" not in words(spent)
    again = ann.ask("REPORT 1")
    assert not [one for one in links(again) if one.startswith("SPEND")]


def test_who_may_not_endorse_is_not_told_to(league: League) -> None:
    _, bob = duel(league)
    league.rule("DRAW 1")
    league.work()
    citation = "NOMINATE Hawk IN 1\nHe stayed when he could have run."
    bob.ask(citation)
    again = words(bob.ask(citation))
    assert "names Hawk for game 1 already" in again
    assert "ENDORSE" not in again
