"""CX-61 to CX-66: scales, atmosphere, warheads."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cortex.model import Missile
from tests.engine.cortex.battles import (
    CALM,
    DART,
    GUN,
    Skirmish,
    battle,
    fighter,
    idle,
    o,
    ship,
    shot,
    trooper,
)

AIR = {"atmosphere": True, "options": [*CALM, "atmosphere"]}
CRAFT: dict[str, Any] = {"personal": trooper, "planetcraft": fighter, "spacecraft": ship}


def against(scale: str, target: str, **changes: Any) -> Skirmish:
    """Ann with a gun of a scale against Bo of another, who has no armour unless a test says so."""
    ann = CRAFT[scale]("Ann", weapons=[GUN])
    return battle([ann], [CRAFT[target]("Bo", lp=99, **changes)])


@pytest.mark.parametrize(
    ("scale", "target", "gunnery"),
    [
        ("personal", "personal", (8,)), ("personal", "planetcraft", (10,)),
        ("personal", "spacecraft", (12,)), ("planetcraft", "personal", (6,)),
        ("planetcraft", "planetcraft", (8,)), ("planetcraft", "spacecraft", (10,)),
        ("spacecraft", "personal", (2,)), ("spacecraft", "planetcraft", (6,)),
        ("spacecraft", "spacecraft", (8,)),
    ],
)  # fmt: skip
def test_cx_61_to_hit_by_the_weapons_scale(
    scale: str, target: str, gunnery: tuple[int, ...]
) -> None:
    done = against(scale, target).turn(shot("Ann", "Bo"), idle("Bo"), dice=[1, 2, 12])
    assert done.thrown() == [(12, 1), *((sides, 2) for sides in gunnery), (12, 12)]


def test_cx_61_a_weapon_may_have_another_scale_than_its_vessel() -> None:
    heavy = {**GUN, "scale": "spacecraft"}
    start = battle([fighter("Ann", weapons=[heavy])], [fighter("Bo", lp=99)])
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[7, 5, 9, 1])
    assert (done.thrown()[1], done.hurt("Bo")) == ((6, 5), (40, 40))


@pytest.mark.parametrize(
    ("scale", "target", "hurt"),
    [
        ("personal", "personal", (20, 40)), ("planetcraft", "personal", (50, 90)),
        ("spacecraft", "personal", (140, 240)), ("personal", "planetcraft", (5, 15)),
        ("planetcraft", "planetcraft", (20, 40)), ("spacecraft", "planetcraft", (50, 90)),
        ("personal", "spacecraft", (0, 0)), ("planetcraft", "spacecraft", (5, 15)),
    ],
)  # fmt: skip
def test_cx_62_the_larger_weapon_is_multiplied_and_armour_against_the_smaller(
    scale: str, target: str, hurt: tuple[int, int]
) -> None:
    # 3 Stun and 3 + 2 Wound, against armour of 1 and 1.
    start = against(scale, target, armour={"stun": 1, "wound": 1})
    if (scale, target) == ("spacecraft", "personal"):
        done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[12, 1, 7, 2])
    else:
        done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[10, 2, 6, 2])
    assert done.hurt("Bo") == hurt


def test_cx_62_the_worked_example_of_scales() -> None:
    raider = fighter("Bo", lp=14, armour={"stun": 2, "wound": 2})
    start = battle([trooper("Ann", weapons=[GUN])], [raider])
    # 10 points: 5 Stun and 5 + 1 Wound, less 4 and 4: 1 and 2, of which each is half a point.
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[12, 1, 3, 1])
    assert (done.thrown()[1], done.hurt("Bo")) == ((10, 1), (5, 10))


def test_cx_62_without_scales_all_count_as_planetcraft() -> None:
    options = [one for one in CALM if one != "scales"]
    start = battle([trooper("Ann")], [ship("Bo")], options=options)
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[10, 2, 6, 2])
    assert (done.thrown()[1], done.hurt("Bo")) == ((8, 2), (30, 50))
    called = shot("Ann", "Bo", called="engines"), idle("Bo")
    assert start.turn(*called, dice=[10, 2, 12, 1, 6, 1]).events_of("Resisted")[0].needed == 7


@pytest.mark.parametrize(
    ("scale", "target", "needed"),
    [
        ("personal", "personal", 7), ("personal", "planetcraft", 3),
        ("planetcraft", "personal", 11), ("planetcraft", "planetcraft", 7),
        ("planetcraft", "spacecraft", 3), ("spacecraft", "planetcraft", 11),
        ("spacecraft", "spacecraft", 7),
    ],
)  # fmt: skip
def test_cx_63_called_shots_are_resisted_by_scale(scale: str, target: str, needed: int) -> None:
    called = shot("Ann", "Bo", called="engines")
    done = against(scale, target).turn(called, idle("Bo"), dice=[10, 2, 6, 4, 6, 6])
    assert (done.events_of("Resisted")[0].needed, done.events_of("Resisted")[0].passed) == (
        needed,
        needed <= 12,
    )


def test_cx_63_spacecraft_at_persons_and_persons_at_spacecraft() -> None:
    called = shot("Ann", "Bo", called="engines")
    # d8 and -3 and -2 steps: no gunnery die.
    done = against("spacecraft", "personal").turn(called, idle("Bo"), dice=[10, 6, 1, 6, 6])
    assert (done.events_of("Resisted")[0].needed, done.of("Bo").speed) == (15, 4)
    done = against("personal", "spacecraft").turn(called, idle("Bo"), dice=[12, 8, 3, 6])
    assert (done.hurt("Bo"), done.events_of("Resisted")) == ((18, 28), [])


def feet(distance: int, *, ann: dict[str, Any] | None = None) -> Skirmish:
    """Ann and Bo in an atmosphere, so many feet apart."""
    return battle([ann or fighter("Ann")], [fighter("Bo")], range=distance, **AIR)


def test_cx_64_ranges_are_feet() -> None:
    for distance, far in ((10_000, ["out of range"]), (10_001, [])):
        assert feet(distance).why(o("Ann", "withdraw"), idle("Bo")) == far
    for distance, near in ((1_000, []), (1_001, ["out of range"])):
        dice = [] if near else [10, 1]
        assert feet(distance).why(o("Ann", "ram", at="Bo"), idle("Bo"), dice=dice) == near
    lock = o("Ann", "lock", weapon="dart", at="Bo")
    for distance, needed in ((1_001, 3), (5_000, 3), (5_001, 7), (10_000, 7), (10_001, 11)):
        done = feet(distance).turn(lock, idle("Bo"), dice=[1, 1])
        assert done.events_of("Attacked")[0].needed == needed


def test_cx_64_a_thousand_feet_for_each_point_of_speed() -> None:
    start = feet(12_000).having("Bo", speed=3)
    close, flee = o("Ann", "close", at="Bo"), o("Bo", "open")

    def after(*orders: Any) -> Any:
        return start.turn(*orders).state["pairs"]["Ann|Bo"]["range"]

    assert after(close, idle("Bo")) == 4_000
    assert after(close, flee) == 7_000
    assert after(close, o("Bo", "close", at="Ann")) == 1_000
    assert after(o("Ann", "open"), flee) == 23_000
    assert feet(4_000).turn(close, idle("Bo")).state["pairs"]["Ann|Bo"]["range"] == 100


@pytest.mark.parametrize(
    ("reach", "distance", "gunnery"),
    [
        ("skirmish", 1_000, (8,)), ("skirmish", 1_001, (6,)), ("skirmish", 2_001, (4,)),
        ("skirmish", 4_001, ()), ("skirmish", 10_000, ()), ("capital", 5_000, (8,)),
        ("capital", 5_001, (6,)), ("short", 10_001, (6,)), ("long", 25_000, (8,)),
        ("long", 50_001, (4,)),
    ],
)  # fmt: skip
def test_cx_65_a_step_less_for_each_increment_begun(
    reach: str, distance: int, gunnery: tuple[int, ...]
) -> None:
    start = feet(distance, ann=fighter("Ann", weapons=[{**GUN, "range": reach}]))
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[2, *(1 for _ in gunnery), 12])
    assert [sides for sides, _ in done.thrown()] == [12, *gunnery, 12]


@pytest.mark.parametrize(("reach", "last"), [("skirmish", 10_000), ("capital", 50_000)])
def test_cx_65_more_than_ten_are_out_of_range(reach: str, last: int) -> None:
    ann = fighter("Ann", weapons=[{**GUN, "range": reach}])
    assert feet(last, ann=ann).why(shot("Ann", "Bo"), idle("Bo"), dice=[2, 12]) == []
    assert feet(last + 1, ann=ann).why(shot("Ann", "Bo"), idle("Bo")) == ["out of range"]


@pytest.mark.parametrize(
    ("scale", "size", "sides"),
    [
        ("planetcraft", "light", 2), ("planetcraft", "medium", 4), ("planetcraft", "heavy", 6),
        ("spacecraft", "light", 4), ("spacecraft", "medium", 4), ("spacecraft", "heavy", 6),
        ("spacecraft", "extreme", 8),
    ],
)  # fmt: skip
def test_cx_66_four_dice_by_scale_and_size(scale: str, size: str, sides: int) -> None:
    weapons = [{**DART, "scale": scale, "size": size}]
    start = battle([fighter("Ann", lp=99)], [fighter("Bo", weapons=weapons)])
    start = start.with_state(missiles=(Missile("M1", "Bo", "dart", "Ann", 1, 0),), launched=1)
    done = start.turn(idle("Ann"), idle("Bo"), dice=[1, 1, 1, 1])
    assert done.thrown() == [(sides, 1)] * 4


def test_cx_66_in_an_atmosphere_the_blast_catches_others() -> None:
    heavy = [{**DART, "scale": "spacecraft", "size": "light"}]
    blue = [fighter(name, lp=99) for name in ("Ann", "Amy", "Abe")]
    red = [fighter(name, lp=99, weapons=heavy) for name in ("Bo", "Bea", "Bud", "Ben")]
    far = {"Ann|Bo": 250, "Ann|Bea": 251, "Ann|Bud": 1_000, "Ann|Ben": 1_001}
    start = battle(blue, red, range=100, ranges=far, **AIR).wing("Abe", "Ann")
    start = start.with_state(missiles=(Missile("M1", "Bo", "dart", "Ann", 1, 0),), launched=1)
    names = ("Amy", "Abe", "Bo", "Bea", "Bud", "Ben")
    done = start.turn(*map(idle, names), dice=[4, 2, 2, 1])
    # Four dice for the target and Bo, who launched it; three for the wing and Bea; one for Bud.
    hurt = {name: sum(done.hurt(name)) // 20 for name in ("Ann", *names)}
    assert hurt == {"Ann": 9, "Abe": 8, "Bo": 9, "Bea": 8, "Bud": 4, "Amy": 0, "Ben": 0}
    assert list(done.events_of("Arrived")[0].shares) == ["Ann", "Abe", "Bo", "Bea", "Bud"]
