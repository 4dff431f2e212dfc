"""Scenarios of Starfarer: refusals in the middle of a round, and what is not a scenario."""

import json
from typing import Any

import pytest

from engine import registry
from engine.replay import ScenarioError, replay
from engine.starfarer.model import seats
from engine.starfarer.rules import STARFARER
from tests.support.paths import SCENARIOS

SCENARIO = SCENARIOS / "starfarer-worked-example.json"
END = {"round": 1, "end": True}


def worked() -> Any:
    """The worked example of the rules, to be changed."""
    return json.loads(SCENARIO.read_text())


def ordered(*orders: dict[str, Any], **setup: Any) -> Any:
    """The worked example's fight with other orders, by seeded dice."""
    scenario = worked()
    del scenario["dice"]
    scenario["setup"].update(setup)
    return {**scenario, "orders": list(orders), "seed": "x"}


def plan(*entries: Any, **changes: Any) -> dict[str, Any]:
    """A plan for Kitai."""
    return {"round": 1, "character": "Kitai", "plan": [*map(list, entries)], **changes}


def test_a_league_plays_it_only_where_its_settings_say_so() -> None:
    assert "starfarer" in registry.REPLAYABLE
    assert not registry.RULESETS["starfarer"].usual


def test_refusals_of_orders_and_of_actions_are_listed_as_they_happen() -> None:
    rise = {"do": "rise", "else": {"do": "parry", "with": "unarmed", "arm": "left"}}
    scenario = ordered(
        plan([{"do": "dance"}]),
        plan([rise]),
        {**END, "character": 5, "plan": "x"},
        END,
        plan([rise]),
    )
    assert replay(scenario)["refused"] == [
        {"index": 0, "reason": "unknown action"},
        {"index": 1, "reason": "not prone"},
        {"index": 3, "reason": "wrong round"},
        {"index": 4, "reason": "wrong round"},
    ]


def test_orders_after_the_end_are_refused_and_nothing_is_open() -> None:
    given = plan([{"do": "yield"}])
    result = replay(ordered(given, END, END, given))
    assert [entry["reason"] for entry in result["refused"]] == ["over", "over"]
    state = result["state"]
    assert (state["round"], state["to_plan"], state["over"]) == (None, [], True)
    assert state["winner"] == "blue"


def test_a_plan_that_is_replaced_leaves_its_refusals_to_the_later_one() -> None:
    scenario = ordered(plan([{"do": "rise"}]), plan([{"do": "rise"}]), END)
    assert replay(scenario)["refused"] == [{"index": 1, "reason": "not prone"}]
    assert replay(ordered(plan([{"do": "hold"}])))["state"]["to_plan"] == ["Bo"]


def test_names_and_numbers_may_be_as_they_like() -> None:
    """Also names that no file can hold, and numbers that no machine word can."""
    scenario = ordered(
        plan([{"do": "move", "to": 10**30}], [{"do": "attack", "within": -(10**30)}]), END
    )
    scenario["setup"]["teams"][1]["characters"][0]["name"] = "\ud800|referee"
    assert replay(scenario)["state"]["characters"]["\ud800|referee"]["at"] == 25


def test_else_may_be_as_deep_as_a_file_can_be() -> None:
    action: dict[str, Any] = {"do": "hold"}
    for _ in range(5_000):
        action = {"do": "rise", "else": action}
    assert len(replay(ordered(plan([action]), END))["refused"]) == 5_000


def test_a_team_may_be_called_as_the_referee_is() -> None:
    scenario = ordered(plan([{"do": "hold"}]), END)
    scenario["setup"]["teams"][0].update(name="|referee")
    assert replay(scenario)["refused"] == []
    battle = STARFARER.setup(scenario["setup"])
    assert seats(battle) == ("|team 0", "blue")
    scenario["setup"]["teams"][1]["characters"][0]["seat"] = "Bea"
    assert seats(STARFARER.setup(scenario["setup"])) == ("|team 0", "Bea")


def test_unknown_keys_are_ignored_and_null_counts_as_missing() -> None:
    scenario = worked()
    setup = scenario["setup"]
    setup.update(note="x")
    setup["options"].update(blunt=None, blow_through=None, speed=1)
    kitai, bo = (team["characters"][0] for team in setup["teams"])
    kitai.update(hand=None, armour=None, seat=3)
    kitai["skills"]["flute"] = None
    kitai["weapons"][0].update(extreme=None, hands=None, initiative=None, blunt=None, reach="x")
    bo["weapons"][0].update(range="far", extreme=7, reach=None)
    bo["armour"][0]["ratings"]["plasma"] = None
    scenario["orders"][0].update(abort=None, end=None, note=[1])
    scenario["orders"][0]["plan"][0][0].update({"if": None, "else": None, "within": None, "x": 1})
    scenario["orders"][2].update(plan=7, abort=7, character=7)
    assert replay(scenario)["state"] == replay(worked())["state"]


