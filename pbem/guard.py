"""The guard: no deadline is played for a time in which the referee could not be reached."""

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pbem.store import Game

if TYPE_CHECKING:
    from pbem.office import Office

log = logging.getLogger("pbem")

LAST_POLL = "last_poll"
"""Under this key the books say when the mailbox was read last."""

_LEAST = timedelta(hours=1)
_SET_BACK = timedelta(hours=1)


def watch(office: "Office", last: datetime | None, now: datetime) -> int:
    """Move deadlines after an outage or a jump of the clock, tell the players, and give how many.

    `last` is when the mailbox was read before (UTC). What was moved is not moved again after a
    crash: that it was read now is written down along with it.
    """
    moved = 0
    with office.store.transaction():
        for game in office.store.games.all(running=True) if last else []:
            assert last is not None
            deadline = held(office, game, last, now)
            if deadline != game.deadline:
                office.reports.log(
                    game, "the referee was out of reach, so the deadline is moved", now
                )
                office.referee.timetable.move(game, deadline, now, "outage")
                moved += 1
        if moved:
            office.store.set_meta(LAST_POLL, now.isoformat())
            log.warning("the mailbox was not read, or the clock jumped: %d deadlines moved", moved)
    return moved


def held(office: "Office", game: Game, last: datetime, now: datetime) -> datetime | None:
    """Give the deadline that is fair after the mailbox was read at `last` and then not until now.

    After more than the league's `outage_hours`, or where the clock was set back by more than an
    hour, the time that was left at `last` is left now, an hour at least.
    """
    out = now - last > timedelta(hours=office.settings.league.outage_hours)
    if game.deadline is None or not (out or last - now > _SET_BACK):
        return game.deadline
    timetable = office.referee.timetable
    fair = timetable.after(game, max(timetable.left(game, last), _LEAST), now)
    return max(game.deadline, fair) if out else min(game.deadline, fair)
