"""Jumps of the clock: what can't be undone waits for a day after one, and the moderator is told.

A program can't tell a clock that was set wrong from a machine that was off. So after either all
that can't be undone waits: letters dropped, people forgotten, newsletters and digests, deadlines,
reminders, letters given up. What ran out meanwhile is judged by the time before the jump.
"""

import json
from datetime import UTC, datetime, timedelta

from pbem.settings.sections import LeagueSettings
from pbem.storage import Store

LAST_POLL = "last_poll"
"""Under this key the database says when the mailbox was read last."""
WAIT = timedelta(days=1)
"""How long nothing irreversible is done after a jump."""

_NOTED = "clock_jump"
_SET_BACK = timedelta(hours=1)


def is_ahead(league: LeagueSettings, last: datetime, now: datetime) -> bool:
    """Return whether the clock jumped ahead since `last`, or nothing was done for as long."""
    return now - last > timedelta(hours=league.outage_hours)


def is_jump(league: LeagueSettings, last: datetime, now: datetime) -> bool:
    """Return whether the clock jumped between two rounds, ahead or back."""
    return is_ahead(league, last, now) or last - now > _SET_BACK


def note(store: Store, last: datetime, now: datetime) -> datetime:
    """Note a jump in the database, and return until when what can't be undone waits.

    Of several jumps in a row, the earliest time before them is the one that is believed.
    """
    earlier = _noted(store)
    before = min(last, earlier[0]) if earlier and now < earlier[1] else last
    until = now + WAIT
    told = {"before": before.isoformat(), "until": until.isoformat()}
    store.set_meta(_NOTED, json.dumps(told))
    return until


def waits_until(store: Store, now: datetime) -> datetime | None:
    """Return until when what can't be undone waits; None where nothing waits."""
    noted = _noted(store)
    return noted[1] if noted and now < noted[1] else None


def waits(store: Store, league: LeagueSettings, now: datetime) -> bool:
    """Return whether what can't be undone waits, for a jump that was noted or will be."""
    if waits_until(store, now) is not None:
        return True
    last = store.meta(LAST_POLL)
    return last is not None and is_jump(league, datetime.fromisoformat(last), now)


def believed(store: Store, now: datetime) -> datetime:
    """Return the time by which it is judged what has run out: now, or that before a jump."""
    noted = _noted(store)
    return min(now, noted[0]) if noted and now < noted[1] else now


def trust(store: Store) -> None:
    """Let nothing wait any longer: somebody has said that the clock is right."""
    store.set_meta(_NOTED, "")


def worked_before(store: Store, days: int, now: datetime) -> datetime | None:
    """Return the time that lies so many days back, and so many days of work; None where none does.

    A day counts as one of work if a round of it is noted, which each day has that is not waited
    through. So a clock that goes a year ahead drops nothing: it was not a year of work.
    """
    worked = store.day_of_work(days - 1, now)
    if worked is None:
        return None
    return min(now - timedelta(days=days), datetime.combine(worked, datetime.min.time(), UTC))


def _noted(store: Store) -> tuple[datetime, datetime] | None:
    """Return the time before the jump that was noted last, and until when all waits."""
    text = store.meta(_NOTED)
    if not text:
        return None
    told = json.loads(text)
    return datetime.fromisoformat(told["before"]), datetime.fromisoformat(told["until"])