def _at(value: Any, *path: Any) -> Any:
    for key in path:
        value = value[key]
    return value


KITAI = ("teams", 0, "characters", 0)
GUN = (*KITAI, "weapons", 0)
BO = ("teams", 1, "characters", 0)
KNIFE = (*BO, "weapons", 0)
VEST = (*BO, "armour", 0)
SECOND = {"name": "green", "characters": []}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("options",), []),
        (("options", "blunt"), 1),
        (("options", "declaration"), False),
        (("field",), 0),
        (("field",), 300_001),
        (("field",), 60.0),
        (("teams",), []),
        (("teams",), [None] * 5),
        (("teams", 1, "name"), "red"),
        (("teams", 1, "characters"), []),
        (("teams", 1, "characters"), [{}] * 13),
        ((*KITAI, "name"), "Bo"),
        ((*KITAI, "name"), "nearest"),
        ((*KITAI, "name"), " "),
        ((*KITAI, "traits"), None),
        ((*KITAI, "traits", "agility"), 0),
        ((*KITAI, "traits", "essence"), 21),
        ((*KITAI, "initiative"), 31),
        ((*KITAI, "initiative"), -1),
        ((*KITAI, "mass"), 0),
        ((*KITAI, "mass"), 61),
        ((*KITAI, "resilience"), 201),
        ((*KITAI, "stun"), 0),
        ((*KITAI, "basic_shock"), 201),
        ((*KITAI, "at"), 61),
        ((*KITAI, "at"), True),
        ((*KITAI, "hand"), "both"),
        ((*KITAI, "skills"), []),
        ((*KITAI, "skills", "evade"), 21),
        ((*KITAI, "skills", " "), 2),
        ((*KITAI, "armour"), {}),
        ((*KITAI, "weapons"), "x"),
        ((*GUN, "name"), "unarmed"),
        ((*GUN, "skill"), ""),
        ((*GUN, "mode"), "thrown"),
        ((*GUN, "pr"), 201),
        ((*GUN, "dr"), -1),
        ((*GUN, "type"), None),
        ((*GUN, "range"), 9),
        ((*GUN, "range"), None),
        ((*GUN, "extreme"), "no"),
        ((*GUN, "blunt"), 0),
        ((*GUN, "hands"), 3),
        ((*GUN, "initiative"), 4),
        ((*KNIFE, "reach"), 0),
        ((*KNIFE, "reach"), 11),
        ((*VEST, "covers"), []),
        ((*VEST, "covers", 0), "tail"),
        ((*VEST, "ratings"), None),
        ((*VEST, "ratings", "laser"), 201),
        ((*VEST, "ratings", ""), 2),
    ],
)
def test_a_set_up_that_breaks_the_rules_names_its_field(path: tuple[Any, ...], value: Any) -> None:
    scenario = worked()
    _at(scenario["setup"], *path[:-1])[path[-1]] = value
    with pytest.raises(ScenarioError) as refused:
        replay(scenario)
    last = next(str(key) for key in reversed(path) if isinstance(key, str) and key.strip())
    named = {"declaration": "modifiers"}.get(last, last)
    assert str(refused.value).startswith("setup.")
    assert named in str(refused.value)


LIMITS = [
    (("field",), 25, 300_000),
    *(((*KITAI, "traits", key), 1, 20) for key in ("dexterity", "agility", "endurance")),
    *(((*KITAI, "traits", key), 1, 20) for key in ("willpower", "essence")),
    ((*KITAI, "skills", "evade"), 0, 20),
    ((*KITAI, "initiative"), 0, 30),
    ((*KITAI, "mass"), 1, 60),
    ((*KITAI, "resilience"), 0, 200),
    *(((*KITAI, key), 1, 200) for key in ("stun", "basic_shock")),
    ((*KITAI, "at"), 0, 60),
    *(((*GUN, key), 0, 200) for key in ("pr", "dr")),
    ((*GUN, "range"), 1, 8),
    ((*KNIFE, "reach"), 1, 10),
    ((*KNIFE, "initiative"), -3, 3),
    ((*KNIFE, "hands"), 1, 2),
    ((*VEST, "ratings", "laser"), 0, 200),
]


