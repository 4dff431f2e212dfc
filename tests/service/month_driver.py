"""Runs the daemon's jobs through a simulated month, and may be killed at any point of it.

The month has a day that clocks shorten, a day without the mailbox, and a jump of the clock by 400
days and back. The scheduler is APScheduler's, with its threads replaced by a queue and its clock by
ours; all else is the daemon. Each process goes on where the one before was killed.
"""

import json
import os
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from random import Random
from typing import Any

import apscheduler.schedulers.base
from apscheduler.executors.pool import BasePoolExecutor
from apscheduler.schedulers.base import BaseScheduler

from pbem.channels.mail.backoff import Backoff
from pbem.channels.mail.mailbox import Batch, Known, MailboxDown
from pbem.channels.mail.maildir import MaildirMailbox, MaildirTransport
from pbem.service import daemon, jobs
from pbem.service.alarms import Alarms
from pbem.service.daemon import LISTENING, Daemon
from pbem.service.service import Service
from pbem.settings import Settings
from pbem.storage import Store
from tests.service.crash_driver import Killer, lay_mines
from tests.support.harness import League, drop, duel, fixed_entropy, settings_for
from tests.support.players import address_of, letter

HOUR, DAY = 3600.0, 86400.0
START = datetime(2027, 3, 10, 12, tzinfo=UTC)
"""Central European clocks go an hour ahead on 28 March."""
END = 32 * DAY
OUTAGE = (6 * DAY, 7 * DAY)
JUMP = (11 * DAY, 11 * DAY + 2 * HOUR)
"""When the clock is ahead, in seconds since the start."""
AHEAD = timedelta(days=400)
PAUSE = timedelta(hours=1)
"""How often the jobs are done that nothing is due for: a month of minutes would take too long."""


