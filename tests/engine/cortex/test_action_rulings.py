"""CX-12 to CX-16: fates, aim, called shots, actions, guns."""

from __future__ import annotations

import pytest

from engine.cortex.model import Advantage, Aim, Lock, Missile
from tests.engine.cortex.battles import (
    DART,
    GUN,
    Skirmish,
    battle,
    duel,
    fighter,
    idle,
    o,
    ship,
    shot,
    trooper,
)

HIT = [8, 4, 5]
"""An attack of 12 against a defence of 5: 7 points, of which 3 are Wound."""


def at_each_other() -> Skirmish:
    """Ann and Bo with Advantage, locks and missiles, both about to go down."""
    return (
        duel(range="capital")
        .having("Bo", wound=350)
        .with_state(
            advantages={"Ann|Bo": Advantage("Ann", 1)},
            locks=(Lock("Ann", "dart", "Bo"), Lock("Bo", "dart", "Ann")),
            missiles=(
                Missile("M1", "Ann", "dart", "Bo", 5, 0),
                Missile("M2", "Bo", "dart", "Ann", 5, 0),
            ),
            launched=2,
        )
    )


def test_cx_12_wound_destroys_and_stun_with_wound_disables() -> None:
    start = duel().having("Bo", wound=350)
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[*HIT, 2])
    assert (done.of("Bo").fate, done.of("Bo").wound) == ("destroyed", 400)
    start = duel().having("Bo", wound=300, stun=20)
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[*HIT, 1])
    assert (done.of("Bo").fate, done.hurt("Bo")) == ("disabled", (60, 340))
    start = duel().having("Bo", wound=300, stun=10)
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[*HIT, 1])
    assert done.of("Bo").fate == "active"


def test_cx_12_locks_by_and_on_it_advantage_and_missiles_at_it_are_gone() -> None:
    done = at_each_other().turn(shot("Ann", "Bo"), idle("Bo"), dice=[*HIT, 2])
    state = done.battle
    assert (state.locks, state.advantages) == ((), {})
    # What it fired flies on.
    assert [(one.id, one.turns) for one in state.missiles] == [("M2", 4)]
    assert done.state["pairs"] == {}


def test_cx_12_it_drops_out_of_its_wing() -> None:
    start = battle([fighter("Ann")], [fighter("Bo"), fighter("Bea"), fighter("Bud")])
    start = start.wing("Bo", "Bea", "Bud").having("Bo", wound=390)
    # One step more for the wing; the die says that its first member is hit.
    done = start.turn(shot("Ann", "Bea"), idle("Bo"), dice=[*HIT, 2, 1])
    assert done.battle.wings == (("Bea", "Bud"),)
    assert done.state["vessels"]["Bud"]["wing"] == "Bea"


def test_cx_13_an_aim_grows_to_three_steps() -> None:
    start, aim = duel(), o("Ann", "aim", weapon="gun", at="Bo")
    for steps in (1, 2, 3, 3):
        start = start.turn(aim, idle("Bo"))
        assert start.state["vessels"]["Ann"]["aim"] == {"gun": {"at": "Bo", "steps": steps}}
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[1, 2, 2, 12])
    # d8 and three steps are d12+d2.
    assert done.thrown() == [(12, 1), (12, 2), (2, 2), (12, 12)]
    assert done.of("Ann").aim == {}


def test_cx_13_another_target_begins_anew_and_any_shot_ends_it() -> None:
    start = battle([fighter("Ann")], [fighter("Bo"), fighter("Bea")])
    start = start.having("Ann", aim={"gun": Aim("Bo", 3), "cannon": Aim("Bo", 2)})
    done = start.turn(o("Ann", "aim", weapon="gun", at="Bea"), idle("Bo"), idle("Bea"))
    assert done.of("Ann").aim == {"gun": Aim("Bea", 1), "cannon": Aim("Bo", 2)}
    done = start.turn(shot("Ann", "Bea"), idle("Bo"), idle("Bea"), dice=[1, 2, 12])
    assert done.thrown() == [(12, 1), (8, 2), (12, 12)]
    assert done.of("Ann").aim == {"cannon": Aim("Bo", 2)}
    assert start.why(o("Ann", "aim", weapon="dart", at="Bo"), idle("Bo"), idle("Bea")) == [
        "bad weapon"
    ]


def called(part: str) -> list[object]:
    """Ann's called shot at Bo."""
    return [shot("Ann", "Bo", called=part), idle("Bo")]


def test_cx_14_a_called_shot_is_resisted_with_strength_and_vitality() -> None:
    # d8 at -2 is d4; 5 against 5 is no Basic damage, and 1 point of Wound.
    hit = [3, 2, 5, 1]
    done = duel().turn(*called("engines"), dice=[*hit, 3, 3])
    assert done.thrown() == [(12, 3), (4, 2), (12, 5), (6, 1), (6, 3), (6, 3)]
    assert done.of("Bo").speed == 4
    assert duel().turn(*called("engines"), dice=[*hit, 3, 4]).of("Bo").speed == 8
    assert duel().turn(*called("sensors"), dice=[*hit, 1, 1]).state["vessels"]["Bo"]["damaged"] == [
        "sensors"
    ]
    # Bo has three guns, two cannon and three missiles: of eight the fifth is a cannon.
    done = duel().turn(*called("weapon"), dice=[*hit, 1, 1, 5])
    assert done.of("Bo").guns == {"gun": 3, "cannon": 1, "dart": 3}


