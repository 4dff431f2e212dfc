"""The laws of a step, tried on random scenarios, which use all options and broken orders too."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.laws.laws import LAWS
from engine.laws.random_games import chance_of
from tests.laws.scenario_steps import SCENARIOS, scenario_steps
from tests.support.our_systems import OURS
from tests.support.trial_counts import tries

TRIED = [law for law in LAWS if law.name in ("repeats", "folds", "keeps secrets", "travels")]


def test_every_system_of_ours_has_scenarios() -> None:
    assert set(SCENARIOS) == set(OURS)


@pytest.mark.parametrize("key", SCENARIOS)
@settings(deadline=None, max_examples=tries(100, 5))
@given(seed=st.integers(0, 2**32))
def test_each_step_of_a_scenario_keeps_the_laws(key: str, seed: int) -> None:
    chance = chance_of(seed, "laws")
    for step in scenario_steps(key, seed):
        if chance.roll(tries(1, 4), "looked at") > 1:
            continue
        for law in TRIED:
            law.check(OURS[key], step, chance)
