"""Laws that Cortex keeps, tried on random battles over all its options."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.codec import change, decode, encode
from engine.cortex.apply import apply
from engine.cortex.events import AnyEvent
from engine.cortex.model import Battle, Close
from engine.cortex.phase import phase
from engine.cortex.rules import CORTEX
from engine.cortex.tables import OPTIONS, TENTHS
from engine.cortex.units import is_razed, seats
from engine.cortex.view import view
from engine.dice import ListedDice, Roll
from engine.errors import IllegalOrder
from engine.replay import replay
from engine.ruleset import Outcome
from engine.seats import REFEREE, Seat, may_know
from tests.engine.cortex.battles import CALM, SCENARIO, battle, fighter, idle
from tests.engine.cortex.random_battles import orders, setup, units
from tests.support.effort import tries

law = settings(deadline=None, max_examples=tries(100, 12))
SEEDS = st.integers(0, 2**32)
TURNS = 6


class RecordingDice:
    """Random dice that remember how they fell."""

    def __init__(self, rng: Random) -> None:
        self.rolls: list[Roll] = []
        self._rng = rng

    def roll(self, sides: int, why: str, bounds: Any = ()) -> int:
        """Roll one die."""
        result = self._rng.randint(1, sides)
        self.rolls.append(Roll(sides, result, why))
        return result


@dataclass(frozen=True)
class Step:
    """One step of a battle: the state before, the order, and what came of it."""

    before: Battle
    seat: Seat
    order: Any
    after: Battle
    events: tuple[Any, ...]
    rolls: tuple[Roll, ...]


def turns(seed: int, count: int = TURNS) -> tuple[Any, list[Any]]:
    """A random set-up, and turns of orders."""
    rng = Random(seed)
    made = setup(rng)
    return made, [orders(rng, made, units(made)) for _ in range(count)]


def steps(seed: int) -> Iterator[Step]:
    """Play a random battle, and yield each step that is taken."""
    made, given = turns(seed)
    dice = RecordingDice(Random(seed))
    state = CORTEX.setup(made)
    for entry in SCENARIO.orders(state, given):
        if CORTEX.refusal(state, entry.seat, entry.order) is None:
            dice.rolls = []
            after, events = CORTEX.resolve(state, {entry.seat: [entry.order]}, dice)
            yield Step(state, entry.seat, entry.order, after, events, tuple(dice.rolls))
            state = after


def again(step: Step, before: Battle) -> tuple[Battle, tuple[Any, ...]]:
    """Take a step once more, from a state and with the same dice."""
    dice = ListedDice([roll.result for roll in step.rolls])
    taken = CORTEX.resolve(before, {step.seat: [step.order]}, dice)
    dice.finish()
    assert tuple(dice.rolls) == step.rolls
    return taken


@law
@given(SEEDS)
def test_the_same_orders_and_dice_give_the_same_and_change_nothing_in_place(seed: int) -> None:
    for step in steps(seed):
        kept, text = copy.deepcopy(step.before), encode(step.before)
        assert again(step, step.before) == (step.after, step.events)
        assert (step.before, encode(step.before)) == (kept, text)


@law
@given(SEEDS)
def test_events_fold_to_the_state_after(seed: int) -> None:
    for step in steps(seed):
        state = step.before
        for event in step.events:
            state = apply(state, event)
        assert state == step.after


@law
@given(SEEDS)
def test_states_and_events_survive_their_json(seed: int) -> None:
    """Also in that a state that has been JSON goes on as it would have."""
    for step in steps(seed):
        before = decode(encode(step.before), Battle)
        assert before == step.before
        assert again(step, before) == (step.after, step.events)
        for event in step.events:
            assert decode(encode(event), AnyEvent) == event


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
    for step in steps(seed):
        ended = change(step.before, over=True)
        for state, seat in ((ended, step.seat), (step.before, Seat("nobody"))):
            reason = CORTEX.refusal(state, seat, step.order)
            assert reason == ("over" if state.over else "unknown unit")
            with pytest.raises(IllegalOrder) as raised:
                CORTEX.resolve(change(state, ready=True), {seat: [step.order]}, ListedDice([]))
            assert raised.value.reason == reason


@law
@given(SEEDS)
def test_a_view_is_what_its_seat_has_learned(seed: int) -> None:
    """A state folded from only the events that a seat saw leads to the same view of it."""
    known: dict[Seat | None, Battle] = {}
    for step in steps(seed):
        for seat in (*seats(step.before), None):
            state = known.setdefault(seat, step.before)
            for event in step.events:
                if may_know(event.audience, seat):
                    state = apply(state, event)
            known[seat] = state
            assert view(state, seat) == view(step.after, seat)


@law
@given(SEEDS)
def test_states_are_whole(seed: int) -> None:
    for step in steps(seed):
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
    for step in steps(seed):
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
