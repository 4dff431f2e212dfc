"""CX-1 to CX-16: options, dice, vessels, attacks, damage, actions."""

from __future__ import annotations

import pytest

from engine.cortex.model import Aim
from engine.cortex.tables import OPTIONS, die, sides
from engine.cortex.turn_state import succeeds
from tests.engine.cortex.battles import (
    CALM,
    GUN,
    battle,
    duel,
    fighter,
    idle,
    o,
    ship,
    shot,
    trooper,
)

OFF = {
    "wings": ("shield", "leave", "join"),
    "collisions": ("ram",),
    "strafing": ("strafe",),
    "missiles": ("lock", "launch", "intercept", "outfly", "trick"),
    "point_defence": ("check_fire",),
    "bombardment": ("bombard",),
    "spotters": ("spot",),
    "crew1": ("forward", "sense", "assist", "evade", "press"),
    "crew2": ("plot",),
}


@pytest.mark.parametrize("option", OFF)
def test_cx_1_orders_of_a_rule_that_is_off_are_refused(option: str) -> None:
    options = [one for one in CALM if one != option]
    orders = [o("Ann", do, at="Bo") for do in OFF[option]]
    found = duel(options=options).why(*orders)
    assert found == ["rule off"] * len(orders)


def test_cx_1_without_the_key_all_are_in_force_but_the_first_draft() -> None:
    state = duel(options=None).battle
    assert state.options == frozenset(OPTIONS) - {"crew1"}


def test_cx_1_guns_of_batteries_and_links_that_are_off_fire_singly() -> None:
    options = [one for one in CALM if one not in ("batteries", "linked")]
    start = battle([ship("Ann")], [fighter("Bo", fixed=True)], options=options)
    done = start.turn(
        shot("Ann", "Bo", "railgun"), shot("Ann", "Bo", "railgun", guns=2), dice=[2, 1, 4]
    )
    # Agility d12, gunnery d8 less 1 for the scales: 3 against 3, and one die of damage, doubled.
    assert done.thrown() == [(12, 2), (6, 1), (10, 4)]
    assert done.hurt("Bo") == (0, 80)
    assert done.refused == ((1, "bad battery"),)


def test_cx_1_without_missile_rules_missiles_are_fired_like_guns() -> None:
    options = [one for one in CALM if one != "missiles"]
    start = battle([fighter("Ann")], [fighter("Bo", fixed=True)], options=options)
    # 8 against 3: 3 Stun and 2 Wound; four d2 with 7 in all: 4 Stun and 3 Wound.
    done = start.turn(shot("Ann", "Bo", "dart"), dice=[6, 2, 2, 2, 2, 1])
    assert done.hurt("Bo") == (70, 50)
    assert done.of("Ann").guns["dart"] == 2


def test_cx_1_both_drafts_at_once_are_no_set_up() -> None:
    with pytest.raises(Exception, match=r"setup\.options"):
        duel(options=["crew1", "crew2"])


def test_cx_2_die_steps() -> None:
    written = [die(step) for step in range(1, 15)]
    assert written[:7] == ["d2", "d4", "d6", "d8", "d10", "d12", "d12+d2"]
    assert written[7:] == [
        "d12+d4", "d12+d6", "d12+d8", "d12+d10", "d12+d12", "d12+d12+d2", "d12+d12+d4",
    ]  # fmt: skip
    assert sides(0) == ()
    assert sides(13) == (12, 12, 2)


def test_cx_3_steps_are_added_up_and_move_the_skill_die_only() -> None:
    # A called shot at -2 and nothing for scales: gunnery d8 becomes d4.
    done = duel().turn(shot("Ann", "Bo", called="engines"), idle("Bo"), dice=[1, 2, 12])
    assert done.thrown() == [(12, 1), (4, 2), (12, 12)]


def test_cx_3_no_skill_die_is_step_0_and_no_die_falls_below_it() -> None:
    start = battle([fighter("Ann", gunnery=None)], [fighter("Bo")])
    done = start.turn(shot("Ann", "Bo", called="engines"), idle("Bo"), dice=[1, 12])
    assert done.thrown() == [(12, 1), (12, 12)]
    aimed = start.having("Ann", aim={"gun": Aim("Bo", 1)})
    done = aimed.turn(shot("Ann", "Bo"), idle("Bo"), dice=[1, 2, 12])
    assert done.thrown() == [(12, 1), (2, 2), (12, 12)]


def test_cx_4_a_roll_succeeds_at_its_difficulty_and_a_botch_never() -> None:
    # The one die of Ann's attack shows 1, which no defence is below 3 for; three 1s are 3.
    wing = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo", fixed=True)])
    done = wing.turn(shot("Ann", "Bo"), dice=[2, 1, 4])
    assert done.events_of("Attacked")[0].hit
    aim = {"gun": Aim("Bo", 3)}
    done = wing.having("Ann", aim=aim).turn(shot("Ann", "Bo"), dice=[1, 1, 1])
    # Gunnery d8 and 3 steps is d12+d2: three 1s, 3 against 3, are a botch.
    attack = done.events_of("Attacked")[0]
    assert (attack.throw.total, attack.throw.botch, attack.hit) == (3, True, False)
    assert not succeeds(attack.throw, 3)


