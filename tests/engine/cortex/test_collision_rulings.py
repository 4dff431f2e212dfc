"""CX-26 to CX-34: collisions, strafing runs, battle damage."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cortex.model import Missile
from tests.engine.cortex.battles import (
    CALM,
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

ROCK = {"name": "rock", "size": "medium", "speed": 9, "vector": "toward"}
STRIKES = {"turn": 1, "against": "Ann"}
NEAR = {"range": "skirmish"}
QUIET = idle("Ann"), idle("Bo")


def meeting(rock: dict[str, Any], ann: dict[str, Any] | None = None, **changes: Any) -> Skirmish:
    """A battle in which an obstacle strikes at Ann in the first turn."""
    obstacles = [{**rock, **STRIKES}]
    return battle([ann or fighter("Ann")], [fighter("Bo")], obstacles=obstacles, **changes)


@pytest.mark.parametrize(
    ("rock", "needed"),
    [
        ({"size": "medium", "speed": 9, "vector": "toward"}, 19),
        ({"size": "gigantic", "speed": 9, "vector": "perpendicular"}, 15),
        ({"size": "small", "speed": 8, "vector": "toward"}, 11),
        ({"size": "small", "speed": 5, "vector": "perpendicular"}, 3),
        ({"size": "medium", "speed": 3, "vector": "away"}, 3),
        ({"size": "medium", "speed": 2, "vector": "toward"}, 7),
        ({"size": "medium", "speed": 0, "vector": "perpendicular"}, 3),
        ({"size": "small", "speed": 3, "vector": "away"}, -1),
    ],
)
def test_cx_26_size_of_the_smaller_speed_of_the_faster_and_vector(
    rock: dict[str, Any], needed: int
) -> None:
    # Below 3 there is no roll. The fighter is of medium size and flies at Speed 1.
    start = meeting({"name": "rock", **rock}, fighter("Ann", speed=1))
    done = start.turn(*QUIET, dice=[12, 10] if needed >= 3 else [])
    avoided = done.events_of("Avoided")[0]
    assert (avoided.needed, avoided.passed) == (needed, True)


@pytest.mark.parametrize(
    ("made", "strength", "needed"),
    [
        (fighter, "d4", 3), (fighter, "d6", 7), (fighter, "d8", 7), (fighter, "d10", 11),
        (ship, "d2", 11), (ship, "d6", 15), (ship, "d10", 19), (ship, "d12+d2", 23),
    ],
)  # fmt: skip
def test_cx_26_size_by_strength(made: Any, strength: str, needed: int) -> None:
    hulk = {"name": "hulk", "size": "gigantic", "speed": 4, "vector": "perpendicular"}
    done = meeting(hulk, made("Ann", str=strength, speed=4)).turn(*QUIET, dice=[12, 10])
    assert done.events_of("Avoided")[0].needed == needed


@pytest.mark.parametrize(
    ("dice", "shown"),
    [
        ([1, 1, 1], ("gigantic", 9, "toward")), ([2, 2, 2], ("colossal", 6, "toward")),
        ([3, 3, 3], ("colossal", 6, "perpendicular")), ([4, 4, 4], ("huge", 3, "perpendicular")),
        ([5, 5, 5], ("huge", 3, "away")), ([6, 6, 6], ("large", 1, "away")),
        ([7, 7, 1], ("large", 1, "toward")), ([8, 8, 1], ("medium", 0, "toward")),
        ([9, 1, 1], ("medium", 9, "toward")), ([10, 1, 1], ("small", 9, "toward")),
    ],
)  # fmt: skip
def test_cx_27_a_random_obstacle(dice: list[int], shown: tuple[Any, ...]) -> None:
    obstacles = [{"name": "hulk", "random": True}]
    start = battle([fighter("Ann")], [fighter("Bo")], obstacles=obstacles)
    done = start.turn(*QUIET, start=[*dice, 12, 1, 11, 1])
    assert done.rolls[:3] == ((10, dice[0]), (8, dice[1]), (6, dice[2]))
    found = done.state["obstacles"]["hulk"]
    assert (found["size"], found["speed"], found["vector"]) == shown


def test_cx_27_it_strikes_in_its_turn_if_the_vessel_is_active() -> None:
    start = battle(
        [fighter("Ann"), fighter("Amy")],
        [fighter("Bo")],
        obstacles=[{**ROCK, "turn": 2, "against": "Ann"}],
    )
    quiet = start.turn(*QUIET, idle("Amy"))
    assert quiet.thrown() == []
    assert quiet.turn(*QUIET, idle("Amy"), dice=[10, 9]).thrown() == [(12, 10), (10, 9)]
    gone = start.turn(o("Ann", "surrender"), idle("Amy"), idle("Bo"))
    assert gone.turn(idle("Amy"), idle("Bo")).thrown() == []


def test_cx_27_large_ones_are_planetcraft_and_huge_ones_spacecraft() -> None:
    # 11 + 8 = 19 with a large fighter, rolled 9: 10 points, 5 and 5.
    for size, hurt in (("large", (50, 50)), ("huge", (100, 100))):
        rock = {**ROCK, "size": size, "vector": "perpendicular"}
        done = meeting(rock, fighter("Ann", str="d10")).turn(*QUIET, dice=[5, 4])
        assert done.hurt("Ann") == hurt


def test_cx_28_the_difficulty_less_the_roll_is_basic_damage() -> None:
    done = meeting(ROCK).turn(*QUIET, dice=[5, 4])
    assert done.hurt("Ann") == (50, 50)
    assert meeting(ROCK).turn(*QUIET, dice=[10, 9]).hurt("Ann") == (0, 0)
    assert meeting(ROCK, fighter("Ann", armour={"stun": 2, "wound": 3})).turn(
        *QUIET, dice=[5, 4]
    ).hurt("Ann") == (30, 20)


def test_cx_28_the_immobile_count_as_having_rolled_0() -> None:
    done = meeting(ROCK, fighter("Ann", fixed=True)).turn(*QUIET)
    assert done.hurt("Ann") == (100, 90)


def test_cx_28_a_wing_that_collides_is_one_hit() -> None:
    start = battle(
        [fighter("Ann"), fighter("Amy")], [fighter("Bo")], obstacles=[{**ROCK, **STRIKES}]
    )
    done = start.wing("Ann", "Amy").turn(*QUIET, dice=[5, 4, 2])
    assert (done.hurt("Ann"), done.hurt("Amy")) == ((0, 0), (50, 50))


def test_cx_1_without_collisions_every_roll_to_avoid_is_made() -> None:
    options = [one for one in CALM if one != "collisions"]
    assert meeting(ROCK, options=options).turn(*QUIET).events_of("Avoided") == []
    start = battle([fighter("Ann")], [ship("Bo")], options=options, **NEAR)
    done = start.turn(o("Ann", "strafe", at="Bo"), idle("Bo"), dice=[6, 5])
    assert done.events_of("RunMade")[0].passed


def run(*dice: int, bo: dict[str, Any] | None = None, order: Any = None) -> Skirmish:
    """Ann's strafing run on a ship of Strength d6, which takes 11 to avoid."""
    start = battle([fighter("Ann")], [bo or ship("Bo")], **NEAR)
    return start.turn(o("Ann", "strafe", at="Bo"), order or idle("Bo"), dice=dice)


