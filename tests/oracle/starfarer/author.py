"""Writes random scenarios of Starfarer, while the engine plays them ahead.

The engine only says which round is open, who can plan, and how many dice fall; nothing of what it
works out stands in a scenario.
"""

from __future__ import annotations

import copy
import hashlib
from random import Random
from typing import Any

from engine.dice import Roll, SeededDice, digest
from engine.starfarer.rules import STARFARER
from tests.oracle.starfarer.plans import MOODS, Planner, spoiled
from tests.oracle.starfarer.setups import AREAS, Json, random_setup

KNOBS = {
    "initiative": ("fair", "fair", "high", "low"),
    "attack": ("fair", "fair", "low"),
    "shock": ("fair", "low", "high"),
    "wakes": ("fair", "low", "high"),
    "sleeps": ("low",),
    "bleeding": ("fair", "low", "high"),
    "survival": ("fair", "low"),
    "treats": ("fair", "low"),
    "evade": ("fair", "low", "high"),
    "parry": ("fair", "low", "high"),
    "limb": ("fair", "low", "high"),
}


class RecordingDice:
    """Dice that show what the knobs make likely, and remember what they showed."""

    def __init__(self, rng: Random) -> None:
        """Turn the knobs at random for one scenario."""
        self.rng = rng
        self.rolls: list[Roll] = []
        self.knobs = {key: rng.choice(values) for key, values in KNOBS.items()}

    def roll(self, sides: int, why: str, bounds: Any = ()) -> int:
        """Roll, twice where the knob is turned."""
        purpose = next((key for key in KNOBS if f" {key}" in why), "limb")
        falls = self.rng.randint(1, sides), self.rng.randint(1, sides)
        knob = self.knobs[purpose]
        result = {"fair": falls[0], "low": min(falls), "high": max(falls)}[knob]
        self.rolls.append(Roll(sides, result, why))
        return result


def seeded(text: str) -> SeededDice:
    """The dice of a scenario with a seed."""
    return SeededDice(hashlib.sha256(text.encode()).digest(), "replay", 0, digest(""))


class Author:
    """The author of one scenario."""

    def __init__(self, rng: Random) -> None:
        """Choose the set-up, the dice and the moods."""
        self.rng = rng
        self.setup = random_setup(rng)
        self.seed = f"seed {rng.random()}" if rng.random() < 0.15 else None
        self.with_null = rng.random() < 0.1  # the other of seed and dice
        # With a seed the fight that is played ahead is the one that a replay plays.
        self.dice = RecordingDice(rng) if self.seed is None else seeded(self.seed)
        self.state = STARFARER.setup(copy.deepcopy(self.setup))
        self.orders: list[Json] = []
        self.noise = rng.choice((0.0, 0.0, 0.1, 0.4))
        self.diligence = rng.choice((0.5, 0.9, 1.0))
        people = [c for team in self.setup["teams"] for c in team["characters"]]
        self.planners = {c["name"]: Planner(rng, self.setup["teams"], c) for c in people}
        self.moods = {name: rng.choice(MOODS) for name in self.planners}
        self.kept: dict[str, Json] = {}

    def scenario(self) -> Json:
        """What has been written."""
        drawn: Json = {"seed": self.seed, "dice": None}
        if self.seed is None:
            drawn["dice"] = [roll.result for roll in self.dice.rolls]
        if not self.with_null:
            drawn = {key: value for key, value in drawn.items() if value is not None}
        return {"system": "starfarer", "setup": self.setup, "orders": self.orders, **drawn}

    def write(self) -> None:
        """Some rounds, often to the end of the fight and a little beyond it."""
        for _ in range(self.rng.choice((self.rng.randint(0, 3), 6, 12, 12, 25))):
            if not self.state.over:
                self.write_round()
                self.give(self.end_of_round())
        if not self.state.over and self.rng.random() < 0.3:
            self.write_round()
        if self.state.over and self.rng.random() < 0.3:
            self.give({"round": self.rng.randint(1, 20), "end": True})
            self.give(self.noisy_plan(self.rng.choice(list(self.planners))))

    def give(self, entry: Json) -> None:
        """Write an entry down and play it."""
        self.orders.append(entry)
        seat, order = STARFARER.scenario.order(self.state, copy.deepcopy(entry), 0)
        if STARFARER.refusal(self.state, seat, order) is None:
            self.state, _ = STARFARER.resolve(self.state, {seat: [order]}, self.dice)

    def write_round(self) -> None:
        """Plans for most characters, in any order, some of them twice, some as last time."""
        names = list(self.planners)
        self.rng.shuffle(names)
        for name in names:
            if self.rng.random() < self.noise:
                self.give(self.noisy_plan(name))
            active = self.state.bodies[name].fate == "active"
            if self.rng.random() < (self.diligence if active else 0.05):
                self.give(self.plan(name))
            if self.rng.random() < 0.02:
                self.give(self.plan(name))
            if self.rng.random() < 0.1:
                self.moods[name] = self.rng.choice(MOODS)

    def plan(self, name: str) -> Json:
        """A plan by the character's mood, or the one that it keeps."""
        several = bool((self.setup.get("options") or {}).get("multiple"))
        if self.state.over or name not in self.kept or self.rng.random() < 0.6:
            self.look(name)
            self.kept[name] = self.planners[name].plan(self.moods[name], several)
        if self.rng.random() < 0.01:
            self.kept[name] = {"plan": [[{"do": "yield"}]]}
        plan = copy.deepcopy(self.kept[name])
        return {"round": self.state.round, "character": name, **plan}

    def look(self, name: str) -> None:
        """Tell a planner which of its mates may be treated, and where."""
        planner, bodies = self.planners[name], self.state.bodies
        planner.wounds = [
            (mate, area)
            for mate in planner.mates
            for n, area in enumerate(AREAS)
            if bodies[mate].bleeding[n] or bodies[mate].wounds[n][5]
        ]
        planner.wounds += [(mate, "shock") for mate in planner.mates if bodies[mate].dying]

    def noisy_plan(self, name: str) -> Json:
        """A plan that is likely to be refused when it is filed."""
        several = self.rng.random() < 0.5
        plan = self.planners[name].plan("any", several)
        entry = {"round": self.state.round, "character": name, **plan}
        return spoiled(self.rng, entry, list(self.planners))

    def end_of_round(self) -> Json:
        """The referee's entry, and other keys that it may hold."""
        entry: Json = {"round": self.state.round, "end": True}
        if self.rng.random() < 0.05:
            more = ({"character": 3}, {"plan": "x"}, {"abort": []}, {"note": 7})
            entry.update(self.rng.choice(more))
        if self.rng.random() < self.noise / 10:
            entry["round"] += 1
        return entry


def author(rng: Random) -> Author:
    """An author whose scenario is written; the same for the same random generator."""
    writer = Author(rng)
    writer.write()
    return writer
