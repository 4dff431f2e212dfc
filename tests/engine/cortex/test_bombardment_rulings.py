"""CX-67 to CX-72: orbital bombardment and spotters."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cortex.model import Spotter
from engine.seats import Seat
from tests.engine.cortex.battles import (
    DART,
    GUN,
    Skirmish,
    battle,
    fighter,
    idle,
    o,
    ship,
)

CAMP = {"name": "camp", "kind": "area", "lp": 20, "armour": 1, "population": 100}
EYE = {
    "name": "Eye", "alt": "d8", "gunnery": "d6", "lp": 10, "designator": True,
    "uplink": "handset", "scope": True,
}  # fmt: skip
SHELL = o("Ann", "bombard", weapon="gun", at="camp")


def above(*sites: dict[str, Any], ann: Any = None, **changes: Any) -> Skirmish:
    """Ann's ship above some sites, with a spotter of red on the ground and one of blue."""
    blue = [ann or ship("Ann"), EYE]
    red = [fighter("Bo"), {**EYE, "name": "Spy"}]
    return battle(blue, red, sites=list(sites or (CAMP,)), **changes)


@pytest.mark.parametrize(
    ("kind", "planetcraft", "spacecraft"),
    [
        ("area", 7, 11), ("small building", 7, 23), ("large building", 3, 19),
        ("small city", 3, 11), ("large city", 3, 7), ("megalopolis", 3, 3),
    ],
)  # fmt: skip
def test_cx_67_the_difficulty_by_site_and_scale(
    kind: str, planetcraft: int, spacecraft: int
) -> None:
    for scale, needed in (("planetcraft", planetcraft), ("spacecraft", spacecraft)):
        start = above({**CAMP, "kind": kind}, ann=ship("Ann", weapons=[{**GUN, "scale": scale}]))
        # A botch, so that it always misses.
        done = start.turn(SHELL, idle("Bo"), dice=[1, 1, 1, 1])
        assert done.events_of("Attacked")[0].needed == needed


@pytest.mark.parametrize(
    ("kind", "dice", "wound"),
    [
        ("area", (10, 1, 2), 90), ("small building", (12, 11, 2), 20),
        ("large building", (12, 7, 4), 30), ("small city", (10, 4, 3), 30),
        ("large city", (5, 4, 5), 40), ("megalopolis", (5, 4, 9), 70),
    ],
)  # fmt: skip
def test_cx_67_sites_take_wound_only_less_their_armour(
    kind: str, dice: tuple[int, int, int], wound: int
) -> None:
    # The first three are smaller than a spacecraft's gun, which is multiplied by 5, 2 and 2; the
    # last three add half of 3, 2 and 6 points of Basic damage.
    start = above(
        {**CAMP, "kind": kind}, ann=ship("Ann", gunnery="d12", weapons=[{**GUN, "damage": "d12"}])
    )
    assert start.turn(SHELL, idle("Bo"), dice=dice).state["sites"]["camp"]["wound"] == wound


def test_cx_67_a_razed_site_is_no_target() -> None:
    start = above({**CAMP, "kind": "small building"})
    done = start.turn(
        o("Ann", "bombard", weapon="railgun", at="camp"), SHELL, idle("Bo"),
        dice=[12, 12, 6, 9, 10],
    )  # fmt: skip
    assert done.state["sites"]["camp"]["wound"] == 50
    assert done.refused == ((1, "bad target"),)


def test_cx_67_a_smaller_weapon_counts_less() -> None:
    start = above({**CAMP, "kind": "large city"}, ann=fighter("Ann", altitude=900))
    # 9 against 3: 3 Wound and 6, less an armour of 4, each point half a one.
    assert start.turn(SHELL, idle("Bo"), dice=[5, 4, 6]).state["sites"]["camp"]["wound"] == 25


def test_cx_67_range_increments_by_altitude() -> None:
    for altitude, sides in ((5_000, (8,)), (5_001, (6,)), (25_000, ())):
        start = above(ann=ship("Ann", altitude=altitude))
        done = start.turn(SHELL, idle("Bo"), dice=[2, *(1 for _ in sides), 1, 1])
        assert [side for side, _ in done.thrown()] == [12, *sides, 8, 10]
    for altitude in (None, 50_001):
        assert above(ann=ship("Ann", altitude=altitude)).why(SHELL, idle("Bo")) == ["out of range"]