class Time:
    """The seconds that really passed, which are kept in a file, and what the clock shows then."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.passed = float(file.read_text()) if file.exists() else 0.0

    def now(self) -> datetime:
        """Return what the clock shows."""
        ahead = JUMP[0] <= self.passed < JUMP[1]
        return START + timedelta(seconds=self.passed) + (AHEAD if ahead else timedelta())

    def pass_to(self, passed: float) -> None:
        """Let time pass."""
        self.passed = passed
        draft = self._file.with_suffix(".draft")
        draft.write_text(repr(passed))
        os.replace(draft, self._file)


class Deferred:
    """A pool without threads, which does later what is submitted."""

    def __init__(self) -> None:
        self._queue: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, do: Callable[..., Any], *given: Any) -> Future[Any]:
        """Note what is to be done."""
        self._queue.append((Future(), lambda: do(*given)))
        return self._queue[-1][0]

    def shutdown(self, wait: bool = True) -> None:
        """Do nothing: there are no threads."""

    def do_all(self) -> None:
        """Do all that was submitted."""
        while self._queue:
            future, do = self._queue.pop(0)
            future.set_result(do())


class Simulated(BaseScheduler):  # type: ignore[misc]
    """A scheduler that runs when it is told to."""

    def wakeup(self) -> None:
        """Do nothing: the driver asks when the next job is due."""

    def shutdown(self, wait: bool = True) -> None:
        """Shut down."""
        super().shutdown(wait)

    def modify_job(self, job_id: str, jobstore: str | None = None, **changes: Any) -> Any:
        """Change a job, but let nobody wait for letters: in no time none would come."""
        return None if job_id == LISTENING else super().modify_job(job_id, jobstore, **changes)

    def process(self) -> None:
        """Submit what is due."""
        self._process_jobs()

    @property
    def next_time(self) -> datetime:
        """When the next job is due."""
        moment: datetime = min(job.next_run_time for job in self.get_jobs())
        return moment


class Mailbox(MaildirMailbox):
    """A mailbox that is out of reach for a day."""

    time: Time

    def arrivals(self, known: Known) -> Iterator[Batch]:
        """Yield what came. Raises MailboxDown on that day."""
        if OUTAGE[0] <= self.time.passed < OUTAGE[1]:
            raise MailboxDown("the mailbox is away")
        return super().arrivals(known)

    def wait(self, seconds: float) -> bool:
        """Return at once."""
        return False


def settings_of(folder: Path) -> Settings:
    """Return the settings of the league."""
    return settings_for(
        folder,
        newsletter={"when": "30 2 * * *", "new_players": True},
        moderator=address_of("Mona"),
        outage_hours=12,
        timezone="Europe/Berlin",
    )


def found_league(folder: Path) -> list[tuple[float, bytes]]:
    """Make the league, and return the letters of the month with their times."""
    league = League(folder, fixed_entropy)
    league.settings = settings_of(folder)
    league.service = Service(league.settings, league.store)
    league.now = START - timedelta(hours=20)
    _, bob = duel(league)
    bob.ask("MAIL DIGEST")
    cat = league.person("Cat")
    cat.join()
    league.close()
    asked = [
        letter("Cat", f"STATUS\nKEY {cat.key}", number, subject=str(number)).as_bytes()
        for number in range(100, 131)
    ]
    return [((number + 0.25) * DAY, raw) for number, raw in enumerate(asked)]


def work(folder: Path, letters: list[tuple[float, bytes]]) -> None:
    """Let the daemon work from where the month stands to its end."""
    time, pool = Time(folder / "time"), Deferred()

    class Shown(datetime):
        """The time, as our clock shows it."""

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return time.now().astimezone(tz)

    class Queue(BasePoolExecutor):  # type: ignore[misc]
        """An executor that does later what is submitted."""

        def __init__(self, _: int) -> None:
            super().__init__(pool)

    for owner, name, ours in (
        (apscheduler.schedulers.base, "datetime", Shown),
        (jobs, "datetime", Shown),
        (jobs, "BackgroundScheduler", Simulated),
        (jobs, "ThreadPoolExecutor", Queue),
        # Without jitter, so that each run is the same.
        (Backoff, "next", lambda pause, *_: pause.most),
    ):
        setattr(owner, name, ours)
    daemon.POLL = daemon.QUEUE_POLL = daemon.UPKEEP = PAUSE
    with closing(Store(settings_of(folder).store_url(), fixed_entropy)) as store:
        service = Service(settings_of(folder), store)
        Mailbox.time = time
        worker = Daemon(service, Mailbox(folder / "in"), MaildirTransport(folder / "out"), time.now)
        worker._alarms = Alarms(service.ports.outbox, lambda: time.passed)
        service.progress = worker._progress
        worker.plan()
        worker.jobs.start()
        scheduler: Simulated = worker.jobs._scheduler
        moments = sorted([*(at for at, _ in letters), *JUMP, *OUTAGE, END])
        while time.passed < END:
            scheduler.process()
            pool.do_all()
            pause = (scheduler.next_time - time.now()).total_seconds()
            due = time.passed + max(0.001, pause)
            passed = min([due, *(at for at in moments if at > time.passed)])
            for number, (at, raw) in enumerate(letters):
                if time.passed < at <= passed:
                    drop(folder / "in", f"{number:06}", raw, START + timedelta(seconds=at))
            set_back = time.passed < JUMP[1] <= passed
            time.pass_to(passed)
            if set_back:
                worker.jobs.wake_all()


def in_a_process(folder: Path, letters: list[tuple[float, bytes]], at: int) -> tuple[int, int]:
    """Work in a process that is killed at a point (0: at none); return its status and points."""
    child = os.fork()
    if child == 0:
        killer, status = Killer(at), 1
        try:
            lay_mines(killer)
            work(folder, letters)
            (folder / "points").write_text(str(killer.passed))
            status = 0
        finally:
            if status:
                sys.excepthook(*sys.exc_info())
            os._exit(status)
    _, status = os.waitpid(child, 0)
    return status, int((folder / "points").read_text()) if status == 0 else 0


def facts(folder: Path) -> dict[str, Any]:
    """Return what was done, each with its number of times."""
    bodies: dict[str, set[bytes]] = {}
    for file in (folder / "out" / "new").iterdir():
        raw = file.read_bytes()
        ident = raw.lower().split(b"message-id:")[1].split(b"\r\n")[0].split(b"\n")[0]
        bodies.setdefault(ident.decode(), set()).add(raw.split(b"\n", 2)[2])
    with closing(sqlite3.connect(folder / "league.db")) as books:
        wrote = Counter(books.execute("SELECT kind, recipient FROM outgoing"))
        reminders = books.execute("SELECT recipient, made FROM outgoing WHERE kind = 'reminder'")
        return {
            "wrote": {
                f"{kind} to {who}": n for (kind, who), n in wrote.items() if kind != "reminder"
            },
            "reminders": [[who, _time(made)] for who, made in reminders],
            "states": Counter(state for (state,) in books.execute("SELECT state FROM outgoing")),
            "post": len(bodies),
            "forms": max(len(each) for each in bodies.values()),
            "issues": [_time(n) for (n,) in books.execute("SELECT until FROM issue ORDER BY id")],
            "steps": books.execute("SELECT game_id, n, source FROM step ORDER BY id").fetchall(),
            "letters": Counter(state for (state,) in books.execute("SELECT state FROM letter")),
        }


def _time(microseconds: int) -> str:
    return (datetime.fromtimestamp(0, UTC) + timedelta(microseconds=microseconds)).isoformat()


def main(folder: Path, kills: int, points: int) -> None:
    """Let a month of so many points pass, with kills or without, and print what was done."""
    letters = found_league(folder)
    rng, killed = Random(17), 0
    while True:
        at = rng.randint(1, 2 * points // (kills + 10)) if killed < kills else 0
        status, passed = in_a_process(folder, letters, at)
        if status == 0:
            break
        if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
            raise RuntimeError(f"a process ended with status {status}")
        killed += 1
    print(json.dumps(facts(folder) | {"points": passed, "kills": killed}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
