"""CX-51 to CX-60: characters as crew, in both drafts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.cortex.rules import CORTEX
from engine.seats import Seat
from tests.engine.cortex.battles import (
    CALM,
    CANNON,
    DART,
    GUN,
    Skirmish,
    battle,
    crewed,
    fighter,
    idle,
    o,
    ship,
    shot,
)

FIRST, SECOND = [*CALM, "crew1"], [*CALM, "crew2"]
DEGREES = [((1, 1), -1), ((8, 2), 0), ((8, 3), 1)]
"""Dice against 11 of a person with d8 and d8: a botch, a failure, a success."""


def ships(options: list[str], **crew: Any) -> Skirmish:
    """Ann and Amy of blue in crewed ships, against Bo's."""
    blue = [ship("Ann", crew=crewed(**crew)), ship("Amy", crew=crewed())]
    return battle(blue, [ship("Bo", crew=crewed())], options=options)


QUIET = idle("Amy"), idle("Bo")
GUNS = {"attr": "d8", "skill": "d12"}
"""With d12 as skill 18 can be reached, which is extraordinary."""


def test_cx_51_stations_must_be_manned_and_traits_count_but_for_the_pilots() -> None:
    start = battle([fighter("Ann")], [fighter("Bo")], options=FIRST)
    orders = [o("Ann", do, to="pilot") for do in ("assist", "forward", "sense")]
    assert start.why(*orders, idle("Bo")) == ["wrong station"] * 3
    assert start.why(o("Ann", "assist", to="pilot", station="comms"), idle("Bo")) == [
        "wrong station"
    ]
    talker = {"attr": "d8", "skill": "d8", "trait": "d6"}
    done = ships(FIRST, commander=talker, pilot={"skill": "d10", "trait": "d6"}).turn(
        o("Ann", "assist", to="pilot"), shot("Bo", "Ann"), o("Ann", "defend"), idle("Amy"),
        dice=[1, 2, 3, 1, 2, 12, 10],
    )  # fmt: skip
    assert done.thrown()[:3] == [(8, 1), (8, 2), (6, 3)]
    assert done.thrown()[5:] == [(12, 12), (10, 10)]


def test_cx_51_with_neither_draft_only_defend_is_left() -> None:
    start = battle([fighter("Ann")], [fighter("Bo")])
    orders = o("Ann", "evade"), o("Ann", "press", weapon="gun"), o("Ann", "defend")
    assert start.why(*orders, idle("Bo")) == ["rule off"] * 2


@pytest.mark.parametrize(("dice", "steps"), DEGREES)
def test_cx_52_an_assist_is_for_the_next_turn(dice: tuple[int, int], steps: int) -> None:
    start = ships(FIRST)
    done = start.turn(o("Ann", "assist", to="pilot"), *QUIET, dice=dice)
    assert done.of("Ann").next == ({"pilot": steps} if steps else {})
    # All rolls of Agility and Pilot, such as a defence.
    after = done.turn(o("Ann", "defend"), shot("Bo", "Ann"), idle("Amy"), dice=[1, 2, 12, 1])
    assert after.thrown()[3] == (10 + 2 * steps, 1)
    assert after.of("Ann").next == {}


def test_cx_52_extraordinary_is_two_and_what_it_is_for() -> None:
    start = ships(FIRST, executive=GUNS)
    orders = (
        o("Ann", "assist", to="railgun", station="executive"),
        o("Ann", "assist", to="railgun"),
    )
    done = start.turn(*orders, *QUIET, dice=[8, 10, 1, 1])
    # Two and a botch's -1 make one in sum.
    assert done.of("Ann").next == {"railgun": 1}
    after = done.turn(shot("Ann", "Bo", "railgun", guns=1), *QUIET, dice=[1, 2, 12])
    assert after.thrown()[1] == (10, 2)
    both = start.turn(orders[1], {**orders[0], "to": "railgun"}, *QUIET, dice=[1, 1, 8, 3])
    assert both.of("Ann").next == {}
    for to, reason in (("sensors", []), ("comms", []), ("guns", ["bad target"])):
        dice = [] if reason else [1, 2]
        assert start.why(o("Ann", "assist", to=to), *QUIET, dice=dice) == reason


