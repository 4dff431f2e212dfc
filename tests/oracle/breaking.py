"""What breaks the scenarios of each system: wrong values, missing keys, dice that do not fit."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

Json = dict[str, Any]
Holder = Callable[[Random, Json], Json]
Break = Callable[[Random, Json], None]
Values = dict[str, tuple[Holder, str, tuple[Any, ...]]]
"""Where a value stands, under which key, and values of which each makes the scenario invalid."""
Rolled = list[tuple[int, int]]
"""The dice that a scenario needs: the sides and the result of each."""

BLANK = ("", " ", "\t\n")
NO_TEXT = (3, True, [], {}, ["x"])
NO_LIST = (3, "x", True, {}, {"0": 1})
NO_OBJECT = (3, "x", True, [], [{}])
NO_WHOLE = ("1", 1.0, 2.5, True, [], {})
NO_TRUTH = (0, 1, "true", [], {})


def whole(_rng: Random, scenario: Json) -> Json:
    """Return the scenario itself."""
    return scenario


def setup_of(_rng: Random, scenario: Json) -> Json:
    """Return the set-up."""
    return scenario["setup"]


def team(rng: Random, scenario: Json) -> Json:
    """Return any team."""
    return rng.choice(scenario["setup"]["teams"])


def value_breaks(values: Values) -> dict[str, Break]:
    """Return a break for each row: it puts one of the wrong values there."""

    def put(row: tuple[Holder, str, tuple[Any, ...]]) -> Break:
        holder, name, wrong = row

        def put_one(rng: Random, scenario: Json) -> None:
            holder(rng, scenario)[name] = copy.deepcopy(rng.choice(wrong))

        return put_one

    return {key: put(row) for key, row in values.items()}


def missing(values: Values) -> Break:
    """Return a break that leaves out something that must be there: None is wrong for it."""
    needed = [row[:2] for row in values.values() if None in row[2]]

    def leave_out(rng: Random, scenario: Json) -> None:
        holder, name = rng.choice(needed)
        del holder(rng, scenario)[name]

    return leave_out


def dice_breaks(
    replay: Callable[[Json], Mapping[str, Any]], first_entry: Any, most: int
) -> dict[str, Break]:
    """Return the breaks of dice; first_entry is an order that lets at least one die fall.

    Dice that are left over show at most `most`.
    """

    def listed(scenario: Json) -> Rolled:
        scenario.pop("dice", None)
        scenario["orders"].insert(0, copy.deepcopy(first_entry))
        rolls = replay({**scenario, "seed": "x"})["rolls"]
        scenario.pop("seed", None)
        scenario["dice"] = [roll["result"] for roll in rolls]
        return [(roll["sides"], roll["result"]) for roll in rolls]

    def run_out(rng: Random, scenario: Json) -> None:
        rolled = listed(scenario)
        del scenario["dice"][rng.randrange(len(rolled)) :]

    def left_over(rng: Random, scenario: Json) -> None:
        listed(scenario)
        scenario["dice"] += [rng.randint(1, most) for _ in range(rng.randint(1, 3))]

    def cannot_be(rng: Random, scenario: Json) -> None:
        rolled = listed(scenario)
        position = rng.randrange(len(rolled))
        wrong = (0, -1, rolled[position][0] + 1, 101, "5", 5.0, True, None, [])
        scenario["dice"][position] = rng.choice(wrong)

    return {
        "dice run out": run_out,
        "dice left over": left_over,
        "die that cannot be": cannot_be,
        "dice and seed": dice_and_seed,
    }


def dice_and_seed(rng: Random, scenario: Json) -> None:
    """Write dice and a seed, neither, or something else."""
    scenario.update(dice=None, seed=None)
    wrong: tuple[Json, ...] = ({}, {"dice": "x"}, {"dice": {}}, {"seed": 3}, {"seed": []})
    scenario.update(rng.choice((*wrong, {"dice": [], "seed": "x"})))
