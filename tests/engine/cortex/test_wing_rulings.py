"""CX-35 to CX-40 and CX-50: wings, batteries, linked guns."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cortex.model import Aim, Lock
from tests.engine.cortex.battles import (
    CANNON,
    DART,
    FLAK,
    GUN,
    RAILGUN,
    Skirmish,
    battle,
    fighter,
    idle,
    o,
    ship,
    shot,
)

NOVICE = {"pilot": {"skill": "d4"}}


def three(**changes: Any) -> Skirmish:
    """Ann, Amy and Abe of blue against Bo."""
    return battle([fighter(name) for name in ("Ann", "Amy", "Abe")], [fighter("Bo")], **changes)


def wing() -> Skirmish:
    """The same three as a wing."""
    return three().wing("Ann", "Amy", "Abe")


def test_cx_35_to_join_is_average_or_hard_for_another_vessel() -> None:
    join, quiet = o("Ann", "join", at="Amy"), (idle("Amy"), idle("Abe"), idle("Bo"))
    done = three().turn(join, *quiet, dice=[4, 3])
    assert done.battle.wings == (("Amy", "Ann"),)
    assert [done.state["vessels"][name]["wing"] for name in ("Ann", "Amy", "Abe")] == [
        "Amy",
        "Amy",
        None,
    ]
    assert three().turn(join, *quiet, dice=[4, 2]).battle.wings == ()
    for changed in (three().having("Ann", speed=7), three().having("Amy", speed=9)):
        assert changed.turn(join, *quiet, dice=[5, 5]).battle.wings == ()
        assert changed.turn(join, *quiet, dice=[6, 5]).battle.wings == (("Amy", "Ann"),)
    stronger = battle([fighter("Ann"), fighter("Amy", str="d8")], [fighter("Bo")])
    assert stronger.turn(join, idle("Amy"), idle("Bo"), dice=[5, 5]).battle.wings == ()
    # Any member may differ, and it does not matter whom it names.
    mixed = three().wing("Amy", "Abe").having("Abe", speed=3)
    done = mixed.turn(o("Ann", "join", at="Abe"), idle("Amy"), idle("Bo"), dice=[5, 6])
    assert done.battle.wings == (("Amy", "Abe", "Ann"),)


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        ("Ann", "bad target"), ("Bo", "bad target"), ("X", "bad target"), ("Big", "bad target"),
        ("Pad", "bad target"), ("Gone", "bad target"), ("Far", "out of range"), ("A0", "bad wing"),
    ],
)  # fmt: skip
def test_cx_35_whom_one_cannot_join(at: str, reason: str) -> None:
    six = tuple(f"A{n}" for n in range(6))
    blue = [
        *(fighter(name) for name in ("Ann", "Far", "Gone", *six)),
        fighter("Pad", fixed=True),
        ship("Big"),
    ]
    start = battle(blue, [fighter("Bo")], ranges={"Far|Bo": "skirmish"})
    start = start.wing(*six).having("Gone", fate="withdrawn")
    orders = [o("Ann", "join", at=at)]
    # The others do not matter, and nobody throws dice.
    assert start.why(*orders) == [reason]


def test_cx_35_the_leader_orders_and_the_others_can_only_leave() -> None:
    done = wing().turn(o("Amy", "defend"), o("Abe", "leave"), o("Abe", "open"), idle("Bo"))
    assert done.refused == ((0, "in a wing"),)
    # From then on Abe is ordered by itself, in what stages are left.
    assert done.battle.wings == (("Ann", "Amy"),)
    assert done.state["pairs"]["Abe|Bo"]["range"] == "short"
    assert wing().why(o("Ann", "join", at="Abe"), idle("Bo")) == ["bad wing"]
    assert three().why(o("Ann", "leave"), idle("Bo")) == ["bad wing"]


def test_cx_35_the_next_leads_and_one_left_over_is_no_wing() -> None:
    done = wing().turn(o("Ann", "leave"), idle("Bo"))
    assert done.battle.wings == (("Amy", "Abe"),)
    assert done.turn(o("Amy", "leave"), idle("Bo"), idle("Ann")).battle.wings == ()


def test_cx_35_in_feet_who_joins_takes_the_leaders_distances() -> None:
    start = three(atmosphere=True, range=1_500, ranges={"Ann|Bo": 4_000})
    quiet = idle("Amy"), idle("Abe"), idle("Bo")
    done = start.turn(o("Ann", "join", at="Amy"), *quiet, dice=[4, 3])
    assert done.state["pairs"]["Ann|Bo"]["range"] == 1_500
    far = three(atmosphere=True, range=1_500, ranges={"Ann|Bo": 900})
    assert far.why(o("Ann", "join", at="Amy"), *quiet) == ["out of range"]


def test_cx_35_what_a_wing_has_given_holds_for_each_member() -> None:
    # Ann defends for all three, and Abe, who has left, still does.
    orders = o("Ann", "defend"), o("Abe", "leave"), shot("Bo", "Abe")
    done = wing().turn(*orders, dice=[1, 2, 12, 10])
    assert done.thrown()[2:] == [(12, 12), (10, 10)]


def test_cx_35_a_wings_course_is_that_of_each_member() -> None:
    # Flak shoots Ann down as they close in, and Amy, who leads now, has flown her course.
    flak = ship("Bo", weapons=[{**FLAK, "count": 1}])
    start = battle([fighter("Ann"), fighter("Amy")], [flak]).wing("Ann", "Amy")
    orders = o("Ann", "close", at="Bo"), o("Amy", "ram", at="Bo"), o("Bo", "defend")
    done = start.having("Ann", wound=390).turn(*orders, dice=[1, 2, 1, 1, 1])
    assert done.of("Ann").fate == "destroyed"
    assert done.refused == ((1, "busy"),)


def novices() -> Skirmish:
    """A wing led by Ann, in which Amy flies worst."""
    blue = [fighter("Ann"), fighter("Amy", agi="d6", crew=NOVICE), fighter("Abe")]
    return battle(blue, [fighter("Bo")]).wing("Ann", "Amy", "Abe")


def test_cx_36_the_worst_pilot_makes_every_roll() -> None:
    start = novices().having("Amy", aim={"gun": Aim("Bo", 2)})
    done = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=[1, 2, 1, 12], start=[6, 1, 11, 1])
    # Initiative with Amy's Agility, and her gunnery: +2 for the wing and +2 for her aim.
    assert done.rolls[0] == (6, 6)
    assert done.thrown() == [(6, 1), (12, 2), (4, 1), (12, 12)]
    assert done.of("Amy").aim == {}
    # So do all that defend.
    done = novices().turn(shot("Bo", "Abe"), dice=[1, 2, 6, 4], start=[6, 1, 11, 1])
    assert done.thrown()[2:] == [(6, 6), (4, 4)]


def test_cx_36_of_equals_the_first_in_setup_order() -> None:
    start = three().wing("Abe", "Ann", "Amy").having("Ann", guns={"gun": 0, "cannon": 0, "dart": 0})
    assert start.why(shot("Abe", "Bo"), idle("Bo")) == ["spent"]


def test_cx_36_weapons_and_locks_are_the_worst_pilots() -> None:
    blue = [fighter("Ann"), fighter("Amy", crew=NOVICE, weapons=[DART])]
    start = battle(blue, [fighter("Bo")]).wing("Ann", "Amy")
    orders = shot("Ann", "Bo"), o("Ann", "lock", weapon="dart", at="Bo"), idle("Bo")
    done = start.turn(*orders, dice=[2, 2])
    assert done.refused == ((0, "bad weapon"),)
    assert done.battle.locks == (Lock("Amy", "dart", "Bo"),)


def test_cx_37_a_wing_adds_a_step_for_each_but_one_and_its_damage_rises() -> None:
    # d8 and two steps; 10 against 9: d6 rises to d8.
    done = wing().turn(shot("Ann", "Bo"), idle("Bo"), dice=[1, 9, 9, 8])
    assert done.thrown() == [(12, 1), (12, 9), (12, 9), (8, 8)]
    assert done.hurt("Bo") == (10, 80)
    # With 7 points more a second die of that step is added.
    done = wing().turn(shot("Ann", "Bo"), idle("Bo"), dice=[7, 9, 9, 8, 1])
    assert done.hurt("Bo") == (40, 30 + 90)


def test_cx_37_the_worked_example_of_a_wing() -> None:
    names = [f"A{n}" for n in range(6)]
    guns = [{**GUN, "damage": "d8"}]
    for tanker, hurt in ((fighter("Bo", lp=99), (40, 110)), (ship("Bo"), (20, 55))):
        start = battle([fighter(name, weapons=guns) for name in names], [tanker]).wing(*names)
        # Five steps at the same scale, d12+d6; six at a spacecraft, d12+d8.
        dice = [2, 12, 1, 7, 4, 3]
        assert start.turn(shot("A0", "Bo"), idle("Bo"), dice=dice).hurt("Bo") == hurt


def test_cx_37_who_shoots_alone_has_one_die_however_well_it_hits() -> None:
    orders = shot("Ann", "Bo"), idle("Amy"), idle("Abe"), idle("Bo")
    assert three().turn(*orders, dice=[12, 8, 1, 6]).thrown()[3:] == [(6, 6)]


def test_cx_37_not_for_missiles() -> None:
    done = wing().turn(o("Ann", "lock", weapon="dart", at="Bo"), idle("Bo"), dice=[1, 2])
    assert done.thrown() == [(12, 1), (8, 2)]


def test_cx_38_a_shield_that_is_gone_shields_nobody() -> None:
    orders = o("Ann", "shield", at="Amy"), shot("Bo", "Ann"), shot("Bo", "Ann")
    # Amy falls to the first hit; a die of two decides on whom the second falls.
    volley = [12, 8, 1, 6] * 2
    done = wing().having("Amy", wound=390).turn(*orders, dice=[*volley, 2])
    assert (done.of("Amy").fate, done.of("Ann").wound) == ("destroyed", 0)
    assert done.of("Abe").wound > 0


def test_cx_38_a_die_or_the_leaders_shield_says_who_is_hit() -> None:
    start = battle([fighter("Ann")], [fighter(name) for name in ("Bo", "Bea", "Bud")])
    start = start.wing("Bo", "Bud", "Bea")
    # A step for two vessels of the wing, and d3 in the wing's order.
    done = start.turn(shot("Ann", "Bea"), idle("Bo"), dice=[5, 4, 9, 1, 2])
    assert done.thrown() == [(12, 5), (10, 4), (12, 9), (6, 1), (3, 2)]
    assert done.hurt("Bud") == (0, 10)
    shield = o("Bo", "shield", at="Bea")
    done = start.turn(shot("Ann", "Bo"), shield, dice=[5, 4, 9, 1])
    assert done.hurt("Bea") == (0, 10)
    assert start.why(o("Bo", "shield", at="Ann"), idle("Ann")) == ["bad wing"]
    assert start.why(idle("Bo"), o("Ann", "shield", at="Ann")) == ["bad wing"]


def broadside(*dice: int, **keys: Any) -> Skirmish:
    """Ann's railguns at Bo, of the same scale."""
    start = battle([ship("Ann")], [ship("Bo")])
    return start.turn(shot("Ann", "Bo", "railgun", **keys), idle("Bo"), dice=dice)


