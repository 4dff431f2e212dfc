"""Scenarios of Black Skies: the worked example, refusals by their codes, what is not a scenario."""

import json
from typing import Any

import pytest

from engine.replay import ScenarioError, replay
from tests.support.paths import SCENARIOS

SCENARIO = SCENARIOS / "blackskies-worked-example.json"


def worked() -> Any:
    """The worked example of the rules, to be changed."""
    return json.loads(SCENARIO.read_text())


def ordered(*orders: dict[str, Any], **setup: Any) -> Any:
    """The worked example's battle with other orders, by seeded dice."""
    scenario = worked()
    del scenario["dice"]
    scenario["setup"].update(setup)
    return {**scenario, "orders": list(orders), "seed": "x"}


def order(**changes: Any) -> dict[str, Any]:
    """A legal order for Red."""
    return {"turn": 1, "element": "Red", "card": 1, "option": "steady", **changes}


END = {"turn": 1, "end": True}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (order(turn=2), "wrong turn"),
        ({"turn": 3, "end": True}, "wrong turn"),
        (order(element="red"), "unknown element"),
        (order(command="dance"), "unknown command"),
        (order(command="end"), "unknown command"),
        (order(command="withdraw"), "enemy near"),
        (order(card=None), "bad card"),
        (order(card=13), "bad card"),
        (order(card=10**30), "bad card"),
        (order(card=7), "no thrusters"),
        (order(option=None), "bad option"),
        (order(option="break"), "bad option"),
        (order(by=1), "bad option"),
        (order(option="accelerate"), "bad option"),
        (order(option="accelerate", by=4), "bad option"),
        (order(option="decelerate", by=1), "bad option"),
        (order(card=4, option="steady"), "bad option"),
        (order(targets=["Red 1"]), "bad target"),
        (order(targets=["Blue", "Blue 2"]), "bad target"),
    ],
)
def test_a_refused_order_has_its_reason_and_changes_nothing(
    entry: dict[str, Any], reason: str
) -> None:
    refused = replay(ordered(entry))
    assert refused["refused"] == [{"index": 0, "reason": reason}]
    assert refused["state"] == replay(ordered())["state"]


def test_reasons_are_tested_in_their_order() -> None:
    over = replay(ordered(END, order(), {"turn": 1, "end": True}, turns=1))
    assert [entry["reason"] for entry in over["refused"]] == ["over", "over"]
    gone = ordered(order(command="surrender"), END, order(turn=2, card=99))
    second = [{"name": "Mate", "skill": 1, "q": 0, "r": 9}]
    element = {**gone["setup"]["teams"][0]["elements"][0], "name": "Two", "fighters": second}
    gone["setup"]["teams"][0] = {
        "name": "red",
        "elements": [gone["setup"]["teams"][0]["elements"][0], element],
    }
    assert replay(gone)["refused"] == [{"index": 2, "reason": "out of the battle"}]
    assert replay(gone)["state"]["to_order"] == ["Two", "Blue"]


def test_only_end_closes_a_turn_and_pending_orders_have_no_effect() -> None:
    both = replay(ordered(order(), order(element="Blue")))
    assert (both["state"]["turn"], both["state"]["to_order"]) == (1, [])
    assert both["state"]["elements"]["Red"]["speed"] == 6
    end = {**END, "element": 5, "card": "whatever"}
    assert replay(ordered(order(), order(element="Blue"), end))["state"]["turn"] == 2


def test_who_moves_first_is_the_first_die_of_all() -> None:
    scenario = {**ordered(first=None), "dice": [4]}
    del scenario["seed"]
    assert replay(scenario)["state"]["first"] == "blue"


def _at(value: Any, *path: Any) -> Any:
    for key in path:
        value = value[key]
    return value


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("teams",), [], "setup.teams"),
        (("teams", 1, "name"), "red", "setup.teams[1].name"),
        (("teams", 0, "elements"), [], "setup.teams[0].elements"),
        (("teams", 0, "elements", 0, "heading"), 6, "setup.teams[0].elements[0].heading"),
        (("teams", 0, "elements", 0, "speed"), 6.0, "setup.teams[0].elements[0].speed"),
        (("teams", 0, "elements", 0, "speed"), True, "setup.teams[0].elements[0].speed"),
        (("teams", 0, "elements", 0, "design"), "Gnat", "setup.teams[0].elements[0].design"),
        (("teams", 0, "elements", 0, "name"), " ", "setup.teams[0].elements[0].name"),
        (("teams", 0, "elements", 0, "name"), "Blue 1", "setup.teams"),
        (("teams", 0, "elements", 0, "fighters", 0, "skill"), 5, "fighters[0].skill"),
        (("teams", 0, "elements", 0, "fighters", 1, "q"), 1000, "fighters[1].q"),
        (("first",), "green", "setup.first"),
        (("turns",), 0, "setup.turns"),
        (("weapons", "Tail Gun", "arc"), [3, 3], "setup.weapons.Tail Gun.arc"),
        (("weapons", "Tail Gun", "arc"), [], "setup.weapons.Tail Gun.arc"),
        (("weapons", "Tail Gun", "rof"), 7, "setup.weapons.Tail Gun.rof"),
        (("weapons", "Tail Gun", "range"), [3, 2, 9], "setup.weapons.Tail Gun.range"),
        (("weapons", "Tail Gun", "die"), 3, "setup.weapons.Tail Gun.die"),
        (("weapons", "Laser Cannon"), {}, "setup.weapons.Laser Cannon"),
        (("designs", "Lancer", "weight"), "tiny", "setup.designs.Lancer.weight"),
        (("designs", "Lancer", "thrusters"), ["up"], "setup.designs.Lancer.thrusters[0]"),
        (("designs", "Lancer", "weapons"), ["Sling"], "setup.designs.Lancer.weapons[0]"),
        (("designs", "Lancer", "weapons"), None, "setup.designs.Lancer.weapons"),
        (("asteroids", 0, "radius"), 13, "setup.asteroids[0].radius"),
    ],
)
def test_a_set_up_that_breaks_the_rules_names_its_field(
    path: tuple[Any, ...], value: Any, field: str
) -> None:
    scenario = worked()
    _at(scenario["setup"], *path[:-1])[path[-1]] = value
    with pytest.raises(ScenarioError) as refused:
        replay(scenario)
    assert field in str(refused.value)


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (None, "orders[0]"),
        ({"element": "Red"}, "orders[0].turn"),
        (order(turn=0), "orders[0].turn"),
        ({"turn": 1}, "orders[0].element"),
        (order(end="yes"), "orders[0].end"),
        (order(card="2"), "orders[0].card"),
        (order(card=True), "orders[0].card"),
        (order(by=1.0), "orders[0].by"),
        (order(option=1), "orders[0].option"),
        (order(targets="Blue"), "orders[0].targets"),
        (order(targets=[None]), "orders[0].targets"),
        (order(hold_fire=1), "orders[0].hold_fire"),
        (order(command=1), "orders[0].command"),
    ],
)
def test_an_order_of_the_wrong_kind_is_no_scenario(entry: Any, field: str) -> None:
    with pytest.raises(ScenarioError, match=field.replace("[", r"\[").replace("]", r"\]")):
        replay(ordered(entry))


def test_unknown_keys_are_ignored_and_null_counts_as_missing() -> None:
    scenario = worked()
    scenario["setup"].update(note="x", asteroids=None, turns=None)
    scenario["setup"]["teams"][0].update(deck=None, colour=3)
    scenario["orders"][0].update(targets=None, by=None, note=[1])
    assert replay(scenario)["state"] == replay(worked())["state"]
