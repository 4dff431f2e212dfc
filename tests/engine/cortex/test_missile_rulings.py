"""CX-41 to CX-49: missiles and point defence."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cortex.model import Lock, Missile
from engine.cortex.possible_orders import candidates
from tests.engine.cortex.battles import (
    DART,
    FLAK,
    Skirmish,
    battle,
    crewed,
    duel,
    fighter,
    idle,
    o,
    ship,
    shot,
    trooper,
)

LOCK = o("Ann", "lock", weapon="dart", at="Bo")
LAUNCH = o("Ann", "launch", weapon="dart", at="Bo")


def locked(**changes: Any) -> Skirmish:
    """Ann has a lock on Bo."""
    return duel(**changes).with_state(locks=(Lock("Ann", "dart", "Bo"),))


def flying(start: Skirmish, turns: int = 5, **keys: Any) -> Skirmish:
    """A missile of Bo's flies at Ann."""
    missile = Missile("M1", "Bo", "dart", "Ann", turns, 0, **keys)
    return start.with_state(missiles=(missile,), launched=1)


@pytest.mark.parametrize(
    ("at", "needed", "dice"),
    [("capital", 3, (2, 1)), ("short", 7, (4, 3)), ("long", 11, (8, 3))],
)
def test_cx_41_a_lock_is_harder_the_farther(at: str, needed: int, dice: tuple[int, int]) -> None:
    done = duel(range=at).turn(LOCK, idle("Bo"), dice=dice)
    assert done.events_of("Attacked")[0].needed == needed == sum(dice)
    assert done.state["locks"] == [{"by": "Ann", "weapon": "dart", "at": "Bo"}]
    worse = duel(range=at).turn(LOCK, idle("Bo"), dice=(dice[0] - 1, dice[1]))
    assert worse.battle.locks == ()


def test_cx_41_within_the_weapons_range_and_not_at_skirmish() -> None:
    assert duel(range="skirmish").why(LOCK, idle("Bo")) == ["out of range"]
    start = battle([fighter("Ann", weapons=[{**DART, "range": "capital"}])], [fighter("Bo")])
    far = battle(
        [fighter("Ann", weapons=[{**DART, "range": "capital"}])], [fighter("Bo")], range="short"
    )
    assert start.why(LOCK, idle("Bo"), dice=[2, 1]) == []
    assert far.why(LOCK, idle("Bo")) == ["out of range"]
    assert duel().why({**LOCK, "weapon": "gun"}, idle("Bo")) == ["bad weapon"]


def test_cx_41_a_second_lock_on_the_same_target_is_no_other() -> None:
    done = locked().turn(LOCK, idle("Bo"), dice=[5, 5])
    assert done.battle.locks == (Lock("Ann", "dart", "Bo"),)


@pytest.mark.parametrize(
    ("at", "turns"), [("skirmish", 1), ("capital", 1), ("short", 2), ("long", 5)]
)
def test_cx_42_a_missile_flies_by_its_range(at: str, turns: int) -> None:
    done = locked(range=at).turn(LAUNCH, idle("Bo"))
    assert done.state["missiles"] == [
        {"id": "M1", "by": "Ann", "weapon": "dart", "at": "Bo", "turns": turns, "outflown": 0}
    ]
    assert (done.battle.locks, done.of("Ann").guns["dart"]) == ((), 2)


def test_cx_42_a_turn_comes_off_in_each_later_turn() -> None:
    start = locked(range="short").turn(LAUNCH, idle("Bo")).turn(idle("Ann"), idle("Bo"))
    assert [one.turns for one in start.battle.missiles] == [1]
    done = start.turn(idle("Ann"), idle("Bo"), dice=[1, 2, 1, 1])
    assert (done.battle.missiles, done.hurt("Bo")) == ((), (30, 20))


def test_cx_42_it_needs_its_own_lock_and_missiles_are_numbered() -> None:
    assert duel().why(LAUNCH, idle("Bo")) == ["no lock"]
    two = battle([fighter("Ann")], [fighter("Bo"), fighter("Bea")]).with_state(
        locks=(Lock("Ann", "dart", "Bo"), Lock("Ann", "dart", "Bea")), launched=4
    )
    done = two.turn(LAUNCH, {**LAUNCH, "at": "Bea"}, LAUNCH, idle("Bo"), idle("Bea"))
    assert [one.id for one in done.battle.missiles] == ["M5", "M6"]
    assert done.refused == ((2, "no lock"),)