def test_cx_67_not_with_point_defence_or_weapons_of_personal_scale() -> None:
    start = above(ann=ship("Ann", weapons=[{**GUN, "scale": "personal"}]))
    assert start.why(SHELL, idle("Bo")) == ["bad weapon"]
    # A battery counts its guns, and its damage rises.
    done = above().turn({**SHELL, "weapon": "railgun", "guns": 2}, idle("Bo"), dice=[5, 6, 12])
    assert done.thrown() == [(12, 5), (10, 6), (12, 12)]


def test_cx_67_a_missile_needs_no_lock_and_splits_its_damage() -> None:
    done = above().turn({**SHELL, "weapon": "dart"}, idle("Bo"), dice=[12, 8, 4, 4, 4, 3])
    # 9 points are 4 Wound and 15 are 7: 11 by a spacecraft's missile at persons, less 1.
    assert done.of("Ann").guns["dart"] == 2
    assert done.state["sites"]["camp"]["wound"] == 200
    city = above({**CAMP, "kind": "large city"})
    done = city.turn({**SHELL, "weapon": "dart"}, idle("Bo"), dice=[12, 4, 4, 4, 4, 3])
    assert done.state["sites"]["camp"]["wound"] == (4 + 7 - 2) * 10


DIRECTIONS = (
    "long", "long right", "right", "short right", "short", "short left", "left", "long left",
)  # fmt: skip


@pytest.mark.parametrize("die", range(1, 9))
def test_cx_68_a_miss_scatters(die: int) -> None:
    done = above().turn(SHELL, idle("Bo"), dice=[5, 3, die, 7])
    shown = done.state["sites"]["camp"]
    assert shown["scatter"] == {"direction": DIRECTIONS[die - 1], "feet": 37}
    assert shown["wound"] == 0
    hit = done.turn(SHELL, idle("Bo"), dice=[12, 8, 1])
    assert hit.state["sites"]["camp"]["scatter"] is None


def test_cx_68_a_botch_misses_by_nothing_at_least() -> None:
    aimed = {**CAMP, "kind": "megalopolis"}
    guns = {"weapons": [{**GUN, "battery": True, "count": 4}]}
    # d8 and three steps: three 1s are 3, as many as are needed. With a d12+d2 they are even more.
    for agility, ones in (("d12", 3), ("d12+d2", 4)):
        start = above(aimed, ann=ship("Ann", agi=agility, **guns))
        done = start.turn(SHELL, idle("Bo"), dice=[*[1] * ones, 5, 10], start=[1] * (ones + 1))
    assert done.state["sites"]["camp"]["scatter"] == {"direction": "short", "feet": 10}


def test_cx_68_a_missile_still_does_damage_by_its_blast() -> None:
    start = above(ann=ship("Ann", weapons=[{**DART, "scale": "planetcraft", "size": "light"}]))
    shell = {**SHELL, "weapon": "dart"}
    # 5 of 7: 20 feet and d10; at 21 feet two increments of 10 are begun beyond the first.
    done = start.turn(shell, idle("Bo"), dice=[3, 2, 1, 1, 2, 2])
    assert done.thrown()[2:] == [(8, 1), (10, 1), (2, 2), (2, 2)]
    # 4 points are 2 Wound, doubled at persons, less 1.
    assert done.state["sites"]["camp"]["wound"] == 30
    far = start.turn(shell, idle("Bo"), dice=[1, 2, 1, 10])
    assert far.thrown()[2:] == [(8, 1), (10, 10)]


@pytest.mark.parametrize(
    ("population", "wound", "wounded", "killed"),
    [(100, 100, 33, 17), (9_999, 70, 2_332, 1_167), (7, 30, 0, 1), (3, 200, 2, 1)],
)
def test_cx_69_casualties(population: int, wound: int, wounded: int, killed: int) -> None:
    start = above({**CAMP, "population": population})
    site = start.battle.sites["camp"]
    hurt = start.with_state(sites={"camp": type(site)(site.kind, 20, 1, population, wound)})
    shown = hurt.state["sites"]["camp"]
    assert (shown["wounded"], shown["killed"]) == (wounded, killed)


def spotting(**changes: Any) -> list[str]:
    """Why Eye, with other equipment, cannot spot."""
    start = battle([ship("Ann"), {**EYE, **changes}], [fighter("Bo")], sites=[CAMP])
    return start.why(o("Eye", "spot", at="camp"), idle("Ann"), idle("Bo"))


