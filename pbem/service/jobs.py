"""The daemon's jobs: APScheduler does each at its times, in one thread for each kind of work."""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from apscheduler.events import EVENT_JOB_SUBMITTED, JobSubmissionEvent
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger

from pbem.host.clock import Clock
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.retried_tasks import Task, attempt, failing
from pbem.storage import StoreDown

log = logging.getLogger("pbem")
# It warns of each wake-up that comes while another waits already.
logging.getLogger("apscheduler").setLevel(logging.ERROR)

PAUSE = timedelta(seconds=5)
"""How long to wait before a job is tried again after a fault."""
LEAST = timedelta(seconds=0.5)
"""The shortest pause before what is due next, which may be due still."""
LEAGUE = "league"
"""The thread of all jobs that change the league, or read its mailbox."""


class Every(BaseTrigger):  # type: ignore[misc]
    """Fires at once, and then so long after each time.

    The IntervalTrigger of APScheduler makes a list of all times that were missed, which is endless
    after a jump of the clock.
    """

    def __init__(self, pause: timedelta) -> None:
        self._pause = pause

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime:
        """Return the next time, counted from now."""
        return now if previous is None else now + self._pause


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A task that is done `every` so often, at what `next_due` says, and when it is woken.

    Jobs of one `thread` wait for each other. One that `yields` ends its work soon after `interrupt`
    is called (see Jobs).
    """

    name: str
    task: Task
    every: timedelta
    next_due: Callable[[], datetime | None] = lambda: None
    thread: str = LEAGUE
    yields: bool = False


class Jobs:
    """The jobs of a daemon. No fault of one ends another, or itself.

    `interrupt` is called whenever a job waits for the league's thread, `store_down` with the reason
    when the database can't be used, and `league_worked` after each job that may change the league.
    """

    def __init__(
        self,
        outbox: Outbox,
        clock: Clock,
        interrupt: Callable[[], None],
        store_down: Callable[[str], None],
        league_worked: Callable[[], None],
    ) -> None:
        self._outbox, self._clock = outbox, clock
        self._interrupt, self._store_down = interrupt, store_down
        self._league_worked = league_worked
        self.stopping = threading.Event()
        self._jobs: dict[str, Job] = {}
        self._executors: dict[str, ThreadPoolExecutor] = {}
        self._waiting = 0
        self._counting = threading.Lock()
        # A second instance waits in its thread while the first runs, so that no wake-up is lost.
        defaults = {"max_instances": 2, "coalesce": True, "misfire_grace_time": None}
        self._scheduler = BackgroundScheduler(timezone=UTC, job_defaults=defaults)
        self._scheduler.add_listener(self._submitted, EVENT_JOB_SUBMITTED)

    @property
    def waiting(self) -> bool:
        """Return whether a job waits for the league's thread."""
        return self._waiting > 0

    def add(self, job: Job) -> None:
        """Add a job, which is first done at the start."""
        if job.thread not in self._executors:
            # Of one worker: its jobs are done one after the other.
            self._executors[job.thread] = ThreadPoolExecutor(1)
            self._scheduler.add_executor(self._executors[job.thread], job.thread)
        self._jobs[job.name] = job
        self._scheduler.add_job(
            self._run, Every(job.every), [job], id=job.name, executor=job.thread
        )

    def start(self) -> None:
        """Begin to do the jobs, in threads of their own."""
        self._scheduler.start()

    def wake(self, name: str) -> None:
        """Do a job now, once more if it is being done."""
        # After the end there are no jobs.
        with suppress(JobLookupError):
            self._scheduler.modify_job(name, next_run_time=datetime.now(UTC))

    def wake_all(self) -> None:
        """Do all jobs now: after the clock was set back, their times are far away."""
        for name in self._jobs:
            self.wake(name)

    def stop(self) -> None:
        """Stop after what is being done."""
        self.stopping.set()
        self._interrupt()
        # With `wait`, it would hold a lock that a job needs to wake another.
        self._scheduler.shutdown(wait=False)
        for executor in self._executors.values():
            executor.shutdown()

    def _submitted(self, event: JobSubmissionEvent) -> None:
        job = self._jobs[event.job_id.removesuffix(_DUE)]
        if job.thread == LEAGUE and not job.yields:
            self._count(1)
            self._interrupt()

    def _count(self, more: int) -> None:
        with self._counting:
            self._waiting += more

    def _run(self, job: Job) -> None:
        """Do a job, and arrange for what is due next. No exception leaves this."""
        works = job.thread == LEAGUE and not job.yields
        if works:
            self._count(-1)
        if self.stopping.is_set():
            return
        due: datetime | None = self._clock() + PAUSE
        try:
            if attempt(self._outbox, job.task, self._clock()):
                due = job.next_due()
            elif not job.task.vital:
                known = failing(self._outbox.store).get(job.task.name)
                due = datetime.fromisoformat(known.until) if known else None
        except StoreDown as error:
            log.error("%s; trying again", error)
            self._store_down(str(error))
        except Exception:
            log.exception("%s failed; trying again", job.name)
        finally:
            # Each thread has a connection of its own, and may not live to close it later.
            self._outbox.store.close()
        if works:
            self._league_worked()
        if due is not None:
            self._arrange(job, due)

    def _arrange(self, job: Job, due: datetime) -> None:
        """Do a job at a moment of the league's clock, too, if that comes before its own time."""
        pause = max(LEAST, due - self._clock())
        if pause < job.every:
            self._scheduler.add_job(
                self._run,
                "date",
                [job],
                run_date=datetime.now(UTC) + pause,
                id=job.name + _DUE,
                executor=job.thread,
                replace_existing=True,
            )


_DUE = " when due"
"""What is added to a job's name for its times in between."""
