"""Scenarios of Cortex: what is read, what is refused, and the order of the tests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import registry
from engine.replay import ScenarioError, replay
from tests.engine.cortex.battles import (
    CANNON,
    DART,
    FLAK,
    GUN,
    RAILGUN,
    battle,
    crewed,
    fighter,
    idle,
    o,
    setup,
    ship,
    shot,
    trooper,
)
from tests.support.paths import SCENARIOS

SCENARIO = SCENARIOS / "cortex-worked-example.json"


def worked() -> Any:
    """The worked example of the rules, to be changed."""
    return json.loads(SCENARIO.read_text())


def test_a_league_plays_it_only_where_it_is_named() -> None:
    assert not registry.RULESETS["cortex"].usual


def put(value: Any, path: tuple[Any, ...], found: Any) -> None:
    """Set what stands at a path."""
    *above, last = path
    for key in above:
        value = value[key]
    value[last] = found


ANN = ("teams", 0, "vessels", 0)
BROKEN = [
    (("options",), ["wings", "magic"], r"options\[1\]"),
    (("options",), "wings", r"options"),
    (("options",), ["crew1", "crew2"], r"options"),
    (("range",), None, r"range"),
    (("range",), 500, r"range"),
    (("range",), "near", r"range"),
    (("ranges",), {"Raider|Lance": "short"}, r"ranges\.Raider\|Lance"),
    (("ranges",), {"Lance|Raider": "near"}, r"ranges\.Lance\|Raider"),
    (("atmosphere",), True, r"atmosphere"),
    (("atmosphere",), "yes", r"atmosphere"),
    (("conditions",), "fair", r"conditions"),
    (("teams",), [], r"teams"),
    (("teams", 1, "name"), "blue", r"teams\[1\]\.name"),
    (("teams", 1, "name"), "a|b", r"teams\[1\]\.name"),
    (("teams", 1, "vessels"), [], r"teams\[1\]\.vessels"),
    ((*ANN, "name"), " ", r"vessels\[0\]\.name"),
    ((*ANN, "name"), "a|b", r"vessels\[0\]\.name"),
    ((*ANN, "name"), "Raider", r"teams\[1\]\.vessels\[0\]\.name"),
    ((*ANN, "scale"), "huge", r"vessels\[0\]\.scale"),
    ((*ANN, "str"), "d7", r"vessels\[0\]\.str"),
    ((*ANN, "str"), None, r"vessels\[0\]\.str"),
    ((*ANN, "agi"), "d14", r"vessels\[0\]\.agi"),
    ((*ANN, "agi"), "12", r"vessels\[0\]\.agi"),
    ((*ANN, "agi"), "d12 + d2", r"vessels\[0\]\.agi"),
    ((*ANN, "agi"), "+".join(["d12"] * 6), r"vessels\[0\]\.agi"),
    ((*ANN, "speed"), 100, r"vessels\[0\]\.speed"),
    ((*ANN, "speed"), 8.0, r"vessels\[0\]\.speed"),
    ((*ANN, "speed"), True, r"vessels\[0\]\.speed"),
    ((*ANN, "lp"), 0, r"vessels\[0\]\.lp"),
    ((*ANN, "lp"), 10_000, r"vessels\[0\]\.lp"),
    ((*ANN, "altitude"), 0, r"vessels\[0\]\.altitude"),
    ((*ANN, "armour"), 3, r"vessels\[0\]\.armour"),
    ((*ANN, "armour"), {"stun": 100}, r"vessels\[0\]\.armour\.stun"),
    ((*ANN, "crew"), None, r"vessels\[0\]\.crew"),
    ((*ANN, "crew"), {"pilot": None}, r"vessels\[0\]\.crew\.pilot"),
    ((*ANN, "crew", "pilot", "skill"), "d0", r"crew\.pilot\.skill"),
    ((*ANN, "crew"), {"pilot": {}, "comms": {"skill": "d4"}}, r"crew\.comms\.attr"),
    ((*ANN, "weapons"), [{**GUN, "name": "guns"}], r"weapons\[0\]\.name"),
    ((*ANN, "weapons"), [{**GUN, "name": "comms"}], r"weapons\[0\]\.name"),
    ((*ANN, "weapons"), [GUN, GUN], r"weapons\[1\]\.name"),
    ((*ANN, "weapons"), [{**GUN, "damage": None}], r"weapons\[0\]\.damage"),
    ((*ANN, "weapons"), [{**GUN, "count": 0}], r"weapons\[0\]\.count"),
    ((*ANN, "weapons"), [{**GUN, "battery": True}], r"weapons\[0\]\.battery"),
    ((*ANN, "weapons"), [{**CANNON, "pd": True}], r"weapons\[0\]\.pd"),
    ((*ANN, "weapons"), [{**FLAK, "range": "capital"}], r"weapons\[0\]\.pd"),
    ((*ANN, "weapons"), [{**DART, "linked": True}], r"weapons\[0\]\.missile"),
    ((*ANN, "weapons"), [{**DART, "scale": "personal"}], r"weapons\[0\]\.missile"),
    ((*ANN, "weapons"), [{**DART, "size": "extreme"}], r"weapons\[0\]\.size"),
    ((*ANN, "weapons"), [{**DART, "warhead": "gas"}], r"weapons\[0\]\.warhead"),
    (("teams", 1, "vessels", 1, "weapons"), [{**RAILGUN, "linked": True}], r"\.battery"),
    (("teams", 0, "spotters", 0, "alt"), None, r"spotters\[0\]\.alt"),
    (("teams", 0, "spotters", 0, "uplink"), "string", r"spotters\[0\]\.uplink"),
    (("teams", 0, "spotters", 0, "name"), "Lance", r"spotters\[0\]\.name"),
    (("obstacles", 0, "size"), "tiny", r"obstacles\[0\]\.size"),
    (("obstacles", 0, "vector"), None, r"obstacles\[0\]\.vector"),
    (("obstacles", 0, "turn"), None, r"obstacles\[0\]\.turn"),
    (("obstacles", 0, "against"), None, r"obstacles\[0\]\.against"),
    (("obstacles", 0, "against"), "Eye", r"obstacles\[0\]\.against"),
    (("obstacles", 0, "turn"), 1_000, r"obstacles\[0\]\.turn"),
    (("obstacles", 1, "name"), "port", r"obstacles\[1\]\.name"),
    (("sites", 0, "kind"), "town", r"sites\[0\]\.kind"),
    (("sites", 1, "lp"), None, r"sites\[1\]\.lp"),
    (("sites", 0, "population"), 1_000_000_001, r"sites\[0\]\.population"),
]


@pytest.mark.parametrize(("path", "value", "field"), BROKEN)
def test_a_broken_set_up_is_refused_by_the_name_of_its_field(
    path: tuple[Any, ...], value: Any, field: str
) -> None:
    scenario = worked()
    put(scenario["setup"], path, value)
    with pytest.raises(ScenarioError, match=rf"^setup\.[^:]*{field}[^:]*:"):
        replay(scenario)


@pytest.mark.parametrize(
    ("orders", "field"),
    [({}, "orders"), ([[], {}], r"orders\[1\]"), ([[], [{}, 5]], r"orders\[1\]\[1\]")],
)
def test_turns_are_lists_of_objects(orders: Any, field: str) -> None:
    with pytest.raises(ScenarioError, match=rf"^{field}:"):
        replay({**worked(), "orders": orders})


def test_a_person_is_struck_by_no_obstacle_and_has_no_missiles() -> None:
    made = setup([trooper("Ann")], [fighter("Bo")])
    rock = {"name": "rock", "size": "small", "speed": 1, "vector": "away", "turn": 1}
    for changes, field in (
        ({"obstacles": [{**rock, "against": "Ann"}]}, r"obstacles\[0\]\.against"),
        ({"teams": [{"name": "x", "vessels": [trooper("Ann", weapons=[DART])]}, {}]}, "missile"),
    ):
        scenario = {"system": "cortex", "setup": {**made, **changes}, "orders": [], "seed": "x"}
        with pytest.raises(ScenarioError, match=field):
            replay(scenario)


def test_what_may_be_missing_may() -> None:
    bare = {
        "name": "Ann", "scale": "planetcraft", "str": "d2", "agi": "d2", "vit": "d2", "alt": "d2",
        "speed": 0, "lp": 1, "crew": {"pilot": {"attr": "never read"}},
    }  # fmt: skip
    teams = [{"name": "a", "vessels": [bare]}, {"name": "b", "vessels": [{**bare, "name": "Bo"}]}]
    made = {"range": "long", "teams": teams, "anything": "else"}
    result = replay({"system": "cortex", "setup": made, "orders": [], "dice": []})
    assert result["state"]["turn"] == 0
    assert result["state"]["vessels"]["Ann"] == {
        "fate": "active", "stun": 0, "wound": 0, "speed": 0, "weapons": {}, "damaged": [],
        "wing": None, "aim": {}, "next": {},
    }  # fmt: skip


def test_random_obstacles_are_rolled_even_without_a_turn() -> None:
    result = replay({**worked(), "orders": [], "dice": [8, 3, 5]})
    assert result["state"]["obstacles"]["hulk"] == {
        "size": "medium",
        "speed": 6,
        "vector": "away",
    }


def test_index_counts_the_orders_of_all_turns_and_the_list_goes_by_it() -> None:
    made = setup([fighter("Ann")], [fighter("Bo")])
    turns = [
        [o("Bo", "dance"), o("X", "fire"), o("Ann", "leave"), o("Bo", "surrender")],
        [],
        [o("Ann", "fire"), {"unit": 7}],
    ]
    result = replay({"system": "cortex", "setup": made, "orders": turns, "seed": "x"})
    assert [(entry["index"], entry["reason"]) for entry in result["refused"]] == [
        (0, "unknown order"), (1, "unknown unit"), (2, "bad wing"), (4, "over"), (5, "over"),
    ]  # fmt: skip
    assert (result["state"]["turn"], result["over"]) == (1, True)


def test_whatever_is_wrong_in_an_order_is_a_refusal() -> None:
    start = battle([fighter("Ann")], [fighter("Bo")])
    wrong: list[Any] = [
        {"unit": "Ann", "do": ["fire"]},
        {"unit": "Ann"},
        o("Ann", "fire", weapon=5, at="Bo"),
        o("Ann", "fire", weapon="gun", at={}),
        o("Ann", "fire", weapon="gun", at="Bo", called=1),
        o("Ann", "fire", weapon="gun", at="Bo", guns="2"),
    ]
    assert start.why(*wrong, idle("Bo")) == [
        "unknown order", "unknown order", "bad weapon", "bad target", "bad target", "bad battery",
    ]  # fmt: skip
    assert start.why({"unit": ["Ann"], "do": "open"}) == ["unknown unit"]


def test_the_tests_come_in_their_order() -> None:
    blue = [fighter("Ann", fixed=True), ship("Big", crew=crewed()), trooper("Tom")]
    start = battle([*blue, fighter("Amy"), fighter("Abe")], [fighter("Bo")])
    start = start.wing("Amy", "Abe").having("Bo", fate="disabled")
    for order, reason in (
        (o("Bo", "dance"), "unknown order"),
        (o("Bo", "sense"), "out of the battle"),
        (o("Abe", "sense"), "rule off"),
        (o("Abe", "spot"), "wrong station"),
        (o("Abe", "join"), "in a wing"),
        (o("Tom", "strafe"), "wrong scale"),
        (o("Tom", "jump"), "wrong scale"),
        (o("Big", "leave"), "wrong scale"),
        (o("Ann", "open"), "immobile"),
        (o("Big", "jump", at="X"), None),
    ):
        assert start.why(order) == ([] if reason is None else [reason])


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (shot("Ann", "Bo", "sling", guns=9), "bad weapon"),
        (shot("Ann", "X", "gun", guns=9), "bad battery"),
        (shot("Ann", "X", "empty"), "spent"),
        (shot("Ann", "X", "cannon"), "bad target"),
        (shot("Ann", "Amy", "cannon"), "bad target"),
        (shot("Ann", "Bo", "cannon", called="crew"), "bad target"),
        (shot("Ann", "Bo", "cannon"), "out of range"),
        (o("Ann", "lock", weapon="gun", at="Bo"), "bad weapon"),
        (o("Ann", "launch", weapon="dart", guns=2, at="X"), "bad battery"),
        (o("Ann", "launch", weapon="dart", at="X"), "bad target"),
        (o("Ann", "launch", weapon="dart", at="Bo"), "no lock"),
        (o("Ann", "aim", weapon="gun", guns=9, at="X"), "bad target"),
        (o("Ann", "bombard", weapon="gun", at="X"), "bad target"),
        (o("Ann", "outfly", missile="M1"), "no missile"),
    ],
)
def test_the_tests_of_gun_orders_come_in_their_order(order: Any, reason: str) -> None:
    weapons = [GUN, CANNON, DART, {**GUN, "name": "empty", "count": 1}]
    start = battle([fighter("Ann", weapons=weapons), fighter("Amy")], [fighter("Bo")])
    guns = {"gun": 3, "cannon": 2, "dart": 3, "empty": 0}
    assert start.having("Ann", guns=guns).why(order, idle("Bo")) == [reason]