def test_cx_52_whom_one_can_assist() -> None:
    start = ships(FIRST)
    for at in ("Bo", "X", 5):
        assert start.why(o("Ann", "assist", to="pilot", at=at), *QUIET) == ["bad target"]
    # Nobody is helped at a station that is not in the list, or that is not manned there.
    assert start.why(o("Ann", "assist", to="tactical"), *QUIET) == ["bad target"]
    empty = ships(FIRST, sensors=None).why(o("Ann", "assist", to="sensors"), *QUIET)
    assert empty == ["bad target"]
    own = o("Ann", "assist", to="pilot", at="Ann")
    assert start.turn(own, *QUIET, dice=[8, 3]).of("Ann").next == {"pilot": 1}
    twice = o("Ann", "assist", to="pilot"), o("Ann", "assist", to="gun")
    assert start.why(*twice, *QUIET, dice=[1, 2]) == ["busy"]


def test_cx_53_commands_to_other_vessels_are_forwarded_or_lost() -> None:
    start = ships(FIRST)
    helped = o("Ann", "assist", to="pilot", at="Amy")
    forward = o("Ann", "forward")
    assert start.turn(helped, *QUIET, dice=[8, 3]).of("Amy").next == {}
    done = start.turn(forward, helped, *QUIET, dice=[8, 3, 4, 3])
    assert done.of("Amy").next == {"pilot": 1}
    assert start.turn(forward, helped, *QUIET, dice=[8, 3, 4, 2]).of("Amy").next == {}
    # Botched ones too.
    done = start.turn(forward, helped, *QUIET, dice=[1, 1, 4, 3])
    assert done.of("Amy").next == {"pilot": -1}
    assert start.turn(forward, helped, *QUIET, dice=[1, 1, 4, 2]).of("Amy").next == {}
    # Help for comms counts when they forward.
    aided = start.turn(o("Ann", "assist", to="comms"), *QUIET, dice=[8, 3])
    assert aided.turn(forward, *QUIET, dice=[1, 10]).thrown() == [(8, 1), (10, 10)]


def wing(options: list[str]) -> Skirmish:
    """Ann leads Amy, the worst pilot, and Abe; all have officers, and other weapons each."""
    arms = {"Ann": [GUN], "Amy": [DART], "Abe": [CANNON]}
    skills = {"Ann": "d10", "Amy": "d4", "Abe": "d8"}
    blue = [
        fighter(name, crew=crewed(pilot={"skill": skills[name]}), weapons=arms[name])
        for name in arms
    ]
    return battle(blue, [fighter("Bo")], options=options).wing(*arms)


@pytest.mark.parametrize(
    ("to", "helped"),
    [("pilot", "Amy"), ("dart", "Amy"), ("sensors", "Ann"), ("comms", "Ann")],
)
def test_cx_36_officers_help_the_worst_pilot_and_their_own_stations(to: str, helped: str) -> None:
    done = wing(FIRST).turn(o("Ann", "assist", to=to), idle("Bo"), dice=[8, 3])
    found = {name: done.of(name).next for name in ("Ann", "Amy", "Abe")}
    assert found == {name: {to: 1} if name == helped else {} for name in found}
    # Help for sensors and comms counts where the officers themselves use them.
    if to == "comms":
        told = done.turn(o("Ann", "forward"), idle("Bo"), dice=[1, 10])
        assert told.thrown() == [(8, 1), (10, 10)]
    if to == "sensors":
        sensed = done.turn(o("Ann", "sense", to="pilot"), idle("Bo"), dice=[1, 10])
        assert sensed.thrown() == [(4, 1), (10, 10)]


