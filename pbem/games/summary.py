"""What a report says first: what happened, how it stands, and which sheets it needs."""

from collections.abc import Sequence
from typing import TypedDict

from engine import codec, play
from engine.seats import Seat
from pbem.games.battle_account import SeenStep
from pbem.games.session import Session


class Summary(TypedDict):
    """What happened since the last report, and how a seat stands now, each in a few words.

    `struck` are the seats whose sheets the report shows, because they have changed.
    """

    happened: str
    stands: str
    struck: list[str]


def summary(session: Session, seat: Seat, steps: Sequence[SeenStep], whole: bool) -> Summary:
    """Return the summary of some steps for a seat, with all sheets where a `whole` one is asked."""
    rules, standing = session.rules, [step["n"] for step in steps if not step["void"]]
    events: list[object] = []
    if standing:
        for row in session.store.steps.all(game=session.game.id, n__gte=standing[0]):
            if row.n in standing:
                events += codec.decode(row.events, list[rules.event])  # type: ignore[name-defined]
    told = rules.telling.gist(session.state, play.seen(rules, events, seat), seat)
    undone = any(step["undo"] is not None for step in steps)
    seats = rules.seats(session.state)
    struck = {name for step in steps for name in step["struck"]}
    shown = [str(one) for one in seats if whole or undone or one in struck]
    return {"happened": told.happened, "stands": told.stands, "struck": shown}
