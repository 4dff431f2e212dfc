"""The daemon's jobs, and what is woken after them."""

import threading
from datetime import timedelta

from engine.i18n import say
from pbem.outgoing.retried_tasks import Task
from pbem.service.jobs import Job, Jobs
from tests.support.harness import League

HOUR = timedelta(hours=1)


def test_what_sends_is_woken_after_each_job_that_may_have_queued_a_letter(league: League) -> None:
    """Or else an alarm would wait for the next look into the queue."""
    done: list[str] = []
    last = threading.Event()

    def job(name: str, thread: str = "league", *, yields: bool = False) -> Job:
        task = Task(name, say(name), lambda: done.append(name), vital=True)
        return Job(name=name, task=task, every=HOUR, thread=thread, yields=yields)

    def league_worked() -> None:
        done.append("woken")
        if done.count("woken") == 2:
            last.set()

    jobs = Jobs(
        league.service.ports.outbox, lambda: league.now, lambda: None, done.append, league_worked
    )
    for one in (job("health"), job("rest", yields=True), job("feed")):
        jobs.add(one)
    jobs.start()
    assert last.wait(20)
    jobs.stop()
    assert done == ["health", "woken", "rest", "feed", "woken"]
