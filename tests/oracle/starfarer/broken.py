"""Random scenarios of Starfarer that are not valid, each broken in one of many ways."""

from __future__ import annotations

import copy
from random import Random

from engine.replay import replay
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

SPARE_GUN: Json = {"name": "spare gun", "skill": "pistol", "mode": "ranged", "pr": 1, "dr": 1,
                   "type": "bullet", "range": 2}  # fmt: skip
SPARE_BLADE: Json = {**SPARE_GUN, "name": "spare blade", "mode": "melee"}
SPARE_ARMOUR: Json = {"covers": ["head"], "ratings": {"bullet": 1}}


def broken_by(kind: str, rng: Random, good: Json) -> Json:
    """A valid scenario, made invalid in the way that was chosen."""
    scenario = copy.deepcopy(good)
    setup = scenario["setup"]
    setup["options"] = setup.get("options") or {}
    for one in (c for side in setup["teams"] for c in side["characters"]):
        one["skills"] = {**(one.get("skills") or {}), "spare": 1}
        one["armour"] = [*(one.get("armour") or ()), copy.deepcopy(SPARE_ARMOUR)]
        spares = copy.deepcopy([SPARE_GUN, SPARE_BLADE])
        one["weapons"] = [*(one.get("weapons") or ()), *spares]
    BREAKS[kind](rng, scenario)
    return scenario


def options(_rng: Random, scenario: Json) -> Json:
    """The options."""
    return scenario["setup"]["options"]


def character(rng: Random, scenario: Json) -> Json:
    """Any character."""
    return rng.choice(team(rng, scenario)["characters"])


def traits(rng: Random, scenario: Json) -> Json:
    """The traits of any character."""
    return character(rng, scenario)["traits"]


def skills(rng: Random, scenario: Json) -> Json:
    """The skills of any character."""
    return character(rng, scenario)["skills"]


def armour(rng: Random, scenario: Json) -> Json:
    """A piece of armour."""
    return character(rng, scenario)["armour"][-1]


def ratings(rng: Random, scenario: Json) -> Json:
    """The ratings of a piece of armour."""
    return armour(rng, scenario)["ratings"]


def gun(rng: Random, scenario: Json) -> Json:
    """A ranged weapon."""
    return character(rng, scenario)["weapons"][-2]


def blade(rng: Random, scenario: Json) -> Json:
    """A melee weapon."""
    return character(rng, scenario)["weapons"][-1]


def order(rng: Random, scenario: Json) -> Json:
    """A new plan, which may be refused or not, put in anywhere."""
    name = rng.choice(("nobody", character(rng, scenario)["name"]))
    entry = {"round": rng.choice((1, 2, 99)), "character": name, "plan": [[{"do": "hold"}]]}
    scenario["orders"].insert(rng.randint(0, len(scenario["orders"])), entry)
    return entry


def end_entry(rng: Random, scenario: Json) -> Json:
    """A new entry that ends a round, if its own round is readable."""
    entry = order(rng, scenario)
    entry["end"] = True
    return entry


def action(rng: Random, scenario: Json) -> Json:
    """An action of a new plan, or what it is to do else."""
    found: Json = order(rng, scenario)["plan"][0][0]
    found["do"] = rng.choice(("hold", "attack", "move", "treat", "dance"))
    if rng.random() < 0.4:
        found["else"] = {"do": "evade", "else": {"do": "hold"}}
        found = rng.choice((found, found["else"], found["else"]["else"]))
    return found


_LOW = (None, *NO_WHOLE)

