"""The daemon's jobs through a month with summer time, an outage, a jump of the clock and kills."""

import json
import subprocess
import sys
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.support.paths import ROOT
from tests.support.program import environment

ZONE = ZoneInfo("Europe/Berlin")
KILLS = 50
LATE = {"2027-03-18", "2027-03-22"}
"""The days on which the newsletter waited for an outage or a jump to be over."""


def month(folder: Path, kills: int = 0, points: int = 0) -> dict[str, Any]:
    """Let a month pass; return what was done."""
    folder.mkdir()
    words = ["-m", "tests.service.month_driver", str(folder), str(kills), str(points)]
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.long
@pytest.mark.timeout(600)
def test_each_task_of_a_month_is_done_once_whatever_happens(tmp_path: Path) -> None:
    wanted = month(tmp_path / "undisturbed")
    found = month(tmp_path / "killed", KILLS, wanted["points"])
    assert (wanted["kills"], found["kills"]) == (0, KILLS)
    for one in (wanted, found):
        assert set(one["states"]) == {"sent", "digested"}
        assert set(one["letters"]) == {"answered"}
        assert one["forms"] == 1
        assert one["wrote"]["answers to cat@league.example"] == 31
        # The beginning after 20 hours, the outage, the jump, and the jump back.
        assert one["wrote"]["held to mona@league.example"] == 4
        the_newsletter_came_at_half_past_two(one["issues"])
        nobody_is_reminded_twice(one["reminders"])
    for what in ("wrote", "steps", "letters"):
        assert found[what] == wanted[what]
    assert found["states"]["sent"] - found["post"] == wanted["states"]["sent"] - wanted["post"]
    # How many are due at once after an outage depends on when the mailbox is tried again.
    assert abs(len(found["reminders"]) - len(wanted["reminders"])) <= 3


def the_newsletter_came_at_half_past_two(issues: list[str]) -> None:
    """Each day once; where clocks skip that time, an hour later by them."""
    times = [datetime.fromisoformat(one).astimezone(ZONE) for one in issues[1:]]
    days = [f"{one:%Y-%m-%d}" for one in times]
    assert len(days) == len(set(days)) == 30
    early = {day: f"{one:%H:%M}" for day, one in zip(days, times, strict=True) if day not in LATE}
    assert early.pop("2027-03-28") == "03:30"
    assert set(early.values()) == {"02:30"}


def nobody_is_reminded_twice(reminders: list[list[str]]) -> None:
    """No two reminders to one person lie so close that one of them was enough."""
    for person in {who for who, _ in reminders}:
        times = sorted(datetime.fromisoformat(when) for who, when in reminders if who == person)
        assert all(later - one > timedelta(hours=2) for one, later in pairwise(times))
