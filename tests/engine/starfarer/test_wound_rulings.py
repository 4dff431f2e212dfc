"""At least one test for each ruling of rules/starfarer.md from SF-26 to SF-31, named after it."""

import pytest

from engine.codec import change
from tests.engine.starfarer.skirmishes import (
    ABDOMEN,
    ARM_SHOT,
    CHEST,
    CHEST_SHOT,
    HEAD,
    LEFT_ARM,
    LEFT_LEG,
    LEG_SHOT,
    MISS,
    PISTOL,
    RIGHT_ARM,
    RIGHT_LEG,
    SHOOT,
    STAFF,
    Fight,
    act,
    duel,
    gun,
    wound,
)


def test_sf_26_limbs_and_head_count_whole_chest_and_abdomen_half_each() -> None:
    skills = {"traits": {"dexterity": 20}, "skills": {"pistol": 20}}
    given = duel(red=skills)
    # Limb 1, head 2, half of 3 is 2, half of 1 is 1, shock level 3 is 2: 8 off each trait.
    hurt = {RIGHT_ARM: wound(2), LEFT_ARM: wound(5), HEAD: wound(3), CHEST: wound(4),
            ABDOMEN: wound(2)}  # fmt: skip
    given = given.having("Ann", wounds=hurt, shock=300).plan("Ann", SHOOT)
    assert given.round(1, 1, 99).mcs == (20 - 8 + 20 - 8) * 5


def test_sf_26_each_task_by_the_limbs_that_it_uses() -> None:
    arms = {RIGHT_ARM: wound(2), LEFT_ARM: wound(1)}
    legs = {RIGHT_LEG: wound(1), LEFT_LEG: wound(2)}
    # Of two limbs the worse counts, not both.
    both = {RIGHT_LEG: wound(2), LEFT_LEG: wound(2)}
    for hurt, lost in ((arms, 0), (legs, 1), (both, 1)):
        evaded = duel().having("Ann", wounds=hurt).plan("Ann", act("evade")).round(1, 1, MISS)
        assert evaded.events_of("Defended")[0].mcs == (5 - lost + 5 - lost) * 5
    for hurt, lost in ((arms, 1), (legs, 0)):
        given = duel().having("Ann", wounds=hurt, bleeding={CHEST: 9})
        parried = given.plan("Ann", act("parry")).round(1, 1, MISS)
        assert parried.events_of("Defended")[0].mcs == (4 - lost + 5 - lost) * 5
        treated = given.plan("Ann", act("treat", area=CHEST)).round(1, 1, MISS)
        assert treated.events_of("Treated")[0].mcs == (4 - lost + 6 - lost) * 5
    # Moving 2 metres for each point of Agility; crawling needs no legs.
    given = duel().having("Ann", wounds=legs).plan("Ann", act("move", to=60))
    assert given.round(1, 1).body("Ann").at == 2 * 4
    assert given.having("Ann", prone=True).round(1, 1).body("Ann").at == 5 // 2


def test_sf_26_checks_take_no_trait_penalty() -> None:
    sore = duel().having("Ann", wounds={HEAD: wound(4), RIGHT_ARM: wound(3)})
    checked = sore.plan("Ann", SHOOT).round(1, 1, 31).events_of("LimbChecked")[0]
    assert checked.mcs == (5 + 5) * (5 - 2)
    assert sore.plan("Ann", act("hold")).round(1, 1).events_of("Rolled")[0].ap == 10


def test_sf_27_shock_then_wound_then_death_or_the_shock_check() -> None:
    kinds = [type(event).__name__ for event in gun(10).well(1, 1, CHEST_SHOT).events]
    assert kinds[kinds.index("Hit") : kinds.index("Ended")] == ["Hit", "Wounded", "ShockChecked"]
    kinds = [type(event).__name__ for event in gun(33).well(1, 1, CHEST_SHOT).events]
    assert kinds[kinds.index("Hit") : kinds.index("Ended")] == ["Hit", "Wounded", "Out"]


@pytest.mark.parametrize(("level", "mcs"), [(3, 30), (4, 20), (5, 10)])
def test_sf_28_an_injured_limb_needs_a_check_once_a_round(level: int, mcs: int) -> None:
    given = duel(red={"initiative": 19}).having("Ann", wounds={RIGHT_ARM: wound(level)})
    played = given.plan("Ann", SHOOT).round(1, 1, mcs, MISS, MISS)
    assert [(event.mcs, event.passed) for event in played.events_of("LimbChecked")] == [(mcs, True)]
    assert len(played.events_of("Attacked")) == 2
    # The next round needs the next check.
    assert len(played.plan("Ann", SHOOT).round(1, 1, mcs, MISS, MISS).events_of("LimbChecked")) == 1