def test_cx_36_weapons_are_the_worst_pilots_for_help_too() -> None:
    for weapon in ("gun", "cannon"):
        orders = [o("Ann", "assist", to=weapon), o("Ann", "sense", to=weapon)]
        assert wing(FIRST).why(*orders, idle("Bo")) == ["bad target"] * 2
    texts = [
        CORTEX.format(offer.order) for offer in CORTEX.offers(wing(FIRST).battle, Seat("blue"))
    ]
    helped = {
        found[1]
        for text in texts
        if (found := re.fullmatch(r"Ann: (?:COMMANDER )?ASSIST (.+)", text))
    }
    assert helped == {"pilot", "sensors", "comms", "dart", "pilot OF Amy", "pilot OF Abe"}
    # A member that is named has its own.
    start, named = wing(FIRST), o("Ann", "assist", to="gun", at="Ann")
    assert start.turn(named, idle("Bo"), dice=[8, 3]).of("Ann").next == {"gun": 1}
    assert start.why(o("Ann", "assist", to="gun", at="Amy"), idle("Bo")) == ["bad target"]


@pytest.mark.parametrize("at", ["Amy", "Abe"])
@pytest.mark.parametrize("to", ["pilot", "sensors", "comms"])
def test_cx_36_a_member_that_is_named_is_another_vessel(at: str, to: str) -> None:
    start, named = wing(FIRST), o("Ann", "assist", to=to, at=at)
    assert start.turn(named, idle("Bo"), dice=[8, 3]).of(at).next == {}
    done = start.turn(named, o("Ann", "forward"), idle("Bo"), dice=[8, 3, 4, 3])
    assert done.of(at).next == {to: 1}
    assert start.turn(named, o("Ann", "forward"), idle("Bo"), dice=[8, 3, 4, 2]).of(at).next == {}


def test_cx_36_the_second_draft_helps_the_worst_pilots_rolls() -> None:
    start = wing(SECOND)
    orders = o("Ann", "assist", to="pilot"), o("Ann", "evade"), idle("Bo")
    # Amy's pilot die is d4, and a step higher by the help.
    assert start.turn(*orders, dice=[8, 3, 1, 1]).thrown()[2:] == [(12, 1), (6, 1)]


@pytest.mark.parametrize(
    ("dice", "defence", "attack"), [((1, 1), 8, 8), ((2, 8), 10, 8), ((3, 8), 12, 10)]
)
def test_cx_54_sensors_guide_the_defence_or_a_weapon(
    dice: tuple[int, int], defence: int, attack: int
) -> None:
    start = ships(FIRST)
    # Alertness d4 and the operator's d8 do not reach 11 but with 12: so d8 here.
    start = battle([ship("Ann", alt="d8", crew=crewed())], [ship("Bo")], options=FIRST)
    orders = o("Ann", "sense", to="pilot"), o("Ann", "defend"), shot("Bo", "Ann")
    done = start.turn(*orders, dice=[*dice, 1, 2, 12, 1], start=[12, 1, 11, 1])
    assert done.thrown()[5] == (defence, 1)
    orders = o("Ann", "sense", to="gun"), shot("Ann", "Bo"), idle("Bo")
    done = start.turn(*orders, dice=[*dice, 1, 2, 12], start=[12, 1, 11, 1])
    assert done.thrown()[3] == (attack, 2)


def test_cx_54_an_extraordinary_one_and_damaged_sensors() -> None:
    start = battle([ship("Ann", alt="d8", crew=crewed(sensors=GUNS))], [ship("Bo")], options=FIRST)
    orders = o("Ann", "sense", to="pilot"), o("Ann", "defend"), shot("Bo", "Ann")
    done = start.turn(*orders, dice=[8, 10, 1, 2, 12, 12, 1])
    # d10 and two steps.
    assert done.thrown()[4:] == [(12, 12), (12, 12), (2, 1)]
    guided = o("Ann", "sense", to="gun"), shot("Ann", "Bo"), idle("Bo")
    assert start.turn(*guided, dice=[8, 10, 1, 2, 12]).thrown()[3] == (10, 2)
    blind = start.having("Ann", damaged=frozenset({"sensors"}))
    assert blind.turn(*guided, dice=[1, 2, 1, 2, 12]).thrown()[1] == (8, 2)
    assert start.why(o("Ann", "sense", to="guns"), idle("Bo")) == ["bad target"]


