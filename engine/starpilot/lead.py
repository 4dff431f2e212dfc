"""Who is ahead in a battle, by a rule of thumb fitted to simulated duels (decision 0029)."""

from math import exp, log

from engine.starpilot.hits_left import life
from engine.starpilot.model import Battle, Pilot, Team, active
from engine.starpilot.tables import BEAMS, MISSILES
from engine.starpilot.view import outcome

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
    return _LIFE * log(lives + 0.2) + _POWER * log(power + 0.1) + _ADVANTAGE * held


def _power(pilot: Pilot) -> float:
    """Return the mean hits of a shot with the better weapon."""
    skills, ratings = pilot.card.skills, pilot.card.ratings
    beams = (pilot.stats[BEAMS] > 0) * ratings[BEAMS] * skills["FIRE"]
    missiles = (pilot.stats[MISSILES] > 0) * ratings[MISSILES] * skills["LAUNCH"]
    return max(beams, missiles) / 100
