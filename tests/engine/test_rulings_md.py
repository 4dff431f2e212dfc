"""docs/rulings.md names tests that exist, and each ruling has one."""

import re

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
RULINGS = [*(str(number) for number in range(1, 37)), "28a", "28b", "28c"]


def all_tests() -> set[str]:
    names = {*vars(test_rulings), *vars(test_campaign)}
    return {name for name in names if name.startswith("test_sp_")}


def test_every_ruling_has_a_test_named_after_it() -> None:
    tested = {re.match(r"test_sp_(\d+[a-c]?)_", name) for name in all_tests()}
    assert None not in tested
    assert {match[1] for match in tested if match} == set(RULINGS)


def test_the_table_names_the_tests_that_there_are() -> None:
    named = rows_of("SP")
    assert {name for _, name in named} == all_tests()
    assert all(name.startswith(f"test_sp_{key}_") for key, name in named)


def rows_of(prefix: str) -> set[tuple[str, str]]:
    """Each ruling with each of its tests that the tables name."""
    rows = re.findall(rf"^\| {prefix}-(\w+) \| (.+) \|$", TABLE.read_text(), re.M)
    return {(key, name) for key, tests in rows for name in re.findall(r"`(\w+)`", tests)}


def test_black_skies_has_a_test_a_ruling_and_a_table_that_names_them() -> None:
    tests = {name for name in vars(skies) if name.startswith("test_bs_")}
    named = rows_of("BS")
    assert {name for _, name in named} == tests
    assert all(name.startswith(f"test_bs_{key}_") for key, name in named)
    assert {key for key, _ in named} == {str(number) for number in range(1, 29)}


def test_starfarer_has_a_test_a_ruling_and_a_table_that_names_them() -> None:
    modules = (
        test_round_rulings,
        test_attack_rulings,
        test_damage_rulings,
        test_wound_rulings,
        test_danger_rulings,
        test_end_rulings,
        test_order_rulings,
    )
    tests = {name for one in modules for name in vars(one) if name.startswith("test_sf_")}
    named = rows_of("SF")
    assert {name for _, name in named} == tests
    assert all(name.startswith(f"test_sf_{key}_") for key, name in named)
    assert {key for key, _ in named} == {str(number) for number in range(1, 45)}


def test_cortex_has_a_test_a_ruling_and_a_table_that_names_them() -> None:
    modules = (
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
    tests = {name for one in modules for name in vars(one) if name.startswith("test_cx_")}
    named = rows_of("CX")
    assert {name for _, name in named} == tests
    assert all(name.startswith(f"test_cx_{key}_") for key, name in named)
    assert {key for key, _ in named} == {str(number) for number in range(1, 73)}
