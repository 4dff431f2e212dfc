"""How many hits a ship still takes, on average, before it is destroyed."""

from collections.abc import Iterator
from functools import lru_cache
from math import exp, factorial, prod

from engine.starpilot.tables import DAMAGE_BOUNDS, STRUCTURE

_SHARE = DAMAGE_BOUNDS[0] / 100
_STRUCTURE_SHARE = 1 - DAMAGE_BOUNDS[-1] / 100
_LAST = 60


@lru_cache(maxsize=4096)
def life(stats: tuple[int, ...]) -> float:
    """Give the mean number of hits that destroy a ship of these current stats (SP-26).

    Hits that come at random times, one in a unit of time on average, strike each stat apart from
    the others; so the mean time that a ship lasts is the mean number of hits.
    """
    return 0.5 + sum(_alive(stats, time) for time in range(1, _LAST))


def _alive(stats: tuple[int, ...], time: int) -> float:
    """Give the chance to last that long: Structure holds, and at most one other stat is lost."""
    kept = [_kept(value, time * _SHARE) for value in stats[:STRUCTURE]]
    return _kept(stats[STRUCTURE], time * _STRUCTURE_SHARE) * (prod(kept) + sum(_but_one(kept)))


def _but_one(kept: list[float]) -> Iterator[float]:
    """Yield the chance that just one stat is lost, for each stat."""
    for n, chance in enumerate(kept):
        yield (1 - chance) * prod(kept[:n] + kept[n + 1 :])


def _kept(value: int, mean: float) -> float:
    """Give the chance of at most `value` hits where `mean` are to be expected."""
    return exp(-mean) * sum(mean**n / factorial(n) for n in range(value + 1))
