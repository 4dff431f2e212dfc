"""Random scenarios of Black Skies that are not valid, each broken in one of many ways."""

from __future__ import annotations

import copy
from random import Random

from tests.oracle.blackskies.referee import Battle
from tests.oracle.blackskies.tables import HARDPOINTS, Json
from tests.oracle.breaking import (
    BLANK,
    NO_LIST,
    NO_OBJECT,
    NO_TEXT,
    NO_TRUTH,
    NO_WHOLE,
    Break,
    Values,
    setup_of,
    team,
    value_breaks,
    whole,
)

SPARE_WEAPON: Json = {"arc": [0, 3], "rof": 2, "range": [3, 3, 9], "die": 8}
SPARE_DESIGN: Json = {
    "weight": "heavy",
    "thrusters": ["side"],
    "weapons": ["Laser Cannon", "Spare Gun"],
    "armour": 1,
    "shields": 1,
}
BAD_RANGES = (
    [6, 12],
    [6, 12, 18, 24],
    [12, 6, 18],
    [6, 18, 12],
    [0, 6, 12],
    [6, 12, 100],
    [6.0, 12, 18],
    [None, 6, 12],
    ["6", 12, 18],
    [True, 6, 12],
)


def broken_by(kind: str, rng: Random, good: Json) -> Json:
    """A valid scenario, made invalid in the way that was chosen."""
    scenario = copy.deepcopy(good)
    setup = scenario["setup"]
    for key, thing in (("weapons", SPARE_WEAPON), ("designs", SPARE_DESIGN)):
        name = {"weapons": "Spare Gun", "designs": "Spare"}[key]
        setup[key] = {**(setup.get(key) or {}), name: copy.deepcopy(thing)}
    setup["asteroids"] = setup.get("asteroids") or [{"q": 900, "r": 900, "radius": 1}]
    BREAKS[kind](rng, scenario)
    return scenario


def element(rng: Random, scenario: Json) -> Json:
    """Any element."""
    return rng.choice(team(rng, scenario)["elements"])


def fighter(rng: Random, scenario: Json) -> Json:
    """Any fighter."""
    return rng.choice(element(rng, scenario)["fighters"])


def asteroid(rng: Random, scenario: Json) -> Json:
    """Any asteroid."""
    return rng.choice(scenario["setup"]["asteroids"])


def design(_rng: Random, scenario: Json) -> Json:
    """A design that nobody flies."""
    return scenario["setup"]["designs"]["Spare"]


def weapon(_rng: Random, scenario: Json) -> Json:
    """A weapon that no fighter in the battle carries."""
    return scenario["setup"]["weapons"]["Spare Gun"]


def order(rng: Random, scenario: Json) -> Json:
    """A new order, which may be refused or not, put in anywhere."""
    entry = {"turn": rng.choice((1, 2, 99)), "element": rng.choice(("nobody", "Red"))}
    scenario["orders"].insert(rng.randint(0, len(scenario["orders"])), entry)
    return entry


def end_entry(rng: Random, scenario: Json) -> Json:
    """A new entry that closes a turn, if its own turn is readable."""
    entry = order(rng, scenario)
    entry["end"] = True
    return entry


