"""At least one test for each ruling of rules/starfarer.md from SF-18 to SF-25, named after it."""

from typing import Any

import pytest

from tests.engine.starfarer.skirmishes import (
    ABDOMEN,
    CHEST,
    HEAD,
    LEFT_ARM,
    LEFT_LEG,
    PISTOL,
    RIGHT_ARM,
    RIGHT_LEG,
    SHOOT,
    Fight,
    act,
    duel,
    shot,
)

STAB = act("attack", at="Bo", with_="knife")


@pytest.mark.parametrize(
    ("roll", "area"),
    [(41, HEAD), (32, CHEST), (33, CHEST), (34, CHEST), (35, ABDOMEN), (36, ABDOMEN),
     (37, RIGHT_ARM), (38, LEFT_ARM), (39, RIGHT_LEG), (40, LEFT_LEG), (50, LEFT_LEG)],
)  # fmt: skip
def test_sf_18_the_ones_digit_says_where(roll: int, area: str) -> None:
    marks = duel().plan("Ann", SHOOT).well(1, 1, roll).shown("Bo")["wounds"]
    assert [name for name, circles in marks.items() if any(circles)] == [area]


def landed(given: Fight, roll: int) -> Any:
    """What a hit with the pistol from 15 metres does; (6 + 4) x 5 = 50."""
    return given.plan("Ann", SHOOT).well(1, 1, roll).events_of("Hit")[0]


def armoured(*ratings: int, covers: tuple[str, ...] = (CHEST,)) -> Fight:
    """Bo in several pieces of armour of ratings against bullets."""
    worn = [{"covers": list(covers), "ratings": {"bullet": rating}} for rating in ratings]
    return duel(blue={"armour": worn})


def test_sf_19_armour_less_penetration_comes_off_the_damage() -> None:
    # Rating 8 - PR 5 = 3; DR 5 - 3 = 2; LOS (50 - 12) / 10 = 3.
    assert landed(armoured(8), 12).shock == 2 * 3
    assert landed(armoured(6, 8, 7), 12).shock == 2 * 3
    # Less than PR counts as none, and no armour of another area or against another type counts.
    assert landed(armoured(4), 12).shock == 5 * 3
    assert landed(armoured(8, covers=(HEAD,)), 12).shock == 5 * 3
    laser = {"armour": [{"covers": [CHEST], "ratings": {"laser": 200}}]}
    assert (landed(duel(blue=laser), 12).armour, landed(duel(blue=laser), 12).shock) == (0, 5 * 3)


def test_sf_19_a_marginal_success_is_half_and_0_changes_nothing() -> None:
    assert landed(duel(), 42).shock == 3
    stopped = armoured(10).plan("Ann", SHOOT).round(1, 1, 12)
    assert stopped.events_of("Hit")[0].shock == 0
    assert stopped.body("Bo").wounds == armoured(10).body("Bo").wounds
    assert not stopped.events_of("Wounded")


@pytest.mark.parametrize(("dr", "left"), [(6, 6), (7, 6), (9, 6), (12, 6), (13, 7), (20, 14)])
def test_sf_20_blow_through_by_the_targets_mass(dr: int, left: int) -> None:
    gun = {"weapons": [{**PISTOL, "dr": dr}]}
    assert landed(duel(red=gun, blow_through=True), 38).left == left
    assert landed(duel(red=gun), 38).left == dr


def test_sf_21_a_weak_weapon_wounds_half() -> None:
    # PR 5 + DR 5 is not under resilience 10, but under 11. LOS 3: 15 points, half is 8.
    assert (landed(duel(), 12).shock, landed(duel(), 12).wound) == (15, 15)
    tough = landed(duel(blue={"resilience": 11}), 12)
    assert (tough.shock, tough.wound) == (15, 8)


def test_sf_21_a_hit_on_the_head_is_doubled_after_that() -> None:
    # Marginal: half of 5 is 3. For the head shock 6; the wound is half of 3, 2, doubled: 4.
    tough = landed(duel(blue={"resilience": 11}), 41)
    assert (tough.shock, tough.wound) == (6, 4)