def test_cx_29_only_if_both_fail_they_collide_each_by_its_own_roll() -> None:
    # Ann fails by 4 against a spacecraft, which doubles; Bo by 5, and each point is half a one.
    done = run(5, 2, 3, 3)
    assert (done.hurt("Ann"), done.hurt("Bo")) == ((40, 40), (15, 10))
    assert done.events_of("RunMade") == []
    # Where only the other pilot has avoided, nothing has happened.
    done = run(5, 2, 10, 1)
    assert (done.hurt("Ann"), done.hurt("Bo"), done.events_of("RunMade")) == ((0, 0), (0, 0), [])
    # One that cannot fly does not roll: Bo, of huge size at Speed 0, is hit by 11.
    done = run(5, 2, bo=ship("Bo", fixed=True))
    assert done.hurt("Bo") == (30, 25)


@pytest.mark.parametrize(
    ("order", "needed"),
    [(o("Bo", "close", at="Ann"), 15), (o("Bo", "defend"), 11), (idle("Bo"), 11)],
)
def test_cx_29_the_vector_is_what_the_other_has_given(order: Any, needed: int) -> None:
    assert run(12, 10, 1, 1, order=order).events_of("Avoided")[0].needed == needed


def test_cx_29_to_close_with_somebody_else_is_not_toward() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [ship("Bo")], **NEAR)
    orders = o("Ann", "strafe", at="Bo"), o("Bo", "close", at="Amy")
    assert start.turn(*orders, dice=[12, 10, 1, 1]).events_of("Avoided")[0].needed == 11