# where, key, and values of which each makes the scenario invalid
VALUES: Values = {
    "system": (whole, "system", ("", "Blackskies", "chess", None, 3, [], {})),
    "setup": (whole, "setup", (None, *NO_OBJECT)),
    "orders": (whole, "orders", (None, *NO_LIST, [None], [3], ["x"], [[]])),
    "teams": (setup_of, "teams", (None, *NO_LIST, [], [None, None])),
    "first": (setup_of, "first", ("", "nobody", "RED ", *NO_TEXT)),
    "turns": (setup_of, "turns", (0, -1, 101, *NO_WHOLE)),
    "weapons": (setup_of, "weapons", NO_OBJECT),
    "designs": (setup_of, "designs", NO_OBJECT),
    "asteroids": (setup_of, "asteroids", (*NO_LIST, [None], [[]], [3])),
    "side name": (team, "name", (None, *BLANK, *NO_TEXT)),
    "elements": (team, "elements", (None, [], *NO_LIST, [None], ["x"])),
    "deck": (team, "deck", (*NO_LIST, [], [None], ["nobody"], [3], [[]])),
    "element name": (element, "name", (None, *BLANK, *NO_TEXT)),
    "design of an element": (element, "design", (None, "", "Tiger", "black tiger ", *NO_TEXT)),
    "heading": (element, "heading", (None, -1, 6, *NO_WHOLE)),
    "speed": (element, "speed", (None, -1, 13, *NO_WHOLE)),
    "fighters": (element, "fighters", (None, [], *NO_LIST, [None], ["x"])),
    "fighter name": (fighter, "name", (None, *BLANK, *NO_TEXT)),
    "skill": (fighter, "skill", (None, 0, 5, -1, *NO_WHOLE)),
    "q": (fighter, "q", (None, -1000, 1000, *NO_WHOLE)),
    "r": (fighter, "r", (None, -1000, 1000, *NO_WHOLE)),
    "asteroid q": (asteroid, "q", (None, -1000, 1000, *NO_WHOLE)),
    "asteroid r": (asteroid, "r", (None, -1000, 1000, *NO_WHOLE)),
    "radius": (asteroid, "radius", (None, 0, 13, -1, *NO_WHOLE)),
    "weight": (design, "weight", (None, "", "Light", "huge", *NO_TEXT)),
    "thrusters": (design, "thrusters", (None, *NO_LIST, ["top"], [None], ["side", "side"], [3])),
    "weapons of a design": (design, "weapons", (None, *NO_LIST, ["Gun"], [None], [3], [[]])),
    "armour": (design, "armour", (None, -1, 3, *NO_WHOLE)),
    "shields": (design, "shields", (None, -1, 3, *NO_WHOLE)),
    "arc": (
        weapon,
        "arc",
        (None, [], [6], [-1], [0, 0], [None], [1.0], [True], [0, "1"], *NO_LIST),
    ),
    "rof": (weapon, "rof", (None, 0, 7, -1, *NO_WHOLE)),
    "range": (weapon, "range", (None, *NO_LIST, [], *BAD_RANGES)),
    "die": (weapon, "die", (None, 0, 2, 3, 5, 7, 11, 14, 20, 100, *NO_WHOLE)),
    "turn of an order": (order, "turn", (None, 0, -1, *NO_WHOLE)),
    "turn of an end": (end_entry, "turn", (None, 0, -1, *NO_WHOLE)),
    "element of an order": (order, "element", (None, *BLANK, *NO_TEXT)),
    "command": (order, "command", (*BLANK, *NO_TEXT)),
    "card": (order, "card", NO_WHOLE),
    "option": (order, "option", (*BLANK, *NO_TEXT)),
    "by": (order, "by", NO_WHOLE),
    "targets": (order, "targets", (*NO_LIST, [None], [3], ["Red", []], ["Red", " "])),
    "hold_fire": (order, "hold_fire", NO_TRUTH),
    "end": (order, "end", NO_TRUTH),
}


def missing(rng: Random, scenario: Json) -> None:
    """Leave out what must be there."""
    optional = {"first", "turns", "weapons", "designs", "asteroids", "deck"}
    optional |= {"command", "card", "option", "by", "targets", "hold_fire", "end"}
    kinds = [key for key, row in VALUES.items() if row[1] not in optional or row[0] is design]
    holder, name, _ = VALUES[rng.choice(kinds)]
    del holder(rng, scenario)[name]


# ---- what breaks the limits --------------------------------------------------------------


def three_sides(rng: Random, scenario: Json) -> None:
    """One side, or three."""
    teams = scenario["setup"]["teams"]
    if rng.random() < 0.5:
        del teams[rng.randrange(2)]
    else:
        lone = {"name": "x1", "skill": 1, "q": 0, "r": 0}
        third = {"design": "Black Tiger", "heading": 0, "speed": 0, "fighters": [lone]}
        teams.append({"name": "third", "elements": [{**third, "name": "x"}]})


def same_name(rng: Random, scenario: Json) -> None:
    """Two of one name: sides, or any two of elements and fighters."""
    one, other = scenario["setup"]["teams"]
    if rng.random() < 0.2:
        one["name"] = other["name"]
        return
    elements = one["elements"] + other["elements"]
    things = elements + [pilot for element in elements for pilot in element["fighters"]]
    first, second = rng.sample(things, 2)
    first["name"] = second["name"]
    one.pop("deck", None)
    other.pop("deck", None)


def nine_elements(rng: Random, scenario: Json) -> None:
    """A ninth element."""
    side = team(rng, scenario)
    for number in range(9 - len(side["elements"])):
        pilot = {"name": f"pilot {number}", "skill": 1, "q": 0, "r": 0}
        more = {"name": f"more {number}", "design": "Spare", "heading": 0, "speed": 0}
        side["elements"].append({**more, "fighters": [pilot]})
    for each in scenario["setup"]["teams"]:
        each.pop("deck", None)


def three_fighters(rng: Random, scenario: Json) -> None:
    """A third fighter in an element."""
    crowd = [{"name": f"crowd {n}", "skill": 1, "q": 0, "r": 0} for n in range(3)]
    element(rng, scenario)["fighters"] = crowd


def bad_deck(rng: Random, scenario: Json) -> None:
    """A card twice, missing, of the enemy, or a placeholder too many or too few."""
    one, other = rng.sample(scenario["setup"]["teams"], 2)
    mine = [each["name"] for each in one["elements"]]
    theirs = [each["name"] for each in other["elements"]]
    nulls = [None] * (max(len(mine), len(theirs)) - len(mine))
    wrong = [[*mine, *nulls, None], [*mine, *nulls, mine[0]], [*mine[1:], *nulls]]
    wrong += [[*mine[1:], theirs[0], *nulls], [*mine[1:], None, *nulls]]
    wrong += [[*mine, *nulls[1:]]] if nulls else []
    one["deck"] = rng.choice(wrong)


