"""The guard: no deadline is played for a time in which the referee could not be reached."""

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine.said import say
from pbem.deadlines import due, reminders_due
from pbem.settings import LeagueSettings

if TYPE_CHECKING:
    from pbem.office import Office

log = logging.getLogger("pbem")

_LEAST = timedelta(hours=1)
_SET_BACK = timedelta(hours=1)


def watch(office: "Office", last: datetime | None, now: datetime) -> int:
    """Move deadlines after an outage or a jump of the clock, tell the players, and give how many.

    `last` is when the mailbox was read before (UTC).
    """
    moved = 0
    for game in office.store.games.all(running=True) if last is not None else []:
        assert last is not None
        if game.deadline is None:
            continue
        deadline = held(office.settings.league, game.deadline, last, now)
        if deadline != game.deadline:
            with office.store.transaction():
                hours = office.settings.league.reminder_hours
                past = reminders_due(now, deadline, game.opened or now, hours)
                office.store.games.change(
                    game.id, deadline=deadline, reminded=past[-1] if past else None
                )
                moment = office.reports.moment(deadline)
                assert moment is not None
                office.reports.rule(
                    game,
                    say(
                        "the referee was out of reach, so the deadline is now {deadline}",
                        deadline=moment["local"],
                    ),
                    now,
                )
            moved += 1
    if moved:
        log.warning("the mailbox was not read for long, or the clock jumped: %d deadlines", moved)
    return moved


def held(league: LeagueSettings, deadline: datetime, last: datetime, now: datetime) -> datetime:
    """Give the deadline that is fair after the mailbox was read at `last` and then not until now.

    After more than the league's `outage_hours` the time that was left at `last` is left now, an
    hour at least and a turn at most. Where the clock was set back by more than an hour, no
    deadline is further off than that of a new turn.
    """
    if now - last > timedelta(hours=league.outage_hours):
        left = min(max(deadline - last, _LEAST), league.allowed)
        return due(now, left, league.calendar)
    if last - now > _SET_BACK:
        return min(deadline, due(now, league.allowed, league.calendar))
    return deadline