def test_cx_29_away_if_the_other_opens() -> None:
    # Ann is faster, and so at skirmish range still when she flies around Bo.
    start = battle([fighter("Ann", speed=9)], [ship("Bo")], **NEAR)
    start = start.with_state(missiles=(Missile("M1", "Bo", "dart", "Ann", 5, 0),))
    chase = o("Ann", "close", at="Bo"), o("Ann", "trick", missile="M1", at="Bo")
    done = start.turn(*chase, o("Bo", "open"), dice=[12, 8, 1, 1, 12, 1])
    assert done.events_of("Avoided")[0].needed == 7 + 8 - 4


def test_cx_30_only_the_target_of_a_ram_avoids_it() -> None:
    start = battle([fighter("Ann", speed=9)], [fighter("Bo")], **NEAR)
    orders = o("Ann", "ram", at="Bo"), o("Bo", "close", at="Ann")
    done = start.turn(*orders, dice=[5, 4])
    assert (done.hurt("Ann"), done.hurt("Bo")) == ((100, 90), (50, 50))
    done = start.turn(*orders, dice=[10, 9])
    assert (done.hurt("Ann"), done.hurt("Bo")) == ((0, 0), (0, 0))


def test_cx_30_persons_and_those_far_off_are_not_rammed() -> None:
    start = battle([fighter("Ann")], [trooper("Bo")], **NEAR)
    assert start.why(o("Ann", "ram", at="Bo"), idle("Bo")) == ["bad target"]
    far = battle([fighter("Ann")], [fighter("Bo")])
    assert far.why(o("Ann", "ram", at="Bo"), idle("Bo")) == ["out of range"]


@pytest.mark.parametrize(
    ("strength", "size", "needed"), [("d4", 7, 15), ("d8", 7, 11), ("d12+d2", 7, 7)]
)
def test_cx_31_a_run_is_rolled_for_once_the_target_is_avoided(
    strength: str, size: int, needed: int
) -> None:
    done = run(12, 1, 1, 2, bo=ship("Bo", str=strength))
    avoided, made = done.events_of("Avoided")[0], done.events_of("RunMade")[0]
    assert (avoided.needed, made.needed, made.passed) == (size + 4, needed, False)


def test_cx_31_at_spacecraft_and_installations() -> None:
    start = battle([fighter("Ann")], [fighter("Bo"), fighter("Bea", fixed=True)], **NEAR)
    quiet = idle("Bo"), idle("Bea")
    assert start.why(o("Ann", "strafe", at="Bo"), *quiet) == ["bad target"]
    assert start.why(o("Ann", "strafe", at="Bea"), *quiet, dice=[12, 1, 1, 1]) == []
    far = battle([fighter("Ann")], [ship("Bo")])
    assert far.why(o("Ann", "strafe", at="Bo"), idle("Bo")) == ["out of range"]
    larger = battle([ship("Ann")], [ship("Bo")], **NEAR)
    assert larger.why(o("Ann", "strafe", at="Bo"), idle("Bo")) == ["wrong scale"]


def test_cx_32_only_point_defence_can_fire_at_who_has_strafed() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [ship("Bo")], **NEAR)
    orders = (
        o("Ann", "strafe", at="Bo"),
        idle("Amy"),
        shot("Bo", "Ann"),
        shot("Bo", "Ann", "flak"),
        shot("Bo", "Amy"),
    )
    done = start.turn(*orders, dice=[10, 1, 6, 5, 1, 1, 12, 1, 1, 12])
    assert done.refused == ((2, "strafed"),)


HEAVY = {**GUN, "damage": "d12+d12", "count": 1}


def battered(**changes: Any) -> Skirmish:
    """Ann with a heavy gun against Bo, who stands and has lost half its LP."""
    start = battle([ship("Ann", weapons=[HEAVY])], [ship("Bo", fixed=True)])
    return start.having("Bo", **{"wound": 500, **changes})


def hit(start: Skirmish, *dice: int, **keys: Any) -> Skirmish:
    """A hit of 3 against 3, whose damage is the first two dice."""
    return start.turn(shot("Ann", "Bo", **keys), dice=[2, 1, *dice])


