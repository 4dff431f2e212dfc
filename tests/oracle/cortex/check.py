"""Whether a scenario of Cortex is valid, by the limits of the Scenario section."""

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
from tests.oracle.cortex.figures import (
    MISSILES,
    OPTIONS,
    RANGES,
    SCALES,
    SITES,
    SIZES,
    STATIONS,
    STEPS,
    VECTORS,
    Json,
)


def check_scenario(scenario: Any) -> None:
    """Raise BadScenario at the first thing that is wrong."""
    check_all(scenario, "cortex", check_setup, check_turn)


def check_turn(turn: Any, where: str) -> None:
    """A turn's orders may be refused for what they hold."""
    need(list, turn, where)
    for place, order in enumerate(turn):
        need(dict, order, f"{where}[{place}]")


# ---- the setup ---------------------------------------------------------------------------


def check_setup(setup: Any) -> None:
    """The options, the teams with all they have, the obstacles and the sites."""
    need_object(setup, "setup", ("range", "teams"))
    atmosphere = given(setup, "atmosphere", False)
    need(bool, atmosphere, "setup.atmosphere")
    check_options(given(setup, "options", []), atmosphere and setup.get("options") is not None)
    if given(setup, "conditions", "good") not in ("good", "poor"):
        raise BadScenario("setup.conditions: neither good nor poor")
    need(list, setup["teams"], "setup.teams")
    if len(setup["teams"]) != 2:
        raise BadScenario("setup.teams: not two")
    for number, team in enumerate(setup["teams"]):
        check_team(team, f"setup.teams[{number}]")
    check_different([team["name"] for team in setup["teams"]], "setup.teams")
    for key in ("obstacles", "sites"):
        check_list(given(setup, key, []), f"setup.{key}")
    for number, obstacle in enumerate(given(setup, "obstacles", [])):
        check_obstacle(obstacle, setup, f"setup.obstacles[{number}]")
    for number, site in enumerate(given(setup, "sites", [])):
        check_site(site, f"setup.sites[{number}]")
    parts = [part for team in setup["teams"] for part in (*team["vessels"], *spotters(team))]
    parts += [*given(setup, "sites", []), *given(setup, "obstacles", [])]
    check_different([part["name"] for part in parts], "setup")
    check_ranges(setup, atmosphere)


def check_options(options: Any, in_atmosphere: bool) -> None:
    """CX-1; without the key all options but one are in force."""
    check_list(options, "setup.options")
    for option in options:
        if option not in OPTIONS:
            raise BadScenario("setup.options: no option")
    if "crew1" in options and "crew2" in options:
        raise BadScenario("setup.options: not both drafts")
    if in_atmosphere and "atmosphere" not in options:
        raise BadScenario("setup.atmosphere: without its option")


def check_list(things: Any, where: str) -> None:
    """A list of 99 at most."""
    need(list, things, where)
    if len(things) > 99:
        raise BadScenario(f"{where}: more than 99")


def check_ranges(setup: Json, atmosphere: bool) -> None:
    """CX-6, in atmosphere CX-64."""
    check_range(setup["range"], atmosphere, "setup.range")
    need(dict, given(setup, "ranges", {}), "setup.ranges")
    first, second = ({v["name"] for v in team["vessels"]} for team in setup["teams"])
    pairs = {f"{one}|{other}" for one in first for other in second}
    for pair, distance in given(setup, "ranges", {}).items():
        if distance is not None:
            if pair not in pairs:
                raise BadScenario("setup.ranges: no such pair")
            check_range(distance, atmosphere, f"setup.ranges.{pair}")


def check_range(distance: Any, atmosphere: bool, where: str) -> None:
    """A word, or feet."""
    if atmosphere:
        need_whole(distance, 100, 1_000_000, where)
    else:
        need_one_of(distance, RANGES, where)


def need_one_of(value: Any, values: Any, where: str) -> None:
    """One of some texts."""
    need(str, value, where)
    if value not in values:
        raise BadScenario(f"{where}: not one of {', '.join(values)}")


def check_different(names: list[str], where: str) -> None:
    """No name stands there twice."""
    if len(set(names)) != len(names):
        raise BadScenario(f"{where}: two of one name")


def check_name(name: Any, where: str) -> None:
    """A text that is not blank and holds no bar."""
    need_name(name, where)
    if "|" in name:
        raise BadScenario(f"{where}: holds a bar")


def check_die(die: Any, where: str) -> None:
    """CX-2."""
    need_one_of(die, STEPS, where)


def check_flags(thing: Json, keys: tuple[str, ...], where: str) -> None:
    """Flags may be missing."""
    for key in keys:
        need(bool, given(thing, key, False), f"{where}.{key}")


# ---- teams -------------------------------------------------------------------------------


def spotters(team: Json) -> list[Json]:
    """The list may be missing."""
    found: list[Json] = given(team, "spotters", [])
    return found


def check_team(team: Any, where: str) -> None:
    """1 to 24 vessels, and spotters."""
    need_object(team, where, ("name", "vessels"))
    check_name(team["name"], f"{where}.name")
    need(list, team["vessels"], f"{where}.vessels")
    if not 1 <= len(team["vessels"]) <= 24:
        raise BadScenario(f"{where}.vessels: not 1 to 24")
    for number, vessel in enumerate(team["vessels"]):
        check_vessel(vessel, f"{where}.vessels[{number}]")
    check_list(spotters(team), f"{where}.spotters")
    for number, spotter in enumerate(spotters(team)):
        check_spotter(spotter, f"{where}.spotters[{number}]")


