"""At least one test for each ruling of rules/starfarer.md from SF-12 to SF-17, named after it."""

from typing import Any

import pytest

from tests.engine.starfarer.skirmishes import (
    CHEST,
    KNIFE,
    LEFT_ARM,
    LEFT_LEG,
    MISS,
    PISTOL,
    RIGHT_ARM,
    SHOOT,
    STAFF,
    Fight,
    act,
    ann,
    bo,
    character,
    duel,
    fight,
    shot,
    wound,
)

STAB = act("attack", at="Bo", with_="knife")
HIT = act("attack", at="Bo", with_="unarmed")


@pytest.mark.parametrize(
    ("metres", "ease", "bracket"),
    [
        (0, 5, "close"),
        (1, 5, "close"),
        (2, 7, "point blank"),
        (3, 6, "short"),
        (10, 6, "short"),
        (11, 5, "medium"),
        (15, 5, "medium"),
        (20, 5, "medium"),
        (21, 4, "long"),
        (100, 4, "long"),
        (101, 2, "extreme"),
        (150, 2, "extreme"),
    ],
)
def test_sf_12_the_ease_of_a_shot_by_its_range(metres: int, ease: int, bracket: str) -> None:
    rifle = {"weapons": [{**PISTOL, "extreme": True}]}
    found = shot(duel(metres, rifle, field=300)).events_of("Attacked")[0]
    assert (found.bracket, found.ease, found.mcs) == (bracket, ease, 10 * ease)