def test_cx_33_a_spacecraft_that_had_lost_half_rolls_for_each_wound() -> None:
    assert hit(battered(), 1, 1, 1).of("Bo").damaged == {"sensors"}
    assert hit(battered(wound=499), 1, 1).of("Bo").damaged == frozenset()
    # No fighter does, nor who is not active any more.
    assert hit(battered(wound=980), 1, 1).of("Bo").fate == "destroyed"
    start = battle([ship("Ann", weapons=[HEAVY])], [fighter("Bo", fixed=True, lp=99)])
    assert start.having("Bo", wound=500).turn(shot("Ann", "Bo"), dice=[3, 1, 1, 1]).refused == ()


def test_cx_33_not_without_a_point_of_wound_and_after_a_called_shot() -> None:
    armoured = battle(
        [ship("Ann", weapons=[HEAVY])], [ship("Bo", fixed=True, armour={"wound": 2})]
    ).having("Bo", wound=500)
    assert hit(armoured, 1, 1).of("Bo").wound == 500
    # d4 for the gunnery; it fails to resist, then the table.
    done = hit(battered(), 1, 1, 1, 1, 1, called="sensors")
    assert [type(event).__name__ for event in done.events[-4:-1]] == [
        "Damaged",
        "DamageRolled",
        "Slowed",
    ]


ROWS = [
    ((1, 1, 1), {"damaged": frozenset({"sensors"})}),
    ((1, 1, 3), {"damaged": frozenset({"sensors"})}),
    ((1, 1, 4), {"speed": 2}),
    ((1, 1, 8), {"speed": 2}),
    ((1, 1, 9, 4), {"guns": {"gun": 3, "railgun": 7, "flak": 2, "dart": 3}}),
    ((3, 4, 8, 14), {"guns": {"gun": 3, "railgun": 8, "flak": 2, "dart": 2}}),
    ((4, 4, 8, 3), {"guns": {"gun": 3, "railgun": 8, "flak": 0, "dart": 3}}),
    ((10, 10, 1), {"damaged": frozenset({"ftl"})}),
    ((10, 10, 6), {"damaged": frozenset({"engines"})}),
    ((10, 10, 10), {"damaged": frozenset({"engines"})}),
]


@pytest.mark.parametrize(("dice", "after"), ROWS)
def test_cx_34_the_table_of_battle_damage(dice: tuple[int, ...], after: dict[str, Any]) -> None:
    done = hit(battered(), *dice).of("Bo")
    before = battered(wound=done.wound).having("Bo", wound=done.wound, **after)
    assert done == before.of("Bo")


def test_cx_34_widespread_damage_is_two_rolls_with_half() -> None:
    # 24 and 7 are 31: twice 12, with 1 a gun of sixteen, with 4 a weapon of four.
    done = hit(battered(), 12, 12, 7, 1, 16, 4, 1)
    assert done.thrown()[-5:] == [(10, 7), (10, 1), (16, 16), (10, 4), (4, 1)]
    assert done.of("Bo").guns == {"gun": 0, "railgun": 8, "flak": 2, "dart": 2}


def test_cx_34_a_row_that_does_not_apply_gives_way_to_the_next() -> None:
    damaged = frozenset({"sensors"})
    assert hit(battered(damaged=damaged), 1, 1, 1).of("Bo").speed == 2
    # Only Speed 0 passes that row over, not engines that are gone (docs/rulings.md).
    lame = battered(damaged=damaged | {"engines"})
    assert hit(lame, 1, 1, 1).of("Bo").speed == 2
    none = {"gun": 0, "railgun": 0, "flak": 0, "dart": 0}
    stripped = battered(damaged=damaged, speed=0, guns=none)
    assert hit(stripped, 1, 1, 1).of("Bo").damaged == {"sensors", "ftl"}
    wreck = frozenset({"sensors", "ftl", "engines"})
    ruined = battered(damaged=wreck, speed=0, guns=none)
    assert hit(ruined, 1, 1, 1).events_of("DamageRolled")[0].what is None
    driveless = battle([ship("Ann", weapons=[HEAVY])], [ship("Bo", fixed=True, ftl=False)])
    assert hit(driveless.having("Bo", wound=500), 10, 10, 1).of("Bo").damaged == {"engines"}


def test_cx_34_with_one_left_no_die_falls() -> None:
    last = {"gun": 0, "railgun": 0, "flak": 1, "dart": 0}
    assert hit(battered(guns=last), 1, 1, 9).of("Bo").guns["flak"] == 0