@pytest.mark.parametrize(
    ("mass", "damage", "level"),
    [(6, 1, 1), (6, 3, 1), (6, 4, 2), (6, 7, 3), (6, 10, 4), (6, 13, 5), (6, 15, 5), (6, 16, 6),
     (6, 40, 6), (12, 6, 1), (12, 7, 2), (12, 30, 5), (12, 31, 6), (5, 3, 1), (5, 4, 2),
     (2, 1, 1), (2, 5, 5), (1, 1, 1), (1, 2, 2), (1, 6, 6)],
)  # fmt: skip
def test_sf_22_wound_levels_by_half_the_mass(mass: int, damage: int, level: int) -> None:
    # LOS 1 in a limb: the wound is the DR.
    gun = {"weapons": [{**PISTOL, "dr": damage}]}
    hit = duel(red=gun, blue={"mass": mass, "resilience": 0, "traits": {"willpower": 20}})
    assert hit.plan("Ann", SHOOT).well(1, 1, 40).events_of("Wounded")[0].level == level


def test_sf_23_a_wound_is_an_x_in_the_next_free_circle_or_a_slash_to_the_right() -> None:
    given, marks = duel(red={"weapons": [{**PISTOL, "dr": 2}]}, blue={"resilience": 0}), []
    for _ in range(6):
        given = given.plan("Ann", SHOOT).having("Bo", bleeding={LEFT_LEG: 0}, clock={LEFT_LEG: 0})
        given = given.round(1, 1, 40, *((99,) if len(marks) in (3, 4) else ()))
        given = given.having("Bo", ap=0)
        marks.append(given.shown("Bo")["wounds"][LEFT_LEG])
    assert [list(filter(None, circles)) for circles in marks] == [
        ["X"], ["XX"], ["XXX"], ["XXX", "/"], ["XXX", "//"], ["XXX", "//", "/"],
    ]  # fmt: skip
    assert [event.marked for event in given.events_of("Wounded")] == [3]


def test_sf_23_marks_stand_in_the_order_in_which_they_were_made() -> None:
    light = {"weapons": [{**PISTOL, "dr": 4}]}
    given = duel(red=light, blue={"resilience": 0})
    given = given.having("Bo", wounds={LEFT_LEG: ("XXX", "/", "", "", "", "")})
    played = given.plan("Ann", SHOOT).round(1, 1, 40, 99)
    assert played.shown("Bo")["wounds"][LEFT_LEG] == ["XXX", "/X", "", "", "", ""]


def test_sf_23_without_a_free_circle_it_is_not_marked_and_does_not_bleed() -> None:
    full = ("XXX", "XX", "X", "X", "X", "X")
    given = duel(red={"weapons": [{**PISTOL, "dr": 2}]}, blue={"resilience": 0})
    given = given.having("Bo", wounds={LEFT_LEG: full}).plan("Ann", SHOOT)
    # It counts as level 6: a shock check by (5 + 5) x (8 - 5) = 30, and no further wound.
    played = given.round(1, 1, 40, 90)
    assert played.events_of("ShockChecked")[0].mcs == 30
    assert played.body("Bo").fate == "unconscious"
    assert played.shown("Bo")["wounds"][LEFT_LEG] == list(full)
    assert not any(played.body("Bo").bleeding)


@pytest.mark.parametrize(("level", "lost"), [*enumerate((0, 0, 1, 2, 3, 4, 5))])
def test_sf_24_the_worst_wound_is_the_areas_modifier(level: int, lost: int) -> None:
    marks = tuple("/" if place == level else "" for place in range(1, 7))
    given = duel().having("Ann", wounds={RIGHT_ARM: ("XXX" if level > 1 else marks[0], *marks[1:])})
    if level < 3:
        assert shot(given).mcs == (6 - lost + 4 - lost) * 5
    elif level < 6:
        # First the check of SF-28.
        assert shot(given, 1).mcs == (6 - lost + max(4 - lost, 0)) * 5
    else:
        assert given.plan("Ann", SHOOT).round(1, 1).refused == [(0, "disabled")]


@pytest.mark.parametrize(
    ("shock", "lost"),
    [(0, 0), (99, 0), (199, 0), (200, 1), (399, 2), (599, 4), (600, 5), (1199, 5)],
)
def test_sf_25_shock_modifier_is_the_level_less_one(shock: int, lost: int) -> None:
    given = duel().having("Ann", shock=shock, steadied=frozenset({"shock"}))
    assert shot(given).mcs == (6 - lost + max(4 - lost, 0)) * 5
