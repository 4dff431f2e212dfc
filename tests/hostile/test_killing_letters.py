"""Letters that kill the program: it dies once, all others are answered, and none is blamed."""

import signal
import subprocess
import sys
from collections.abc import Container
from configparser import RawConfigParser
from contextlib import closing
from pathlib import Path

from pbem.channels.mail.maildir import make_maildir
from pbem.maintenance.rebuild import rebuild
from pbem.service.rounds import ENDED
from pbem.storage import Letter, Store
from tests.hostile.killed_driver import FATAL, KILL_ALL, TOO_MUCH
from tests.support.harness import START, drop, settings_for
from tests.support.players import letter
from tests.support.program import ROOT, environment
from tests.support.trial_counts import tries

UNIT = ROOT / "systemd" / "pbem.service"


def begun(folder: Path, count: int, fatal: Container[int], why: bytes = FATAL) -> Path:
    """Return a league to which strangers have written; the letters of these numbers kill."""
    make_maildir(folder / "in")
    make_maildir(folder / "out")
    for number in range(count):
        text = f"JOIN P{chr(ord('a') + number)} Example"
        text += f"\n{why.decode()}" * (number in fatal)
        drop(folder / "in", f"{number:02}", letter(f"P{number}", text, number).as_bytes(), START)
    return folder


def worked(folder: Path, hour: int, **more: str) -> int:
    """Run a daemon at an hour, and return its status."""
    command = [sys.executable, "-m", "tests.hostile.killed_driver", str(folder), str(hour)]
    environs = environment(**more)
    return subprocess.run(command, cwd=ROOT, env=environs, check=False).returncode


def letters(folder: Path) -> list[Letter]:
    with closing(Store(settings_for(folder).store_url())) as store:
        return store.all(Letter.select().order_by(Letter.id))


def states(folder: Path) -> list[str]:
    return [one.state for one in letters(folder)]


def test_hostile_letters_that_kill_end_the_program_once(tmp_path: Path) -> None:
    """The second start answers all others, and those that kill end only their own process."""
    killing = tries(10, 2)
    folder = begun(tmp_path, 2 * killing, range(1, 2 * killing, 2))
    assert worked(folder, 1) == -signal.SIGKILL
    assert {one.tries for one in letters(folder)} == {0}
    for hour, tried in ((2, 1), (3, 2), (4, 3)):
        assert worked(folder, hour) == 0
        assert [one.tries for one in letters(folder)] == [0, tried] * killing
    kept = letters(folder)
    assert [one.state for one in kept] == ["answered", "shunted"] * killing
    assert [one.error for one in kept] == ["", ENDED] * killing
    sent = [path.read_bytes() for path in (folder / "out" / "new").iterdir()]
    assert sum(b"confirm" in one for one in sent) >= killing
    assert any(b"letters that were set aside" in one for one in sent)
    assert worked(folder, 5) == 0
    assert letters(folder) == kept
    assert rebuild(settings_for(folder), tmp_path / "again.db") == []


def test_hostile_letter_in_hand_is_blamed_for_no_death_of_the_program(tmp_path: Path) -> None:
    """Not even if the second process dies with the daemon, at each of many starts."""
    folder = begun(tmp_path, 3, {0})
    assert worked(folder, 1) == -signal.SIGKILL
    assert all(one.owner for one in letters(folder))
    for hour in range(2, 7):
        assert worked(folder, hour, **{KILL_ALL: "1"}) == -signal.SIGKILL
    assert [(one.state, one.tries) for one in letters(folder)] == [("received", 0)] * 3
    assert worked(folder, 8) == 0
    assert states(folder) == ["received", "answered", "answered"]


def test_hostile_letter_that_the_database_cannot_take_stops_no_other(tmp_path: Path) -> None:
    """Its statement fails as if the database had, and noting that shows that this works."""
    folder = begun(tmp_path, 2, {0}, TOO_MUCH)
    for hour in (1, 2, 3):
        assert worked(folder, hour) == 0
        assert [one.tries for one in letters(folder)] == [hour, 0]
    assert states(folder) == ["shunted", "answered"]
    assert "too many SQL variables" in letters(folder)[0].error


def test_hostile_letter_that_kills_is_no_reason_for_systemd_to_give_up() -> None:
    """It restarts after any end but that by a wrong setting, and counts no starts."""
    unit = RawConfigParser(strict=False)
    unit.read(UNIT)
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    service = unit["Service"]
    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("always", "2")
    assert service["OOMPolicy"] == "continue"