def test_cx_70_a_spotter_needs_a_designator_and_an_uplink() -> None:
    assert spotting() == []
    for changes in ({"designator": False}, {"uplink": "none"}, {"uplink": None}):
        assert spotting(**changes) == ["no equipment"]
    poor = above(conditions="poor")
    assert poor.why(o("Eye", "spot", at="camp"), idle("Ann"), idle("Bo")) == ["no equipment"]
    sure = battle(
        [ship("Ann"), {**EYE, "uplink": "transceiver"}], [fighter("Bo")],
        sites=[CAMP], conditions="poor",
    )  # fmt: skip
    assert sure.why(o("Eye", "spot", at="camp"), idle("Ann"), idle("Bo")) == []


def test_cx_70_once_a_turn_and_nothing_else() -> None:
    spot = o("Eye", "spot", at="camp")
    quiet = idle("Ann"), idle("Bo")
    assert above().why(spot, spot, *quiet) == ["busy"]
    assert (
        above().why({**SHELL, "unit": "Eye"}, {**spot, "unit": "Ann"}, *quiet)
        == ["wrong station"] * 2
    )
    for at in ("Bo", "Spy", "X", "Eye"):
        assert above().why({**spot, "at": at}, *quiet) == ["bad target"]


def test_cx_71_the_spotter_rolls_for_the_gunners() -> None:
    orders = o("Eye", "spot", at="camp"), {**SHELL, "spotter": "Eye"}, idle("Bo")
    done = above().turn(*orders, dice=[6, 5, 3])
    # d8 and d6 for Alertness and gunnery, then the gun's damage.
    assert done.thrown() == [(8, 6), (6, 5), (6, 3)]
    blind = battle([ship("Ann", altitude=5_001), {**EYE, "scope": None}], [fighter("Bo")],
                   sites=[CAMP])  # fmt: skip
    # A step less without a scope, and one for the range.
    assert blind.turn(*orders, dice=[2, 2, 1, 1]).thrown()[:2] == [(8, 2), (2, 2)]
    unseen = above().why(orders[1], idle("Bo"))
    assert unseen == ["not spotted"]
    assert above().why(orders[0], {**SHELL, "spotter": "Spy"}, idle("Bo")) == ["not spotted"]
    # It must have spotted this very mark.
    both = above(CAMP, {**CAMP, "name": "port"})
    elsewhere = o("Eye", "spot", at="port"), orders[1]
    assert both.why(*elsewhere, idle("Bo")) == ["not spotted"]


def found(**changes: Any) -> Skirmish:
    """Red's spotter Spy has been detected."""
    spy = Spotter("Spy", 1, Seat("red"), 4, 3, 10, True, "handset", True, detected=True, **changes)
    start = above()
    return start.with_state(spotters={**start.battle.spotters, "Spy": spy})


def test_cx_72_who_has_spotted_is_detected_from_the_end_of_the_turn_on() -> None:
    orders = o("Spy", "spot", at="camp"), {**SHELL, "at": "Spy"}, idle("Bo")
    done = above().turn(*orders)
    assert done.refused == ((1, "bad target"),)
    assert done.state["spotters"]["Spy"]["detected"] is True
    assert done.state["spotters"]["Eye"]["detected"] is False
    assert done.why({**SHELL, "at": "Spy"}, idle("Bo"), dice=[12, 8, 6]) == []


def test_cx_72_a_spotter_is_bombarded_as_an_area() -> None:
    shell = {**SHELL, "at": "Spy"}
    # 12 against 11: a point of Stun, and a Wound by the die, each five times.
    done = found().turn(shell, idle("Bo"), dice=[8, 4, 1])
    assert done.state["spotters"]["Spy"] == {
        "fate": "disabled", "stun": 50, "wound": 50, "detected": True,
    }  # fmt: skip
    assert found().turn(shell, idle("Bo"), dice=[8, 3, 2]).state["spotters"]["Spy"]["fate"] == (
        "destroyed"
    )
    missed = found().turn(shell, idle("Bo"), dice=[5, 3, 1, 1])
    assert missed.state["sites"]["camp"]["scatter"] is None
    assert missed.state["spotters"]["Spy"]["fate"] == "active"
    # Nor is it a target any more, nor does it order.
    gone = done.why(o("Spy", "spot", at="camp"), shell, idle("Bo"))
    assert gone == ["out of the battle", "bad target"]
