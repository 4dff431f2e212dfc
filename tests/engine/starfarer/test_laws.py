"""Laws that Starfarer keeps, tried on the random fights of tests/oracle/starfarer."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.codec import change, encode
from engine.dice import ListedDice, Roll
from engine.errors import IllegalOrder
from engine.ruleset import Outcome
from engine.seats import REFEREE, Seat
from engine.starfarer.model import End, Plan, seats
from engine.starfarer.possible_orders import offers
from engine.starfarer.rules import STARFARER
from engine.starfarer.tables import CIRCLES
from engine.starfarer.view import phase, status, view
from tests.laws.scenario_steps import scenario_steps
from tests.oracle.starfarer.author import Author, RecordingDice, author
from tests.support.trial_counts import tries

law = settings(deadline=None, max_examples=tries(100, 5))
SEEDS = st.integers(0, 2**32)


@law
@given(SEEDS)
def test_a_refused_order_changes_nothing_and_rolls_no_die(seed: int) -> None:
    writer = author(Random(seed))
    refused = 0
    for step in scenario_steps("starfarer", seed):
        for entry in writer.orders[:20]:
            seat, order = STARFARER.scenario.order(step.before, entry, 0)
            reason = STARFARER.refusal(step.before, seat, order)
            if reason is not None:
                refused += 1
                kept = encode(step.before)
                with pytest.raises(IllegalOrder) as raised:
                    STARFARER.resolve(step.before, {seat: [order]}, ListedDice([]))
                assert raised.value.reason == reason
                assert encode(step.before) == kept


@law
@given(SEEDS)
def test_a_view_does_not_change_with_the_plans_of_others(seed: int) -> None:
    """Seen when a round ends, for then all its plans are on file."""
    for step in scenario_steps("starfarer", seed):
        for seat in (*seats(step.before), None) if step.orders.keys() == {REFEREE} else ():
            own = {n: p for n, p in step.before.plans.items() if step.before.sheets[n].seat == seat}
            if own != step.before.plans:
                assert view(change(step.before, plans=own), seat) == view(step.before, seat)


@law
@given(SEEDS)
def test_plans_arrive_in_any_order(seed: int) -> None:
    writer = author(Random(seed))
    state = STARFARER.setup(writer.setup)
    orders: dict[Seat, list[Any]] = {}
    for index, entry in enumerate(writer.orders):
        seat, order = STARFARER.scenario.order(state, entry, index)
        if isinstance(order, Plan) and STARFARER.refusal(state, seat, order) is None:
            orders.setdefault(seat, []).append(order)
    orders[REFEREE] = [End()]
    late = dict(reversed(orders.items()))
    first, second = (
        STARFARER.resolve(state, given, RecordingDice(Random(seed))) for given in (orders, late)
    )
    assert first == second


@law
@given(SEEDS)
def test_states_are_whole(seed: int) -> None:
    for step in scenario_steps("starfarer", seed):
        for name, body in step.after.bodies.items():
            assert (body.fate == "unconscious") == (body.wakes is not None)
            if body.fate != "active":
                assert (body.ap, body.evade, body.parry, body.aim) == (0, 0, 0, None)
            for area, circles in enumerate(body.wounds):
                assert all(len(m) <= most for m, most in zip(circles, CIRCLES, strict=True))
                assert body.bleeding[area] >= 0
                assert body.clock[area] == 0 or body.bleeding[area] > 0
            assert 0 <= body.at <= step.after.field or body.fate == "left"
            # A modifier below 0 that is taken back may make a phase for the next round (SF-10).
            if step.after.round != step.before.round and not step.after.options.modifiers:
                assert body.ap < 10
            assert step.after.sheets[name] is step.before.sheets[name]


@law
@given(SEEDS)
def test_a_fight_in_which_people_give_up_ends_and_then_nobody_plans(seed: int) -> None:
    writer = Author(Random(seed))
    for _ in range(400):
        if not writer.state.over:
            writer.write_round()
            writer.give({"round": writer.state.round, "end": True})
    state = writer.state
    assert state.over
    ended = phase(state)
    assert (ended.may, ended.owing) == ((), {})
    assert ended.outcome == Outcome(state.winner, drawn=state.winner is None)
    for entry in writer.orders[:9]:
        seat, order = STARFARER.scenario.order(state, entry, 0)
        assert STARFARER.refusal(state, seat, order) == "over"
    assert not any(offers(state, seat) for seat in seats(state))


@law
@given(SEEDS)
def test_who_may_plan_has_somebody_active(seed: int) -> None:
    for step in scenario_steps("starfarer", seed):
        if not step.after.over:
            now = phase(step.after)
            assert set(now.owing) <= set(now.may)
            for seat in seats(step.after):
                assert (seat in now.may) == (status(step.after, seat) == "in play")
                owes = bool(view(step.after, seat)["to_order"])
                assert owes == (seat in now.owing)


@law
@given(SEEDS)
def test_what_is_offered_is_taken_and_has_the_chance_that_is_rolled(seed: int) -> None:
    rng = Random(seed)
    for step in scenario_steps("starfarer", seed):
        found = [one for seat in seats(step.after) for one in offers(step.after, seat)]
        for offered in rng.sample(found, min(len(found), 4)):
            name, action = offered.character, offered.action
            # Only that character has a phase, and all checks of its limbs are passed.
            bodies = {other: change(b, ap=-99) for other, b in step.after.bodies.items()}
            sheet = step.after.sheets[name]
            bodies[name] = change(bodies[name], ap=18 - sheet.initiative)
            plan = Plan(name, (((action,),), (((type(action)("hold")),),)))
            ready = change(step.after, bodies=bodies, plans={})
            orders = {sheet.seat: [plan], REFEREE: [End()]}
            _, events = STARFARER.resolve(ready, orders, Lucky())
            kinds = {type(event).__name__: event for event in reversed(events)}
            assert kinds["Acted"].do == action.do
            if offered.chance is not None:
                expected = {"attack": "Attacked", "treat": "Treated"}.get(action.do, "Defended")
                assert min(kinds[expected].mcs, 95) == offered.chance
            limbs = [e.mcs for e in events if type(e).__name__ == "LimbChecked"]
            assert tuple(min(mcs, 95) for mcs in limbs[: len(offered.checks)]) == offered.checks


class Lucky:
    """Dice that always show 1."""

    def __init__(self) -> None:
        self.rolls: list[Roll] = []

    def roll(self, sides: int, why: str, bounds: Any = ()) -> int:
        """Roll one die."""
        self.rolls.append(Roll(sides, 1, why))
        return 1
