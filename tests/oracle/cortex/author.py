"""Writes random scenarios of Cortex, while the naive referee plays them ahead.

Nothing of the engine is used, so that what it gets wrong cannot be missing from them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from tests.oracle.cortex.drills import DRILLS, Drill
from tests.oracle.cortex.figures import Json
from tests.oracle.cortex.plans import Planner
from tests.oracle.cortex.setups import THEMES, random_setup
from tests.oracle.cortex.shots import SHOTS
from tests.oracle.dice import SeededDice
from tests.oracle.naive_cortex import Battle

DRILLED = 0.3  # so many begin with a drill
KNOBS = ("fair", "fair", "fair", "fair", "high", "low", "ones")


class RecordedDice:
    """Dice that fall by the knob of what they are for, and are written down."""

    def __init__(self, rng: Random) -> None:
        """Nothing has been rolled."""
        self.rng = rng
        self.knobs: dict[str, str] = {}
        self.shown: list[int] = []

    def roll(self, sides: int, why: str) -> int:
        """Roll, twice where the knob is turned."""
        knob = self.knobs.setdefault(why, self.rng.choice(KNOBS))
        falls = self.rng.randint(1, sides), self.rng.randint(1, sides)
        result = {"fair": falls[0], "high": max(falls), "low": min(falls)}.get(knob)
        if result is None:  # botches
            result = 1 if self.rng.random() < 0.6 else falls[0]
        self.shown.append(result)
        return result


class Author:
    """The author of one scenario."""

    def __init__(self, rng: Random, drill: Callable[[Random], Drill] | None = None) -> None:
        """Choose the set-up and the dice; all begin with a `drill`, if there is one."""
        self.rng = rng
        self.theme = rng.choice(list(THEMES))
        self.opening: list[list[Json]] = []
        if drill is not None:
            self.setup, self.opening = drill(rng)
        elif rng.random() < DRILLED:
            self.setup, self.opening = rng.choice((*DRILLS, *DRILLS, *SHOTS))(rng)
        else:
            self.setup = random_setup(rng, self.theme)
        self.seed = f"seed {rng.random()}" if rng.random() < 0.05 else None
        self.recorded = RecordedDice(rng)
        roll = self.recorded.roll if self.seed is None else SeededDice(self.seed).roll
        self.battle = Battle(copy.deepcopy(self.setup), roll)
        self.orders: list[list[Json]] = []

    def write(self) -> Json:
        """Some turns, now and then beyond the end of the battle."""
        planner = Planner(self.rng, self.battle)
        for orders in self.opening:
            if not self.battle.over:
                self.give(orders + (planner.turn() if self.rng.random() < 0.3 else []))
        for _ in range(self.rng.choice((0, 1, 2, 3, 4, 6, 8, 8, 12))):
            if self.battle.over:
                break
            self.give(planner.turn())
        if self.battle.over and self.rng.random() < 0.3:
            self.give([planner.odd_order() for _ in range(self.rng.randint(0, 2))])
        drawn: dict[str, Any] = {"dice": self.recorded.shown}
        if self.seed is not None:
            drawn = {"seed": self.seed}
        if self.rng.random() < 0.1:
            drawn = {"seed": None, "dice": None, **drawn}
        return {"system": "cortex", "setup": self.setup, "orders": self.orders, **drawn}

    def give(self, orders: list[Json]) -> None:
        """Write a turn down and play it."""
        self.orders.append(copy.deepcopy(orders))
        self.battle.play_turn(orders)


def author(rng: Random, drill: Callable[[Random], Drill] | None = None) -> Json:
    """A scenario; the same for the same random generator."""
    return Author(rng, drill).write()
