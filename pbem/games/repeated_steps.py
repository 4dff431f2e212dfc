"""Steps of a report that repeat one another, put together so that they are told once."""

from collections.abc import Iterable, Sequence
from operator import itemgetter

from pbem.games.battle_account import SeenStep

Run = list[SeenStep]
"""A step, or several of one seat that differ in nothing but their number and their roll."""


def runs(steps: Sequence[SeenStep]) -> list[Run]:
    """Return the steps in order, each with those after it that may be told together with it.

    A seat's run goes on while the steps of other seats change nothing for it: a hit ends all runs.
    """
    found: list[Run] = []
    going: dict[str, Run] = {}
    for step in steps:
        run = going.get(step["seat"])
        if run is not None and _same(run[0], step):
            run.append(step)
            continue
        found.append([step])
        if step["struck"] or step["undo"] is not None:
            going.clear()
        going[step["seat"]] = found[-1]
    return found


def _same(one: SeenStep, other: SeenStep) -> bool:
    """Return whether two steps of a seat were the same but for the roll."""
    return one["alike"] != "" and _kind(one) == _kind(other)


def _kind(step: SeenStep) -> object:
    return step["alike"], step["source"], step["passed"], step["void"], step["proxied"]


def flat(found: Iterable[Run]) -> list[SeenStep]:
    """Return the steps of runs in their own order."""
    return sorted((step for run in found for step in run), key=itemgetter("n"))
