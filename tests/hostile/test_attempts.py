"""A letter that ends the program is counted, shunted after three attempts, and out of the way."""

import signal
import subprocess
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from pbem.handlers.request import Verdict
from pbem.mail.maildir import make_maildir
from pbem.maintenance.rebuild import rebuild
from pbem.ports import Ports
from pbem.rounds import Attempts, Round
from pbem.routing import router
from pbem.storage import Letter, Store, StoreDown
from tests.hostile.killed_driver import FATAL
from tests.support.harness import START, League, drop, settings_for
from tests.support.players import letter
from tests.support.program import ROOT, environment

NAMES = ["Ann", "Bob", "Cat", "Dan", "Eve"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A league to which five strangers have written, the third of them a letter that kills."""
    make_maildir(tmp_path / "in")
    make_maildir(tmp_path / "out")
    for number, name in enumerate(NAMES):
        text = f"JOIN {name} Example" + f"\n{FATAL.decode()}" * (name == "Cat")
        drop(tmp_path / "in", f"{number}", letter(name, text, number).as_bytes(), START)
    return tmp_path


def worked(folder: Path, hour: int) -> int:
    """Run a daemon at an hour, and return its status."""
    command = [sys.executable, "-m", "tests.hostile.killed_driver", str(folder), str(hour)]
    return subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode


def letters(folder: Path) -> list[Letter]:
    with closing(Store(settings_for(folder).store_url())) as store:
        return store.letters.all()


def test_hostile_1_a_letter_that_kills_the_program_is_shunted_after_three_starts(
    folder: Path,
) -> None:
    """And those behind it are answered at the fourth."""
    for tries in (1, 2, 3):
        assert worked(folder, tries) == -signal.SIGKILL
        kept = letters(folder)
        assert [one.tries for one in kept[:2]] == [0, 0] or tries == 1
    assert worked(folder, 4) == 0
    kept = letters(folder)
    assert [one.state for one in kept] == [
        "answered",
        "answered",
        "shunted",
        "answered",
        "answered",
    ]
    assert [one.tries for one in kept] == [0, 0, 3, 0, 0]
    assert kept[2].error == "The program died while it had this letter in hand."
    sent = [path.read_bytes() for path in (folder / "out" / "new").iterdir()]
    assert sum(b"JOIN" in one or b"join" in one for one in sent) >= 4
    assert any(b"letters that were set aside" in one for one in sent)
    assert worked(folder, 5) == 0
    assert letters(folder) == kept


@pytest.mark.long
def test_hostile_1_what_is_shunted_so_is_replayed(folder: Path, tmp_path: Path) -> None:
    for hour in range(1, 5):
        worked(folder, hour)
    assert rebuild(settings_for(folder), tmp_path / "again.db") == []


def waiting(league: League, count: int) -> list[Letter]:
    """Keep letters that nobody has handled."""
    for number in range(count):
        league.drop(letter("Ann", "JOIN Ann", number + 1).as_bytes())
    for _ in league.service.keep(league.mailbox, league.now):
        pass
    return league.store.letters.all()


def again(league: League) -> Attempts:
    """Return what is in hand in a program that starts now."""
    return Attempts(league.store, 3, league.service.ports.counts)


def test_hostile_1_letters_that_were_in_hand_are_handled_one_by_one(league: League) -> None:
    kept = waiting(league, 5)
    first = again(league)
    assert list(first.batches(kept, 3)) == [kept[:3], kept[3:]]
    first.take(kept[1:3])
    again(league).begin(league.now)
    kept = league.store.letters.all()
    assert [one.tries for one in kept] == [0, 1, 1, 0, 0]
    assert list(first.batches(kept, 3)) == [[kept[0]], [kept[1]], [kept[2]], kept[3:]]


def test_hostile_1_only_a_start_counts(league: League) -> None:
    """Not a round that the database ended: then the same program goes on."""
    [kept] = waiting(league, 1)
    begun = again(league)
    begun.begin(league.now)
    for _ in range(5):
        begun.take([kept])
        begun.begin(league.now)
    assert league.store.letters.get(kept.id).tries == 0


def test_hostile_1_a_letter_whose_fault_no_text_can_hold_stops_no_other(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = router.handle

    def handled(ports: Ports, letter: Letter, now: datetime) -> Verdict:
        if letter.id == 1:
            raise ValueError("of a caf\udce9\0")
        return handle(ports, letter, now)

    monkeypatch.setattr(router, "handle", handled)
    for name in ("Ann", "Bob"):
        league.person(name).write(f"JOIN {name} Example")
    for _ in range(3):
        league.work()
    shunted, answered = league.store.letters.all()
    assert (shunted.state, answered.state) == ("shunted", "answered")
    assert r"of a caf\udce9\x00" in shunted.error


def test_hostile_1_a_database_that_fails_blames_no_letter(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    [kept] = waiting(league, 1)
    for _ in range(4):
        with monkeypatch.context() as patch:
            patch.setattr(router, "settle", lambda *_: (_ for _ in ()).throw(StoreDown("")))
            with pytest.raises(StoreDown):
                league.work()
    league.work()
    settled = league.store.letters.get(kept.id)
    assert (settled.state, settled.tries) == ("answered", 0)


def test_hostile_1_a_deadline_that_kills_blames_no_letter(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deadlines before a letter that failed before are played while it isn't in hand."""
    [kept] = waiting(league, 1)
    league.store.letters.change(kept.id, tries=1)

    def die(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Round, "play_due", die)
    with pytest.raises(KeyboardInterrupt):
        league.work()
    assert league.store.letters.count(in_hand=True) == 0


def test_hostile_1_the_daemon_tells_that_it_is_alive_within_a_round(league: League) -> None:
    """After each group of letters, each batch that is read and each deadline, and not by itself."""
    told: list[int] = []
    league.service.progress = lambda: told.append(league.store.letters.count(state="received"))
    for number in range(250):
        league.drop(letter(f"P{number}", "JOIN Ann", number + 1).as_bytes())
    league.work()
    # A slow machine does fewer letters at a time, and so tells it more often.
    assert {0, 50, 100} <= set(told)
    assert len(told) > 5
