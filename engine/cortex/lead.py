"""Who is ahead in a battle, by a rule of thumb: what is left of each team's vessels."""

from engine.cortex.default_targets import life
from engine.cortex.model import Battle
from engine.cortex.tables import TENTHS
from engine.cortex.tactics import missile_points
from engine.cortex.units import active_in

_HULL = 10
"""What each vessel counts for besides its Life Points."""
_ARRIVE = 0.8
"""How many of the missiles in flight arrive."""
_EVEN = 10
"""What each team counts for besides its vessels: the more, the less an advantage says."""


def standing(battle: Battle) -> tuple[float, float]:
    """Return what each team's vessels are worth as they are now, first team first.

    A missile in flight is taken off its target.
    """
    found = [0.0, 0.0]
    expected = _expected(battle)
    for team in (0, 1):
        for name in active_in(battle, team):
            lp = battle.sheets[name].lp
            left = max(life(battle, name) / TENTHS - expected.get(name, 0.0), 0.0)
            found[team] += (lp + _HULL) * (1 + 2 * left / lp) / 3
    return found[0], found[1]


def _expected(battle: Battle) -> dict[str, float]:
    """Return about what the missiles in flight will take, of which some will be shaken off."""
    found: dict[str, float] = {}
    for one in battle.missiles:
        points = missile_points(battle, one.by, one.weapon, one.at)
        found[one.at] = found.get(one.at, 0.0) + points * _ARRIVE
    return found


def lead(battle: Battle) -> int:
    """Return about how many of 100 battles like this one the first team would win."""
    if battle.winner is not None:
        return 100 if battle.winner == battle.teams[0].name else 0
    ones, others = ((value + _EVEN) ** 2 for value in standing(battle))
    return round(100 * ones / (ones + others))
