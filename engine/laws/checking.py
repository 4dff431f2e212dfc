"""Trying a law on random games, and finding the smallest game that breaks it."""

import traceback
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from engine.laws.laws import Broken, Law
from engine.laws.random_games import MOST_STEPS, Step, chance_of, playout, shown
from engine.ruleset import AnyRuleset

_SHRINKS = 40
"""The number of other games that are searched for a shorter one that breaks the same law."""


class Finding(NamedTuple):
    """What became of one law: how many games and steps were looked at, and how it was broken.

    `broken` is None where the law held; otherwise it says how, after which `orders` of the game
    with that `seed`, from the first on.
    """

    law: Law
    games: int
    steps: int
    broken: str | None = None
    seed: int = 0
    orders: tuple[str, ...] = ()


def check(
    rules: AnyRuleset, law: Law, games: int, goes_on: Callable[[], bool] = lambda: True
) -> Finding:
    """Try a law on so many random games, while `goes_on` returns true after each step.

    Stop at the first game that breaks it, and look for a shorter one.
    """
    steps = 0
    for seed in range(games):
        found = _first_break(rules, law, seed, MOST_STEPS + 1, goes_on)
        steps += found.steps
        if found.broken is not None:
            return _smallest(rules, law, found)._replace(games=seed + 1, steps=steps)
        if not goes_on():
            return Finding(law, seed + 1, steps)
    return Finding(law, games, steps)


def _smallest(rules: AnyRuleset, law: Law, found: Finding) -> Finding:
    for seed in range(found.seed + 1, found.seed + 1 + _SHRINKS):
        if len(found.orders) <= 1:
            break
        # Only so far as a break would be shorter than the one that is known.
        other = _first_break(rules, law, seed, len(found.orders) - 1, lambda: True)
        if other.broken is not None:
            found = other
    return found


def _first_break(
    rules: AnyRuleset, law: Law, seed: int, most: int, goes_on: Callable[[], bool]
) -> Finding:
    """Return what a law finds in the first steps of one game."""
    # Apart from the game's dice: a seed is the same game for every law.
    chance, orders = chance_of(seed, "checks"), list[str]()
    steps = islice(_steps(rules, seed), most)
    while not orders or goes_on():
        try:
            step = next(steps, None)
        except Broken as error:
            return Finding(law, 1, len(orders), str(error), seed, tuple(orders))
        if step is None:
            return Finding(law, 1, len(orders))
        orders.append(shown(rules, step.orders))
        if chance.roll(law.every, "looked at") > 1:
            continue
        try:
            law.check(rules, step, chance)
        except Broken as error:
            return Finding(law, 1, len(orders), str(error), seed, tuple(orders))
        # What a system raises where it should not is a break of the law that met it.
        except Exception as error:
            return Finding(law, 1, len(orders), _raised(error), seed, tuple(orders))
    return Finding(law, 1, len(orders))


def _raised(error: Exception) -> str:
    """Return what was raised, and the line of code that it came from."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    where = f"{frame.f_globals['__name__']}, line {line}, in {frame.f_code.co_name}"
    return f"{type(error).__name__}: {error} ({where})"


def _steps(rules: AnyRuleset, seed: int) -> Iterator[Step]:
    """Yield the steps of a game; raise Broken where it can't be played or does not end."""
    count, last = 0, Any
    try:
        for step in playout(rules, seed):
            count, last = count + 1, step.after
            yield step
    except Exception as error:
        raise Broken(f"the game can't be played on: {_raised(error)}") from None
    if count == MOST_STEPS and rules.outcome(last) is None:
        raise Broken(f"the game has not ended after {MOST_STEPS:,} steps")