def test_cx_5_who_cannot_fly() -> None:
    fixed = battle([fighter("Ann", fixed=True)], [fighter("Bo")])
    assert fixed.why(o("Ann", "close", at="Bo")) == ["immobile"]
    assert duel().having("Ann", speed=0).why(o("Ann", "open")) == ["immobile"]
    lamed = duel().having("Ann", damaged=frozenset({"engines"}))
    assert lamed.why(o("Ann", "defend")) == ["immobile"]
    person = battle([trooper("Ann", speed=0)], [fighter("Bo")])
    assert person.why(o("Ann", "defend")) == []


def test_cx_5_a_wing_cannot_fly_if_one_of_it_cannot() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo")]).wing("Ann", "Amy")
    assert start.having("Amy", speed=0).why(o("Ann", "open")) == ["immobile"]


def test_cx_6_a_weapon_reaches_its_own_range_and_all_nearer() -> None:
    gun = shot("Ann", "Bo")
    assert duel(range="short").why(gun, idle("Bo")) == ["out of range"]
    for near in ("capital", "skirmish"):
        assert duel(range=near).why(gun, idle("Bo"), dice=[1, 1, 9]) == []
    pairs = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo")]).state["pairs"]
    assert list(pairs) == ["Ann|Bo", "Amy|Bo"]


def test_cx_7_an_attack_is_agility_and_gunnery_moved_by_all_steps() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo"), fighter("Bea")])
    start = start.wing("Ann", "Amy").wing("Bo", "Bea").having("Ann", aim={"gun": Aim("Bo", 2)})
    orders = o("Ann", "defend"), shot("Ann", "Bo", called="weapon"), idle("Bo")
    done = start.turn(*orders, dice=[1, 2, 12])
    # -1 for the second action, +1 for each wing of two, +2 for the aim, -2 for the called shot.
    assert done.thrown() == [(12, 1), (10, 2), (12, 12)]


def test_cx_7_wing_battery_and_linked_guns_add_five_steps_together_at_most() -> None:
    cannon = {**GUN, "linked": True, "count": 9}
    names = [f"A{n}" for n in range(5)]
    wing = battle([fighter(n, weapons=[cannon]) for n in names], [fighter("Bo")]).wing(*names)
    # Four steps for the wing and three for nine guns: d8 and five steps are d12+d6.
    done = wing.turn(shot("A0", "Bo"), idle("Bo"), dice=[1, 2, 1, 12])
    assert done.thrown() == [(12, 1), (12, 2), (6, 1), (12, 12)]


@pytest.mark.parametrize(("size", "sides"), [(1, 8), (2, 10), (3, 10), (4, 12), (5, 12)])
def test_cx_7_a_step_for_every_two_vessels_of_the_targets_wing(size: int, sides: int) -> None:
    names = [f"B{n}" for n in range(size)]
    start = battle([fighter("Ann")], [fighter(name) for name in names])
    flown = start.wing(*names) if size > 1 else start
    done = flown.turn(shot("Ann", "B0"), idle("B0"), dice=[1, 2, 12])
    assert done.thrown()[1] == (sides, 2)


def test_cx_7_only_fire_counts_the_target() -> None:
    start = battle([ship("Ann"), fighter("Amy")], [fighter("Bo"), fighter("Bea")], range="short")
    start = start.wing("Bo", "Bea")
    # Neither the wing nor the scales make a lock harder or easier.
    done = start.turn(o("Ann", "lock", weapon="dart", at="Bo"), idle("Bo"), dice=[1, 2])
    assert done.thrown() == [(12, 1), (8, 2)]


def test_cx_8_the_first_defence_that_applies() -> None:
    fixed = battle([fighter("Ann")], [fighter("Bo", fixed=True)])
    assert fixed.turn(shot("Ann", "Bo"), dice=[1, 1]).events_of("Attacked")[0].needed == 3
    done = duel().turn(shot("Ann", "Bo"), dice=[1, 2, 3, 4])
    # Without orders Bo defends with Agility and Pilot; with a course alone it has Agility.
    assert done.thrown()[2:] == [(12, 3), (10, 4)]
    assert done.events_of("Attacked")[0].needed == 7
    done = duel().turn(shot("Ann", "Bo"), idle("Bo"), dice=[1, 1, 1])
    assert (done.thrown()[2:], done.events_of("Attacked")[0].needed) == ([(12, 1)], 3)


def test_cx_8_a_new_defence_for_each_attack() -> None:
    twice = shot("Ann", "Bo"), shot("Ann", "Bo"), idle("Bo")
    done = duel().turn(*twice, dice=[1, 2, 9, 1, 2, 10])
    assert [one.needed for one in done.events_of("Attacked")] == [9, 10]


def test_cx_9_the_difference_is_basic_damage() -> None:
    done = duel().turn(shot("Ann", "Bo"), idle("Bo"), dice=[5, 4, 9, 1])
    assert done.events_of("Attacked")[0].harm.basic == 0
    assert done.hurt("Bo") == (0, 10)
    done = duel().turn(shot("Ann", "Bo"), idle("Bo"), dice=[5, 3, 9])
    assert done.hurt("Bo") == (0, 0)


def test_cx_10_half_stun_half_wound_the_odd_point_stun_and_the_die_wound() -> None:
    done = duel().turn(shot("Ann", "Bo"), idle("Bo"), dice=[8, 4, 5, 6])
    assert done.hurt("Bo") == (40, 30 + 60)


def test_cx_11_armour_comes_off_stun_and_wound_apart() -> None:
    armoured = fighter("Bo", armour={"stun": 5, "wound": 2})
    start = battle([fighter("Ann")], [armoured])
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[8, 4, 5, 6])
    assert done.hurt("Bo") == (0, 70)
