"""Whether a scenario of Black Skies is valid, by the limits of the Scenario section."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.oracle.blackskies.tables import (
    BUILT_IN_DESIGNS,
    BUILT_IN_WEAPONS,
    HARDPOINTS,
    Json,
    within,
)


class BadScenario(ValueError):
    """The scenario is not valid, or its dice do not fit it."""


def given(holder: Json, key: str, otherwise: Any) -> Any:
    """An optional value; null counts as a missing key."""
    value = holder.get(key)
    return otherwise if value is None else value


def check_all(
    scenario: Any,
    system: str,
    check_setup: Callable[[Any], None],
    check_order: Callable[[Any, str], None],
) -> None:
    """Check a system's scenario from the outside in. Raise BadScenario at the first fault."""
    need_object(scenario, "scenario", ("system", "setup", "orders"))
    if scenario["system"] != system:
        raise BadScenario(f"system: not {system}")
    if (scenario.get("seed") is None) == (scenario.get("dice") is None):
        raise BadScenario("dice: either they or a seed, and not both")
    if scenario.get("seed") is not None:
        need(str, scenario["seed"], "seed")
    else:
        need(list, scenario["dice"], "dice")
    check_setup(scenario["setup"])
    need(list, scenario["orders"], "orders")
    for index, order in enumerate(scenario["orders"]):
        check_order(order, f"orders[{index}]")


def check_scenario(scenario: Any) -> None:
    """Raise BadScenario at the first thing that is wrong."""
    check_all(scenario, "blackskies", check_setup, check_order)


def check_order(order: Any, where: str) -> None:
    """Only kinds of value and blank texts are tested; an order may be refused for its content."""
    need_object(order, where, ("turn",))
    need_whole(order["turn"], 1, None, f"{where}.turn")
    need(bool, given(order, "end", False), f"{where}.end")
    if given(order, "end", False):  # regardless of what else the entry holds
        return
    need_object(order, where, ("element",))
    need(bool, given(order, "hold_fire", False), f"{where}.hold_fire")
    for key in ("element", "command", "option"):
        need_name(given(order, key, "-"), f"{where}.{key}")
    for key in ("card", "by"):
        need_whole(given(order, key, 0), None, None, f"{where}.{key}")
    need(list, given(order, "targets", []), f"{where}.targets")
    for target in given(order, "targets", []):
        need_name(target, f"{where}.targets")


# ---- the setup ---------------------------------------------------------------------------


def check_setup(setup: Any) -> None:
    """Everything that decides where the battle starts."""
    need_object(setup, "setup", ("teams",))
    weapons = own(setup, "weapons", BUILT_IN_WEAPONS)
    for name, weapon in weapons.items():
        check_weapon(weapon, f"setup.weapons.{name}")
    designs = own(setup, "designs", BUILT_IN_DESIGNS)
    for name, design in designs.items():
        check_design(design, {*weapons, *BUILT_IN_WEAPONS}, f"setup.designs.{name}")
    check_teams(setup["teams"], {*designs, *BUILT_IN_DESIGNS})
    check_rest(setup)


def own(setup: Json, key: str, built_in: Json) -> Json:
    """The weapons or designs of this battle, none of them with the name of a built-in one."""
    need(dict, given(setup, key, {}), f"setup.{key}")
    things = {n: thing for n, thing in given(setup, key, {}).items() if thing is not None}
    for name in things:
        need_name(name, f"setup.{key}")
        if name in built_in:
            raise BadScenario(f"setup.{key}.{name}: is built in")
    return things


def check_rest(setup: Json) -> None:
    """Who is first, how many turns, and the asteroids."""
    sides = [team["name"] for team in setup["teams"]]
    first = given(setup, "first", sides[0])
    need(str, first, "setup.first")
    if first not in sides:
        raise BadScenario("setup.first: no such side")
    need_whole(given(setup, "turns", 20), 1, 100, "setup.turns")
    need(list, given(setup, "asteroids", []), "setup.asteroids")
    for index, asteroid in enumerate(given(setup, "asteroids", [])):
        where = f"setup.asteroids[{index}]"
        need_object(asteroid, where, ("q", "r", "radius"))
        check_place(asteroid, where)
        need_whole(asteroid["radius"], 1, 12, f"{where}.radius")


def check_weapon(weapon: Any, where: str) -> None:
    """BS-6 and the limits."""
    need_object(weapon, where, ("arc", "rof", "range", "die"))
    need(list, weapon["arc"], f"{where}.arc")
    for arc in weapon["arc"]:
        need_whole(arc, 0, 5, f"{where}.arc")
    if not weapon["arc"] or len(set(weapon["arc"])) != len(weapon["arc"]):
        raise BadScenario(f"{where}.arc: none, or one twice")
    need_whole(weapon["rof"], 1, 6, f"{where}.rof")
    need(list, weapon["range"], f"{where}.range")
    for inches in weapon["range"]:
        need_whole(inches, 1, 99, f"{where}.range")
    if len(weapon["range"]) != 3 or weapon["range"] != sorted(weapon["range"]):
        raise BadScenario(f"{where}.range: not three that rise")
    need_whole(weapon["die"], 4, 12, f"{where}.die")
    if weapon["die"] not in (4, 6, 8, 10, 12):
        raise BadScenario(f"{where}.die: no such die")