def intercept(weapon: str = "gun", missile: str = "M1") -> dict[str, Any]:
    """Ann's order to shoot a missile down."""
    return o("Ann", "intercept", weapon=weapon, missile=missile)


def test_cx_43_fifteen_destroys_a_missile() -> None:
    start = flying(duel())
    assert start.turn(intercept(), idle("Bo"), dice=[8, 6]).battle.missiles[0].id == "M1"
    assert start.turn(intercept(), idle("Bo"), dice=[8, 7]).battle.missiles == ()
    assert start.why(intercept(missile="M2"), idle("Bo")) == ["no missile"]
    assert start.why(intercept("dart"), idle("Bo")) == ["bad weapon"]
    # Any unit shoots at any missile, at its own too.
    done = start.turn(idle("Ann"), {**intercept(), "unit": "Bo"}, dice=[8, 7])
    assert done.battle.missiles == ()


def test_cx_43_guns_count_as_in_an_attack() -> None:
    start = flying(battle([ship("Ann")], [fighter("Bo")]))
    done = start.turn(intercept("railgun"), idle("Bo"), dice=[9, 5, 1])
    # Six guns of a battery, d8 and five steps; none for scales.
    assert done.thrown() == [(12, 9), (12, 5), (6, 1)]
    assert done.battle.missiles == ()


def test_cx_43_point_defence_only_in_the_last_turn() -> None:
    start = battle([ship("Ann")], [fighter("Bo")])
    assert flying(start, 2).why(intercept("flak"), idle("Bo")) == ["out of range"]
    assert flying(start, 1).turn(intercept("flak"), idle("Bo"), dice=[8, 7]).battle.missiles == ()


def test_cx_44_rolls_to_out_fly_add_up_to_fifteen() -> None:
    outfly = o("Ann", "outfly", missile="M1")
    start = flying(duel()).turn(outfly, idle("Bo"), dice=[6, 6])
    assert [(one.turns, one.outflown) for one in start.battle.missiles] == [(4, 12)]
    botched = start.turn(outfly, idle("Bo"), dice=[1, 1])
    assert botched.battle.missiles[0].outflown == 12
    assert start.turn(outfly, idle("Bo"), dice=[2, 1]).battle.missiles == ()
    assert flying(duel()).why(idle("Ann"), {**outfly, "unit": "Bo"}) == ["no missile"]


def trick(at: str = "Bo") -> dict[str, Any]:
    """Ann's order to distract the missile."""
    return o("Ann", "trick", missile="M1", at=at)


def test_cx_45_the_worked_example_of_a_trick() -> None:
    start = flying(duel(range="skirmish"), 2)
    # Avoided at a step less with 11 (7 + 4), then 8 at two steps less, against 10.
    done = start.turn(trick(), idle("Bo"), dice=[6, 5, 4, 4, 6, 4])
    assert done.thrown() == [(12, 6), (8, 5), (12, 4), (6, 4), (12, 6), (10, 4)]
    assert [(one.at, one.turns) for one in done.battle.missiles] == [("Ann", 1)]


def test_cx_45_it_flies_at_the_other_whose_roll_is_lower() -> None:
    start = flying(duel(range="skirmish"), 3, outflown=9)
    done = start.turn(trick(), idle("Bo"), dice=[6, 5, 4, 4, 6, 1])
    assert [(one.at, one.turns, one.outflown) for one in done.battle.missiles] == [("Bo", 2, 0)]
    level = start.turn(trick(), idle("Bo"), dice=[6, 5, 4, 4, 6, 2])
    assert level.battle.missiles[0].at == "Ann"
    # One that cannot fly counts as 0, without a roll.
    fixed = battle([fighter("Ann")], [fighter("Bo", fixed=True)], range="skirmish")
    done = flying(fixed).turn(trick(), dice=[6, 5, 1, 1])
    assert done.battle.missiles[0].at == "Bo"