@pytest.mark.parametrize(
    ("rating", "medium", "farthest"),
    [(1, 10, 30), (3, 45, 300), (4, 80, 1000), (5, 125, 3000), (6, 180, 10_000), (7, 250, 30_000),
     (8, 320, 100_000)],
)  # fmt: skip
def test_sf_12_the_range_ratings(rating: int, medium: int, farthest: int) -> None:
    gun = {"weapons": [{**PISTOL, "range": rating}]}
    ends = ((rating, 7 if rating > 1 else 5), (rating + 1, 6), (5 * rating, 6))
    more = ((5 * rating + 1, 5), (medium, 5), (medium + 1, 4), (farthest, 4))
    for metres, ease in (*ends, *more):
        assert shot(duel(metres, gun, field=300_000)).mcs == 10 * ease
    for extreme, metres in ((False, farthest + 1), (True, farthest * 3 // 2 + 1)):
        gun = {"weapons": [{**PISTOL, "range": rating, "extreme": extreme}]}
        far = duel(metres, gun, field=300_000).plan("Ann", SHOOT).round(1, 1)
        assert far.refused == [(0, "out of range")]
    assert shot(duel(farthest * 3 // 2, gun, field=300_000)).mcs == 10 * 2


def test_sf_12_close_by_the_reach_of_an_active_target() -> None:
    spear = {"weapons": [{**KNIFE, "reach": 4}]}
    assert shot(duel(4, blue=spear)).mcs == 10 * 5
    assert shot(duel(5, blue=spear)).mcs == 10 * 6
    down = duel(1, blue=spear).having("Bo", fate="unconscious", wakes=9, prone=True)
    finish = down.plan("Ann", act("attack", at="Bo", finish=True)).round(1, MISS)
    # Point blank, and no farther off than that counts for the prone too.
    assert finish.mcs == 10 * 7


def test_sf_13_melee_is_skill_and_agility_within_the_weapons_reach() -> None:
    assert shot(duel(1), with_="knife").mcs == (4 + 5) * 5
    spear = {"weapons": [{**KNIFE, "reach": 2}]}
    assert shot(duel(2, spear)).mcs == (4 + 5) * 5
    assert duel(3, spear).plan("Ann", SHOOT).round(1, 1).refused == [(0, "out of reach")]


def test_sf_13_everybody_has_bare_hands() -> None:
    hand = duel(1).plan("Ann", HIT).round(1, 1, 2)
    # (3 + 5) x 5 = 40; 2 is LOS 3; DR 2 x 3 = 6, of which 0 + 2 under resilience 10 halves wounds.
    assert hand.mcs == 40
    landed = hand.events_of("Hit")[0]
    assert (landed.left, landed.shock, landed.wound) == (2, 6, 3)
    assert duel(2).plan("Ann", HIT).round(1, 1).refused == [(0, "out of reach")]
    # Armour against the type `unarmed`: 1 - 0 off the DR of 2.
    padded = {"armour": [{"covers": [CHEST], "ratings": {"unarmed": 1}}]}
    assert duel(1, blue=padded).plan("Ann", HIT).round(1, 1, 2).body("Bo").shock == 3


def test_sf_14_evasion_counts_against_shots_and_the_better_defence_in_melee() -> None:
    wary = duel(1).having("Bo", evade=1, parry=3)
    assert shot(wary).mcs == 10 * (5 - 1)
    assert shot(wary, with_="knife").mcs == 9 * (5 - 3)
    assert shot(wary.having("Bo", evade=2, parry=1), with_="knife").mcs == 9 * (5 - 2)


def test_sf_14_the_other_hand_and_the_prone() -> None:
    assert shot(duel(15), arm="left").mcs == 10 * (5 - 1)
    assert shot(duel(15), arm="right").mcs == 10 * 5
    assert shot(duel(15, {"hand": "left"}), arm="right").mcs == 10 * (5 - 1)
    assert shot(duel(1, {"weapons": [STAFF]}), arm="left").mcs == 9 * 5
    # A prone target: harder to shoot at Short or farther, easier in melee.
    for metres, ease in ((1, 5), (2, 7), (3, 5), (15, 4)):
        assert shot(duel(metres).having("Bo", prone=True)).mcs == 10 * ease
    assert shot(duel(1).having("Bo", prone=True), with_="knife").mcs == 9 * 6
    assert shot(duel(1).having("Ann", prone=True), with_="knife").mcs == 9 * 4
    assert shot(duel(15).having("Ann", prone=True)).mcs == 10 * 5


def test_sf_14_an_aim_helps_its_own_shot_once() -> None:
    aimed = duel(15).plan("Ann", act("aim", at="Bo")).round(1, 1)
    assert aimed.body("Ann").aim == "Bo"
    held = aimed.plan("Ann", act("hold")).round(1, 1)
    fired = shot(held)
    assert fired.mcs == 10 * 6
    assert fired.body("Ann").aim is None
    assert shot(fired).mcs == 10 * 5


def test_sf_14_an_aim_at_one_is_none_at_another_and_none_for_a_knife() -> None:
    two = fight([ann()], [bo(1), character("Cy", 15)]).having("Ann", aim="Cy")
    assert two.plan("Ann", SHOOT).round(1, 1, 1, MISS).mcs == 10 * 5
    assert two.having("Ann", aim="Bo").plan("Ann", STAB).round(1, 1, 1, MISS).mcs == 9 * 5


@pytest.mark.parametrize("do", ["evade", "parry", "drop", "move", "attack"])
def test_sf_14_any_other_action_ends_an_aim(do: str) -> None:
    keys = {"to": 0} if do == "move" else {}
    dice = () if do in ("drop", "move") else (MISS,)
    aiming = duel(15).having("Ann", aim="Bo").plan("Ann", act(do, **keys))
    assert aiming.round(1, 1, *dice).body("Ann").aim is None


def test_sf_14_damage_and_an_abort_end_an_aim() -> None:
    aiming = duel(15).having("Bo", aim="Ann").plan("Ann", SHOOT)
    assert aiming.round(1, 1, MISS).body("Bo").aim == "Ann"
    assert aiming.round(1, 1, 50).body("Bo").aim is None
    # A hit that armour stops is none.
    safe = duel(15, blue={"armour": [{"covers": [LEFT_LEG], "ratings": {"bullet": 99}}]})
    assert safe.having("Bo", aim="Ann").plan("Ann", SHOOT).round(1, 1, 50).body("Bo").aim == "Ann"
    aborts = aiming.having("Bo", ap=9).plan("Bo", act("hold"), abort="evade")
    assert aborts.round(1, 1, MISS, MISS).body("Bo").aim is None


def test_sf_15_evade_and_parry_are_worth_one_and_each_level() -> None:
    evaded = duel().plan("Ann", act("evade")).round(1, 1, 29)
    # (5 + 5) x 5 = 50; 29 is LOS 2.
    assert evaded.body("Ann").evade == 3
    assert duel().plan("Ann", act("evade")).round(1, 1, 51).body("Ann").evade == 0
    parried = duel().plan("Ann", act("parry", with_="knife")).round(1, 1, 45)
    assert parried.events_of("Defended")[0].mcs == (4 + 5) * 5
    assert (parried.body("Ann").parry, parried.body("Ann").evade) == (1, 0)
    other = duel().plan("Ann", act("parry", arm="left")).round(1, 1, MISS)
    assert other.events_of("Defended")[0].mcs == (4 + 5) * 4


def test_sf_15_a_defence_stands_until_the_next_phase_begins() -> None:
    ready = duel(blue={"initiative": 9}).having("Ann", evade=2).having("Bo", ap=1)
    shots = ready.plan("Bo", act("attack", at="Ann")).plan("Ann", act("hold"))
    # Bo has 20 and 10, Ann has 10 and goes before his second phase.
    played = shots.round(1, 10, MISS, MISS)
    assert [event.mcs for event in played.events_of("Attacked")] == [30, 50]
    assert played.body("Ann").evade == 0
    # Without a phase of her own it counts for both shots, and into the next round.
    played = shots.having("Ann", ap=-9).round(1, 10, MISS, MISS)
    assert [event.mcs for event in played.events_of("Attacked")] == [30, 30]
    assert played.body("Ann").evade == 2


def test_sf_15_only_the_standing_evade() -> None:
    lying = duel().having("Ann", prone=True).plan("Ann", act("evade")).round(1, 1)
    assert lying.refused == [(0, "prone")]


def aborting(*entries: Any, abort: str, at: int = 1, **keys: Any) -> Fight:
    """Bo, who has 10 points and a plan with an abort, a metre from Ann."""
    given = duel(at, **keys).having("Bo", ap=9)
    return given.plan("Bo", *(entries or (act("hold"),)), abort=abort)


def test_sf_16_an_abort_costs_the_next_phase_and_entry() -> None:
    entries = act("drop"), act("hold")
    evaded = aborting(*entries, abort="evade").plan("Ann", SHOOT).round(2, 1, 29, MISS)
    # (5 + 5) x 5 = 50: 29 makes an evasion of 3, and the drop is gone with the 10 points.
    assert evaded.mcs == 10 * (5 - 3)
    assert evaded.acted == ["Ann attack"]
    assert (evaded.body("Bo").ap, evaded.body("Bo").evade) == (0, 3)
    # With 21 points he drops first, is shot at with 11, and has no phase left for the hold.
    late = aborting(act("hold"), *entries, abort="evade").having("Bo", ap=20).plan("Ann", SHOOT)
    played = late.round(2, 1, 29, MISS)
    assert played.acted == ["Bo hold", "Ann attack"]
    assert played.body("Bo").ap == 1


def test_sf_16_who_would_parry_evades_a_shot() -> None:
    parried = aborting(abort="parry").plan("Ann", STAB).round(2, 1, 45, MISS)
    assert parried.mcs == 9 * (5 - 1)
    shot_at = aborting(abort="parry").plan("Ann", SHOOT)
    evaded = shot_at.round(2, 1, 29, MISS)
    assert evaded.events_of("Defended")[0].mcs == (5 + 5) * 5
    assert (evaded.body("Bo").evade, evaded.body("Bo").parry) == (3, 0)
    assert not shot_at.having("Bo", prone=True).round(2, 1, MISS).events_of("Aborted")
    # Who would evade evades blades too.
    both = aborting(abort="evade").plan("Ann", STAB).round(2, 1, 29, MISS)
    assert (both.body("Bo").evade, both.body("Bo").parry) == (3, 0)


def test_sf_16_with_the_first_melee_weapon_else_unarmed() -> None:
    bare = aborting(abort="parry", blue={"weapons": [PISTOL]}).plan("Ann", STAB)
    assert bare.round(2, 1, 45, MISS).events_of("Defended")[0].mcs == (3 + 5) * 5


def test_sf_16_no_abort_below_ten_points_or_with_a_defence() -> None:
    shooting = aborting(abort="evade").plan("Ann", SHOOT)
    assert not shooting.having("Bo", ap=8).round(2, 1, MISS).events_of("Aborted")
    assert not shooting.having("Bo", parry=1).round(2, 1, MISS).events_of("Aborted")
    assert not shooting.having("Bo", evade=1).round(2, 1, MISS).events_of("Aborted")


def test_sf_16_no_abort_that_would_be_refused_as_prone_or_disabled() -> None:
    shooting = aborting(abort="evade").plan("Ann", SHOOT)
    assert not shooting.having("Bo", prone=True).round(2, 1, MISS).events_of("Aborted")
    maimed = shooting.having("Bo", wounds={LEFT_LEG: wound(6)})
    assert not maimed.round(2, 1, MISS).events_of("Aborted")


def test_sf_16_a_disability_check_may_cost_the_defence() -> None:
    lame = aborting(abort="evade").having("Bo", wounds={LEFT_LEG: wound(3)}).plan("Ann", SHOOT)
    # (5 + 5) x (5 - 2) = 30 to use the leg.
    failed = lame.round(2, 1, 31, MISS)
    assert failed.mcs == 50
    assert (failed.body("Bo").ap, failed.events_of("Defended")) == (0, [])


def test_sf_16_after_the_attackers_own_checks() -> None:
    sore = aborting(abort="evade").having("Ann", wounds={RIGHT_ARM: wound(3)}).plan("Ann", SHOOT)
    assert not sore.round(2, 1, 31).events_of("Aborted")


def test_sf_16_the_next_modifier_is_added_and_sf_11_does_not_apply() -> None:
    knife = {"weapons": [{**KNIFE, "initiative": 2}]}
    options = {"declaration": True, "modifiers": True, "multiple": True}
    both = aborting([act("hold"), act("evade")], act("attack", at="Ann"), abort="evade", blue=knife,
                    **options)  # fmt: skip
    played = both.plan("Ann", SHOOT).round(2, 1, MISS, MISS)
    # 10 - 10 + 2 for the stab that is next then; it is not reached.
    assert played.events_of("Aborted")[0].ap == 2
    assert played.events_of("Defended")[0].mcs == (5 + 5) * 5
    assert played.body("Bo").ap == 0


def test_sf_17_both_arms_for_two_hands_else_the_one_named() -> None:
    sore = {RIGHT_ARM: wound(2), LEFT_ARM: wound(1)}
    # A Light wound of the arm costs each trait 1.
    assert shot(duel(1).having("Ann", wounds=sore)).mcs == (5 + 3) * 5
    assert shot(duel(15).having("Ann", wounds=sore), arm="left").mcs == (6 + 4) * 4
    left = {"weapons": [STAFF], "hand": "left"}
    assert shot(duel(1, left).having("Ann", wounds=sore)).mcs == (3 + 4) * 5


def test_sf_17_the_first_weapon_listed_and_for_parry_the_first_for_melee() -> None:
    assert shot(duel(1)).events_of("Attacked")[0].weapon == "pistol"
    assert shot(duel(1, {"weapons": []})).events_of("Attacked")[0].weapon == "unarmed"
    parried = duel(1, {"skills": {"knife": 4}}).plan("Ann", act("parry")).round(1, 1, MISS)
    assert parried.events_of("Defended")[0].mcs == (4 + 5) * 5


def test_sf_17_the_unconscious_are_attacked_only_to_finish_them() -> None:
    down = duel(1).having("Bo", fate="unconscious", wakes=9, prone=True)
    assert down.plan("Ann", SHOOT).round(1).refused == [(0, "down")]
    assert down.plan("Ann", act("aim", at="Bo")).round(1).refused == [(0, "down")]
    assert down.plan("Ann", act("attack", at="Bo", finish=True)).round(1, MISS).refused == []