def test_cx_14_less_than_a_point_of_wound_has_no_effect() -> None:
    start = battle([fighter("Ann")], [ship("Bo")])
    # A fighter's point is half a point of a ship: 2 points in all are needed.
    done = start.turn(*called("engines"), dice=[3, 2, 5, 1])
    assert (done.hurt("Bo"), done.of("Bo").speed) == ((0, 5), 4)
    done = start.turn(*called("engines"), dice=[3, 2, 5, 2, 1, 1])
    assert (done.hurt("Bo"), done.of("Bo").speed) == ((0, 10), 2)


def test_cx_14_what_cannot_be_damaged_any_more_is_left() -> None:
    start = duel().having("Bo", guns={"gun": 0, "cannon": 0, "dart": 0})
    done = start.turn(*called("weapon"), dice=[3, 2, 5, 1, 1, 1])
    assert done.events_of("Resisted")[0].passed is False
    assert done.of("Bo") == start.having("Bo", wound=10).of("Bo")


def test_cx_15_the_nth_action_is_at_a_step_less_for_each_before() -> None:
    shots = [shot("Ann", "Bo")] * 3
    done = duel().turn(*shots, idle("Bo"), dice=[1, 2, 12] * 3)
    assert [die for die in done.thrown() if die[1] == 2] == [(8, 2), (6, 2), (4, 2)]
    assert duel().why(o("Ann", "defend"), *shots, idle("Bo"), dice=[1, 2, 12] * 2) == ["busy"]


def test_cx_15_on_spacecraft_the_gunners_fire() -> None:
    start = battle([ship("Ann")], [ship("Bo")])
    shots = [shot("Ann", "Bo")] * 3 + [shot("Ann", "Bo", "railgun", guns=1)]
    done = start.turn(*shots, o("Bo", "open"), o("Ann", "close", at="Bo"), dice=[1, 2, 12] * 4)
    assert [die for die in done.thrown() if die[1] == 2] == [(8, 2)] * 4
    assert done.refused == ()


def test_cx_15_a_full_turn_order_is_the_first_and_the_only_one() -> None:
    flying = duel().with_state(missiles=(Missile("M1", "Bo", "dart", "Ann", 5, 0),), launched=1)
    outfly = o("Ann", "outfly", missile="M1")
    assert flying.why(o("Ann", "defend"), outfly, idle("Bo")) == ["busy"]
    assert flying.why(outfly, shot("Ann", "Bo"), idle("Bo"), dice=[5, 5]) == ["busy"]
    # A course is not an action.
    assert flying.why(outfly, o("Ann", "open"), idle("Bo"), dice=[5, 5]) == []


def test_cx_16_each_gun_fires_once() -> None:
    start = battle([ship("Ann")], [fighter("Bo")])
    shots = [shot("Ann", "Bo")] * 4
    assert start.why(*shots, idle("Bo"), dice=[1, 2, 12] * 3) == ["spent"]
    aim = o("Ann", "aim", weapon="gun", at="Bo")
    assert start.why(aim, shots[0], aim, idle("Bo")) == ["spent", "spent"]
    assert start.why(shots[0], aim, idle("Bo"), dice=[1, 2, 12]) == ["spent"]
    empty = start.having("Ann", guns={"gun": 0, "railgun": 0, "flak": 0, "dart": 0})
    assert empty.why(aim, shots[0], idle("Bo")) == ["spent", "spent"]


@pytest.mark.parametrize("guns", [0, 2, True, "1", 1.0, 10**30])
def test_cx_16_a_weapon_that_is_no_battery_fires_one_gun(guns: object) -> None:
    assert duel().why(shot("Ann", "Bo", guns=guns), idle("Bo")) == ["bad battery"]


def test_cx_16_no_more_locks_in_a_turn_than_missiles() -> None:
    start = battle([fighter("Ann", weapons=[{**DART, "count": 1}, GUN])], [fighter("Bo")])
    lock = o("Ann", "lock", weapon="dart", at="Bo")
    # The one that was tried and failed counts.
    done = start.turn(lock, lock, idle("Bo"), dice=[1, 1])
    assert (done.refused, done.battle.locks) == (((1, "spent"),), ())
    launch = o("Ann", "launch", weapon="dart", at="Bo")
    done = start.turn(lock, launch, launch, idle("Bo"), dice=[2, 1])
    assert (done.refused, done.of("Ann").guns["dart"]) == (((2, "spent"),), 0)


def test_cx_14_nobody_is_impressed_by_a_pistol() -> None:
    start = battle([trooper("Ann")], [ship("Bo", lp=1)], range="skirmish")
    # Each point counts 2 tenths: 5 points make one. There is no roll to resist.
    done = start.turn(*called("engines"), dice=[8, 4, 3, 6])
    assert (done.hurt("Bo"), done.of("Bo").fate) == ((10, 20), "destroyed")
    start = battle([trooper("Ann")], [ship("Bo")], range="skirmish")
    assert start.turn(*called("engines"), dice=[8, 4, 3, 6]).of("Bo").speed == 4
