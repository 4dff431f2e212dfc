"""Random battles of Cortex over all its options, to try laws on."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.cortex.tables import KINDS, MISSILES, OPTIONS, RANGES, SCALES, SIZES, VECTORS

DICE = ("d2", "d4", "d6", "d8", "d10", "d12", "d12+d2", "d12+d4")
DOS = (
    "surrender", "check_fire", "shield", "assist", "forward", "sense", "plot", "defend", "evade",
    "press", "jump", "spot", "leave", "join", "withdraw", "close", "open", "ram", "strafe", "fire",
    "aim", "lock", "launch", "intercept", "outfly", "trick", "bombard",
)  # fmt: skip
OFTEN = (
    "fire",
    "fire",
    "fire",
    "fire",
    "join",
    "close",
    "close",
    "lock",
    "launch",
    "strafe",
    "aim",
)


def setup(rng: Random) -> dict[str, Any]:
    """A set-up with a bit of everything."""
    names = [[f"{team}{n}" for n in range(rng.randint(1, 6))] for team in ("Ash", "Bay")]
    sorts = [rng.choice((None, _FIGHTERS)) for _ in names]
    atmosphere = rng.random() < 0.25
    usual = rng.choice((300, 900, 4_000, 9_000, 30_000)) if atmosphere else rng.choice(RANGES)
    teams = [
        {
            "name": team,
            "vessels": [vessel(rng, name, sorts[n]) for name in names[n]],
            "spotters": [_spotter(rng, f"Eye{n}")],
        }
        for n, team in enumerate(("ash", "bay"))
    ]
    craft = [one for team in teams for one in team["vessels"] if one["scale"] != "personal"]
    obstacles = _obstacles(rng, [one["name"] for one in craft])
    return {
        "options": _options(rng, atmosphere),
        "atmosphere": atmosphere,
        "conditions": rng.choice((None, "good", "poor")),
        "range": usual,
        "ranges": {
            f"{rng.choice(names[0])}|{rng.choice(names[1])}": 800 if atmosphere else "skirmish"
            for _ in range(rng.randint(0, 4))
        },
        "teams": teams,
        "obstacles": obstacles,
        "sites": [
            {"name": "camp", "kind": "area", "lp": rng.randint(1, 20), "population": 7},
            {"name": "town", "kind": rng.choice(list(KINDS)), "lp": 5, "population": 999},
        ],
    }


def _options(rng: Random, atmosphere: bool) -> list[str]:
    options = [one for one in OPTIONS if rng.random() < 0.9]
    if "crew1" in options and "crew2" in options:
        options.remove(rng.choice(("crew1", "crew2")))
    if atmosphere and "atmosphere" not in options:
        options.append("atmosphere")
    return options


_FIGHTERS = ("planetcraft",)
_MIXED = (*SCALES, "planetcraft", "planetcraft", "spacecraft")


def vessel(rng: Random, name: str, scales: tuple[str, ...] | None) -> dict[str, Any]:
    """A vessel of one of some scales."""
    scale = rng.choice(scales or _MIXED)
    person = {"attr": "d8", "skill": rng.choice(DICE), "trait": rng.choice((None, "d4"))}
    stations = ("commander", "executive", "sensors", "comms", "tactical")
    return {
        "name": name,
        "scale": scale,
        **{key: rng.choice(DICE[1:6]) for key in ("str", "agi", "vit", "alt", "gunnery")},
        "speed": rng.choice((0, 2, 5, 8, 8, 9)),
        "lp": rng.randint(5, 60),
        "armour": {"stun": rng.randint(0, 2), "wound": rng.randint(0, 2)},
        "ftl": rng.random() < 0.5,
        "fixed": rng.random() < 0.1,
        "altitude": rng.choice((None, 900, 5_000, 90_000)),
        "crew": {"pilot": person} | {one: person for one in stations if rng.random() < 0.7},
        "weapons": [w for n in range(4) if (w := _weapon(rng, f"w{n}", scale))],
    }


def _weapon(rng: Random, name: str, scale: str) -> dict[str, Any]:
    kind = rng.choice(("missile", "linked", "battery", "pd", "plain"))
    weapon = {"name": name, "range": rng.choice(RANGES), "count": rng.choice((None, 1, 2, 5, 9))}
    if kind == "missile" and scale != "personal":
        size, warhead = rng.choice(list(MISSILES[scale])), rng.choice(("blast", "fragments"))
        return {**weapon, "missile": True, "size": size, "warhead": warhead}
    weapon["damage"] = rng.choice(DICE)
    weapon["scale"] = rng.choice((None, None, *SCALES))
    if kind == "battery" and scale == "spacecraft":
        weapon["battery"] = True
    if kind == "pd":
        weapon |= {"pd": True, "range": "skirmish"}
    return {**weapon, "linked": kind == "linked"}


def _spotter(rng: Random, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "alt": "d8",
        "gunnery": "d6",
        "lp": 5,
        "designator": rng.random() < 0.8,
        "uplink": rng.choice((None, "handset", "transceiver", "transceiver")),
        "scope": rng.random() < 0.5,
    }


def _obstacles(rng: Random, names: list[str]) -> list[dict[str, Any]]:
    rock = {"name": "rock", "size": rng.choice(list(SIZES)), "speed": rng.randint(0, 9)}
    rock["vector"] = rng.choice(list(VECTORS))
    if names and rng.random() < 0.5:
        rock |= {"turn": rng.randint(1, 3), "against": rng.choice(names)}
    return [rock, {"name": "hulk", "random": True}]


def orders(rng: Random, given: dict[str, Any], units: list[str]) -> list[dict[str, Any]]:
    """The orders of a turn for some units: many make sense, and some do not."""
    teams = [[one["name"] for one in team["vessels"]] for team in given["teams"]]
    found = []
    for unit in units:
        own = teams[0] if unit in (*teams[0], "Eye0") else teams[1]
        foes = teams[1] if own is teams[0] else teams[0]
        found += [_order(rng, unit, own, foes) for _ in range(rng.choice((0, 1, 2, 2, 3, 4)))]
    return found


_GROUND = ("camp", "town", "Eye0", "Eye1")
_FRIENDS = ("join", "shield", "assist")


def _order(rng: Random, unit: str, own: list[str], foes: list[str]) -> dict[str, Any]:
    """An order, mostly at what it may be meant for."""
    do = "spot" if unit.startswith("Eye") else rng.choice((*DOS, *OFTEN))
    if do == "surrender" and rng.random() < 0.9:
        do = "fire"
    likely = own if do in _FRIENDS else _GROUND if do in ("spot", "bombard") else foes
    at = rng.choice(likely if rng.random() < 0.95 else (*own, *foes, *_GROUND, "rock", "hulk"))
    if do == "trick" and rng.random() < 0.4:
        at = rng.choice(("rock", "hulk"))
    order = {"unit": unit, "do": do, "at": at, "weapon": f"w{rng.randint(0, 3)}"}
    order["guns"] = rng.choice((None, None, None, 1, 3, 7))
    order["to"] = rng.choice(("pilot", "guns", "sensors", "comms", "w0", "w1"))
    order["missile"] = f"M{rng.randint(1, 6)}"
    order["called"] = rng.choice((None, None, None, "sensors", "engines", "weapon"))
    order["station"] = rng.choice((None, "executive", "tactical"))
    order["spotter"] = rng.choice((None, None, None, "Eye0", "Eye1"))
    return order


def units(given: dict[str, Any]) -> list[str]:
    """The names of all vessels and spotters of a set-up."""
    return [one["name"] for team in given["teams"] for one in (*team["vessels"], *team["spotters"])]
