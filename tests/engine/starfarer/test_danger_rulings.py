"""At least one test for each ruling of rules/starfarer.md from SF-32 to SF-35, named after it."""

from typing import Any

import pytest

from tests.engine.starfarer.skirmishes import (
    CHEST,
    CHEST_SHOT,
    HEAD,
    KNIFE,
    LEFT_LEG,
    LEG_SHOT,
    SHOOT,
    STAFF,
    Fight,
    act,
    ann,
    bo,
    character,
    duel,
    fight,
    gun,
    wound,
)


def asleep(wakes: int, **changes: Any) -> Fight:
    """Bo unconscious in round 1, with a mate who keeps the fight going; nobody acts."""
    mates = fight([ann(initiative=0)], [bo(), character("Cy", 30)])
    return mates.having("Bo", fate="unconscious", prone=True, wakes=wakes, **changes)


def test_sf_32_a_waking_check_in_the_upkeep_that_is_due() -> None:
    assert not asleep(2).round(1, 1).events_of("WakingChecked")
    awake = asleep(1).round(1, 1, 80)
    assert awake.events_of("WakingChecked")[0].mcs == (5 + 5) * 8
    body = awake.shown("Bo")
    assert (body["fate"], body["prone"], body["wakes"]) == ("active", True, None)


def test_sf_32_by_the_worst_wound_anywhere_or_the_shock() -> None:
    hurt = asleep(1, wounds={LEFT_LEG: wound(4), CHEST: wound(2)})
    assert hurt.round(1, 1, 50).events_of("WakingChecked")[0].mcs == (5 + 5) * (8 - 3)
    shocked = asleep(1, wounds={LEFT_LEG: wound(2)}, shock=500)
    assert shocked.round(1, 1, 40).events_of("WakingChecked")[0].mcs == (5 + 5) * (8 - 4)


def test_sf_32_a_failure_adds_d10s_up_at_least_one_round() -> None:
    hurt = asleep(1, wounds={LEFT_LEG: wound(4)})
    # 50 - 71 is LOF 2.
    assert hurt.round(1, 1, 71, 3, 4).body("Bo").wakes == 1 + 3 + 4
    assert hurt.round(1, 1, 59).body("Bo").wakes == 2


def test_sf_32_who_falls_by_a_hit_with_lof_0_may_wake_in_the_same_upkeep() -> None:
    # The shock check by 50 fails with 59, and the waking check by 50 passes.
    up = gun(10).round(1, 1, CHEST_SHOT, 59, 50)
    assert (up.body("Bo").fate, up.body("Bo").prone) == ("active", True)


def test_sf_33_a_survival_check_in_each_upkeep_with_a_mortal_wound() -> None:
    dying = duel().having("Bo", wounds={CHEST: wound(6)}).plan("Ann", act("hold"))
    lives = dying.round(1, 1, 80)
    assert (lives.body("Bo").fate, lives.body("Bo").dying) == ("active", 1)
    again = lives.plan("Ann", act("hold")).round(1, 1, 64)
    # Each trait -1 for the check passed: (4 + 4) x 8.
    assert (again.events_of("SurvivalChecked")[0].mcs, again.body("Bo").dying) == (64, 2)
    dead = again.plan("Ann", act("hold")).round(1, 1, 49)
    assert dead.events_of("SurvivalChecked")[0].mcs == (3 + 3) * 8
    assert (dead.body("Bo").fate, dead.body("Bo").ap, dead.body("Bo").dying) == ("dead", 0, 2)


def test_sf_33_maimed_limbs_do_not_kill_and_one_check_is_enough() -> None:
    maimed = duel().having("Bo", wounds={LEFT_LEG: wound(6)}).plan("Ann", act("hold"))
    assert not maimed.round(1, 1).events_of("SurvivalChecked")
    twice = maimed.having("Bo", wounds={CHEST: wound(6), HEAD: wound(6)}, shock=600)
    assert len(twice.round(1, 1, 80).events_of("SurvivalChecked")) == 1


def test_sf_33_shock_of_level_6_and_what_is_steadied() -> None:
    given = duel().plan("Ann", act("hold"))
    assert not given.having("Bo", shock=599).round(1, 1).events_of("SurvivalChecked")
    assert given.having("Bo", shock=600).round(1, 1, 80).events_of("SurvivalChecked")
    calm = given.having("Bo", shock=600, steadied=frozenset({"shock"}), dying=3)
    # Without a reason the run is broken.
    assert calm.round(1, 1).body("Bo").dying == 0
    steady = given.having("Bo", wounds={CHEST: wound(6)}, steadied=frozenset({CHEST}), dying=2)
    assert steady.round(1, 1).body("Bo").dying == 0


