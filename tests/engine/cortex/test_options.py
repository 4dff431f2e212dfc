"""Each option switched off alone, and all pairs of options on and off, in random games."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, islice, product
from random import Random
from typing import Any

import pytest

from engine.cortex.rules import CORTEX
from engine.cortex.tables import OPTIONS
from engine.dice import Dice
from engine.laws import LAWS
from engine.laws.random_games import chance_of, playout
from tests.engine.cortex.random_battles import setup
from tests.support.trial_counts import tries

Row = frozenset[str]
ALONE = [frozenset(OPTIONS) - {one, crew} for one in OPTIONS for crew in ("crew1", "crew2")]
_STEPS = tries(40, 4)
_TRIED = [law for law in LAWS if law.name in ("repeats", "folds", "reads", "offers", "refuses")]


def pairs(row: Row) -> set[tuple[str, bool, str, bool]]:
    """How a choice of options has each two of them."""
    return {(a, a in row, b, b in row) for a, b in combinations(OPTIONS, 2)}


def covering() -> list[Row]:
    """Choices of options that have each two of them on and off in all ways that there are."""
    wanted = {
        (a, x, b, y)
        for a, b in combinations(OPTIONS, 2)
        for x, y in product((False, True), repeat=2)
        if not (x and y and {a, b} == {"crew1", "crew2"})
    }
    rng, rows = Random(15), list[Row]()
    while wanted:
        drawn = [_drawn(rng) for _ in range(40)]
        best = max(drawn, key=lambda row: len(pairs(row) & wanted))
        rows.append(best)
        wanted -= pairs(best)
    return rows


def _drawn(rng: Random) -> Row:
    row = {one for one in OPTIONS if rng.random() < 0.5}
    if {"crew1", "crew2"} <= row:
        row.remove(rng.choice(("crew1", "crew2")))
    return frozenset(row)


ROWS = sorted({*map(tuple, map(sorted, ALONE)), *map(tuple, map(sorted, covering()))})


def test_all_pairs_are_covered() -> None:
    every = set[tuple[str, bool, str, bool]]().union(*(pairs(frozenset(row)) for row in ROWS))
    assert len(every) == 4 * len(OPTIONS) * (len(OPTIONS) - 1) // 2 - 1


def _is_small(given: dict[str, Any]) -> bool:
    return sum(len(team["vessels"]) for team in given["teams"]) <= 5


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_games_with_these_options_keep_the_laws(row: tuple[str, ...]) -> None:
    def drawn(dice: Dice) -> Any:
        rng = Random(dice.roll(2**32, "the seed of a set-up"))
        # Offers grow with the square of the vessels.
        given = next(one for one in iter(lambda: setup(rng), None) if _is_small(one))
        atmosphere = given["atmosphere"] and "atmosphere" in row
        feet = {"range": "capital", "ranges": {}} if given["atmosphere"] and not atmosphere else {}
        return {**given, **feet, "options": list(row), "atmosphere": atmosphere}

    rules = replace(CORTEX, trials=replace(CORTEX.trials, setup=drawn))
    seed = ROWS.index(row)
    chance = chance_of(seed, "options")
    for step in islice(playout(rules, seed), _STEPS):
        for law in _TRIED:
            law.check(rules, step, chance)
        if not step.orders:
            for strength in ("easy", "sound"):
                for seat in rules.to_act(step.after):
                    order = rules.bot(strength)(step.after, seat, chance)
                    assert rules.refusal(step.after, seat, order) is None
