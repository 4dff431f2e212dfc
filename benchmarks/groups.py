"""Cortex, two task groups of twelve vessels: turns a second of the engine."""

import random
from time import perf_counter
from typing import Any

from benchmarks.turns import LooseDice
from engine.cortex.model import Battle, Close, Order, Orders
from engine.cortex.rules import CORTEX
from engine.cortex.units import active, active_in, leaders, seat_of
from engine.seats import REFEREE

SECONDS = 3.0
_GROUP = 12
_FIGHTERS = 10
_CANNON = {"name": "cannon", "range": "skirmish", "damage": "d8", "count": 2, "linked": True}
_DART = {"name": "dart", "range": "short", "missile": True, "size": "light", "count": 2}
_FLAK = {"name": "flak", "range": "skirmish", "damage": "d6", "count": 4, "pd": True}
_RAILGUN = {"name": "railgun", "range": "capital", "damage": "d12+d2", "count": 12}


def _vessel(name: str, fighter: bool) -> dict[str, Any]:
    """Return a fighter with cannon and missiles, or a capital ship with its crew."""
    vessel = {"name": name, "str": "d6", "agi": "d8", "vit": "d6", "alt": "d6", "gunnery": "d8"}
    pilot = {"skill": "d8", "trait": "d4"}
    if fighter:
        weapons = [{**_CANNON}, {**_DART}]
        craft = {"scale": "planetcraft", "speed": 8, "lp": 14, "crew": {"pilot": pilot}}
    else:
        weapons = [{**_RAILGUN, "battery": True}, {**_FLAK}]
        crew = {"pilot": pilot, "commander": {"attr": "d8", "skill": "d8"}, "tactical": pilot}
        craft = {"scale": "spacecraft", "speed": 3, "lp": 150, "crew": crew}
    return {**vessel, **craft, "armour": {"stun": 2, "wound": 2}, "weapons": weapons}


SETUP = {
    "range": "capital",
    "teams": [
        {"name": team, "vessels": [_vessel(f"{team} {n}", n < _FIGHTERS) for n in range(_GROUP)]}
        for team in ("red", "blue")
    ],
}


def _orders(battle: Battle, name: str, rng: random.Random) -> tuple[Order, ...]:
    """Return what a vessel does in a turn: a course, a defence, and its guns."""
    foe = rng.choice(active_in(battle, 1 - battle.sheets[name].team))
    if battle.sheets[name].scale == "planetcraft":
        return (
            Order("close", at=foe),
            Order("defend"),
            Order(rng.choice(("lock", "launch")), weapon="dart", at=foe),
            Order("fire", weapon="cannon", at=foe),
        )
    return (
        Order("assist", to="guns"),
        Order("plot"),
        Order("evade"),
        Order("fire", weapon="railgun", at=foe, guns=6),
        Order("fire", weapon="railgun", at=foe, guns=6),
    )


def _turn(battle: Battle, rng: random.Random) -> Battle:
    """File orders for everybody, and play the turn."""
    orders: dict[Any, list[Any]] = {REFEREE: [Close()]}
    for name in leaders(battle):
        orders.setdefault(seat_of(battle, name), []).append(
            Orders(name, _orders(battle, name, rng))
        )
    after, _ = CORTEX.resolve(battle, orders, LooseDice(rng))
    return after


def measure(seconds: float = SECONDS) -> float:
    """Play turns in which all twenty-four can act for some seconds; return how many a second."""
    start = CORTEX.setup(SETUP)
    rng, battle, turns, began = random.Random(1), start, 0, perf_counter()
    while (spent := perf_counter() - began) < seconds:
        battle = _turn(battle if len(active(battle)) == 2 * _GROUP else start, rng)
        turns += 1
    return turns / spent