def check_design(design: Any, weapons: set[str], where: str) -> None:
    """BS-4 and BS-5."""
    need_object(design, where, ("weight", "thrusters", "weapons", "armour", "shields"))
    need(str, design["weight"], f"{where}.weight")
    if design["weight"] not in HARDPOINTS:
        raise BadScenario(f"{where}.weight: unknown")
    for key, known in (("thrusters", {"rear", "side", "forward"}), ("weapons", weapons)):
        need(list, design[key], f"{where}.{key}")
        for name in design[key]:
            need(str, name, f"{where}.{key}")
            if name not in known:
                raise BadScenario(f"{where}.{key}: no {name}")
    if len(set(design["thrusters"])) != len(design["thrusters"]):
        raise BadScenario(f"{where}.thrusters: one twice")
    need_whole(design["armour"], 0, 1 if design["weight"] == "light" else 2, f"{where}.armour")
    need_whole(design["shields"], 0, 2, f"{where}.shields")
    cost = len(design["weapons"]) + design["armour"] + design["shields"]
    if cost > HARDPOINTS[design["weight"]]:
        raise BadScenario(f"{where}: too many hardpoints")


def check_teams(teams: Any, designs: set[str]) -> None:
    """Two sides of different names; all elements and fighters of different names."""
    need(list, teams, "setup.teams")
    if len(teams) != 2:
        raise BadScenario("setup.teams: not two")
    for index, team in enumerate(teams):
        check_team(team, designs, f"setup.teams[{index}]")
    if teams[0]["name"] == teams[1]["name"]:
        raise BadScenario("setup.teams: of the same name")
    elements = [element for team in teams for element in team["elements"]]
    names = [element["name"] for element in elements]
    names += [fighter["name"] for element in elements for fighter in element["fighters"]]
    if len(set(names)) != len(names):
        raise BadScenario("setup.teams: two of one name")
    size = max(len(team["elements"]) for team in teams)
    for index, team in enumerate(teams):
        check_deck(team, size, f"setup.teams[{index}].deck")


def check_team(team: Any, designs: set[str], where: str) -> None:
    """A side of 1 to 8 elements."""
    need_object(team, where, ("name", "elements"))
    need_name(team["name"], f"{where}.name")
    need(list, team["elements"], f"{where}.elements")
    if not 1 <= len(team["elements"]) <= 8:
        raise BadScenario(f"{where}.elements: not 1 to 8")
    for index, element in enumerate(team["elements"]):
        check_element(element, designs, f"{where}.elements[{index}]")


def check_deck(team: Json, size: int, where: str) -> None:
    """BS-9: each element once, null for each placeholder."""
    if team.get("deck") is None:
        return
    need(list, team["deck"], where)
    for card in team["deck"]:
        if card is not None:
            need(str, card, where)
    names = sorted(card for card in team["deck"] if card is not None)
    if names != sorted(element["name"] for element in team["elements"]):
        raise BadScenario(f"{where}: not each element once")
    if len(team["deck"]) != size:
        raise BadScenario(f"{where}: not as many cards as the larger side has elements")


def check_element(element: Any, designs: set[str], where: str) -> None:
    """BS-7."""
    need_object(element, where, ("name", "design", "heading", "speed", "fighters"))
    need_name(element["name"], f"{where}.name")
    need(str, element["design"], f"{where}.design")
    if element["design"] not in designs:
        raise BadScenario(f"{where}.design: unknown")
    need_whole(element["heading"], 0, 5, f"{where}.heading")
    need_whole(element["speed"], 0, 12, f"{where}.speed")
    need(list, element["fighters"], f"{where}.fighters")
    if not 1 <= len(element["fighters"]) <= 2:
        raise BadScenario(f"{where}.fighters: not one or two")
    for index, fighter in enumerate(element["fighters"]):
        need_object(fighter, f"{where}.fighters[{index}]", ("name", "skill", "q", "r"))
        need_name(fighter["name"], f"{where}.fighters[{index}].name")
        need_whole(fighter["skill"], 1, 4, f"{where}.fighters[{index}].skill")
        check_place(fighter, f"{where}.fighters[{index}]")
    places = [(fighter["q"], fighter["r"]) for fighter in element["fighters"]]
    if not within(places[0], places[-1], 6):
        raise BadScenario(f"{where}: further apart than six inches")


def check_place(holder: Json, where: str) -> None:
    """A pair of coordinates."""
    need_whole(holder["q"], -999, 999, f"{where}.q")
    need_whole(holder["r"], -999, 999, f"{where}.r")


# ---- kinds of value ----------------------------------------------------------------------


def need(kind: type, value: Any, where: str) -> None:
    """It must be of exactly this kind."""
    if type(value) is not kind:
        raise BadScenario(f"{where}: not a {kind.__name__}")


def need_object(value: Any, where: str, keys: tuple[str, ...]) -> None:
    """It must be an object that has these keys."""
    need(dict, value, where)
    for key in keys:
        if value.get(key) is None:
            raise BadScenario(f"{where}.{key}: missing")


def need_name(value: Any, where: str) -> None:
    """It must be text that is not blank."""
    need(str, value, where)
    if not value.strip():
        raise BadScenario(f"{where}: blank")


def need_whole(value: Any, lowest: int | None, highest: int | None, where: str) -> None:
    """It must be a whole number within bounds."""
    need(int, value, where)
    if (lowest is not None and value < lowest) or (highest is not None and value > highest):
        raise BadScenario(f"{where}: out of bounds")