def test_cx_45_it_has_failed_where_the_flyer_has_not_avoided() -> None:
    start = flying(duel(range="skirmish"))
    done = start.turn(trick(), idle("Bo"), dice=[6, 4, 10, 1])
    assert (done.events_of("Tricked"), done.battle.missiles[0].at) == ([], "Ann")
    crash = start.turn(trick(), idle("Bo"), dice=[6, 4, 9, 1])
    assert (crash.hurt("Ann"), crash.hurt("Bo")) == ((10, 0), (10, 0))


def test_cx_45_at_an_obstacle_7_is_needed_and_the_missile_is_gone() -> None:
    rock = {"name": "rock", "size": "medium", "speed": 0, "vector": "perpendicular"}
    start = flying(duel(obstacles=[rock], range="long"))
    # 7 and 4 for Ann's Speed.
    done = start.turn(trick("rock"), idle("Bo"), dice=[6, 5, 4, 3])
    assert (done.thrown()[1], done.thrown()[3], done.battle.missiles) == ((8, 5), (6, 3), ())
    assert start.turn(trick("rock"), idle("Bo"), dice=[6, 5, 4, 2]).battle.missiles
    done = start.turn(trick("rock"), idle("Bo"), dice=[6, 4])
    assert (done.hurt("Ann"), len(done.battle.missiles)) == ((10, 0), 1)


def test_cx_45_around_whom_one_cannot_fly() -> None:
    start = battle(
        [fighter("Ann"), fighter("Amy")],
        [fighter("Bo"), trooper("Bea")],
        ranges={"Ann|Bea": "skirmish"},
    )
    start = flying(start)
    quiet = idle("Amy"), idle("Bo"), idle("Bea")
    for at, reason in (("Amy", "bad target"), ("Bea", "bad target"), ("Bo", "out of range")):
        assert start.why(trick(at), *quiet) == [reason]
    missing = {**trick(), "missile": "M9"}
    assert start.why(missing, *quiet) == ["no missile"]


def test_cx_46_a_warhead_is_basic_damage_or_all_wound() -> None:
    for warhead, hurt in (("blast", (40, 30)), ("fragments", (0, 70))):
        weapons = [{**DART, "warhead": warhead}]
        start = flying(battle([fighter("Ann")], [fighter("Bo", weapons=weapons)]), 1)
        assert start.turn(idle("Ann"), idle("Bo"), dice=[2, 2, 2, 1]).hurt("Ann") == hurt


def test_cx_46_missiles_strike_the_vessel_they_fly_at_oldest_first() -> None:
    start = battle([fighter("Ann"), fighter("Amy")], [fighter("Bo")]).wing("Amy", "Ann")
    start = start.having("Ann", wound=390).with_state(
        missiles=tuple(Missile(f"M{n}", "Bo", "dart", "Ann", 1, 0) for n in (1, 2)), launched=2
    )
    # The second is gone with its target.
    done = start.turn(idle("Amy"), idle("Bo"), dice=[1, 1, 1, 1])
    assert (done.of("Ann").fate, done.battle.missiles, done.hurt("Amy")) == (
        "destroyed",
        (),
        (0, 0),
    )


def entering(*dice: int, orders: Any = (), ann: Any = None, **crew: Any) -> Skirmish:
    """Ann closes with Bo's ship, whose flak has a d12."""
    guns = [{**FLAK, "count": 1}]
    start = battle([ann or fighter("Ann", **crew)], [ship("Bo", weapons=guns)])
    given = orders or (o("Ann", "close", at="Bo"), o("Bo", "defend"))
    return start.turn(*given, dice=dice)


def test_cx_47_point_defence_fires_at_who_comes_to_skirmish_range() -> None:
    done = entering(12, 7)
    assert done.events_of("PointDefended")[0].at == "Ann"
    # Not at who has been there, who comes no nearer, nor where it is silenced.
    assert done.turn(idle("Ann"), o("Bo", "defend")).events_of("PointDefended") == []
    silent = entering(orders=(o("Ann", "close", at="Bo"), o("Bo", "check_fire")))
    assert silent.events_of("PointDefended") == []
    # It fires too where the ship itself has come near, but not at ships.
    assert entering(12, 7, orders=(idle("Ann"), o("Bo", "close", at="Ann"))).thrown()
    assert entering(ann=ship("Ann", weapons=[])).events_of("PointDefended") == []


