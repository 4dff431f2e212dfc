"""Random scenarios of Cortex that are not valid, each broken in one of many ways."""

from __future__ import annotations

import copy
from random import Random

from tests.oracle.breaking import (
    BLANK,
    NO_LIST,
    NO_OBJECT,
    NO_TEXT,
    NO_TRUTH,
    NO_WHOLE,
    Break,
    Json,
    Values,
    dice_breaks,
    missing,
    setup_of,
    team,
    value_breaks,
    whole,
)
from tests.oracle.naive_cortex import replay as naive_replay

NO_DIE = (
    "",
    "d0",
    "d3",
    "D6",
    "6",
    "d6 ",
    "d6+d12",
    "d12 + d2",
    "d12+d12+d14",
    "+".join(["d12"] * 6),
    *NO_TEXT,
)
NO_NAME = (*BLANK, "a|b", *NO_TEXT)


def broken_by(kind: str, rng: Random, good: Json) -> Json:
    """A valid scenario, made invalid in the way that was chosen."""
    scenario = copy.deepcopy(good)
    setup = scenario["setup"]
    for key, value in (("options", None), ("ranges", {}), ("obstacles", []), ("sites", [])):
        setup[key] = setup.get(key) or value
    setup["options"] = setup["options"] or ["wings", "crew2", "atmosphere"]
    setup["obstacles"].append({"name": "spare rock", "size": "small", "speed": 2, "vector": "away"})
    setup["sites"].append({"name": "spare site", "kind": "area", "lp": 9, "armour": 1})
    for number, side in enumerate(setup["teams"]):
        seen = {"name": f"spare eye {number}", "alt": "d6", "lp": 9}
        side["spotters"] = [*(side.get("spotters") or ()), seen]
        for one in side["vessels"]:
            one["armour"] = one.get("armour") or {}
            one["crew"]["commander"] = one["crew"].get("commander") or {"attr": "d6"}
            one["weapons"] = [*(one.get("weapons") or ()), *copy.deepcopy(SPARES)]
    BREAKS[kind](rng, scenario)
    return scenario


SPARES: list[Json] = [
    {"name": "spare dart", "range": "short", "missile": True, "size": "light",
     "scale": "planetcraft"},
    {"name": "spare gun", "range": "skirmish", "damage": "d6"},
]  # fmt: skip


def vessel(rng: Random, scenario: Json) -> Json:
    """Any vessel."""
    return rng.choice(team(rng, scenario)["vessels"])


def armour(rng: Random, scenario: Json) -> Json:
    """Any vessel's armour."""
    return vessel(rng, scenario)["armour"]


def crew(rng: Random, scenario: Json) -> Json:
    """Any vessel's crew."""
    return vessel(rng, scenario)["crew"]


def pilot(rng: Random, scenario: Json) -> Json:
    """Any pilot."""
    return crew(rng, scenario)["pilot"]


def commander(rng: Random, scenario: Json) -> Json:
    """Any commander."""
    return crew(rng, scenario)["commander"]


def gun(rng: Random, scenario: Json) -> Json:
    """A gun."""
    return vessel(rng, scenario)["weapons"][-1]


def dart(rng: Random, scenario: Json) -> Json:
    """A missile."""
    return vessel(rng, scenario)["weapons"][-2]


def spotter(rng: Random, scenario: Json) -> Json:
    """A spotter."""
    return team(rng, scenario)["spotters"][-1]


def obstacle(_rng: Random, scenario: Json) -> Json:
    """An obstacle."""
    return scenario["setup"]["obstacles"][-1]


def striking(rng: Random, scenario: Json) -> Json:
    """An obstacle that is to strike somebody; not a person, for there is one who is none."""
    found = obstacle(rng, scenario)
    craft = vessel(rng, scenario)
    craft["scale"] = "planetcraft"
    for weapon in craft["weapons"]:
        weapon["battery"] = False
    found.update(turn=1, against=craft["name"])
    return found


def site(_rng: Random, scenario: Json) -> Json:
    """A site."""
    return scenario["setup"]["sites"][-1]


_LOW = (None, *NO_WHOLE)

