"""CX-17 to CX-25: the turn, ranges, the end, dogfights."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cortex.model import Advantage, Missile
from tests.engine.cortex.battles import (
    CALM,
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

DOGFIGHT = {"options": ["dogfighting", *CALM], "range": "skirmish"}
LEVEL = [12, 1, 12, 1]
"""Two initiatives of 13."""


def range_of(skirmish: Skirmish, pair: str = "Ann|Bo") -> Any:
    """The range of a pair."""
    return skirmish.state["pairs"][pair]["range"]


def test_cx_17_the_stages_follow_each_other() -> None:
    start = battle([fighter("Ann"), fighter("Amy"), fighter("Abe")], [fighter("Bo")])
    start = start.wing("Amy", "Abe")
    # All leave before anybody joins, whoever is first in setup order.
    done = start.turn(o("Ann", "join", at="Amy"), o("Abe", "leave"), idle("Bo"), dice=[4, 3])
    assert done.battle.wings == (("Amy", "Ann"),)
    # Who has surrendered in stage 2 is not a target in stage 4, though listed later.
    done = duel().turn(shot("Ann", "Bo"), o("Bo", "surrender"))
    assert done.refused == ((0, "bad target"),)


def test_cx_17_the_highest_initiative_acts_first() -> None:
    start = duel().having("Ann", wound=390)
    done = start.turn(shot("Ann", "Bo"), shot("Bo", "Ann"), dice=[8, 4, 5, 1], start=[1, 1, 2, 1])
    assert (done.of("Ann").fate, done.refused) == ("destroyed", ((0, "out of the battle"),))


def test_cx_17_a_vessels_orders_in_the_order_listed() -> None:
    aim, fire = o("Ann", "aim", weapon="gun", at="Bo"), shot("Ann", "Bo", "cannon")
    start = duel(range="skirmish")
    done = start.turn(aim, fire, idle("Bo"), dice=[1, 2, 12])
    # Two linked cannon add a step, and the aim before them was an action.
    assert done.thrown()[1] == (8, 2)
    done = start.turn(fire, aim, idle("Bo"), dice=[1, 2, 12])
    assert done.thrown()[1] == (10, 2)


def test_cx_17_a_unit_flies_one_course_a_turn() -> None:
    orders = o("Ann", "open"), o("Ann", "close", at="Bo"), o("Ann", "ram", at="Bo")
    assert duel().why(*orders) == ["busy", "busy"]


def test_cx_18_a_unit_without_orders_defends() -> None:
    # A refused order is an order all the same.
    for order in (idle("Bo"), o("Bo", "dance"), o("Bo", "plot")):
        done = duel().turn(shot("Ann", "Bo"), order, dice=[1, 2, 12])
        assert done.thrown()[2:] == [(12, 12)]
    done = duel().turn(shot("Ann", "Bo"), dice=[1, 2, 11, 1])
    assert done.thrown()[2:] == [(12, 11), (10, 1)]


def test_cx_18_the_immobile_and_second_draft_spacecraft_do_nothing() -> None:
    fixed = battle([fighter("Ann")], [fighter("Bo", fixed=True)])
    assert not [one for one in fixed.turn().events_of("Defaulted") if one.unit == "Bo"]
    for options, told in ((CALM, ["Ann", "Bo"]), ([*CALM, "crew2"], ["Ann"])):
        done = battle([fighter("Ann")], [ship("Bo")], options=options).turn()
        assert [one.unit for one in done.events_of("Defaulted")] == told


def test_cx_18_a_wing_is_named_by_its_leader() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo")]).wing("Ann", "Amy")
    done = start.turn(o("Amy", "open"), idle("Bo"))
    assert ([one.unit for one in done.events_of("Defaulted")], done.refused) == (
        ["Ann"],
        ((0, "in a wing"),),
    )


def test_cx_19_equal_initiative_is_simultaneous() -> None:
    start = duel().having("Ann", wound=390).having("Bo", wound=390)
    kill = [8, 4, 5, 1]
    done = start.turn(shot("Ann", "Bo"), shot("Bo", "Ann"), dice=[*kill, *kill], start=LEVEL)
    assert (done.of("Ann").fate, done.of("Bo").fate) == ("destroyed", "destroyed")
    assert (done.battle.over, done.battle.winner) == (True, None)


def test_cx_19_a_hit_on_nobody_left_is_lost() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo")]).having("Bo", wound=390)
    shots = shot("Ann", "Bo"), shot("Amy", "Bo"), idle("Bo")
    same = [12, 1, 12, 1, 1, 1]
    done = start.turn(*shots, dice=[8, 4, 5, 1, 8, 4, 5, 1], start=same)
    assert [(one.by, one.members) for one in done.events_of("HitLost")] == [("Amy", ("Bo",))]
    assert done.of("Bo").wound == 430


def test_cx_19_which_member_is_rolled_when_the_hit_takes_effect() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo"), fighter("Bea")])
    start = start.wing("Bo", "Bea").having("Bo", wound=390)
    shots = shot("Ann", "Bo"), shot("Amy", "Bo"), idle("Bo")
    # Both attacks and their damage, then d2 for the first hit; the second finds Bea alone.
    dice = [8, 4, 5, 1, 8, 4, 5, 2, 1]
    done = start.turn(*shots, dice=dice, start=[12, 1, 12, 1, 1, 1])
    assert done.thrown()[-1] == (2, 1)
    assert (done.of("Bo").fate, done.hurt("Bea")) == ("destroyed", (40, 50))


def test_cx_20_close_and_open_by_a_step() -> None:
    close, back = o("Ann", "close", at="Bo"), o("Bo", "close", at="Ann")
    assert range_of(duel().turn(close, idle("Bo"))) == "skirmish"
    assert range_of(duel().turn(idle("Ann"), o("Bo", "open"))) == "short"
    # Both wish the same: one step.
    assert range_of(duel(range="long").turn(close, back)) == "short"
    assert range_of(duel().turn(o("Ann", "open"), o("Bo", "open"))) == "short"
    assert range_of(duel(range="skirmish").turn(close, back)) == "skirmish"
    assert range_of(duel(range="long").turn(idle("Ann"), o("Bo", "open"))) == "long"


@pytest.mark.parametrize(("speed", "after"), [(7, "short"), (8, "capital"), (9, "skirmish")])
def test_cx_20_of_opposite_wishes_the_faster_has_its_way(speed: int, after: str) -> None:
    start = duel().having("Ann", speed=speed)
    assert range_of(start.turn(o("Ann", "close", at="Bo"), o("Bo", "open"))) == after


def test_cx_20_close_concerns_one_unit_and_a_wing_is_as_slow_as_its_slowest() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo"), fighter("Bea")])
    done = start.turn(o("Ann", "close", at="Bea"), idle("Bo"))
    ranges = {pair: found["range"] for pair, found in done.state["pairs"].items()}
    assert [pair for pair, found in ranges.items() if found == "skirmish"] == ["Ann|Bea"]
    wing = start.wing("Ann", "Amy").having("Amy", speed=3).having("Bea", speed=4)
    done = wing.turn(o("Ann", "close", at="Bea"), o("Bea", "open"))
    assert (range_of(done, "Ann|Bea"), range_of(done, "Amy|Bea")) == ("short", "short")


def test_cx_20_beyond_skirmish_range_there_is_no_advantage() -> None:
    start = duel(**DOGFIGHT)
    roll = [12, 9, 2, 1]
    kept = start.turn(idle("Ann"), o("Bo", "defend"), start=roll)
    assert kept.battle.advantages == {"Ann|Bo": Advantage("Ann", 2)}
    gone = start.turn(idle("Ann"), o("Bo", "open"), start=roll)
    assert gone.battle.advantages == {}


def test_cx_21_surrender_and_withdrawal_take_the_whole_unit() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo")], range="long")
    wing = start.wing("Ann", "Amy")
    done = wing.turn(o("Ann", "surrender"), idle("Bo"))
    assert {done.of(name).fate for name in ("Ann", "Amy")} == {"surrendered"}
    done = wing.turn(o("Ann", "withdraw"), idle("Bo"))
    assert {done.of(name).fate for name in ("Ann", "Amy")} == {"withdrawn"}
    assert duel(range="short").why(o("Ann", "withdraw"), idle("Bo")) == ["out of range"]


def test_cx_21_who_jumps_leaves_after_stage_5() -> None:
    start = battle([ship("Ann")], [fighter("Bo")])
    done = start.turn(o("Ann", "jump"), shot("Bo", "Ann"), dice=[6, 4, 5, 1])
    assert (done.of("Ann").fate, done.hurt("Ann")) == ("jumped", (15, 15))
    assert (done.battle.over, done.battle.winner) == (True, "red")
    # Bo's drive is none; Ann's is gone.
    assert start.why(o("Bo", "jump"), idle("Ann")) == ["no drive"]
    assert start.having("Ann", damaged=frozenset({"ftl"})).why(o("Ann", "jump")) == ["no drive"]
    # Who cannot fly may jump.
    assert start.having("Ann", speed=0).turn(o("Ann", "jump")).of("Ann").fate == "jumped"


def test_cx_22_the_end_is_at_the_end_of_a_turn() -> None:
    start = duel().having("Bo", wound=390)
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[8, 4, 5, 1])
    assert (done.battle.over, done.battle.winner, done.battle.turn) == (True, "blue", 1)
    assert [one.turn for one in (*done.events_of("Closed"), *done.events_of("Ended"))] == [1, 1]
    after = done.turn(idle("Ann"), idle("Bo"), start=[])
    assert (after.refused, after.battle) == (((0, "over"), (1, "over")), done.battle)


def test_cx_23_a_dogfight_is_rolled_with_the_pilots_skill_and_trait() -> None:
    ace = fighter("Ann", crew={"pilot": {"skill": "d10", "trait": "d6"}})
    start = battle([ace], [fighter("Bo")], **DOGFIGHT)
    done = start.turn(start=[7, 6, 5, 4, 3])
    assert done.rolls == ((12, 7), (10, 6), (6, 5), (12, 4), (10, 3))
    # It holds Advantage from then on, and so has a step more.
    done = done.turn(start=[7, 6, 5, 4, 3])
    assert done.rolls == ((12, 7), (12, 6), (6, 5), (12, 4), (10, 3))


def test_cx_23_advantage_over_several_is_one_step_in_all() -> None:
    held = {f"Ann|{foe}": Advantage("Ann", 1) for foe in ("Bo", "Bea")}
    start = battle([fighter("Ann")], [fighter("Bo"), fighter("Bea")], **DOGFIGHT)
    done = start.with_state(advantages=held).turn(start=[9, 9, 5, 5, 5, 5])
    assert done.rolls[:2] == ((12, 9), (12, 9))


@pytest.mark.parametrize(
    "changes",
    [
        {"options": CALM},
        {"range": "capital"},
        {"teams": [[fighter("Ann")], [ship("Bo")]]},
        {"teams": [[trooper("Ann")], [trooper("Bo")]]},
        {"teams": [[fighter("Ann", fixed=True)], [fighter("Bo")]]},
    ],
)
def test_cx_23_everybody_else_rolls_agility_and_alertness(changes: dict[str, Any]) -> None:
    teams = changes.pop("teams", [[fighter("Ann")], [fighter("Bo")]])
    start = battle(*teams, **{**DOGFIGHT, **changes})
    assert [sides for sides, _ in start.turn().rolls] == [12, 4, 12, 4]


def test_cx_24_seven_more_or_a_botch_below_is_two_steps() -> None:
    start = duel(**DOGFIGHT)

    def after(*dice: int) -> Any:
        return start.turn(start=dice).state["pairs"]["Ann|Bo"]

    shown = {"range": "skirmish", "advantage": "Ann", "steps": 1}
    assert after(5, 5, 2, 2) == shown
    assert after(6, 5, 2, 2) == {**shown, "steps": 2}
    assert after(1, 2, 1, 1) == {**shown, "steps": 2}
    assert after(2, 2, 3, 5) == {**shown, "advantage": "Bo"}
    assert after(5, 5, 4, 6) == {**shown, "advantage": None, "steps": 0}


def test_cx_24_it_is_set_anew_for_all_pairs_of_two_units() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo")], **DOGFIGHT)
    start = start.wing("Ann", "Amy").with_state(advantages={"Ann|Bo": Advantage("Bo", 1)})
    # Bo held Advantage over Ann, and has a step more for it.
    done = start.turn(start=[9, 9, 5, 5])
    assert done.rolls == ((12, 9), (10, 9), (12, 5), (12, 5))
    assert done.battle.advantages == {
        "Ann|Bo": Advantage("Ann", 2),
        "Amy|Bo": Advantage("Amy", 2),
    }


def test_cx_25_its_holder_has_the_bonus_and_the_other_the_penalty() -> None:
    start = duel(**DOGFIGHT)
    shots = shot("Ann", "Bo"), shot("Bo", "Ann")
    done = start.turn(*shots, dice=[1, 2, 12, 1, 2, 12], start=[9, 9, 2, 2])
    # Ann has 18 against 4: d8 and two steps for her, two less for Bo.
    assert done.thrown() == [(12, 1), (12, 2), (12, 12), (12, 1), (4, 2), (12, 12)]


def test_cx_17_missiles_fly_after_all_have_acted_and_before_anybody_jumps() -> None:
    start = battle([ship("Ann")], [fighter("Bo")])
    start = start.with_state(missiles=(Missile("M1", "Bo", "dart", "Ann", 1, 0),), launched=1)
    done = start.turn(o("Ann", "jump"), idle("Bo"), dice=[2, 2, 2, 2])
    # 8 Basic damage by four d2, each point half of one of a ship's.
    assert (done.hurt("Ann"), done.of("Ann").fate) == ((20, 20), "jumped")