def apart(rng: Random, scenario: Json) -> None:
    """More than six inches between lead and wingman."""
    flying = element(rng, scenario)
    q, r = rng.choice(((13, 0), (0, -13), (12, 1), (8, 6), (-7, -7), (400, 0)))
    places = [(0, 0), (q, r)]
    flying["fighters"] = [
        {"name": f"apart {number}", "skill": 1, "q": q, "r": r}
        for number, (q, r) in enumerate(places)
    ]


def hardpoints(rng: Random, scenario: Json) -> None:
    """One hardpoint more than the weight has."""
    weight = rng.choice(sorted(HARDPOINTS))
    row: Json = {"weight": weight, "thrusters": [], "armour": 0, "shields": 0, "weapons": []}
    row.update(armour=rng.randint(0, 1), shields=rng.randint(0, 2))
    free = HARDPOINTS[weight] - row["armour"] - row["shields"]
    row["weapons"] = ["Laser Cannon"] * (max(0, free) + 1)
    scenario["setup"]["designs"]["Spare"] = row


def plating(rng: Random, scenario: Json) -> None:
    """Armour or shields above the limit, though the hardpoints are enough."""
    row: Json = {"thrusters": [], "armour": 0, "shields": 0, "weapons": []}
    more = ({"weight": "light", "armour": 2}, {"weight": "medium", "armour": 3})
    more += ({"weight": "heavy", "shields": 3}, {"weight": "heavy", "armour": 3})
    scenario["setup"]["designs"]["Spare"] = {**row, **rng.choice(more)}


def built_in(rng: Random, scenario: Json) -> None:
    """A built-in name used again, or a blank one, or no object."""
    key, good = rng.choice((("weapons", SPARE_WEAPON), ("designs", SPARE_DESIGN)))
    taken = {"weapons": "Laser Cannon", "designs": "Black Tiger"}[key]
    name, thing = rng.choice(((taken, good), ("", good), ("  ", good), ("x", 3), ("x", [])))
    scenario["setup"][key][name] = copy.deepcopy(thing)


# ---- dice --------------------------------------------------------------------------------


def listed(scenario: Json) -> list[tuple[int, int]]:
    """Run it with a list of dice, and return what was rolled: sides and result."""
    rolled: list[tuple[int, int]] = []

    def roll(sides: int, _purpose: str) -> int:
        rolled.append((sides, 1 + (7 * len(rolled)) % sides))
        return rolled[-1][1]

    battle = Battle(copy.deepcopy(scenario["setup"]), roll)
    for entry in scenario["orders"]:
        battle.give(entry)
    scenario.pop("seed", None)
    scenario["dice"] = [result for _, result in rolled]
    return rolled


def dice_run_out(rng: Random, scenario: Json) -> None:
    """Take dice away from the end."""
    scenario["setup"]["first"] = None  # so that there is one
    rolled = listed(scenario)
    del scenario["dice"][rng.randrange(len(rolled)) :]


def dice_left_over(rng: Random, scenario: Json) -> None:
    """Add dice that nobody rolls."""
    listed(scenario)
    scenario["dice"] += [rng.randint(1, 2) for _ in range(rng.randint(1, 3))]


def dice_wrong(rng: Random, scenario: Json) -> None:
    """A number that the die cannot show, or none."""
    scenario["setup"]["first"] = None
    rolled = listed(scenario)
    place = rng.randrange(len(rolled))
    wrong = (0, -1, rolled[place][0] + 1, 10**30, 1.0, "1", True, None, [1])
    scenario["dice"][place] = rng.choice(wrong)


def dice_or_seed(rng: Random, scenario: Json) -> None:
    """Neither, both, or of the wrong kind."""
    for key in ("dice", "seed"):
        scenario.pop(key, None)
    wrong: list[Json] = [{}, {"dice": None}, {"seed": None}, {"dice": [], "seed": "x"}]
    wrong += [{"seed": value} for value in NO_TEXT] + [{"dice": value} for value in NO_LIST]
    scenario.update(rng.choice(wrong))


BREAKS: dict[str, Break] = {
    **{f"value: {key}": put for key, put in value_breaks(VALUES).items()},
    "missing": missing,
    "three sides": three_sides,
    "same name": same_name,
    "nine elements": nine_elements,
    "three fighters": three_fighters,
    "deck": bad_deck,
    "apart": apart,
    "hardpoints": hardpoints,
    "plating": plating,
    "built in": built_in,
    "dice run out": dice_run_out,
    "dice left over": dice_left_over,
    "dice wrong": dice_wrong,
    "dice or seed": dice_or_seed,
}
