"""At least one test for each ruling of rules/starfarer.md from SF-1 to SF-11, named after it."""

from typing import Any

import pytest

from engine.errors import SetupError
from engine.starfarer.rules import STARFARER
from tests.engine.starfarer.skirmishes import (
    CHEST,
    HEAD,
    KNIFE,
    MISS,
    PISTOL,
    SHOOT,
    Fight,
    act,
    ann,
    bo,
    character,
    duel,
    fight,
    setup,
    wound,
)


def test_sf_1_the_traits_are_added_and_multiplied_by_the_ease_factor() -> None:
    assert duel().plan("Ann", SHOOT).round(1, 1, MISS).mcs == (6 + 4) * 5


def test_sf_1_a_skill_that_is_not_listed_is_0_and_no_trait_falls_below_it() -> None:
    unskilled = duel(red={"skills": {}})
    assert unskilled.plan("Ann", SHOOT).round(1, 1, MISS).mcs == 6 * 5
    # A Medium wound of the chest costs each trait 1, but the skill has nothing to lose.
    hurt = unskilled.having("Ann", wounds={CHEST: wound(3)})
    assert hurt.plan("Ann", SHOOT).round(1, 1, MISS).mcs == 5 * 5


def test_sf_1_a_task_without_a_chance_is_rolled_and_fails() -> None:
    hopeless = duel().having("Bo", evade=9).plan("Ann", SHOOT).round(1, 1, 1)
    assert (hopeless.mcs, hopeless.events_of("Attacked")[0].los) == (0, None)


@pytest.mark.parametrize(("roll", "los"), [(50, 0), (41, 0), (40, 1), (14, 3), (51, None)])
def test_sf_2_a_level_of_success_for_each_full_ten(roll: int, los: int | None) -> None:
    attacked = duel(blue={"armour": [VEST]}).plan("Ann", SHOOT).round(1, 1, roll)
    assert attacked.events_of("Attacked")[0].los == los


VEST = {"covers": ["head", "chest", "abdomen", "left arm", "right leg", "left leg"],
        "ratings": {"bullet": 200}}  # fmt: skip


def test_sf_2_96_and_more_always_fail() -> None:
    sure = duel(2, {"traits": {"dexterity": 20}, "skills": {"pistol": 20}}, {"armour": [VEST]})
    sure = sure.plan("Ann", SHOOT)
    assert sure.round(1, 1, 95).events_of("Attacked")[0].los == (40 * 7 - 95) // 10
    assert sure.round(1, 1, 96).events_of("Attacked")[0].los is None


def test_sf_3_a_round_is_plans_initiative_phases_and_upkeep() -> None:
    played = duel().plan("Ann", act("drop")).having("Bo", bleeding={CHEST: 2}).round(1, 1)
    kinds = [type(event).__name__ for event in played.events]
    assert kinds == [
        "Closed", "Rolled", "Rolled", "Began", "Acted", "Posed", "Ended", "Bled", "ClockMoved",
        "Opened",
    ]  # fmt: skip


def test_sf_3_setup_order_is_by_team_and_then_as_listed() -> None:
    three = fight([ann(), character("Cy", 1)], [bo()], [character("Di", 9)])
    rolled = three.round(1, 2, 3, 4, *[MISS] * 1)
    assert [(e.character, e.roll) for e in rolled.events_of("Rolled")] == [
        ("Ann", 1), ("Cy", 2), ("Bo", 3), ("Di", 4),
    ]  # fmt: skip


def test_sf_4_initiative_is_d10_and_the_trait_and_what_was_left() -> None:
    carried = duel().having("Ann", ap=-3).having("Bo", ap=7).round(2, 1)
    assert (carried.body("Ann").ap, carried.body("Bo").ap) == (9 + 2 - 3, 0 + 1 + 7)


def test_sf_4_the_unconscious_roll_no_initiative() -> None:
    assert (
        duel()
        .having("Bo", fate="unconscious", prone=True, wakes=9)
        .round(1, MISS)
        .events_of("Rolled")[0]
        .character
        == "Ann"
    )


