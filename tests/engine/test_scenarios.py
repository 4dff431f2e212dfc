"""Scenarios kept as files, each with the result that was worked out for it by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.replay import ScenarioError, replay
from tests.support.paths import SCENARIOS

FOLDER = SCENARIOS
EXPECTED = sorted(FOLDER.glob("*.expected.json"))


def load(path: Path) -> Any:
    """Read a JSON file."""
    return json.loads(path.read_text())


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.name.split(".")[0])
def test_a_scenario_replays_to_what_stands_beside_it(path: Path) -> None:
    result = replay(load(path.with_name(path.name.replace(".expected", ""))))
    result["rolls"] = [[roll["sides"], roll["result"]] for roll in result["rolls"]]
    expected = load(path)
    assert {key: result[key] for key in expected} == expected


def test_no_scenario_lacks_its_expectation() -> None:
    scenarios = set(FOLDER.glob("*.json")) - set(EXPECTED)
    assert {p.with_suffix(".expected.json") for p in scenarios} == set(EXPECTED) != set()


def worked() -> Any:
    """The worked example of rules/starpilot.md."""
    return load(FOLDER / "worked-example.json")


def test_the_rolls_say_what_they_are_for() -> None:
    whys = [roll["for"] for roll in replay(worked())["rolls"]]
    assert whys[-4:] == ["Kestrel JINK", *["damage to Kestrel"] * 3]


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("system",), "chess", "system"),
        (("system",), None, "system"),
        (("orders",), {}, "orders"),
        (("orders", 3), "FIRE", r"orders\[3\]"),
        (("orders", 3, "command"), 7, r"orders\[3\]\.command"),
        (("orders", 3, "at"), 7, r"orders\[3\]\.at"),
        (("dice",), "1", "dice"),
        (("dice", 2), 0, r"dice\[2\]"),
        (("dice", 2), 101, r"dice\[2\]"),
        (("dice", 2), True, r"dice\[2\]"),
        (("dice", 2), 5.0, r"dice\[2\]"),
        (("setup",), [], "setup"),
        (("setup", "first"), "green", r"setup\.first"),
        (("setup", "teams"), [], r"setup\.teams"),
        (("setup", "teams", 1, "name"), "red", r"setup\.teams\[1\]\.name"),
        (("setup", "teams", 1, "pilots"), [], r"setup\.teams\[1\]\.pilots"),
        (("setup", "teams", 1, "pilots", 0, "rank"), 5, r"teams\[1\]\.pilots\[0\]\.rank"),
        (("setup", "teams", 1, "pilots", 0, "rank"), True, r"teams\[1\]\.pilots\[0\]\.rank"),
        (("setup", "teams", 1, "pilots", 0, "mark"), 16, r"teams\[1\]\.pilots\[0\]\.mark"),
        (("setup", "teams", 1, "pilots", 0, "mark"), -1, r"teams\[1\]\.pilots\[0\]\.mark"),
        (("setup", "teams", 1, "pilots", 0, "hp"), "1.25", r"teams\[1\]\.pilots\[0\]\.hp"),
        (("setup", "teams", 1, "pilots", 0, "hp"), 1, r"teams\[1\]\.pilots\[0\]\.hp"),
        (("setup", "teams", 1, "pilots", 0, "weapons"), 15, "weapons"),
        (("setup", "teams", 1, "pilots", 0, "weapons"), 19, "weapons"),
        (("setup", "teams", 1, "pilots", 0, "side"), "cartel", "ship"),
        (("setup", "teams", 1, "pilots", 0, "side"), "borg", "side"),
        (("setup", "teams", 1, "pilots", 0, "ship"), "Tie", "ship"),
        (("setup", "teams", 1, "pilots", 0, "name"), "A|B", "name"),
        (("setup", "teams", 1, "pilots", 0, "name"), "  ", "name"),
    ],
)
def test_a_broken_scenario_is_refused_by_the_name_of_its_field(
    path: tuple[Any, ...], value: Any, field: str
) -> None:
    scenario = worked()
    inner = scenario
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(ScenarioError, match=field):
        replay(scenario)


def test_dice_that_run_out_or_are_left_over_name_their_position() -> None:
    short, long = worked(), worked()
    short["dice"].pop()
    long["dice"].append(1)
    with pytest.raises(ScenarioError, match=r"dice\[10\]"):
        replay(short)
    with pytest.raises(ScenarioError, match=r"dice\[11\]"):
        replay(long)


def test_a_seed_stands_in_for_dice_and_gives_the_same_battle_again() -> None:
    scenario = {key: value for key, value in worked().items() if key != "dice"} | {"seed": "x"}
    assert replay(scenario) == replay(scenario)
    assert replay(scenario)["rolls"] != replay({**scenario, "seed": "y"})["rolls"]


def test_null_is_no_dice_and_no_seed() -> None:
    assert replay({**worked(), "seed": None}) == replay(worked())
    seeded = {**worked(), "seed": "x", "dice": None}
    assert replay(seeded)["rolls"]
    with pytest.raises(ScenarioError, match="dice: a list"):
        replay({**seeded, "seed": None})


def test_any_text_is_a_seed() -> None:
    assert replay({**worked(), "seed": "\ud800", "dice": None})["rolls"]


@pytest.mark.parametrize("scenario", [None, [], "x", {}, {"system": "starpilot"}])
def test_what_is_no_scenario_is_refused(scenario: Any) -> None:
    with pytest.raises(ScenarioError):
        replay(scenario)
