"""Who is ahead in a battle, by a rule of thumb: what is left of each team's vessels."""

from engine.cortex.meaning import life
from engine.cortex.model import Battle
from engine.cortex.tables import MISSILES, TENTHS, WARHEAD_DICE
from engine.cortex.units import active_in, weapon_of

_HULL = 10
"""What each vessel counts for besides its Life Points."""
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
    """Return about what the missiles in flight will do, of which some will be shaken off."""
    found: dict[str, float] = {}
    for missile in battle.missiles:
        weapon = weapon_of(battle.sheets[missile.by], missile.weapon)
        assert weapon is not None
        step = MISSILES[weapon.scale][weapon.size][0]
        points = WARHEAD_DICE * (step + 0.5)
        found[missile.at] = found.get(missile.at, 0.0) + points * 0.6
    return found


def lead(battle: Battle) -> int:
    """Return about how many of 100 battles like this one the first team would win."""
    if battle.winner is not None:
        return 100 if battle.winner == battle.teams[0].name else 0
    ones, others = ((value + _EVEN) ** 2 for value in standing(battle))
    return round(100 * ones / (ones + others))