def test_sf_28_a_failed_check_loses_the_action_and_disables_the_limb() -> None:
    given = duel(red={"initiative": 19}).having("Ann", wounds={RIGHT_ARM: wound(3)})
    played = given.plan("Ann", SHOOT).round(1, 1, 31)
    assert played.acted == ["Ann attack"]
    assert played.refused == [(0, "disabled")]


def test_sf_28_right_before_left_and_no_more_after_a_failure() -> None:
    sore = {RIGHT_ARM: wound(3), LEFT_ARM: wound(4)}
    given = duel(1, {"weapons": [STAFF]}).having("Ann", wounds=sore).plan("Ann", SHOOT)
    played = given.round(1, 1, 30, 20, MISS)
    assert [(e.area, e.mcs) for e in played.events_of("LimbChecked")] == [(3, 30), (4, 20)]
    assert len(given.round(1, 1, 31).events_of("LimbChecked")) == 1


def test_sf_28_light_wounds_and_the_rest_of_the_body_need_none() -> None:
    fine = {RIGHT_ARM: wound(2), CHEST: wound(5), HEAD: wound(3), LEFT_ARM: wound(6)}
    given = duel().having("Ann", wounds=fine).plan("Ann", SHOOT)
    assert not given.round(1, 1, MISS).events_of("LimbChecked")


def test_sf_28_a_maimed_limb_is_always_disabled() -> None:
    given = duel().having("Ann", wounds={RIGHT_ARM: wound(6)}).plan("Ann", SHOOT)
    assert given.round(1, 1).refused == [(0, "disabled")]
    legless = duel().having("Ann", wounds={LEFT_LEG: wound(6, "/")})
    for action in (act("evade"), act("move", to=3)):
        assert legless.plan("Ann", action).round(1, 1).refused == [(0, "disabled")]
    crawling = legless.having("Ann", prone=True)
    assert crawling.plan("Ann", act("rise")).round(1, 1).refused == [(0, "disabled")]
    assert crawling.plan("Ann", act("move", to=3)).round(1, 1).body("Ann").at == 2


def test_sf_28_a_new_wound_voids_a_check_passed() -> None:
    red = {"weapons": [{**PISTOL, "dr": 7}], "initiative": 9}
    both = duel(15, red, {"initiative": 20, "resilience": 0})
    given = both.having("Bo", wounds={LEFT_ARM: wound(3)})
    given = given.plan("Ann", SHOOT).plan("Bo", act("attack", at="Ann", arm="left"))
    # Bo has 21, Ann 19: he shoots, she hits the same arm, he has 11 and checks again.
    played = given.round(10, 1, 30, MISS, ARM_SHOT, 20, MISS)
    assert [event.mcs for event in played.events_of("LimbChecked")] == [30, 20]
    # One elsewhere does not void it, nor a Light one (whose clock is rolled).
    assert len(given.round(10, 1, 30, MISS, LEG_SHOT, MISS).events_of("LimbChecked")) == 1
    light = change(given.battle.sheets["Ann"].weapons[0], dr=4)
    ann_ = change(given.battle.sheets["Ann"], weapons=(light,))
    weaker = Fight(change(given.battle, sheets={**given.battle.sheets, "Ann": ann_}))
    assert len(weaker.round(10, 1, 30, MISS, ARM_SHOT, MISS, 99).events_of("LimbChecked")) == 1


def test_sf_28_a_limb_used_before_its_wound_is_checked_at_its_next_use() -> None:
    red = {"weapons": [{**PISTOL, "dr": 7}]}
    both = duel(15, red, {"initiative": 20, "resilience": 0})
    given = both.plan("Ann", SHOOT).plan("Bo", act("attack", at="Ann", arm="left"))
    # Bo has 21, Ann 19: he shoots unhurt, she wounds his arm, and he has 11 and a check by 30.
    played = given.round(10, 1, MISS, ARM_SHOT, 31)
    assert [(event.mcs, event.passed) for event in played.events_of("LimbChecked")] == [(30, False)]


def checks(played: Fight) -> list[int]:
    """The MCS of each shock check."""
    return [event.mcs for event in played.events_of("ShockChecked")]


def test_sf_29_a_check_for_shock_equal_to_the_stun() -> None:
    assert checks(gun(3, stun=4).well(1, 1, LEG_SHOT)) == []
    assert checks(gun(3, stun=3).well(1, 1, LEG_SHOT)) == [80]


def test_sf_29_a_check_for_a_shock_level_that_rises() -> None:
    assert checks(gun(3, basic_shock=4).well(1, 1, LEG_SHOT)) == []
    assert checks(gun(3, basic_shock=3).well(1, 1, LEG_SHOT)) == [80]
    again = gun(3, basic_shock=3).having("Bo", shock=4)
    # From level 1 to 2, which costs 1.
    assert checks(again.well(1, 1, LEG_SHOT)) == [70]


