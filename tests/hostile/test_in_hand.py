"""A letter that ends the program is counted, shunted after three attempts, and out of the way."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.in_hand import InHand
from pbem.mail.maildir import make_maildir
from pbem.maintenance.rebuild import rebuild
from pbem.routing import router
from pbem.storage import Letter, Store, StoreDown
from tests.harness import START, House, drop, open_house, settings_for
from tests.hostile.killed_driver import FATAL
from tests.players import letter
from tests.program import ROOT, environment

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
    assert any(b"letters that were shunted" in one for one in sent)
    assert worked(folder, 5) == 0
    assert letters(folder) == kept


def test_hostile_1_what_is_shunted_so_is_replayed(folder: Path, tmp_path: Path) -> None:
    for hour in range(1, 5):
        worked(folder, hour)
    assert rebuild(settings_for(folder), tmp_path / "again.db") == []


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as opened:
        yield opened


def waiting(house: House, count: int) -> list[Letter]:
    """Keep letters that nobody has handled."""
    for number in range(count):
        house.drop(letter("Ann", "JOIN Ann", number + 1).as_bytes())
    for _ in house.service.keep(house.mailbox, house.now):
        pass
    return house.store.letters.all()


def again(house: House) -> InHand:
    """Return what is in hand in a program that starts now."""
    return InHand(house.store, 3, house.service.ports.counts)


def test_hostile_1_letters_that_were_in_hand_are_handled_one_by_one(house: House) -> None:
    kept = waiting(house, 5)
    first = again(house)
    assert list(first.groups(kept, 3)) == [kept[:3], kept[3:]]
    first.take(kept[1:3])
    again(house).begin(house.now)
    kept = house.store.letters.all()
    assert [one.tries for one in kept] == [0, 1, 1, 0, 0]
    assert list(first.groups(kept, 3)) == [[kept[0]], [kept[1]], [kept[2]], kept[3:]]


def test_hostile_1_only_a_start_counts(house: House) -> None:
    """Not a round that the database ended: then the same program goes on."""
    [kept] = waiting(house, 1)
    begun = again(house)
    begun.begin(house.now)
    for _ in range(5):
        begun.take([kept])
        begun.begin(house.now)
    assert house.store.letters.get(kept.id).tries == 0


def test_hostile_1_a_database_that_fails_blames_no_letter(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    [kept] = waiting(house, 1)
    for _ in range(4):
        with monkeypatch.context() as patch:
            patch.setattr(router, "settle", lambda *_: (_ for _ in ()).throw(StoreDown("")))
            with pytest.raises(StoreDown):
                house.work()
    house.work()
    settled = house.store.letters.get(kept.id)
    assert (settled.state, settled.tries) == ("answered", 0)


def test_hostile_1_a_deadline_that_kills_blames_no_letter(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deadlines before a letter that failed before are played while it isn't in hand."""
    [kept] = waiting(house, 1)
    house.store.letters.change(kept.id, tries=1)

    def die(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(house.service, "play_due", die)
    with pytest.raises(KeyboardInterrupt):
        house.work()
    assert house.store.letters.count(in_hand=True) == 0


def test_hostile_1_the_daemon_tells_that_it_is_alive_within_a_round(house: House) -> None:
    """After each group of letters, each batch that is read and each deadline, and not by itself."""
    told: list[int] = []
    house.service.progress = lambda: told.append(house.store.letters.count(state="received"))
    for number in range(250):
        house.drop(letter(f"P{number}", "JOIN Ann", number + 1).as_bytes())
    house.work()
    assert len(told) > 5
    assert len(set(told)) > 3