@pytest.mark.parametrize(("path", "low", "high"), LIMITS)
def test_each_number_has_its_limits(path: tuple[Any, ...], low: int, high: int) -> None:
    for value, fits in ((low, True), (high, True), (low - 1, False), (high + 1, False)):
        scenario = ordered()
        _at(scenario["setup"], *path[:-1])[path[-1]] = value
        if fits:
            assert not replay(scenario)["over"]
        else:
            with pytest.raises(ScenarioError):
                replay(scenario)


def test_two_to_four_teams_of_up_to_twelve() -> None:
    scenario = ordered()
    bo = scenario["setup"]["teams"][1]["characters"][0]
    for size, fits in ((2, True), (3, True), (4, True), (5, False), (1, False)):
        people = [[{**bo, "name": f"{t} {n}"} for n in range(12)] for t in range(size)]
        teams = [{"name": f"team {n}", "characters": c} for n, c in enumerate(people)]
        scenario["setup"]["teams"] = teams
        if fits:
            assert len(replay(scenario)["state"]["to_plan"]) == 12 * size
        else:
            with pytest.raises(ScenarioError, match=r"^setup\.teams: "):
                replay(scenario)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("teams", 1, "name"), "red", "setup.teams[1].name: 'red'"),
        ((*KITAI, "name"), "Bo", "setup.teams[1].characters[0].name: 'Bo'"),
    ],
)
def test_a_name_that_stands_twice_is_named_by_its_second_field(
    path: tuple[Any, ...], value: str, field: str
) -> None:
    scenario = worked()
    _at(scenario["setup"], *path[:-1])[path[-1]] = value
    with pytest.raises(ScenarioError) as refused:
        replay(scenario)
    assert str(refused.value).startswith(field)


def test_two_weapons_of_one_name_are_refused() -> None:
    scenario = worked()
    weapons = _at(scenario["setup"], *KITAI, "weapons")
    weapons.append(weapons[0])
    with pytest.raises(
        ScenarioError, match=r"setup\.teams\[0\]\.characters\[0\]\.weapons\[1\]\.name: "
    ):
        replay(scenario)


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (None, "orders[0]"),
        ({"character": "Kitai"}, "orders[0].round"),
        (plan([{"do": "hold"}], round=0), "orders[0].round"),
        ({"round": 0, "end": True}, "orders[0].round"),
        (plan([{"do": "hold"}], end="yes"), "orders[0].end"),
        (plan([{"do": "hold"}], character=None), "orders[0].character"),
        (plan([{"do": "hold"}], character=" "), "orders[0].character"),
        (plan([{"do": "hold"}], abort=1), "orders[0].abort"),
        (plan([{"do": "hold"}], abort=""), "orders[0].abort"),
        (plan([{"do": "hold"}], plan=None), "orders[0].plan"),
        (plan(), "orders[0].plan"),
        (plan([]), "orders[0].plan[0]"),
        (plan([{"do": "hold"}], ["hold"]), "orders[0].plan[1][0]"),
        (plan([None]), "orders[0].plan[0][0]"),
        (plan([{"do": "hold"}, None]), "orders[0].plan[0][1]"),
        (plan([{}]), "orders[0].plan[0][0].do"),
        (plan([{"do": ""}]), "orders[0].plan[0][0].do"),
        (plan([{"do": "hold", "else": []}]), "orders[0].plan[0][0].else"),
        (plan([{"do": "hold", "else": {"if": "clear"}}]), "orders[0].plan[0][0].else.do"),
        (plan([{"do": "hold", "if": True}]), "orders[0].plan[0][0].if"),
        (plan([{"do": "hold", "at": " "}]), "orders[0].plan[0][0].at"),
        (plan([{"do": "hold", "within": 2.0}]), "orders[0].plan[0][0].within"),
        (plan([{"do": "hold", "within": True}]), "orders[0].plan[0][0].within"),
        (plan([{"do": "hold", "finish": 1}]), "orders[0].plan[0][0].finish"),
        (plan([{"do": "hold", "with": 1}]), "orders[0].plan[0][0].with"),
        (plan([{"do": "hold", "arm": ["left"]}]), "orders[0].plan[0][0].arm"),
        (plan([{"do": "hold", "to": "3"}]), "orders[0].plan[0][0].to"),
        (plan([{"do": "hold", "toward": {}}]), "orders[0].plan[0][0].toward"),
        (plan([{"do": "hold", "area": 0}]), "orders[0].plan[0][0].area"),
    ],
)
def test_an_order_of_the_wrong_kind_is_no_scenario(entry: Any, field: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        replay(ordered(entry))
    assert str(refused.value).startswith(f"{field}: ")