def check_vessel(vessel: Any, where: str) -> None:
    """All figures of a vessel, its crew and its weapons."""
    keys = ("name", "scale", "str", "agi", "vit", "alt", "speed", "lp", "crew")
    need_object(vessel, where, keys)
    check_name(vessel["name"], f"{where}.name")
    need_one_of(vessel["scale"], SCALES, f"{where}.scale")
    for key in ("str", "agi", "vit", "alt"):
        check_die(vessel[key], f"{where}.{key}")
    check_die(given(vessel, "gunnery", "d2"), f"{where}.gunnery")
    need_whole(vessel["speed"], 0, 99, f"{where}.speed")
    need_whole(vessel["lp"], 1, 9_999, f"{where}.lp")
    armour = given(vessel, "armour", {})
    need(dict, armour, f"{where}.armour")
    for key in ("stun", "wound"):
        need_whole(given(armour, key, 0), 0, 99, f"{where}.armour.{key}")
    check_flags(vessel, ("ftl", "fixed"), where)
    need_whole(given(vessel, "altitude", 1), 1, 10_000_000, f"{where}.altitude")
    need_object(vessel["crew"], f"{where}.crew", ("pilot",))
    for station in STATIONS:
        check_person(vessel["crew"].get(station), station, f"{where}.crew.{station}")
    check_list(given(vessel, "weapons", []), f"{where}.weapons")
    for number, weapon in enumerate(given(vessel, "weapons", [])):
        check_weapon(weapon, vessel["scale"], f"{where}.weapons[{number}]")
    check_different([weapon["name"] for weapon in given(vessel, "weapons", [])], where)


def check_person(person: Any, station: str, where: str) -> None:
    """Somebody at a station; only the pilot must be there."""
    if person is None and station != "pilot":
        return
    need(dict, person, where)
    if station in ("commander", "executive", "comms"):
        need_object(person, where, ("attr",))
        check_die(person["attr"], f"{where}.attr")
    for key in ("skill", "trait"):
        check_die(given(person, key, "d2"), f"{where}.{key}")


def check_weapon(weapon: Any, vessel_scale: str, where: str) -> None:
    """A gun or a missile."""
    need_object(weapon, where, ("name", "range"))
    check_name(weapon["name"], f"{where}.name")
    if weapon["name"] in (*STATIONS, "guns"):
        raise BadScenario(f"{where}.name: no name for a weapon")
    need_one_of(weapon["range"], RANGES, f"{where}.range")
    scale = given(weapon, "scale", vessel_scale)
    need_one_of(scale, SCALES, f"{where}.scale")
    need_whole(given(weapon, "count", 1), 1, 99, f"{where}.count")
    check_flags(weapon, ("linked", "battery", "pd", "missile"), where)
    linked, battery, pd = (given(weapon, key, False) for key in ("linked", "battery", "pd"))
    if battery and (linked or vessel_scale != "spacecraft"):
        raise BadScenario(f"{where}.battery: linked, or not on a spacecraft")
    if pd and (linked or weapon["range"] != "skirmish"):
        raise BadScenario(f"{where}.pd: linked, or not of skirmish range")
    if not given(weapon, "missile", False):
        need_object(weapon, where, ("damage",))
        check_die(weapon["damage"], f"{where}.damage")
        return
    if linked or battery or pd or scale == "personal":
        raise BadScenario(f"{where}.missile: not like this")
    need_object(weapon, where, ("size",))
    need_one_of(weapon["size"], [size for of, size in MISSILES if of == scale], f"{where}.size")
    need_one_of(given(weapon, "warhead", "blast"), ("blast", "fragments"), f"{where}.warhead")


def check_spotter(spotter: Any, where: str) -> None:
    """CX-70."""
    need_object(spotter, where, ("name", "alt", "lp"))
    check_name(spotter["name"], f"{where}.name")
    check_die(spotter["alt"], f"{where}.alt")
    check_die(given(spotter, "gunnery", "d2"), f"{where}.gunnery")
    need_whole(spotter["lp"], 1, 9_999, f"{where}.lp")
    check_flags(spotter, ("designator", "scope"), where)
    need_one_of(
        given(spotter, "uplink", "none"), ("none", "handset", "transceiver"), f"{where}.uplink"
    )


# ---- obstacles and sites -----------------------------------------------------------------


def check_obstacle(obstacle: Any, setup: Json, where: str) -> None:
    """CX-27."""
    need_object(obstacle, where, ("name",))
    check_name(obstacle["name"], f"{where}.name")
    check_flags(obstacle, ("random",), where)
    if not given(obstacle, "random", False):
        need_object(obstacle, where, ("size", "speed", "vector"))
        need_one_of(obstacle["size"], SIZES, f"{where}.size")
        need_whole(obstacle["speed"], 0, 99, f"{where}.speed")
        need_one_of(obstacle["vector"], VECTORS, f"{where}.vector")
    turn, against = obstacle.get("turn"), obstacle.get("against")
    if (turn is None) != (against is None):
        raise BadScenario(f"{where}.turn: only together with against")
    if turn is not None:
        need_whole(turn, 1, 999, f"{where}.turn")
        need(str, against, f"{where}.against")
        vessels = [vessel for team in setup["teams"] for vessel in team["vessels"]]
        if against not in [v["name"] for v in vessels if v["scale"] != "personal"]:
            raise BadScenario(f"{where}.against: no vessel, or a person")


def check_site(site: Any, where: str) -> None:
    """CX-67."""
    need_object(site, where, ("name", "kind"))
    check_name(site["name"], f"{where}.name")
    need_one_of(site["kind"], SITES, f"{where}.kind")
    need_whole(given(site, "population", 0), 0, 1_000_000_000, f"{where}.population")
    if site["kind"] == "area":
        need_object(site, where, ("lp",))
        need_whole(site["lp"], 1, 9_999, f"{where}.lp")
        need_whole(given(site, "armour", 0), 0, 99, f"{where}.armour")