def test_cx_47_and_at_friends_in_pursuit() -> None:
    guns = [{**FLAK, "count": 1}]
    chase = {"range": "capital", "ranges": {"Ann|Bo": "capital", "Big|Bo": "skirmish"}}
    start = battle([fighter("Ann"), ship("Big", weapons=guns)], [fighter("Bo")], **chase)
    orders = o("Ann", "close", at="Bo"), o("Big", "defend"), idle("Bo")
    done = start.turn(*orders, dice=[12, 7])
    assert [(one.by, one.at) for one in done.events_of("PointDefended")] == [("Big", "Ann")]
    # Nor where the enemy is not at skirmish range of the ship.
    far = battle([fighter("Ann"), ship("Big", weapons=guns)], [fighter("Bo")])
    assert far.turn(*orders).events_of("PointDefended") == []


def test_cx_48_the_worked_example_of_point_defence() -> None:
    done = entering(6, 5, 8, 1)
    # 11 of 19: 8 points, and d12 raised to d12+d2; all doubled by the scale.
    assert done.thrown() == [(12, 6), (10, 5), (12, 8), (2, 1)]
    assert done.hurt("Ann") == (80, 40 * 2 + 90 * 2)
    assert done.of("Bo").guns["flak"] == 1


def test_cx_48_a_botch_raises_the_die_twice_and_the_immobile_count_as_0() -> None:
    done = entering(1, 1, 1, 1, ann=fighter("Ann", lp=99))
    assert done.thrown()[2:] == [(12, 1), (4, 1)]
    # 17 points: 9 Stun, 8 Wound and 2.
    assert done.hurt("Ann") == (180, 200)
    orders = idle("Ann"), o("Bo", "close", at="Ann")
    done = entering(1, 1, orders=orders, ann=fighter("Ann", fixed=True, lp=99))
    assert (done.thrown(), done.hurt("Ann")) == ([(12, 1), (2, 1)], (200, 220))


def test_cx_48_each_weapon_once_until_nobody_is_left() -> None:
    guns = [{**FLAK, "name": name} for name in ("port", "starboard")]
    start = battle([fighter("Ann")], [ship("Bo", weapons=guns)])
    orders = o("Ann", "close", at="Bo"), o("Bo", "defend")
    done = start.turn(*orders, dice=[12, 7, 12, 7])
    assert [one.weapon for one in done.events_of("PointDefended")] == ["port", "starboard"]
    dead = start.having("Ann", wound=390).turn(*orders, dice=[6, 5, 1, 1])
    assert [one.weapon for one in dead.events_of("PointDefended")] == ["port"]
    empty = start.having("Bo", guns={"port": 0, "starboard": 1})
    assert [one.weapon for one in empty.turn(*orders, dice=[12, 7]).events_of("PointDefended")] == [
        "starboard"
    ]


def test_cx_48_with_the_steps_of_defence() -> None:
    options = {"options": ["crew1", "point_defence"]}
    start = battle([fighter("Ann")], [ship("Bo", weapons=[FLAK], crew=crewed())], **options)
    orders = o("Ann", "close", at="Bo"), o("Ann", "evade"), o("Bo", "defend")
    # Evading in the first draft is two steps, d12+d2.
    assert start.turn(*orders, dice=[12, 6, 1]).thrown() == [(12, 12), (12, 6), (2, 1)]


def test_cx_49_point_defence_fires_like_other_weapons_but_does_not_bombard() -> None:
    sites = [{"name": "camp", "kind": "area", "lp": 9}]
    start = battle([fighter("Ann")], [ship("Bo")], range="skirmish", sites=sites)
    shots = shot("Bo", "Ann", "flak"), o("Bo", "aim", weapon="flak", at="Ann")
    assert start.why(*shots, idle("Ann"), dice=[1, 1, 12]) == ["spent"]
    shell = o("Bo", "bombard", weapon="flak", at="camp")
    assert start.why(shell, idle("Ann")) == ["bad weapon"]


def test_cx_43_a_missile_of_one_s_own_side_is_not_offered_as_a_target() -> None:
    start = flying(duel()).battle
    for name, stops in (("Ann", True), ("Bo", False)):
        orders = [one.do for one in candidates(start, name)]
        assert ("intercept" in orders) is stops