@pytest.mark.parametrize(("dr", "dies"), [(32, False), (33, True)])
def test_sf_34_more_than_twice_mortal_kills_at_once(dr: int, dies: bool) -> None:
    played = gun(dr).well(1, 1, CHEST_SHOT)
    assert (played.body("Bo").fate == "dead") is dies
    assert gun(dr).well(1, 1, LEG_SHOT).body("Bo").fate == "active"


def test_sf_34_at_another_mass_it_is_five_steps_and_one() -> None:
    # Mass 9: half is 5, so Mortal from 26, and death at 53.
    assert gun(52, mass=9).well(1, 1, CHEST_SHOT).body("Bo").fate == "active"
    assert gun(53, mass=9).well(1, 1, CHEST_SHOT).body("Bo").fate == "dead"


@pytest.mark.parametrize(("before", "dies"), [(1197, False), (1198, True)])
def test_sf_34_more_than_twelve_times_the_basic_shock_kills(before: int, dies: bool) -> None:
    played = gun(3).having("Bo", shock=before, steadied=frozenset({"shock"}))
    assert (played.well(1, 1, LEG_SHOT).body("Bo").fate == "dead") is dies
    bled = duel().having("Bo", shock=before, bleeding={HEAD: 2, CHEST: 1}).plan("Ann", act("hold"))
    assert (bled.well(1, 1).body("Bo").fate == "dead") is dies


@pytest.mark.parametrize(("dr", "bleeding"), [(3, 0), (4, 1), (7, 2), (10, 3), (13, 4), (16, 5)])
def test_sf_35_each_wound_adds_its_modifier_to_the_bleeding(dr: int, bleeding: int) -> None:
    played = gun(dr).well(1, 1, LEG_SHOT)
    assert played.events_of("Wounded")[0].bleeding == bleeding
    more = gun(dr).having("Bo", bleeding={LEFT_LEG: 4})
    assert more.well(1, 1, LEG_SHOT).shown("Bo")["bleeding"][LEFT_LEG] == 4 + bleeding


@pytest.mark.parametrize(("blunt", "bleeding"), [(True, 2), (False, 3)])
def test_sf_35_blunt_weapons_bleed_half(blunt: bool, bleeding: int) -> None:
    red = {"weapons": [{**STAFF, "dr": 10}]}
    given = duel(1, red, {"resilience": 0}, blunt=blunt).plan("Ann", SHOOT)
    # (4 + 5) x 5 = 45; 34 is LOS 1: Heavy.
    assert given.well(1, 1, 34).shown("Bo")["bleeding"][CHEST] == bleeding
    sharp = duel(1, {"weapons": [{**KNIFE, "dr": 10}]}, {"resilience": 0}, blunt=blunt)
    assert sharp.plan("Ann", SHOOT).well(1, 1, 34).shown("Bo")["bleeding"][CHEST] == 3


def test_sf_35_the_clock_is_rolled_when_it_has_reached_the_bleeding() -> None:
    hold = act("hold")
    one = duel().having("Bo", bleeding={CHEST: 3}).plan("Ann", hold).round(1, 1)
    assert (one.shown("Bo")["clock"][CHEST], one.body("Bo").shock) == (1, 3)
    two = one.plan("Ann", hold).round(1, 1)
    # 5 x (5 - 3) = 10; a marginal success stops 1.
    three = two.plan("Ann", hold).round(1, 1, 10)
    assert (three.shown("Bo")["clock"][CHEST], three.shown("Bo")["bleeding"][CHEST]) == (0, 2)
    missed = two.plan("Ann", hold).round(1, 1, 11)
    assert (missed.shown("Bo")["clock"][CHEST], missed.shown("Bo")["bleeding"][CHEST]) == (0, 3)


def test_sf_35_each_level_of_success_stops_one_more_and_the_clock_of_none_is_0() -> None:
    hale = duel(blue={"traits": {"endurance": 20}})
    given = hale.having("Bo", bleeding={CHEST: 2, HEAD: 1}, clock={CHEST: 1})
    # Head: 20 x 4 = 80; chest: 20 x 3 = 60, 45 is LOS 1.
    played = given.plan("Ann", act("hold")).round(1, 1, 81, 45)
    assert played.body("Bo").bleeding[:2] == (1, 0)
    assert played.body("Bo").clock[:2] == (0, 0)
    # A clock beyond what still bleeds is rolled at once.
    late = hale.having("Bo", bleeding={CHEST: 2}, clock={CHEST: 4})
    assert late.plan("Ann", act("hold")).round(1, 1, 61).body("Bo").clock[1] == 0