def test_sf_5_the_most_points_act_first_and_each_phase_costs_ten() -> None:
    hold = act("hold")
    both = duel(blue={"initiative": 20}).plan("Ann", hold).plan("Bo", hold).round(10, 1)
    # Ann has 19, Bo has 21: Bo at 21, Ann at 19, Bo at 11.
    assert both.acted == ["Bo hold", "Ann hold", "Bo hold"]
    assert (both.body("Ann").ap, both.body("Bo").ap) == (9, 1)


def test_sf_5_ties_go_to_the_higher_initiative_then_to_setup_order() -> None:
    hold = act("hold")
    quick = duel(blue={"initiative": 10}).plan("Ann", hold).plan("Bo", hold)
    assert quick.round(2, 1).acted == ["Bo hold", "Ann hold"]
    alike = duel(blue={"initiative": 9}).plan("Ann", hold).plan("Bo", hold)
    assert alike.round(1, 1).acted == ["Ann hold", "Bo hold"]


def test_sf_6_the_last_entry_repeats_and_plans_hold_for_one_round() -> None:
    three = duel(red={"initiative": 29}).plan("Ann", act("aim"), act("hold")).round(1, 1)
    assert three.acted == ["Ann aim", "Ann hold", "Ann hold"]
    # Without a plan Ann attacks in the next round.
    assert three.round(1, 1, MISS, MISS, MISS).acted == ["Ann attack"] * 3


def test_sf_6_a_later_plan_replaces_the_earlier_one() -> None:
    twice = duel().plan("Ann", act("drop")).plan("Ann", act("hold"))
    assert twice.round(1, 1).acted == ["Ann hold"]


def test_sf_7_without_a_plan_the_nearest_opponent_is_attacked() -> None:
    near = fight([ann(at=20)], [bo(30), character("Cy", 15)])
    assert near.round(1, 1, 1, MISS).events_of("Attacked")[0].at == "Cy"


def test_sf_7_or_else_evades_and_nothing_is_listed_as_refused() -> None:
    far = duel(60, {"weapons": []}).round(1, 1, 40)
    assert far.acted == ["Ann evade"]
    assert far.events_of("Defended")[0].mcs == (5 + 5) * 5
    assert far.refused == []


def test_sf_8_an_else_is_tried_where_an_if_fails_or_an_action_is_refused() -> None:
    entry = act("attack", if_="engaged", else_=act("rise", else_=act("drop")))
    played = duel().plan("Bo", act("hold")).plan("Ann", entry).round(1, 1)
    assert played.acted == ["Ann drop"]
    # Only the refused action is listed, by the order that filed the plan.
    assert played.refused == [(1, "not prone")]


def test_sf_8_without_an_else_nothing_happens_but_the_phase_is_spent() -> None:
    idle = duel().plan("Ann", act("rise")).round(3, 1)
    assert idle.acted == []
    assert idle.body("Ann").ap == 9 + 3 - 10


def test_sf_8_an_action_that_a_disability_check_spoils_ends_the_search() -> None:
    lame = duel().having("Ann", wounds={"right arm": wound(3)})
    # (5 + 5) x (5 - 2) = 30 to use the arm.
    spoiled = lame.plan("Ann", act("attack", at="Bo", else_=act("drop"))).round(1, 1, 31)
    assert spoiled.acted == ["Ann attack"]
    assert not spoiled.events_of("Attacked")
    assert not spoiled.body("Ann").prone


def outcome(given: Fight, condition: str, *dice: int) -> bool:
    """Whether Ann, who drops if a condition holds, drops."""
    return given.plan("Ann", act("drop", if_=condition)).round(1, 1, *dice).body("Ann").prone


