"""Who is ahead in a fight, by a rule of thumb: what is left of each team's people."""

from engine.starfarer.bots import life
from engine.starfarer.model import Battle

_EVEN = 60
"""What each team counts for besides its people: the more, the less an advantage says."""


def lead(battle: Battle) -> int:
    """Return about how many of 100 fights like this one the first team would win."""
    if battle.winner is not None:
        return 100 if battle.winner == battle.teams[0].name else 0
    left = [sum(life(battle, name) for name in team.members) for team in battle.teams]
    weights = [(one + _EVEN // 4) ** 2 for one in left]
    return 100 * weights[0] // sum(weights)
