"""Whether a scenario of Starfarer is valid, by the limits of the Scenario section."""

from __future__ import annotations

from typing import Any

from tests.oracle.blackskies.check import (
    BadScenario,
    check_all,
    given,
    need,
    need_name,
    need_object,
    need_whole,
)

Json = dict[str, Any]

AREAS = ("head", "chest", "abdomen", "right arm", "left arm", "right leg", "left leg")
OPTIONS = ("declaration", "modifiers", "multiple", "blow_through", "blunt")
LIMITS = {
    "initiative": (0, 30),
    "mass": (1, 60),
    "resilience": (0, 200),
    "stun": (1, 200),
    "basic_shock": (1, 200),
}


def check_scenario(scenario: Any) -> None:
    """Raise BadScenario at the first thing that is wrong."""
    check_all(scenario, "starfarer", check_setup, check_order)


# ---- the setup ---------------------------------------------------------------------------


def check_setup(setup: Any) -> None:
    """The options, the field and the teams."""
    need_object(setup, "setup", ("field", "teams"))
    options = given(setup, "options", {})
    need(dict, options, "setup.options")
    for key in OPTIONS:
        need(bool, given(options, key, False), f"setup.options.{key}")
    for key in ("modifiers", "multiple"):
        if given(options, key, False) and not given(options, "declaration", False):
            raise BadScenario(f"setup.options.{key}: needs declaration (SF-10)")
    need_whole(setup["field"], 1, 300_000, "setup.field")
    need(list, setup["teams"], "setup.teams")
    if not 2 <= len(setup["teams"]) <= 4:
        raise BadScenario("setup.teams: not 2 to 4")
    for number, team in enumerate(setup["teams"]):
        check_team(team, setup["field"], f"setup.teams[{number}]")
    check_different([team["name"] for team in setup["teams"]], "setup.teams")
    names = [one["name"] for team in setup["teams"] for one in team["characters"]]
    check_different(names, "setup.teams")
    if "nearest" in names:
        raise BadScenario("setup.teams: nobody may be called nearest")


def check_different(names: list[str], where: str) -> None:
    """No name stands there twice."""
    if len(set(names)) != len(names):
        raise BadScenario(f"{where}: two of one name")


def check_team(team: Any, field: int, where: str) -> None:
    """A team of 1 to 12 characters."""
    need_object(team, where, ("name", "characters"))
    need_name(team["name"], f"{where}.name")
    need(list, team["characters"], f"{where}.characters")
    if not 1 <= len(team["characters"]) <= 12:
        raise BadScenario(f"{where}.characters: not 1 to 12")
    for number, one in enumerate(team["characters"]):
        check_character(one, field, f"{where}.characters[{number}]")


def check_character(one: Any, field: int, where: str) -> None:
    """All figures of a character, and what it has."""
    need_object(one, where, ("name", "traits", "at", *LIMITS))
    need_name(one["name"], f"{where}.name")
    traits = ("dexterity", "agility", "endurance", "willpower", "essence")
    need_object(one["traits"], f"{where}.traits", traits)
    for key in traits:
        need_whole(one["traits"][key], 1, 20, f"{where}.traits.{key}")
    for key, (lowest, highest) in LIMITS.items():
        need_whole(one[key], lowest, highest, f"{where}.{key}")
    need_whole(one["at"], 0, field, f"{where}.at")
    if given(one, "hand", "right") not in ("right", "left"):
        raise BadScenario(f"{where}.hand: neither right nor left")
    check_figures(given(one, "skills", {}), 20, f"{where}.skills")
    need(list, given(one, "armour", []), f"{where}.armour")
    for number, piece in enumerate(given(one, "armour", [])):
        check_armour(piece, f"{where}.armour[{number}]")
    need(list, given(one, "weapons", []), f"{where}.weapons")
    for number, weapon in enumerate(given(one, "weapons", [])):
        check_weapon(weapon, f"{where}.weapons[{number}]")
    check_different([weapon["name"] for weapon in given(one, "weapons", [])], f"{where}.weapons")


def check_figures(figures: Any, highest: int, where: str) -> None:
    """Skills or ratings: names and whole numbers; null counts as a missing key."""
    need(dict, figures, where)
    for name, figure in figures.items():
        if figure is not None:
            need_name(name, where)
            need_whole(figure, 0, highest, f"{where}.{name}")


def check_armour(piece: Any, where: str) -> None:
    """A piece of armour covers some areas."""
    need_object(piece, where, ("covers", "ratings"))
    need(list, piece["covers"], f"{where}.covers")
    if not piece["covers"]:
        raise BadScenario(f"{where}.covers: nothing")
    for area in piece["covers"]:
        if area not in AREAS:
            raise BadScenario(f"{where}.covers: no area")
    check_figures(piece["ratings"], 200, f"{where}.ratings")


def check_weapon(weapon: Any, where: str) -> None:
    """A weapon; what its mode has no use for is not looked at."""
    need_object(weapon, where, ("name", "skill", "mode", "pr", "dr", "type"))
    for key in ("name", "skill", "type"):
        need_name(weapon[key], f"{where}.{key}")
    if weapon["name"] == "unarmed":
        raise BadScenario(f"{where}.name: everybody's")
    if weapon["mode"] not in ("ranged", "melee"):
        raise BadScenario(f"{where}.mode: neither ranged nor melee")
    for key in ("pr", "dr"):
        need_whole(weapon[key], 0, 200, f"{where}.{key}")
    if weapon["mode"] == "ranged":
        need_object(weapon, where, ("range",))
        need_whole(weapon["range"], 1, 8, f"{where}.range")
        need(bool, given(weapon, "extreme", False), f"{where}.extreme")
    else:
        need_whole(given(weapon, "reach", 1), 1, 10, f"{where}.reach")
    need_whole(given(weapon, "initiative", 0), -3, 3, f"{where}.initiative")
    need_whole(given(weapon, "hands", 1), 1, 2, f"{where}.hands")
    need(bool, given(weapon, "blunt", False), f"{where}.blunt")


# ---- the orders --------------------------------------------------------------------------


def check_order(order: Any, where: str) -> None:
    """Kinds of value, blank texts and empty lists; the content is for SF-41."""
    need_object(order, where, ("round",))
    need_whole(order["round"], 1, None, f"{where}.round")
    need(bool, given(order, "end", False), f"{where}.end")
    if given(order, "end", False):
        return
    need_object(order, where, ("character", "plan"))
    need_name(order["character"], f"{where}.character")
    need_name(given(order, "abort", "-"), f"{where}.abort")
    need(list, order["plan"], f"{where}.plan")
    if not order["plan"]:
        raise BadScenario(f"{where}.plan: empty")
    for entry in order["plan"]:
        need(list, entry, f"{where}.plan")
        if not entry:
            raise BadScenario(f"{where}.plan: an entry is empty")
        for action in entry:
            check_action(action, f"{where}.plan")


def check_action(action: Any, where: str) -> None:
    """Each key is of its kind, whether the action has a use for it or not."""
    need_object(action, where, ("do",))
    for key in ("do", "if", "at", "with", "arm", "toward", "area"):
        need_name(given(action, key, "-"), f"{where}.{key}")
    for key in ("within", "to"):
        need_whole(given(action, key, 0), None, None, f"{where}.{key}")
    need(bool, given(action, "finish", False), f"{where}.finish")
    if action.get("else") is not None:
        check_action(action["else"], f"{where}.else")
