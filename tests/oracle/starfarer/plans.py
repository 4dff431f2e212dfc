"""Random plans: what a character in some mood would do, and what would be refused."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracle.starfarer.setups import AREAS, WEAPONS, Json

MOODS = (*["shoot"] * 4, *["brawl"] * 4, *["any"] * 3, *["medic"] * 4, "runner", "idle")
CONDITIONS = ("engaged", "clear", "hurt", "bleeding")
DEEDS = ("attack", "aim", "evade", "parry", "move", "treat", "drop", "rise", "hold")
WISHES = {
    "shoot": ("attack", "attack", "attack", "aim", "move"),
    "brawl": ("attack", "attack", "move", "parry", "evade"),
    "any": (*DEEDS, "attack", "attack"),
    "medic": ("treat", "treat", "move", "attack"),
    "runner": ("move", "move", "drop", "evade", "rise"),
    "idle": ("hold",),
}


class Planner:
    """Writes plans for one character of a set-up."""

    def __init__(self, rng: Random, teams: list[Json], me: Json) -> None:
        """Note who is a friend and who is none."""
        self.rng = rng
        self.me = me
        self.mates = [c["name"] for t in teams if me in t["characters"] for c in t["characters"]]
        everybody = [c["name"] for t in teams for c in t["characters"]]
        self.foes = [name for name in everybody if name not in self.mates]
        self.others = [name for name in everybody if name != me["name"]]
        self.wounds: list[tuple[str, str]] = []
        """Who among the mates bleeds now, or is dying, and where; for those who treat."""
        self.places = {c["name"]: c["at"] for t in teams for c in t["characters"]}

    def plan(self, mood: str, several: bool) -> Json:
        """A plan that may be filed."""
        entries = [self.entry(mood, several) for _ in range(self.rng.choice((1, 1, 2, 3, 5)))]
        plan: Json = {"plan": entries}
        if self.rng.random() < 0.5:
            plan["abort"] = self.rng.choice(("evade", "parry", None))
        return plan

    def entry(self, mood: str, several: bool) -> list[Json]:
        """One action, or more where that is allowed."""
        count = self.rng.choice((1, 1, 2, 2, 3, 4)) if several else 1
        return [self.action(self.rng.choice(WISHES[mood]), 0) for _ in range(count)]

    def action(self, do: str, depth: int) -> Json:
        """An action, mostly with something else to do instead."""
        action: Json = {"do": do, **KEYS.get(do, no_keys)(self)}
        if self.rng.random() < 0.3:
            action["if"] = self.rng.choice(CONDITIONS)
        if self.rng.random() < 0.6 - 0.15 * depth:
            other = self.rng.choice(DEEDS if depth else (*DEEDS, "attack", "rise", "evade"))
            action["else"] = self.action(other, depth + 1)
        if self.rng.random() < 0.03:
            action.update(self.rng.choice(USELESS))
        return action

    def target(self) -> Json:
        """A foe, by name or as the nearest, near enough or not."""
        keys: Json = {}
        if self.rng.random() < 0.7:
            keys["at"] = self.rng.choice((*self.foes, "nearest"))
        if self.rng.random() < 0.2:
            keys["within"] = self.rng.choice((0, 1, 2, 5, 10, 20, 50, -1, 10**20))
        if self.rng.random() < 0.4:
            keys["finish"] = self.rng.random() < 0.8
        return keys

    def weapon(self, melee: bool) -> Json:
        """One's own weapon, or none named, and an arm or none."""
        keys: Json = {}
        own = [w["name"] for w in self.me["weapons"] or () if not melee or w["mode"] == "melee"]
        if self.rng.random() < 0.6:
            keys["with"] = self.rng.choice((*own, *own, "unarmed"))
        if self.rng.random() < 0.3:
            keys["arm"] = self.rng.choice(("right", "left"))
        return keys

    def attack(self) -> Json:
        """Whom, and with what."""
        return {**self.target(), **self.weapon(False)}

    def parry(self) -> Json:
        """With what."""
        return self.weapon(True)

    def move(self) -> Json:
        """To somebody, to a place near some starting place, or away."""
        if self.rng.random() < 0.6:
            hurt = [name for name, _ in self.wounds if name != self.me["name"]]
            return {"toward": self.rng.choice((*self.others, *hurt, "nearest", "nearest"))}
        near = self.rng.choice((*self.places.values(), 0))
        return {"to": self.rng.choice((near, near, near + 3, near - 2, -5, 10**9))}

    def treat(self) -> Json:
        """Whom, and where."""
        if self.wounds and self.rng.random() < 0.8:
            name, area = self.rng.choice(self.wounds)
            return {"area": area, "at": name}
        keys: Json = {"area": self.rng.choice((*AREAS, "shock"))}
        if self.rng.random() < 0.5:
            keys["at"] = self.rng.choice(self.mates)
        return keys


def no_keys(_planner: Planner) -> Json:
    """Nothing to add."""
    return {}


KEYS = {
    "attack": Planner.attack,
    "aim": Planner.target,
    "parry": Planner.parry,
    "move": Planner.move,
    "treat": Planner.treat,
}
USELESS: tuple[Json, ...] = (
    {"note": 3},
    {"to": 4},
    {"area": "toe"},
    {"arm": "left"},
    {"with": "unarmed"},
    {"finish": None},
    {"else": None},
    {"toward": "nobody"},
)


def spoiled(rng: Random, plan: Json, everybody: list[str]) -> Json:
    """A plan with one thing wrong, or nothing, or several; its kinds of value are right."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        if rng.random() < 0.3:
            key, values = rng.choice(OUTSIDE)
            plan[key] = rng.choice((*values, *everybody) if key == "character" else values)
        else:
            entry = rng.choice(plan["plan"])
            action = rng.choice(entry)
            while "else" in action and action["else"] and rng.random() < 0.5:
                action = action["else"]
            key, values = rng.choice(INSIDE)
            action[key] = rng.choice((*values, *everybody) if key in ("at", "toward") else values)
            if rng.random() < 0.1:
                action.update({"do": "parry", "with": rng.choice(WEAPONS)})
            if rng.random() < 0.1:
                entry.extend([{"do": "hold"}] * rng.randint(1, 4))
    return plan


OUTSIDE: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("round", (1, 2, 3, 10**20)),
    ("character", ("nobody", "nearest", "ANN")),
    ("abort", ("hold", "Evade", "evade")),
    ("end", (False, None)),
    ("wind", (3, None, "west")),
)
INSIDE: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("do", ("dance", "Attack", "yield", "treat", "move", "parry", "aim")),
    ("if", ("tired", "Engaged", "clear")),
    ("with", ("bow", "Unarmed", "unarmed", "pistol", "knife")),
    ("at", ("nearest", "nobody")),
    ("toward", ("nearest", "nobody")),
    ("to", (0, 10**20, -1)),
    ("area", ("toe", "shock", "head", "Head")),
    ("arm", ("both", "left", "Right")),
    ("within", (0, 3)),
)
