"""Who is ahead: the hits that ships can still take, and a rule of thumb (decision 0029)."""

from collections.abc import Iterator
from functools import lru_cache
from math import exp, factorial, log, prod

from engine.starpilot.model import Battle, Pilot, Team, active, outcome
from engine.starpilot.tables import BEAMS, DAMAGE_BOUNDS, DESTROYED_AT, MISSILES, STRUCTURE

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
    # Two stats at -1 destroy a ship, or Structure alone (SP-26).
    kept = [_kept(value, time * _SHARE) for value in stats[:STRUCTURE]]
    return _kept(stats[STRUCTURE], time * _STRUCTURE_SHARE) * (prod(kept) + sum(_but_one(kept)))


def _but_one(kept: list[float]) -> Iterator[float]:
    """Yield, for each stat, the chance that it is the only one lost."""
    for n, chance in enumerate(kept):
        yield (1 - chance) * prod(kept[:n] + kept[n + 1 :])


def _kept(value: int, mean: float) -> float:
    """Return the chance of at most `value` hits where `mean` are expected."""
    return exp(-mean) * sum(mean**n / factorial(n) for n in range(value + 1))


@lru_cache(maxsize=4096)
def destroyed_by(stats: tuple[int, ...], hits: int) -> float:
    """Return the chance that so many hits, one after the other, destroy a ship (SP-26)."""
    if stats[STRUCTURE] < 0 or stats.count(DESTROYED_AT) >= _LOST:
        return 1.0
    if not hits:
        return 0.0
    return sum(
        (_STRUCTURE_SHARE if stat == STRUCTURE else _SHARE)
        * destroyed_by(_struck(stats, stat), hits - 1)
        for stat in range(len(stats))
    )


def _struck(stats: tuple[int, ...], stat: int) -> tuple[int, ...]:
    # A stat at -1 takes no more (SP-26).
    return (*stats[:stat], max(stats[stat] - 1, DESTROYED_AT), *stats[stat + 1 :])


_LOST = 2
"""So many stats at -1 destroy a ship."""

_LIFE, _POWER, _ADVANTAGE = 1.2, 0.68, 0.96
"""The weights of the hits that a side can take, of those that it can deal, and of Advantages."""


def lead(battle: Battle) -> int:
    """Return how many of 100 fights like this one the first team would win."""
    ended = outcome(battle)
    if ended is not None and ended.winner is not None:
        return 100 if ended.winner == battle.teams[0].name else 0
    one, other = battle.teams
    worth = _weighed(battle, one) - _weighed(battle, other)
    return round(100 / (1 + exp(-worth)))


def _weighed(battle: Battle, team: Team) -> float:
    pilots = [battle.pilots[name] for name in active(battle, team)]
    lives = sum(life(pilot.stats) for pilot in pilots)
    power = sum(map(_power, pilots))
    held = sum(pair.advantage in team.pilots for pair in battle.pairs.values())
    # Shots in flight do not count, so that a swing stands where they strike.
    # The added tenths keep the logarithm finite for a side without weapons or ships.
    return _LIFE * log(lives + 0.2) + _POWER * log(power + 0.1) + _ADVANTAGE * held


def _power(pilot: Pilot) -> float:
    """Return the mean hits of a shot with the better weapon."""
    skills, ratings = pilot.card.skills, pilot.card.ratings
    beams = (pilot.stats[BEAMS] > 0) * ratings[BEAMS] * skills["FIRE"]
    missiles = (pilot.stats[MISSILES] > 0) * ratings[MISSILES] * skills["LAUNCH"]
    return max(beams, missiles) / 100
