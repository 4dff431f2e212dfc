"""Jumps of the clock: irreversible acts wait for a day after one, and the moderator is informed.

A program can't distinguish a clock that was set wrong from a machine that was off. So after either,
everything irreversible waits: dropping letters, forgetting people, newsletters and digests,
deadlines, reminders, giving up letters. What expired meanwhile is judged by the time before the
jump.
"""

import json
from datetime import UTC, datetime, timedelta

from pbem.settings.sections import LeagueSettings
from pbem.storage import noted_rounds
from pbem.storage.store import Store

LAST_POLL = "last_poll"
"""The database's key for when the mailbox was last read."""
WAIT = timedelta(days=1)
"""How long nothing irreversible is done after a jump."""

_NOTED = "clock_jump"
_SET_BACK = timedelta(hours=1)


def is_ahead(league: LeagueSettings, last: datetime, now: datetime) -> bool:
    """Return whether the clock jumped ahead since `last`, or nothing was done for that long."""
    return now - last > timedelta(hours=league.outage_hours)


def is_jump(league: LeagueSettings, last: datetime, now: datetime) -> bool:
    """Return whether the clock jumped between two rounds, ahead or back."""
    return is_ahead(league, last, now) or last - now > _SET_BACK


def note(store: Store, last: datetime, now: datetime) -> datetime:
    """Note a jump in the database, and return until when irreversible acts wait.

    Of several jumps in a row, the earliest time before them is the one that is believed.
    """
    earlier = _noted(store)
    # While one jump is being waited out, its time before is still the one to trust.
    before = min(last, earlier[0]) if earlier and now < earlier[1] else last
    until = now + WAIT
    jump = {"before": before.isoformat(), "until": until.isoformat()}
    store.set_meta(_NOTED, json.dumps(jump))
    return until


def waits_until(store: Store, now: datetime) -> datetime | None:
    """Return until when irreversible acts wait; None if nothing waits."""
    noted = _noted(store)
    return noted[1] if noted and now < noted[1] else None


def waits(store: Store, league: LeagueSettings, now: datetime) -> bool:
    """Return whether irreversible acts wait, for a jump that was noted or will be."""
    if waits_until(store, now) is not None:
        return True
    last = store.meta(LAST_POLL)
    return last is not None and is_jump(league, datetime.fromisoformat(last), now)


def believed(store: Store, now: datetime) -> datetime:
    """Return the time that decides what has expired: now, or the time before a jump."""
    noted = _noted(store)
    return min(now, noted[0]) if noted and now < noted[1] else now


def trust(store: Store) -> None:
    """End the wait: somebody has confirmed that the clock is right."""
    store.set_meta(_NOTED, "")


def worked_before(store: Store, days: int, now: datetime) -> datetime | None:
    """Return the moment since when so many days, and so many days of work, have passed, or None.

    A day of work is a day with a noted round; every day has one, except those spent waiting. So a
    clock that goes a year ahead drops nothing, since nobody worked in that year.
    """
    worked = noted_rounds.day_of_work(store, days - 1, now)
    if worked is None:
        return None
    return min(now - timedelta(days=days), datetime.combine(worked, datetime.min.time(), UTC))


def _noted(store: Store) -> tuple[datetime, datetime] | None:
    """Return the time before the last noted jump, and until when irreversible acts wait."""
    text = store.meta(_NOTED)
    if not text:
        return None
    jump = json.loads(text)
    return datetime.fromisoformat(jump["before"]), datetime.fromisoformat(jump["until"])