# where, key, and values of which each makes the scenario invalid
VALUES: Values = {
    "system": (whole, "system", ("", "Cortex", "chess", None, 3, [], {})),
    "setup": (whole, "setup", (None, *NO_OBJECT)),
    "orders": (
        whole,
        "orders",
        (None, *NO_LIST, [None], [3], ["x"], [{}], [[None]], [[[]]], [["x"]]),
    ),
    "options": (
        setup_of,
        "options",
        (*NO_LIST, ["crew1", "crew2"], ["Wings"], ["wings", None], [3], [["wings"]], ["x"]),
    ),
    "range": (setup_of, "range", (None, "", "near", "Short", *NO_TEXT[1:], 99, 1_000_001, 100.0)),
    "ranges": (setup_of, "ranges", (*NO_OBJECT, {"a|b": "short"}, {"x": 200})),
    "atmosphere": (setup_of, "atmosphere", NO_TRUTH),
    "conditions": (setup_of, "conditions", ("", "Good", "bad", *NO_TEXT)),
    "teams": (setup_of, "teams", (None, *NO_LIST, [], [None, None], [{}] * 2)),
    "obstacles": (setup_of, "obstacles", (*NO_LIST, [None], [3], [{}])),
    "sites": (setup_of, "sites", (*NO_LIST, [None], [3], [{}])),
    "team name": (team, "name", (None, *NO_NAME)),
    "vessels": (team, "vessels", (None, [], *NO_LIST, [None], ["x"])),
    "spotters": (team, "spotters", (*NO_LIST, [None], ["x"], [{}])),
    "name": (vessel, "name", (None, "spare site", "spare rock", "spare eye 1", *NO_NAME)),
    "scale": (vessel, "scale", (None, "", "Personal", "x", *NO_TEXT)),
    **{key: (vessel, key, (None, *NO_DIE)) for key in ("str", "agi", "vit", "alt")},
    "gunnery": (vessel, "gunnery", NO_DIE),
    "speed": (vessel, "speed", (-1, 100, *_LOW)),
    "lp": (vessel, "lp", (0, 10_000, *_LOW)),
    "armour": (vessel, "armour", NO_OBJECT),
    "armour's part": (armour, "stun", (-1, 100, *NO_WHOLE)),
    "armour's other part": (armour, "wound", (-1, 100, *NO_WHOLE)),
    "ftl": (vessel, "ftl", NO_TRUTH),
    "fixed": (vessel, "fixed", NO_TRUTH),
    "altitude": (vessel, "altitude", (0, 10_000_001, *NO_WHOLE)),
    "crew": (vessel, "crew", (None, *NO_OBJECT, {}, {"pilot": None})),
    "pilot": (crew, "pilot", (None, *NO_OBJECT)),
    "officer": (crew, "executive", (*NO_OBJECT, {}, {"attr": None})),
    "commander's attribute": (commander, "attr", (None, *NO_DIE)),
    "skill": (pilot, "skill", NO_DIE),
    "trait": (pilot, "trait", NO_DIE),
    "weapons": (vessel, "weapons", (*NO_LIST, [None], ["x"], [{}])),
    "weapon's name": (gun, "name", (None, "pilot", "tactical", "guns", "spare dart", *NO_NAME)),
    "weapon's range": (gun, "range", (None, "", "near", *NO_TEXT)),
    "weapon's scale": (gun, "scale", ("", "Personal", *NO_TEXT)),
    "damage": (gun, "damage", (None, *NO_DIE)),
    "count": (gun, "count", (0, 100, *NO_WHOLE)),
    **{key: (gun, key, NO_TRUTH) for key in ("linked", "battery", "pd", "missile")},
    "size": (dart, "size", (None, "", "extreme", "Light", *NO_TEXT)),
    "warhead": (dart, "warhead", ("", "Blast", "x", *NO_TEXT)),
    "missile's scale": (dart, "scale", ("personal", "x")),
    "missile's flags": (dart, "linked", (True, *NO_TRUTH)),
    "missile's battery": (dart, "battery", (True, *NO_TRUTH)),
    "missile's pd": (dart, "pd", (True, *NO_TRUTH)),
    "spotter's name": (spotter, "name", (None, "spare site", "spare rock", *NO_NAME)),
    "spotter's alertness": (spotter, "alt", (None, *NO_DIE)),
    "spotter's gunnery": (spotter, "gunnery", NO_DIE),
    "spotter's lp": (spotter, "lp", (0, 10_000, *_LOW)),
    "designator": (spotter, "designator", NO_TRUTH),
    "scope": (spotter, "scope", NO_TRUTH),
    "uplink": (spotter, "uplink", ("", "None", "radio", *NO_TEXT)),
    "obstacle's name": (obstacle, "name", (None, "spare site", "spare eye 0", *NO_NAME)),
    "obstacle's size": (obstacle, "size", (None, "", "Small", "tiny", *NO_TEXT)),
    "obstacle's speed": (obstacle, "speed", (-1, 100, *_LOW)),
    "vector": (obstacle, "vector", (None, "", "Away", "up", *NO_TEXT)),
    "random": (obstacle, "random", NO_TRUTH),
    "turn": (striking, "turn", (0, 1_000, *_LOW)),
    "against": (striking, "against", (None, "", "nobody", "spare eye 0", *NO_TEXT)),
    "turn alone": (obstacle, "turn", (1, 999)),
    "against alone": (obstacle, "against", ("x", "spare eye 0")),
    "site's name": (site, "name", (None, "spare rock", "spare eye 0", *NO_NAME)),
    "kind": (site, "kind", (None, "", "Area", "city", *NO_TEXT)),
    "site's lp": (site, "lp", (0, 10_000, *_LOW)),
    "site's armour": (site, "armour", (-1, 100, *NO_WHOLE)),
    "population": (site, "population", (-1, 1_000_000_001, *NO_WHOLE)),
}


