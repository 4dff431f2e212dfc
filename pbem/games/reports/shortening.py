"""How a report shortens what happened: a summary, and steps that are told together."""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TypedDict

from engine import play
from engine.seats import Seat
from pbem.games.reports.battle_account import SeenStep
from pbem.games.session import Session
from pbem.games.step_log import events_of

Run = list[SeenStep]
"""A step, or several of one seat that differ in nothing but their number and their roll."""


class Summary(TypedDict):
    """What happened since the last report, and how a seat stands now, each in a few words.

    `shown` are the seats whose sheets the report shows.
    """

    happened: str
    stands: str
    shown: list[str]


def summary(session: Session, seat: Seat, steps: Sequence[SeenStep], whole: bool) -> Summary:
    """Return the summary of some steps for a seat, with all sheets where a `whole` one is asked."""
    rules, standing = session.rules, [step["n"] for step in steps if not step["void"]]
    events: list[object] = []
    if standing:
        for row in session.log:
            if row.n in standing:
                events += events_of(rules, row)
    told = rules.telling.gist(session.state, play.seen(rules, events, seat), seat)
    shown = list(map(str, rules.seats(session.state))) if whole else []
    return {"happened": told.happened, "stands": told.stands, "shown": shown}


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
