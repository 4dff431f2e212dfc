"""An upgrade by the program's commands: copied first, tried on a copy, refused where it must be."""

import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from pbem.service.lock import only_one
from pbem.settings.load import load
from pbem.storage.migrations import newest
from tests.storage.test_kept_databases import KEPT
from tests.support.program import pbem
from tools.keep_league import DATABASE, unpack

OLD = 4
"""The schema of the league in these tests."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a league as an earlier program has left it."""
    unpack(KEPT[0], tmp_path)
    for part in ("cur", "new", "tmp"):
        (tmp_path / "in" / part).mkdir(parents=True)
    return tmp_path


def schema(file: Path) -> int:
    """Return the schema of a database."""
    with closing(sqlite3.connect(file)) as database:
        return int(database.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()[0])


def backups(folder: Path) -> list[Path]:
    """Return the backups of a league."""
    return sorted(folder.glob("backups/*"))


@pytest.mark.parametrize("command", ["once", "status", "gm PAUSE 1"])
def test_what_works_with_an_old_league_copies_it_first(folder: Path, command: str) -> None:
    done = pbem("--config", folder, *command.split())
    assert done.returncode == 0, done.stderr
    assert b"an earlier version made the database; it was copied into" in done.stderr
    assert schema(folder / DATABASE) == newest()
    [made] = backups(folder)
    assert made.name.startswith("pbem-before-upgrade-")
    assert str(made) in done.stderr.decode()
    with tarfile.open(made) as archive:
        archive.extract(DATABASE, folder / "made", filter="data")
    assert schema(folder / "made" / DATABASE) == OLD
    again = pbem("--config", folder, "status")
    assert again.stderr == b""
    assert backups(folder) == [made]


@pytest.mark.parametrize("command", ["fsck", "check", "backup", "rebuild new.db", "health"])
def test_what_only_looks_at_an_old_league_leaves_it_as_it_is(folder: Path, command: str) -> None:
    name, *more = command.split()
    done = pbem("--config", folder, name, *(folder / one for one in more))
    assert done.returncode in (0, 1), done.stderr
    assert b"Traceback" not in done.stderr
    assert schema(folder / DATABASE) == OLD
    if name == "check":
        assert b"WARN   database: 5 players, 5 battles; `pbem run` and `once` bring" in done.stdout
    if name == "health":
        assert b"make a backup of it and bring it up" in done.stdout


def test_an_old_league_moves_in_and_stays_where_it_was(folder: Path) -> None:
    config = folder / "league.toml"
    text = config.read_text()
    config.write_text(f'{text}\n[store]\nurl = "sqlite:///moved.db"\n')
    done = pbem("--config", config, "move", "sqlite:///league.db")
    assert done.returncode == 0, done.stderr
    assert schema(folder / DATABASE) == OLD
    assert schema(folder / "moved.db") == newest()
    assert pbem("--config", config, "fsck").stdout == b"Nothing is wrong.\n"


def test_a_backup_of_an_earlier_program_is_restored(folder: Path) -> None:
    archive = folder / "pbem-20261124T031500Z.tar.gz"
    with tarfile.open(archive, "w:gz") as made:
        for name in (DATABASE, "league.toml"):
            made.add(folder / name, name)
    restored = folder / "restored"
    done = pbem("--config", restored, "restore", archive)
    assert done.returncode == 0, done.stderr
    assert b"players: 5" in done.stdout
    assert pbem("--config", restored, "fsck").stdout == b"Nothing is wrong.\n"
    assert b"copied into" in pbem("--config", restored, "status").stderr
    assert schema(restored / DATABASE) == newest()


def test_not_below_a_daemon_that_works(folder: Path) -> None:
    """It may be one of the earlier version, and knows nothing of the new tables."""
    with only_one(load(folder / "league.toml", {})):
        done = pbem("--config", folder, "status")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"another pbem works for this league" in done.stderr
    assert schema(folder / DATABASE) == OLD


def test_not_without_a_backup(folder: Path) -> None:
    (folder / "backups").write_text("a file where the folder should be")
    done = pbem("--config", folder, "once")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"can't be written" in done.stderr
    assert schema(folder / DATABASE) == OLD


@pytest.mark.parametrize("command", ["run", "once", "status", "check", "health", "fsck", "backup"])
def test_a_newer_database_is_refused_in_one_sentence(folder: Path, command: str) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        database.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
        database.commit()
        before = list(database.iterdump())
    done = pbem("--config", folder, command)
    told = (done.stdout + done.stderr).decode()
    assert f"has schema 99, this program knows {newest()}" in told
    assert "Traceback" not in told
    if command in ("run", "once", "status", "backup"):
        assert (done.returncode, done.stderr.count(b"\n"), done.stdout) == (2, 1, b"")
    else:
        assert done.returncode == 1
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        assert list(database.iterdump()) == before
    assert not backups(folder)