def thin_air(rng: Random, scenario: Json) -> None:
    """Atmosphere without its option."""
    scenario["setup"].update(atmosphere=True, options=rng.choice(([], ["wings"])))


def other_kind_of_range(_rng: Random, scenario: Json) -> None:
    """Feet in space, or words in atmosphere."""
    setup = scenario["setup"]
    pair = "|".join(side["vessels"][0]["name"] for side in setup["teams"])
    setup["ranges"][pair] = "short" if setup.get("atmosphere") else 900


def turned_pair(_rng: Random, scenario: Json) -> None:
    """A pair whose second team's vessel stands first."""
    setup = scenario["setup"]
    pair = "|".join(side["vessels"][0]["name"] for side in reversed(setup["teams"]))
    setup["ranges"][pair] = setup["range"]


def lone_team(rng: Random, scenario: Json) -> None:
    """One team, or three."""
    teams = scenario["setup"]["teams"]
    if rng.random() < 0.5:
        del teams[1]
        return
    craft = {**copy.deepcopy(teams[0]["vessels"][0]), "name": "one too many"}
    teams.append({"name": "third", "vessels": [craft]})


def too_many(rng: Random, scenario: Json) -> None:
    """25 vessels, or 100 of something else."""
    setup = scenario["setup"]
    lists = [(team(rng, scenario)["vessels"], 25), (setup["sites"], 100), (setup["obstacles"], 100)]
    lists += [(team(rng, scenario)["spotters"], 100), (vessel(rng, scenario)["weapons"], 100)]
    things, many = rng.choice(lists)
    last = things[-1]
    things += [{**last, "name": f"more {n}"} for n in range(many - len(things))]


def same_name(rng: Random, scenario: Json) -> None:
    """Two of one name."""
    one, other = rng.sample(scenario["setup"]["teams"], 2)
    what = rng.randrange(4)
    if what == 0:
        one["name"] = other["name"]
    elif what == 1:
        one["spotters"][-1]["name"] = other["vessels"][0]["name"]
    elif what == 2:
        scenario["setup"]["obstacles"][-1]["name"] = one["vessels"][-1]["name"]
    else:
        one["vessels"].append(copy.deepcopy(other["vessels"][0]))


def bad_flags(rng: Random, scenario: Json) -> None:
    """Flags that do not go together."""
    weapon = gun(rng, scenario)
    what = rng.randrange(4)
    if what == 0:
        weapon.update(battery=True, linked=True)
    elif what == 1:
        weapon.update(pd=True, linked=True)
    elif what == 2:
        weapon.update(pd=True, range=rng.choice(("capital", "short", "long")))
    else:
        craft = vessel(rng, scenario)
        craft["scale"] = rng.choice(("personal", "planetcraft"))
        craft["weapons"][-1]["battery"] = True


def against_a_person(rng: Random, scenario: Json) -> None:
    """An obstacle strikes nobody on foot."""
    person = vessel(rng, scenario)
    person.update(scale="personal", weapons=None)
    obstacle(rng, scenario).update(turn=1, against=person["name"])


BREAKS: dict[str, Break] = {
    **value_breaks(VALUES),
    "missing": missing(VALUES),
    "thin air": thin_air,
    "other kind of range": other_kind_of_range,
    "turned pair": turned_pair,
    "lone team": lone_team,
    "too many": too_many,
    "same name": same_name,
    "bad flags": bad_flags,
    "against a person": against_a_person,
    # a turn has at least two dice
    **dice_breaks(naive_replay, [], 2),
}
