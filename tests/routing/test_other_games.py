"""An order for another battle than the letter's names the battle that it fits."""

import pytest

from pbem.storage import Place, Step
from tests.support.each_system import FORCES, SYSTEMS, first_reports
from tests.support.harness import League, Person
from tests.support.players import words


def two_battles(league: League, language: str) -> tuple[Person, Person]:
    """Bring Ann and Bob to a duel of StarPilot and a fight of Starfarer."""
    ann, bob = first_reports(league, "starpilot", language)
    ours, theirs, challenge = FORCES["starfarer"]
    ann.ask(ours)
    bob.ask(theirs)
    ann.ask(challenge)
    bob.new()
    bob.ask("ACCEPT 2")
    ann.new()
    return ann, bob


@pytest.mark.league(systems=SYSTEMS)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("about", "order", "fits"),
    [
        ("[G2-", "SCAN", {"en": "GAME 1: SCAN", "de": "GAME 1: SCAN"}),
        ("[G2-", "FIRE", {"en": "GAME 1: FIRE", "de": "GAME 1: FIRE"}),
        (
            "[G1-",
            "Kitai: ATTACK Cy",
            {"en": "GAME 2: Kitai: ATTACK Cy", "de": "GAME 2: Kitai: ATTACK Cy"},
        ),
    ],
)
def test_an_order_in_the_wrong_thread_names_its_battle(
    league: League, language: str, about: str, order: str, fits: dict[str, str]
) -> None:
    ann, _ = two_battles(league, language)
    answer = ann.ask(order, ann.last_about(about))
    assert fits[language] in words(answer)
    filed = [place.sheet for place in league.store.all(Place.select().order_by(Place.id))]
    assert not any("SCAN" in sheet or "ATTACK Cy" in sheet for sheet in filed)
    # A yes takes it in its own battle.
    ann.ask("YES", answer)
    kept = [place.sheet for place in league.store.all(Place.select().order_by(Place.id))]
    kept += [step.orders for step in league.store.all(Step.select().order_by(Step.id))]
    assert any(order.removeprefix("Kitai: ") in text for text in kept)


@pytest.mark.league(systems=SYSTEMS)
@pytest.mark.parametrize(("order", "game"), [("SCAN", 1), ("Kitai: ATTACK Cy", 2)])
def test_orders_without_a_battle_name_the_one_that_they_fit(
    league: League, order: str, game: int
) -> None:
    ann, _ = two_battles(league, "en")
    answer = words(ann.ask(order, ann.last_about("Welcome")))
    assert f"GAME {game} above the orders" in answer