def test_cx_55_evading_is_a_better_defence_and_a_worse_attack() -> None:
    start = ships(FIRST)
    orders = o("Ann", "evade"), shot("Ann", "Bo"), shot("Bo", "Ann"), idle("Amy")
    done = start.turn(*orders, dice=[1, 2, 12, 1, 2, 12, 12, 1])
    assert done.thrown()[:3] == [(12, 1), (6, 2), (12, 12)]
    assert done.thrown()[5:] == [(12, 12), (12, 12), (2, 1)]


def test_cx_55_to_press_helps_a_weapon_next_turn_and_exposes_in_this() -> None:
    start = ships(FIRST)
    press = o("Ann", "press", weapon="gun")
    done = start.turn(press, shot("Bo", "Ann"), idle("Amy"), dice=[1, 1])
    assert done.events_of("Attacked")[0].needed == 3
    assert done.of("Ann").next == {"gun": 1}
    after = done.turn(shot("Ann", "Bo"), shot("Bo", "Ann"), idle("Amy"), dice=[1, 2, 12, 1, 1, 12])
    assert (after.thrown()[1], after.events_of("Attacked")[1].needed) == ((10, 2), 12)
    assert start.why(o("Ann", "press", weapon="sling"), *QUIET) == ["bad weapon"]
    # Both take the whole turn.
    assert start.why(press, o("Ann", "evade"), *QUIET) == ["busy"]
    assert start.why(o("Ann", "defend"), press, *QUIET) == ["busy"]


def test_cx_56_steps_for_a_weapon_count_in_all_its_attack_rolls() -> None:
    start = ships(FIRST)
    done = start.turn(o("Ann", "assist", to="dart"), *QUIET, dice=[8, 3])
    lock = o("Ann", "lock", weapon="dart", at="Bo")
    assert done.turn(lock, *QUIET, dice=[2, 1]).thrown() == [(12, 2), (10, 1)]
    # Not in those of others.
    assert done.turn(shot("Ann", "Bo"), *QUIET, dice=[1, 2, 12]).thrown()[1] == (8, 2)


@pytest.mark.parametrize(("dice", "steps"), DEGREES)
def test_cx_57_second_draft_assists_are_for_this_turn(dice: tuple[int, int], steps: int) -> None:
    start = ships(SECOND)
    orders = o("Ann", "assist", to="pilot"), o("Ann", "evade")
    done = start.turn(*orders, *QUIET, dice=[*dice, 1, 2])
    assert done.thrown()[2:] == [(12, 1), (10 + 2 * steps, 2)]
    orders = o("Ann", "assist", to="guns", station="executive"), shot("Ann", "Bo")
    done = start.turn(*orders, *QUIET, dice=[*dice, 1, 2, 12])
    assert done.thrown()[3] == (8 + 2 * steps, 2)
    assert done.of("Ann").next == {}
    assert start.why(o("Ann", "assist", to="gun"), *QUIET) == ["bad target"]


def test_cx_57_a_plot_helps_both() -> None:
    start = battle([ship("Ann", alt="d8", crew=crewed())], [ship("Bo")], options=SECOND)
    orders = o("Ann", "plot"), o("Ann", "press"), shot("Ann", "Bo"), idle("Bo")
    done = start.turn(*orders, dice=[8, 3, 12, 12, 1, 2, 1, 12])
    # d10 rises to d12 for the pilot; with 24 pressing adds two, and the plot one.
    assert done.thrown()[2:4] == [(12, 12), (12, 12)]
    assert done.thrown()[4:] == [(12, 1), (12, 2), (2, 1), (12, 12)]