def test_cx_39_a_step_for_each_gun_but_one() -> None:
    assert broadside(1, 2, 12, guns=1).thrown()[1] == (8, 2)
    assert broadside(1, 2, 12, guns=3).thrown()[1] == (12, 2)
    # Not said how many: as many as are left, six at most.
    assert broadside(1, 2, 1, 12).thrown()[1:3] == [(12, 2), (6, 1)]
    start = battle([ship("Ann")], [ship("Bo")])
    volley = shot("Ann", "Bo", "railgun"), shot("Ann", "Bo", "railgun", guns=3)
    rest = shot("Ann", "Bo", "railgun"), shot("Ann", "Bo", "railgun")
    done = start.turn(*volley, *rest, idle("Bo"), dice=[1, 2, 1, 12, 1, 2, 12])
    # Eight guns: six, then three are too many, then the last two, then none.
    assert done.refused == ((1, "spent"), (3, "spent"))
    assert done.thrown()[4:] == [(12, 1), (10, 2), (12, 12)]
    assert start.why(shot("Ann", "Bo", "railgun", guns=7), idle("Bo")) == ["bad battery"]


def test_cx_40_the_worked_example_of_a_broadside() -> None:
    railgun = {**RAILGUN, "damage": "d12+d2", "count": 24}
    start = battle([ship("Ann", weapons=[railgun])], [ship("Bo", agi="d12")])
    volley = [shot("Ann", "Bo", "railgun", guns=6)] * 2
    dice = [1, 11, 1, 6, 5, 2, 3, 1, 2, 11, 1, 9, 5, 2]
    done = start.turn(*volley, idle("Bo"), dice=dice)
    assert done.thrown() == [
        (12, 1), (12, 11), (6, 1), (12, 6), (12, 5), (4, 2), (12, 3), (4, 1),
        (12, 2), (12, 11), (6, 1), (12, 9), (12, 5), (4, 2),
    ]  # fmt: skip
    assert [one.harm.stun for one in done.events_of("Attacked")] == [4, 3]
    assert [one.harm.wound for one in done.events_of("Attacked")] == [3 + 11, 2 + 7]


def test_cx_40_one_gun_does_the_damage_of_one() -> None:
    assert broadside(9, 8, 3, 10, guns=1).thrown()[3:] == [(10, 10)]


@pytest.mark.parametrize(("count", "sides"), [(1, 8), (2, 10), (3, 10), (4, 12), (7, 12)])
def test_cx_50_linked_guns_add_a_step_for_each_doubling(count: int, sides: int) -> None:
    cannon = {**CANNON, "count": count}
    start = battle([fighter("Ann", weapons=[cannon])], [fighter("Bo")], range="skirmish")
    shots = [shot("Ann", "Bo", "cannon")] * 2
    done = start.turn(*shots, idle("Bo"), dice=[9, 8, 3, 1])
    # All guns at once, so that none is left; damage is that of one.
    assert done.thrown() == [(12, 9), (sides, 8), (12, 3), (8, 1)]
    assert done.refused == ((1, "spent"),)


def test_cx_50_linked_guns_are_not_asked_for_by_number() -> None:
    start = battle([fighter("Ann")], [fighter("Bo")], range="skirmish")
    assert start.why(shot("Ann", "Bo", "cannon", guns=2), idle("Bo")) == ["bad battery"]
