"""docs/rulings.md names tests that exist, and each ruling has one."""

import re
from collections.abc import Sequence
from types import ModuleType

import pytest

from tests.by_chat import test_live_rulings
from tests.engine import test_campaign, test_rulings
from tests.engine.blackskies import test_rulings as skies
from tests.engine.cortex import (
    test_action_rulings,
    test_bombardment_rulings,
    test_collision_rulings,
    test_crew_rulings,
    test_dice_rulings,
    test_missile_rulings,
    test_scale_rulings,
    test_turn_rulings,
    test_wing_rulings,
)
from tests.engine.starfarer import (
    test_attack_rulings,
    test_damage_rulings,
    test_danger_rulings,
    test_end_rulings,
    test_order_rulings,
    test_round_rulings,
    test_wound_rulings,
)
from tests.support.paths import DOCS

TABLE = DOCS / "rulings.md"
STARPILOT = (test_rulings, test_campaign, test_live_rulings)
STARFARER = (
    test_round_rulings,
    test_attack_rulings,
    test_damage_rulings,
    test_wound_rulings,
    test_danger_rulings,
    test_end_rulings,
    test_order_rulings,
)
CORTEX = (
    test_dice_rulings,
    test_action_rulings,
    test_turn_rulings,
    test_collision_rulings,
    test_wing_rulings,
    test_missile_rulings,
    test_crew_rulings,
    test_scale_rulings,
    test_bombardment_rulings,
)


@pytest.mark.parametrize(
    ("prefix", "modules", "last", "added"),
    [
        ("SP", STARPILOT, 42, {"28a", "28b", "28c"}),
        ("BS", (skies,), 28, set()),
        ("SF", STARFARER, 44, set()),
        ("CX", CORTEX, 72, set()),
    ],
)
def test_the_table_names_a_test_for_each_ruling_and_each_test(
    prefix: str, modules: Sequence[ModuleType], last: int, added: set[str]
) -> None:
    beginning = f"test_{prefix.lower()}_"
    tests = {name for one in modules for name in vars(one) if name.startswith(beginning)}
    rows = re.findall(rf"^\| {prefix}-(\w+) \| (.+) \|$", TABLE.read_text(), re.M)
    named = {(key, name) for key, cell in rows for name in re.findall(r"`(\w+)`", cell)}
    assert {name for _, name in named} == tests
    assert all(name.startswith(f"{beginning}{key}_") for key, name in named)
    assert {key for key, _ in named} == {str(number) for number in range(1, last + 1)} | added