def test_cx_58_both_manoeuvres_once_a_turn_and_the_second_at_a_step_less() -> None:
    start = ships(SECOND)
    orders = o("Ann", "press"), o("Ann", "evade"), o("Ann", "press")
    done = start.turn(*orders, *QUIET, dice=[1, 2, 1, 2])
    assert done.thrown() == [(12, 1), (10, 2), (12, 1), (8, 2)]
    assert done.refused == ((2, "busy"),)


def test_cx_58_a_spacecraft_has_no_defend_and_smaller_vessels_keep_it() -> None:
    start = battle([ship("Ann")], [fighter("Bo")], options=SECOND)
    assert start.why(o("Ann", "defend"), o("Bo", "defend")) == ["rule off"]
    done = start.turn(idle("Ann"), o("Bo", "press"), shot("Bo", "Ann"), dice=[2, 2, 1, 2, 12])
    # Fighters fly both, and their guns are the pilot's next action.
    assert done.thrown()[:2] == [(12, 2), (10, 2)]
    assert done.thrown()[3] == (8, 2)


@pytest.mark.parametrize(
    ("dice", "press", "evade"),
    [((1, 1), (6,), ()), ((8, 2), (8,), (4,)), ((8, 3), (10,), (6,)), ((9, 9), (12,), (8,))],
)
def test_cx_59_pressing_and_evading_by_degree(
    dice: tuple[int, int], press: tuple[int, ...], evade: tuple[int, ...]
) -> None:
    start = ships(SECOND)
    # A botched evasion takes all four steps of a d8, which leaves no gunnery die.
    for do, gunnery in (("press", press), ("evade", evade)):
        attack = [1 for _ in gunnery]
        orders = o("Ann", do), shot("Ann", "Bo"), *QUIET
        done = start.turn(*orders, dice=[*dice, 2, *attack, 12])
        assert [sides for sides, _ in done.thrown()[2:]] == [12, *gunnery, 12]


def test_cx_59_the_evasion_is_the_defence_and_pressing_leaves_the_free_die() -> None:
    start = ships(SECOND)
    done = start.turn(o("Ann", "evade"), shot("Bo", "Ann"), idle("Amy"), dice=[8, 5, 1, 2])
    assert done.events_of("Attacked")[0].needed == 13
    low = start.turn(o("Ann", "evade"), shot("Bo", "Ann"), idle("Amy"), dice=[1, 1, 1, 2, 1])
    assert low.events_of("Attacked")[0].needed == 3
    done = start.turn(o("Ann", "press"), shot("Bo", "Ann"), idle("Amy"), dice=[8, 5, 1, 2, 11])
    assert (done.events_of("Attacked")[0].needed, done.thrown()[4:]) == (11, [(12, 11)])


def test_cx_60_attacks_are_the_ships_agility_and_gunnery() -> None:
    for options in (FIRST, SECOND):
        start = ships(options, tactical={"skill": "d12", "trait": "d12"})
        done = start.turn(shot("Ann", "Bo"), *QUIET, dice=[1, 2, 12])
        assert done.thrown() == [(12, 1), (8, 2), (12, 12)]


@pytest.mark.parametrize(("crew", "offered"), [({}, {"Amy"}), ({"comms": None}, set())])
def test_only_with_a_comms_officer_help_for_another_vessels_pilot_is_offered(
    crew: dict[str, None], offered: set[str]
) -> None:
    state = ships(FIRST, **crew).battle
    texts = [CORTEX.format(offer.order) for offer in CORTEX.offers(state, Seat("blue"))]
    helped = [re.fullmatch(r"Ann: ASSIST pilot OF (\w+)", text) for text in texts]
    assert {found[1] for found in helped if found} == offered
