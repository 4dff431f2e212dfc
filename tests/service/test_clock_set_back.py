"""A clock that is set back while the daemon waits: its jobs are done at once."""

import time

import pytest

from pbem.host.clock import StepBack
from pbem.service import daemon
from pbem.service.daemon import Daemon
from tests.support.harness import League
from tests.support.running_daemon import running


class Times:
    """What the clock shows, beyond the one that only goes ahead."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 1_000_000.0
        monkeypatch.setattr("pbem.host.clock.time.time", lambda: time.monotonic() + self.ahead)


def test_a_clock_that_was_set_back_is_noticed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    times = Times(monkeypatch)
    step_back = StepBack()
    assert not step_back.happened()
    times.ahead += 86400
    assert not step_back.happened()
    times.ahead -= 3600
    assert step_back.happened()
    assert not step_back.happened()


def test_the_daemon_does_all_its_jobs_then(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    times = Times(monkeypatch)
    monkeypatch.setattr(daemon, "CLOCK_POLL", 0.02)
    worker = Daemon(league.service, league.mailbox, league.post, lambda: league.now)
    woken: list[str] = []
    monkeypatch.setattr(worker.jobs, "wake_all", lambda: woken.append("all"))
    with running(worker):
        time.sleep(0.1)
        assert not woken
        times.ahead -= 3600
        last = time.monotonic() + 20
        while not woken and time.monotonic() < last:
            time.sleep(0.02)
    assert woken == ["all"]
