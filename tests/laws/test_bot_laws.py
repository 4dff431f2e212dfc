"""Laws of bots, tested on random games of every system."""

from typing import Any

import pytest

from engine.codec import encode
from engine.dice import SeededDice
from engine.laws.random_games import WildDice, chance_of
from engine.orders.orders_on_file import Sheet
from engine.preview.budget import Budget
from engine.preview.odds import Odds, odds
from engine.seats import Seat
from tests.laws.systems import SYSTEMS, System, some_state
from tests.laws.test_laws import LENGTHS, SEEDS, law
from tests.support.our_systems import OURS
from tests.support.trial_counts import some, tries


def chosen(ruleset: System, strength: str, state: object, seat: Seat, seed: int) -> str:
    """The order of a bot whose own dice depend on a seed."""
    order = ruleset.bots.choose[strength](state, seat, SeededDice(b"whims", "G1", seed, b""))
    return ruleset.format(order)


@law(few=5, seed=SEEDS, steps=LENGTHS)
def test_bots_choose_what_is_legal_and_the_same_again(key: str, seed: int, steps: int) -> None:
    ruleset, state = SYSTEMS[key], some_state(key, seed, steps)
    before = encode(state)
    for seat in ruleset.to_act(state):
        for strength in ruleset.strengths:
            first, second = (chosen(ruleset, strength, state, seat, seed) for _ in range(2))
            assert first == second
            assert ruleset.refusal(state, seat, ruleset.parse(state, seat, first)) is None
    assert encode(state) == before


@law(seed=SEEDS, steps=LENGTHS)
def test_only_a_seat_is_struck(key: str, seed: int, steps: int) -> None:
    ruleset, state = SYSTEMS[key], some_state(key, seed, steps)
    orders = {s: [ruleset.offers(state, s)[0].order] for s in ruleset.to_act(state)[:1]}
    _, events = ruleset.resolve(state, orders, WildDice(chance_of(seed, "a step")))
    assert {ruleset.telling.struck(event) for event in events} <= {None, *ruleset.seats(state)}


def asked(ruleset: Any, state: Any, seed: str) -> Odds:
    """Return the odds of the first seat without orders, by a budget that is never used up."""
    found = odds(ruleset, state, ruleset.seats(state)[0], Sheet(), seed, Budget(10**9))
    assert found is not None
    return found


@pytest.mark.parametrize("key", some([*OURS], 1))
def test_odds_are_shares_and_the_same_again(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.preview.odds._FIGHTS", tries(200, 20))
    ruleset, state = SYSTEMS[key], some_state(key, 5, 3)
    first = asked(ruleset, state, "G1 3")
    assert first == asked(ruleset, state, "G1 3")
    assert first.won + first.lost + first.open == 100
    assert first.taken >= 0 <= first.given
    assert any(first != asked(ruleset, state, name) for name in ("G1 4", "G1 5", "G1 6"))
    assert odds(ruleset, state, ruleset.seats(state)[0], Sheet(), "G1 3", Budget(0)) is None