def test_sf_9_engaged_is_within_the_reach_of_an_active_opponent() -> None:
    long_knife = {"weapons": [{**KNIFE, "reach": 3}]}
    assert outcome(duel(3, blue=long_knife), "engaged")
    assert not outcome(duel(4, blue=long_knife), "engaged")
    assert outcome(duel(4, blue=long_knife), "clear")
    # Everybody's fists reach a metre; one's own reach does not count.
    assert outcome(duel(1, blue={"weapons": []}), "engaged")
    assert not outcome(duel(3, red=long_knife), "engaged")
    down = duel(1).having("Bo", fate="unconscious", prone=True, wakes=9)
    assert not down.plan("Ann", act("drop", if_="engaged")).round(1).body("Ann").prone


def test_sf_9_hurt_is_a_light_wound_or_twice_the_basic_shock() -> None:
    assert not outcome(duel().having("Ann", wounds={HEAD: wound(1)}, shock=199), "hurt")
    assert outcome(duel().having("Ann", wounds={HEAD: wound(2)}), "hurt")
    assert outcome(duel().having("Ann", shock=200), "hurt")


def test_sf_9_bleeding_is_in_any_area() -> None:
    assert not outcome(duel(), "bleeding")
    # The clock of one point of bleeding is rolled in each upkeep: 5 x (5 - 1) = 20.
    assert outcome(duel().having("Ann", bleeding={"left leg": 1}), "bleeding", 99)


def test_sf_9_a_target_beyond_within_is_an_if_that_does_not_hold() -> None:
    entry = act("attack", at="Bo", within=14, else_=act("drop"))
    far = duel(15).plan("Ann", entry).round(1, 1)
    assert (far.acted, far.refused) == (["Ann drop"], [])
    assert duel(14).plan("Ann", entry).round(1, 1, MISS).acted == ["Ann attack"]


def test_sf_9_of_equals_the_first_in_setup_order_is_nearest() -> None:
    between = fight([ann(at=20)], [bo(25), character("Cy", 15)])
    assert between.plan("Ann", act("aim")).round(1, 1, 1).body("Ann").aim == "Bo"


def timed(modifier: int, **options: bool) -> Fight:
    """Ann with a pistol of a modifier, by the options of SF-10."""
    red = {"weapons": [{**PISTOL, "initiative": modifier}]}
    return duel(red=red, declaration=True, modifiers=True, **options)


def test_sf_10_the_modifier_of_the_next_entry_is_added_in_advance() -> None:
    shots = timed(3).plan("Ann", act("hold"), SHOOT)
    # 9 + 1 + 0 for the hold: 10. Then 10 - 10 + 3 for the shot not reached, taken off again.
    held = shots.round(1, 1)
    assert [event.ap for event in held.events_of("Ended")] == [3]
    assert held.body("Ann").ap == 0
    # 9 + 8 = 17, less 10 for the hold, and 3 more for the shot: a phase is made.
    made = shots.round(8, 1, MISS)
    assert made.acted == ["Ann hold", "Ann attack"]
    # 17 - 10 + 3 - 10 + 3 for the repeated shot, which is taken off again.
    assert made.body("Ann").ap == 0


def test_sf_10_a_modifier_can_unmake_a_phase() -> None:
    slow = timed(-3).plan("Ann", SHOOT).round(3, 1)
    assert slow.acted == []
    # 9 + 3 - 3 = 9, and what was added for the entry not reached is taken off.
    assert slow.body("Ann").ap == 12


def test_sf_10_a_change_of_mind_costs_a_point_and_the_difference() -> None:
    changed = act("rise", else_=SHOOT)
    # The attack's modifier of -2 is lower than the 0 of what it replaces: 1 + 2.
    slow = timed(-2).plan("Ann", changed, act("hold")).round(8, 1, MISS)
    assert slow.body("Ann").ap == 17 - 10 - 3
    # A higher one is not paid out.
    quick = timed(2).plan("Ann", changed, act("hold")).round(8, 1, MISS)
    assert quick.body("Ann").ap == 17 - 10 - 1


def test_sf_10_a_change_of_mind_is_measured_by_what_was_declared() -> None:
    chain = act("attack", at="Bo", if_="engaged", else_=act("rise", else_=act("drop")))
    # 9 + 5 + 2 for the shot declared; the drop costs 1 and its 2.
    changed = timed(2).plan("Ann", chain, act("hold")).round(5, 1)
    assert changed.acted == ["Ann drop"]
    assert changed.body("Ann").ap == 16 - 10 - 3


