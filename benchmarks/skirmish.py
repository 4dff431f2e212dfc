"""Starfarer, two squads of four: rounds a second of the engine."""

import random
from time import perf_counter
from typing import Any

from benchmarks.turns import LooseDice
from engine.seats import REFEREE
from engine.starfarer.model import Action, Battle, End, Entry, Plan, active, to_plan
from engine.starfarer.rules import STARFARER

SECONDS = 3.0
_TRAITS = {"dexterity": 6, "agility": 6, "endurance": 7, "willpower": 6, "essence": 5}
_CARBINE = {"name": "carbine", "skill": "carbine", "mode": "ranged", "pr": 7, "dr": 5, "range": 3}
_KNIFE = {"name": "knife", "skill": "knife", "mode": "melee", "pr": 2, "dr": 3, "type": "blade"}
_SQUAD = 4


def _squad(name: str, at: int) -> dict[str, Any]:
    """Return a squad of soldiers in armour, side by side."""
    soldiers = [
        {
            "name": f"{name} {n}",
            "traits": _TRAITS,
            "initiative": 8 + n,
            "mass": 6,
            "resilience": 14,
            "stun": 12,
            "basic_shock": 14,
            "at": at + n,
            "skills": {"carbine": 5, "knife": 4, "evade": 4, "first aid": 4},
            "armour": [{"covers": ["chest", "abdomen"], "ratings": {"bullet": 10}}],
            "weapons": [{**_CARBINE, "type": "bullet"}, _KNIFE],
        }
        for n in range(_SQUAD)
    ]
    return {"name": name, "characters": soldiers}


SETUP = {
    "options": {"declaration": True, "modifiers": True},
    "field": 60,
    "teams": [_squad("red", 10), _squad("blue", 40)],
}
_ENTRIES: tuple[Entry, ...] = (
    ((Action("attack", at="nearest"), Action("evade")),),
    ((Action("attack", when="engaged", weapon="knife"), Action("attack", at="nearest")),),
    ((Action("treat", when="bleeding", area="chest"), Action("attack", at="nearest")),),
    ((Action("aim", at="nearest"),),),
    ((Action("evade", when="engaged"), Action("move", toward="nearest")),),
)


def _round(battle: Battle, rng: random.Random) -> Battle:
    """File a random plan for everybody, and play the round."""
    orders: dict[Any, list[Any]] = {REFEREE: [End()]}
    for name in to_plan(battle):
        plan = Plan(name, tuple(rng.choices(_ENTRIES, k=2)), rng.choice((None, "evade")))
        orders.setdefault(battle.sheets[name].seat, []).append(plan)
    after, _ = STARFARER.resolve(battle, orders, LooseDice(rng))
    return after


def measure(seconds: float = SECONDS) -> float:
    """Play rounds in which all eight can act for some seconds, and return how many a second."""
    start = STARFARER.setup(SETUP)
    rng, battle, rounds, began = random.Random(1), start, 0, perf_counter()
    while (spent := perf_counter() - began) < seconds:
        battle = _round(battle if len(active(battle)) == 2 * _SQUAD else start, rng)
        rounds += 1
    return rounds / spent
