"""How many hits a ship can still take, on average, before it is destroyed."""

from collections.abc import Iterator
from functools import lru_cache
from math import exp, factorial, prod

from engine.starpilot.tables import DAMAGE_BOUNDS, STRUCTURE

_SHARE = DAMAGE_BOUNDS[0] / 100
_STRUCTURE_SHARE = 1 - DAMAGE_BOUNDS[-1] / 100
_LAST = 60


@lru_cache(maxsize=4096)
def life(stats: tuple[int, ...]) -> float:
    """Return the mean number of hits that destroy a ship with these current stats (SP-26).

    Imagine hits that come at random times, one in a unit of time on average. Then the hits on each
    stat are independent Poisson counts, and the mean time that the ship lasts is the mean number of
    hits.
    """
    # Half a unit at the start makes a trapezium rule of the sum; after 60 units nothing is left.
    return 0.5 + sum(_alive(stats, time) for time in range(1, _LAST))


def _alive(stats: tuple[int, ...], time: int) -> float:
    """Return the chance to last that long: Structure holds, and at most one other stat is lost."""
    kept = [_kept(value, time * _SHARE) for value in stats[:STRUCTURE]]
    return _kept(stats[STRUCTURE], time * _STRUCTURE_SHARE) * (prod(kept) + sum(_but_one(kept)))


def _but_one(kept: list[float]) -> Iterator[float]:
    """Yield, for each stat, the chance that it is the only one lost."""
    for n, chance in enumerate(kept):
        yield (1 - chance) * prod(kept[:n] + kept[n + 1 :])


def _kept(value: int, mean: float) -> float:
    """Return the chance of at most `value` hits where `mean` are expected."""
    return exp(-mean) * sum(mean**n / factorial(n) for n in range(value + 1))
