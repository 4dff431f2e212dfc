"""Where a battle turned: the steps that changed the odds most, and for good."""

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from engine.ruleset import AnyRuleset
from pbem.games.session import Session

# Forecasts are within 9 points of what was won (decision 0029), so less means nothing.
LEAST = 10
"""The least swing, in points of 100, that is reported."""


class Swing(NamedTuple):
    """A step, and how many of 100 such fights a side would have won before it and after it."""

    n: int
    side: str
    before: int
    after: int

    @property
    def width(self) -> int:
        """Return how far the odds swung."""
        return abs(self.after - self.before)

    def facts(self) -> dict[str, object]:
        """Return what a beat says of it: of the side for which the odds rose."""
        return {"side": self.side, "before": self.before, "after": self.after}


def swings(session: Session) -> list[Swing]:
    """Return the swings of a battle that last, the widest first; of equals the earliest."""
    return found(session.rules, session.states())


def lowest(session: Session) -> int:
    """Return the worst odds that the winner of a battle ever had, of 100; 50 if nobody knows."""
    rules, outcome = session.rules, session.rules.outcome(session.state)
    lead = rules.telling.lead
    if outcome is None or outcome.winner is None or lead is None:
        return 50
    odds = [lead(state) for state in session.states().values()]
    first, *others = rules.teams(session.state)
    if outcome.winner == first:
        return min(odds)
    # The odds are the first side's; what it does not win is shared where there are several others.
    return 100 - max(odds) if len(others) == 1 else 50


def found(rules: AnyRuleset, kept: Mapping[int, object]) -> list[Swing]:
    """Return the swings between states that last, each with the number of the step between them.

    One lasts if the odds never come halfway back: who gets the Advantage and loses it at once has
    turned nothing.
    """
    lead = rules.telling.lead
    if lead is None:
        return []
    # A draw is not a turning point, so what follows the last state with odds does not count.
    odds = {
        n: lead(state)
        for n, state in kept.items()
        if (outcome := rules.outcome(state)) is None or outcome.winner is not None
    }
    sides = list(rules.teams(next(iter(kept.values()))))
    made: list[Swing] = []
    least, most = 100, 0
    for (_, before), (n, after) in reversed(list(pairwise(odds.items()))):
        least, most = min(least, after), max(most, after)
        # The odds are the first side's. Whose rose when they fell is known of one opponent alone.
        if 2 * least > before + after:
            made.append(Swing(n, sides[0], before, after))
        elif 2 * most < before + after and len(sides) == 2:
            made.append(Swing(n, sides[1], 100 - before, 100 - after))
    return sorted((one for one in made if one.width >= LEAST), key=lambda one: (-one.width, one.n))