def test_sf_10_without_declaration_a_change_of_mind_is_free() -> None:
    assert duel().plan("Ann", act("rise", else_=act("drop"))).round(5, 1).body("Ann").ap == 4


def test_sf_10_without_modifiers_a_weapon_has_none() -> None:
    slow = duel(red={"weapons": [{**PISTOL, "initiative": -3}]}, declaration=True)
    assert slow.plan("Ann", SHOOT).round(1, 1, MISS).acted == ["Ann attack"]


@pytest.mark.parametrize("option", ["modifiers", "multiple"])
def test_sf_10_modifiers_and_multiple_need_declaration(option: str) -> None:
    given: dict[str, Any] = setup([ann()], [bo()])
    given["options"] = {option: True}
    with pytest.raises(SetupError, match=rf"setup\.options\.{option}"):
        STARFARER.setup(given)


def several(*actions: Any, **red: Any) -> Fight:
    """Ann with several actions in a phase, Bo two metres away."""
    given = duel(2, red, declaration=True, multiple=True, modifiers=True)
    return given.plan("Ann", list(actions))


def test_sf_11_each_action_past_the_first_makes_the_tasks_harder() -> None:
    three = several(act("evade"), SHOOT, act("hold")).round(1, 1, 90, MISS)
    # Evade (5 + 5) x (5 - 2), the shot at point blank (6 + 4) x (7 - 2).
    assert (three.events_of("Defended")[0].mcs, three.mcs) == (30, 50)


def test_sf_11_a_point_for_each_action_done_or_not() -> None:
    idle = several(act("rise"), act("hold"), act("rise")).round(5, 1)
    assert idle.acted == ["Ann hold"]
    assert idle.body("Ann").ap == 14 - 10 - 3


def test_sf_11_the_lowest_modifier_in_advance_and_the_others_at_the_end() -> None:
    arms = [{**PISTOL, "initiative": -2}, {**PISTOL, "name": "derringer", "initiative": 1}]
    both = [act("attack", at="Bo"), act("attack", at="Bo", with_="derringer"), act("hold")]
    # 9 + 5 - 2 = 12. At the end 10, and 3 less 1 + 0 for the others; the next -2 is taken off.
    played = several(*both, weapons=arms).round(5, 1, MISS, MISS)
    assert [event.spent for event in played.events_of("Ended")] == [10 + 3 - 1]
    assert played.body("Ann").ap == 12 - 12
    # Wherever in the entry the lowest stands.
    turned = several(both[1], both[0], both[2], weapons=arms).round(5, 1, MISS, MISS)
    assert turned.body("Ann").ap == 12 - 12


def test_sf_11_the_two_together_never_add_points() -> None:
    arms = [{**PISTOL, "initiative": 3}, {**PISTOL, "name": "derringer", "initiative": 3}]
    both = [act("attack", at="Bo"), act("attack", at="Bo", with_="derringer")]
    played = several(*both, weapons=arms).round(1, 1, MISS, MISS)
    assert [event.spent for event in played.events_of("Ended")] == [10]


def test_sf_11_no_kind_but_attack_and_hold_twice() -> None:
    again = several(act("evade"), act("evade", else_=act("hold")), SHOOT, SHOOT)
    played = again.round(1, 1, 90, MISS, MISS)
    assert played.acted == ["Ann evade", "Ann hold", "Ann attack", "Ann attack"]
    assert played.refused == [(0, "twice")]


def test_sf_11_who_has_yielded_or_left_does_nothing_more() -> None:
    gone = several(act("yield"), SHOOT).round(5, 1)
    assert gone.acted == ["Ann yield"]
    assert (gone.body("Ann").fate, gone.body("Ann").ap) == ("surrendered", 0)
    away = several(act("move", to=-5), SHOOT).round(5, 1)
    assert (away.body("Ann").fate, away.shown("Ann")["at"]) == ("left", None)
