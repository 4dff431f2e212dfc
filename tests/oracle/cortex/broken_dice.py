"""Scenarios of Cortex whose dice do not fit them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.oracle.cortex.figures import Json
from tests.oracle.naive_cortex import replay as naive_replay


def listed(scenario: Json) -> list[tuple[int, int]]:
    """Replay it with a seed, list the dice that fell, and return them: sides and result."""
    scenario.pop("dice", None)
    scenario["orders"].insert(0, [])  # a turn has at least two dice
    rolls = naive_replay({**scenario, "seed": "x"})["rolls"]
    scenario.pop("seed", None)
    scenario["dice"] = [roll["result"] for roll in rolls]
    return [(roll["sides"], roll["result"]) for roll in rolls]


def dice_run_out(rng: Random, scenario: Json) -> None:
    """Take dice away from the end."""
    rolled = listed(scenario)
    del scenario["dice"][rng.randrange(len(rolled)) :]


def dice_left_over(rng: Random, scenario: Json) -> None:
    """Put dice too many at the end."""
    listed(scenario)
    scenario["dice"] += [rng.randint(1, 2) for _ in range(rng.randint(1, 3))]


def die_that_cannot_be(rng: Random, scenario: Json) -> None:
    """A die shows a number that it does not have."""
    rolled = listed(scenario)
    position = rng.randrange(len(rolled))
    wrong = (0, -1, rolled[position][0] + 1, 101, "5", 5.0, True, None, [])
    scenario["dice"][position] = rng.choice(wrong)


def dice_and_seed(rng: Random, scenario: Json) -> None:
    """Dice and a seed, neither, or something else."""
    scenario.update(dice=None, seed=None)
    wrong: tuple[Json, ...] = ({}, {"dice": "x"}, {"dice": {}}, {"seed": 3}, {"seed": []})
    scenario.update(rng.choice((*wrong, {"dice": [], "seed": "x"})))


DICE_BREAKS: dict[str, Callable[[Random, Json], None]] = {
    "dice run out": dice_run_out,
    "dice left over": dice_left_over,
    "die that cannot be": die_that_cannot_be,
    "dice and seed": dice_and_seed,
}
