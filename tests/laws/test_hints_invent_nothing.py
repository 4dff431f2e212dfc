"""A hint differs from the line that it answers by spelling alone, and never turns its meaning."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import OrderError
from engine.names import closest
from engine.orders.reading import read_for
from tests.laws.systems import SYSTEMS, some_state
from tests.support.our_systems import OURS

DENIALS = """do not {}/don't {}/never {}/no {}/not {}/stop {}/{} not/nobody should {}
without {}/avoid {}/nicht {}/kein {}/{} nicht/niemals {}/ich will nicht {}/hold {}
instead of {}/anything but {}
if i lose advantage {} again/if advantage do not {}/refuse to {}/un{}"""
LINES = [one for line in DENIALS.splitlines() for one in line.split("/")]


def orders_of(ruleset: Any, state: Any) -> list[str]:
    """Return some orders that may be given now, with their piece and without."""
    [seat] = ruleset.to_act(state)[:1]
    whole = [ruleset.format(one.order).lower() for one in ruleset.offers(state, seat)][:12]
    return list(dict.fromkeys([*whole, *(one.split(": ", 1)[-1] for one in whole)]))


def to_act(key: str) -> tuple[Any, Any, Any]:
    """Return a system with a state in which a seat is to act, and that seat."""
    ruleset = SYSTEMS[key]
    states = (some_state(key, 1, steps) for steps in (4, 3, 2, 0))
    state = next(one for one in states if ruleset.to_act(one))
    return ruleset, state, ruleset.to_act(state)[0]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("key", SYSTEMS)
def test_a_line_that_denies_an_order_is_no_hint_to_it(key: str, language: str) -> None:
    ruleset, state, seat = to_act(key)
    for order in orders_of(ruleset, state):
        for line in (form.format(order) for form in LINES if form != "hold {}" or order != "hold"):
            written = read_for(ruleset, state, seat, line, language)
            assert written.empty, line
            assert not [one for near in written.near for one in near.meant], line


@pytest.mark.parametrize("key", OURS)
def test_a_mistyped_order_is_still_shown(key: str) -> None:
    ruleset, state, seat = to_act(key)
    hinted = 0
    for order in orders_of(ruleset, state):
        head, _, rest = order.upper().rpartition(": ")
        mistyped = f"{head}: " * bool(head) + rest[:1] + rest[2:]
        near = read_for(ruleset, state, seat, mistyped).near
        hinted += any(order in [meant.lower() for meant in one.meant] for one in near)
    assert hinted


def hint(read: Callable[[str], str], text: str) -> str:
    """Return what a condition is read as, or the one that its refusal hints at."""
    try:
        return read(text)
    except OrderError as error:
        return error.hint


@pytest.mark.parametrize("key", [key for key, rules in SYSTEMS.items() if rules.conditions])
def test_a_condition_is_not_hinted_by_its_opposite(key: str) -> None:
    conditions = SYSTEMS[key].conditions
    assert conditions is not None
    for condition in (
        "LOCKED",
        "TARGETED",
        "UNDETECTED",
        "ADVANTAGE",
        "ENGAGED",
        "HURT",
        "CRIPPLED",
    ):
        opposites = [f"UN{condition}", f"NO {condition}", condition.removeprefix("UN")]
        for opposite in opposites:
            if opposite == condition:
                continue
            assert hint(conditions.read, opposite) != condition


def test_letters_before_a_word_are_no_slip() -> None:
    assert closest("unlocked", ["LOCKED"]) is None
    assert closest("detected", ["UNDETECTED"]) is None
    assert closest("loked", ["LOCKED"]) == "LOCKED"
