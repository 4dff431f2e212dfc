"""Many letters that each kill the program: it dies once, and all others are answered in order."""

import signal
import subprocess
import sys
from configparser import RawConfigParser
from contextlib import closing
from pathlib import Path

import pytest

from pbem.letter_trials import TrialsApart
from pbem.mail.maildir import make_maildir
from pbem.maintenance.rebuild import rebuild
from pbem.storage import Letter, Store
from tests.hostile.killed_driver import FATAL
from tests.support.harness import START, League, drop, open_league, settings_for
from tests.support.players import letter
from tests.support.program import ROOT, environment
from tests.support.trial_counts import tries

UNIT = ROOT / "systemd" / "pbem.service"


def begun(folder: Path, killing: int) -> Path:
    """Return a league to which strangers have written; every second letter kills, so many do."""
    make_maildir(folder / "in")
    make_maildir(folder / "out")
    for number in range(2 * killing):
        name = f"P{chr(ord('a') + number)}"
        text = f"JOIN {name} Example" + f"\n{FATAL.decode()}" * (number % 2)
        drop(folder / "in", f"{number:02}", letter(name, text, number).as_bytes(), START)
    return folder


def worked(folder: Path, hour: int, *more: str) -> int:
    """Run a daemon at an hour, and return its status."""
    command = [sys.executable, "-m", "tests.hostile.killed_driver", str(folder), str(hour), *more]
    return subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode


def letters(folder: Path) -> list[Letter]:
    with closing(Store(settings_for(folder).store_url())) as store:
        return store.letters.all()


def states(folder: Path) -> list[str]:
    return [one.state for one in letters(folder)]


@pytest.mark.long
def test_hostile_letters_that_kill_end_the_program_once(tmp_path: Path) -> None:
    """The second start answers all others, and those that kill end only what tries them."""
    killing = tries(10, 2)
    folder = begun(tmp_path, killing)
    assert worked(folder, 1, "apart") == -signal.SIGKILL
    assert worked(folder, 2, "apart") == 0
    assert states(folder) == ["answered", "received"] * killing
    assert worked(folder, 3, "apart") == 0
    kept = letters(folder)
    for number, one in enumerate(kept):
        assert one.state == ("shunted" if number % 2 else "answered")
        assert one.tries == (3 if number % 2 else 0)
        assert ("which ended too" in one.error) == bool(number % 2)
    sent = [path.read_bytes() for path in (folder / "out" / "new").iterdir()]
    assert sum(b"confirm" in one for one in sent) >= killing
    assert rebuild(settings_for(folder), tmp_path / "again.db") == []


@pytest.mark.long
@pytest.mark.long
def test_hostile_letter_ten_that_kill_the_daemon_alone_end_no_league(tmp_path: Path) -> None:
    """Where a trial finds nothing, each costs its own starts, and none is in the way for ever."""
    folder, starts = begun(tmp_path, 10), 1
    while worked(folder, starts) == -signal.SIGKILL:
        starts += 1
        assert starts <= 22
    assert states(folder) == ["answered", "shunted"] * 10


def test_hostile_letter_that_kills_is_no_reason_for_systemd_to_give_up() -> None:
    """It restarts after any end but that by a wrong setting, and counts no starts."""
    unit = RawConfigParser(strict=False)
    unit.read(UNIT)
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    service = unit["Service"]
    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("always", "2")
    assert service["OOMPolicy"] == "continue"


def waiting(league: League) -> Letter:
    league.person("Ann").write("JOIN Ann Example")
    for _ in league.service.keep(league.mailbox, league.now):
        pass
    return league.last_letter()


def test_hostile_letter_is_tried_without_a_trace(tmp_path: Path, books: str) -> None:
    """By a real process, which handles a letter and undoes it, on each kind of database."""
    with open_league(tmp_path, url=books) as league:
        kept = waiting(league)
        before = league.store.writes
        with TrialsApart(league.settings) as trials:
            assert trials.survives(kept, league.now)
            assert trials.survives(kept._replace(id=99), league.now)
            assert trials.survives(kept, league.now)
        assert league.store.writes == before
        assert league.last_letter() == kept
        assert league.store.players.count() == league.store.outbox.count() == 0


def test_hostile_letter_is_not_blamed_for_a_trial_that_cannot_be_made(tmp_path: Path) -> None:
    with open_league(tmp_path) as league, TrialsApart(league.settings, "tests.nowhere") as trials:
        assert trials.survives(waiting(league), league.now)


def test_hostile_letter_that_takes_too_long_in_its_trial_is_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.letter_trials._Second.begins", lambda *_: True)
    monkeypatch.setattr("pbem.letter_trials.PATIENCE", 0.0)
    with open_league(tmp_path) as league, TrialsApart(league.settings) as trials:
        assert not trials.survives(waiting(league), league.now)