@pytest.mark.parametrize(
    ("dr", "roll", "mcs"),
    [(9, CHEST_SHOT, []), (10, CHEST_SHOT, [50]), (12, LEG_SHOT, []), (13, LEG_SHOT, [40])],
)
def test_sf_29_a_check_for_a_heavy_or_in_a_limb_severe_wound(
    dr: int, roll: int, mcs: list[int]
) -> None:
    assert checks(gun(dr).well(1, 1, roll)) == mcs


def test_sf_29_the_wound_counts_as_it_is_marked() -> None:
    taken = gun(7).having("Bo", wounds={CHEST: wound(3)})
    # Medium is taken, so it is Heavy.
    assert checks(taken.well(1, 1, CHEST_SHOT)) == [50]


def test_sf_29_one_check_for_an_upkeeps_bleeding_and_none_for_the_unconscious() -> None:
    given = duel(blue={"basic_shock": 3}).having("Bo", bleeding={CHEST: 3, HEAD: 3})
    # From 0 to 6 is level 2: (5 + 5) x (8 - 1).
    assert checks(given.plan("Ann", act("hold")).round(1, 1, 70)) == [70]
    out = given.having("Bo", fate="unconscious", prone=True, wakes=9)
    assert checks(out.plan("Ann", act("hold")).round(1)) == []
    finish = gun(10).having("Bo", fate="unconscious", prone=True, wakes=9)
    finish = finish.plan("Ann", act("attack", at="Bo", finish=True))
    # Prone at Medium: (6 + 4) x 4, and 24 is LOS 1.
    assert checks(finish.round(1, 24)) == []
    assert any(finish.round(1, 24).body("Bo").wounds[1])


def test_sf_30_who_fails_is_out_for_the_round_and_lof_more() -> None:
    standing = {"evade": 1, "parry": 2, "aim": "Ann", "ap": 5}
    given = gun(10).having("Bo", **standing).plan("Bo", act("hold"))
    # The evasion makes it 40, and 24 LOS 1; the check 50 - 82 is LOF 3.
    played = given.round(1, 1, 24, 82)
    body = played.shown("Bo")
    assert (body["fate"], body["wakes"], body["prone"]) == ("unconscious", 1 + 3, True)
    assert (body["ap"], body["evade"], body["parry"], body["aim"]) == (0, 0, 0, None)


def test_sf_30_the_greater_of_wound_and_shock_counts() -> None:
    # Heavy is 3; shock level 5 is 4.
    assert checks(gun(10).having("Bo", shock=500).well(1, 1, CHEST_SHOT)) == [(5 + 5) * (8 - 4)]
    assert checks(gun(10).having("Bo", shock=300).well(1, 1, CHEST_SHOT)) == [(5 + 5) * (8 - 3)]


def test_sf_31_a_bad_failure_makes_a_further_wound() -> None:
    # 50 - 90 is LOF 4. Heavy bleeds 3, the further Severe one 4.
    bad = gun(10).round(1, 1, CHEST_SHOT, 90)
    assert bad.shown("Bo")["wounds"][CHEST] == ["", "", "", "X", "/", ""]
    assert bad.shown("Bo")["bleeding"][CHEST] == 7
    assert len(bad.events_of("ShockChecked")) == 1
    assert gun(10).round(1, 1, CHEST_SHOT, 89).shown("Bo")["wounds"][CHEST][4] == ""


def test_sf_31_the_further_wound_is_promoted_like_any_and_never_above_the_worst() -> None:
    taken = gun(10).having("Bo", wounds={CHEST: wound(5)})
    # The survival check is passed by 80.
    assert taken.round(1, 1, CHEST_SHOT, 90, 80).shown("Bo")["wounds"][CHEST] == [
        "", "", "", "X", "X", "/",
    ]  # fmt: skip
    # Mortal: (5 + 5) x (8 - 5) = 30, LOF 6; nothing above it.
    mortal = gun(16).round(1, 1, CHEST_SHOT, 95, 80)
    assert len(mortal.events_of("Wounded")) == 1
    assert mortal.shown("Bo")["wounds"][CHEST] == ["", "", "", "", "", "X"]


def test_sf_31_not_for_bleeding() -> None:
    given = duel(blue={"basic_shock": 3}).having(
        "Bo", bleeding={CHEST: 3}, wounds={CHEST: wound(4)}
    )
    # Level 1 costs nothing and the old wound neither: 80; 95 is LOF 1 at least.
    low = given.having("Bo", shock=15).plan("Ann", act("hold")).round(1, 1, 95, 1)
    assert low.events_of("ShockChecked")[0].mcs == (5 + 5) * (8 - 5)
    assert low.body("Bo").fate == "unconscious"
    assert low.body("Bo").wounds == given.body("Bo").wounds
