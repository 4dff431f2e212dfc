"""Laws that Cortex keeps, tried on random battles over all its options."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.codec import change
from engine.cortex.model import Close
from engine.cortex.queries import is_razed
from engine.cortex.rules import CORTEX
from engine.cortex.tables import OPTIONS, TENTHS
from engine.cortex.view import phase
from engine.dice import ListedDice
from engine.errors import IllegalOrder
from engine.replay import replay
from engine.ruleset import Outcome
from engine.seats import REFEREE, Seat
from tests.engine.cortex.battles import CALM, SCENARIO, battle, fighter, idle
from tests.engine.cortex.random_battles import orders, setup, units
from tests.laws.scenario_steps import scenario_steps
from tests.oracle.starfarer.author import RecordingDice
from tests.support.trial_counts import tries

law = settings(deadline=None, max_examples=tries(100, 12))
SEEDS = st.integers(0, 2**32)
TURNS = 6


def turns(seed: int, count: int = TURNS) -> tuple[Any, list[Any]]:
    """A random set-up, and turns of orders."""
    rng = Random(seed)
    made = setup(rng)
    return made, [orders(rng, made, units(made)) for _ in range(count)]


@law
@given(SEEDS)
def test_a_refused_order_changes_nothing_and_rolls_no_die(seed: int) -> None:
    """A turn without the orders that were refused goes as it did with them."""
    made, given = turns(seed)
    scenario = {"system": "cortex", "setup": made, "orders": given, "seed": str(seed)}
    first = replay(scenario)
    refused = {entry["index"] for entry in first["refused"]}
    flat = [order for turn in given for order in turn]
    assert refused <= set(range(len(flat)))
    assert [entry["index"] for entry in first["refused"]] == sorted(refused)
    # An order to a vessel that cannot know it keeps its unit named (CX-18), and no more.
    dull, index = [], 0
    for turn in given:
        kept = []
        for order in turn:
            kept.append({"unit": order["unit"], "do": "-"} if index in refused else order)
            index += 1
        dull.append(kept)
    second = replay({**scenario, "orders": dull})
    assert (first["state"], first["rolls"]) == (second["state"], second["rolls"])


@law
@given(SEEDS)
def test_nothing_is_filed_once_it_is_over_or_by_another_seat(seed: int) -> None:
    for step in scenario_steps("cortex", seed):
        [(whose, [order])] = step.orders.items()
        ended = change(step.before, over=True)
        for state, seat in ((ended, whose), (step.before, Seat("nobody"))):
            reason = CORTEX.refusal(state, seat, order)
            assert reason == ("over" if state.over else "unknown unit")
            with pytest.raises(IllegalOrder) as raised:
                CORTEX.resolve(change(state, ready=True), {seat: [order]}, ListedDice([]))
            assert raised.value.reason == reason


@law
@given(SEEDS)
def test_states_are_whole(seed: int) -> None:
    for step in scenario_steps("cortex", seed):
        state = step.after
        active = {name for name, vessel in state.vessels.items() if vessel.fate == "active"}
        members = [name for wing in state.wings for name in wing]
        assert len(members) == len(set(members))
        assert set(members) <= active
        assert all(2 <= len(wing) <= 6 for wing in state.wings)
        for name, vessel in state.vessels.items():
            points = state.sheets[name].lp * TENTHS
            lost = vessel.wound >= points or vessel.stun + vessel.wound >= points
            assert lost == (vessel.fate in ("destroyed", "disabled"))
            assert all(count >= 0 for count in vessel.guns.values())
            assert all(vessel.next.values())
        for lock in state.locks:
            assert {lock.by, lock.at} <= active
        for missile in state.missiles:
            assert missile.at in active
            assert missile.turns >= 1
            assert 0 <= missile.outflown < 15
        for key in state.advantages:
            assert set(key.split("|")) <= active
        for site in state.sites.values():
            assert is_razed(site) == (site.wound == site.lp * TENTHS)
            assert site.lost <= site.population
        assert state.over == (len({state.sheets[name].team for name in active}) < 2)


@law
@given(SEEDS)
def test_who_owes_orders_has_a_unit_without_them(seed: int) -> None:
    for step in scenario_steps("cortex", seed):
        now = phase(step.after)
        assert set(now.owing) <= set(now.may)
        if step.after.over:
            assert now.outcome == Outcome(step.after.winner, step.after.winner is None)
        elif not step.after.orders:
            assert now.owing


@law
@given(SEEDS)
def test_orders_arrive_in_any_order(seed: int) -> None:
    made, given = turns(seed, 1)
    state = CORTEX.setup(made)
    filed: dict[Seat, list[Any]] = {}
    for entry in SCENARIO.orders(state, given):
        if CORTEX.refusal(state, entry.seat, entry.order) is None:
            filed.setdefault(entry.seat, []).append(entry.order)
    assert filed[REFEREE] == [Close()]
    late = {seat: filed[seat] for seat in reversed(filed)}
    first, second = (
        CORTEX.resolve(state, orders, RecordingDice(Random(seed)))[0] for orders in (filed, late)
    )
    assert first == second


@law
@given(SEEDS)
def test_a_battle_in_which_people_give_up_ends(seed: int) -> None:
    made, given = turns(seed, 3)
    last = [{"unit": name, "do": "surrender"} for name in units(made)]
    result = replay(
        {"system": "cortex", "setup": made, "orders": [*given, last], "seed": str(seed)}
    )
    assert result["over"]
    json.dumps(result)


@pytest.mark.parametrize("option", OPTIONS)
def test_each_option_alone_can_be_off(option: str) -> None:
    for seed in range(tries(20, 3)):
        made, given = turns(seed)
        made["atmosphere"] = None
        made["range"], made["ranges"] = "capital", None
        for options in ([option], [one for one in OPTIONS if one not in (option, "crew1")]):
            made["options"] = options
            replay({"system": "cortex", "setup": made, "orders": given, "seed": "x"})


def test_orders_that_are_replaced_do_not_count() -> None:
    start = battle([fighter("Ann")], [fighter("Bo")], options=CALM)
    seat, first = SCENARIO.order(start.battle, {"unit": "Ann", "do": "open"}, 0)
    _, later = SCENARIO.order(start.battle, idle("Ann"), 1)
    filed, _ = CORTEX.resolve(start.battle, {seat: [first, later]}, ListedDice([]))
    assert filed.orders["Ann"] == later.orders