# where, key, and values of which each makes the scenario invalid
VALUES: Values = {
    "system": (whole, "system", ("", "Starfarer", "chess", None, 3, [], {})),
    "setup": (whole, "setup", (None, *NO_OBJECT)),
    "orders": (whole, "orders", (None, *NO_LIST, [None], [3], ["x"], [[]])),
    "options": (setup_of, "options", NO_OBJECT),
    "field": (setup_of, "field", (0, -1, 300_001, *_LOW)),
    "teams": (setup_of, "teams", (None, *NO_LIST, [], [None, None], [{}] * 5)),
    "team name": (team, "name", (None, *BLANK, *NO_TEXT)),
    "characters": (team, "characters", (None, [], *NO_LIST, [None], ["x"])),
    "name": (character, "name", (None, "nearest", *BLANK, *NO_TEXT)),
    "traits": (character, "traits", (None, *NO_OBJECT)),
    "initiative": (character, "initiative", (-1, 31, *_LOW)),
    "mass": (character, "mass", (0, 61, *_LOW)),
    "resilience": (character, "resilience", (-1, 201, *_LOW)),
    "stun": (character, "stun", (0, 201, *_LOW)),
    "basic shock": (character, "basic_shock", (0, 201, *_LOW)),
    "at": (character, "at", (-1, 300_001, *_LOW)),
    "hand": (character, "hand", ("", "Right", "both", *NO_TEXT)),
    "skills": (character, "skills", NO_OBJECT),
    "skill": (skills, "spare", (-1, 21, *NO_WHOLE)),
    "skill's name": (skills, " ", (0, 3, 20)),
    "armour": (character, "armour", (*NO_LIST, [None], [3], [{}])),
    "covers": (
        armour,
        "covers",
        (None, [], *NO_LIST, ["tail"], [None], ["Head"], [3], ["head", 1]),
    ),
    "ratings": (armour, "ratings", (None, *NO_OBJECT)),
    "rating": (ratings, "bullet", (-1, 201, *NO_WHOLE)),
    "rating's name": (ratings, "", (0, 3)),
    "weapons": (character, "weapons", (*NO_LIST, [None], ["x"], [{}])),
    "weapon's name": (gun, "name", (None, "unarmed", *BLANK, *NO_TEXT)),
    "weapon's skill": (gun, "skill", (None, *BLANK, *NO_TEXT)),
    "mode": (blade, "mode", (None, "", "thrown", "Melee", *NO_TEXT)),
    "pr": (gun, "pr", (-1, 201, *_LOW)),
    "dr": (blade, "dr", (-1, 201, *_LOW)),
    "type": (blade, "type", (None, *BLANK, *NO_TEXT)),
    "range": (gun, "range", (0, 9, *_LOW)),
    "extreme": (gun, "extreme", NO_TRUTH),
    "blunt": (blade, "blunt", NO_TRUTH),
    "reach": (blade, "reach", (0, 11, *NO_WHOLE)),
    "weapon's initiative": (gun, "initiative", (-4, 4, *NO_WHOLE)),
    "hands": (blade, "hands", (0, 3, *NO_WHOLE)),
    "round": (order, "round", (0, -1, *_LOW)),
    "round of an end": (end_entry, "round", (0, -1, *_LOW)),
    "end": (order, "end", NO_TRUTH),
    "character": (order, "character", (None, *BLANK, *NO_TEXT)),
    "plan": (order, "plan", (None, [], *NO_LIST, [None], [[]], [3], [{}], [[None]], [["hold"]])),
    "abort": (order, "abort", (*BLANK, *NO_TEXT)),
    "do": (action, "do", (None, *BLANK, *NO_TEXT)),
    "else": (action, "else", (3, "hold", True, [], [{}], {}, {"do": None}, {"if": "clear"})),
    "finish": (action, "finish", NO_TRUTH),
    **{key: (action, key, (*BLANK, *NO_TEXT)) for key in ("if", "with", "arm", "toward", "area")},
    "at of an action": (action, "at", (*BLANK, *NO_TEXT)),
    **{key: (action, key, NO_WHOLE) for key in ("within", "to")},
}
VALUES |= {key: (options, key, NO_TRUTH) for key in ("declaration", "blow_through")}
VALUES |= {key: (traits, key, (0, 21, *_LOW)) for key in ("dexterity", "essence")}


def lone_option(rng: Random, scenario: Json) -> None:
    """An option without the one that it needs."""
    chosen = scenario["setup"]["options"]
    chosen.update({"declaration": rng.choice((False, None)), "modifiers": None, "multiple": None})
    chosen[rng.choice(("modifiers", "multiple"))] = True


def lone_team(rng: Random, scenario: Json) -> None:
    """One team, or five."""
    teams = scenario["setup"]["teams"]
    del teams[1:]
    if rng.random() < 0.5:
        one = teams[0]["characters"][0]
        teams += [{"name": f"team {n}", "characters": [{**one, "name": f"x{n}"}]} for n in range(4)]


def thirteen(rng: Random, scenario: Json) -> None:
    """A thirteenth character."""
    members = team(rng, scenario)["characters"]
    members += [{**members[0], "name": f"more {n}"} for n in range(13 - len(members))]


def same_name(rng: Random, scenario: Json) -> None:
    """Two of one name: teams, characters, or weapons."""
    one, other = rng.sample(scenario["setup"]["teams"], 2)
    what = rng.randrange(3)
    if what == 0:
        one["name"] = other["name"]
    elif what == 1:
        one["characters"][-1]["name"] = other["characters"][0]["name"]
    else:
        blade(rng, scenario)["name"] = "twice"
        for each in (c for t in (one, other) for c in t["characters"]):
            each["weapons"] += [{**SPARE_GUN, "name": "twice"}, {**SPARE_BLADE, "name": "twice"}]


def off_the_field(rng: Random, scenario: Json) -> None:
    """A character beyond the field's end."""
    character(rng, scenario)["at"] = scenario["setup"]["field"] + rng.choice((1, 5))


BREAKS: dict[str, Break] = {
    **value_breaks(VALUES),
    "missing": missing(VALUES),
    "lone option": lone_option,
    "lone team": lone_team,
    "thirteen": thirteen,
    "same name": same_name,
    "off the field": off_the_field,
    # the end of a round has at least one die
    **dice_breaks(replay, {"round": 1, "end": True}, 10),
}
