"""Deadlines and retries to calls: the one room of APScheduler, which only wakes us."""

from collections.abc import Callable
from datetime import datetime

from apscheduler.schedulers.background import BackgroundScheduler


class Alarm:
    """Rings a bell at a time; what is due then is known by the database alone."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._scheduler = BackgroundScheduler(timezone="UTC")
        self._scheduler.start()

    def set(self, when: datetime | None) -> None:
        """Ring at a time (UTC) instead of the one set before; at once if it is past."""
        if when is None:
            self._scheduler.remove_all_jobs()
            return
        self._scheduler.add_job(
            self._ring,
            "date",
            run_date=when,
            id="next",
            replace_existing=True,
            misfire_grace_time=None,
            coalesce=True,
        )

    def close(self) -> None:
        """Stop the scheduler's thread."""
        self._scheduler.shutdown(wait=False)
