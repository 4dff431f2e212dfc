"""`pbem health` finds out what is wrong, by real kills and spoiled databases.

Each time it reports it in one line, ends with status 1, and changes nothing.
"""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.service.daemon_status import LOCK, MEMORY, SILENCE, Mark, presence, trouble
from pbem.service.lock import only_one
from pbem.settings.load import load
from pbem.storage import Outgoing, Store
from tests.hostile.asking import league_file, troubles, wait_for
from tests.support.harness import settings_for
from tests.support.program import environment, pbem, running
from tests.support.trial_counts import some


class TestKilled:
    def test_hostile_books_that_nobody_looks_after_are_told(self, tmp_path: Path) -> None:
        """After a kill -9 there is trouble, and after a stop there is none."""
        config = league_file(tmp_path)
        with running(config) as daemon:
            assert troubles(config) == {}
            daemon.stop()
            assert troubles(config) == {}
        with running(config) as daemon:
            assert troubles(config) == {}
            daemon.stop(signal.SIGKILL)
            found = troubles(config)
        assert set(found) == {"daemon"}
        expected = (
            r"no daemon is running: the last one ended without saying so, and was last seen .+"
        )
        assert re.fullmatch(expected, found["daemon"])

    def test_hostile_books_tell_of_a_kill_though_another_daemon_works(self, tmp_path: Path) -> None:
        """As systemd starts one; and the moderator gets a letter."""
        moderator = "mona@home.example"
        settings = {"name": "Avalon", "address": "referee@league.example", "moderator": moderator}
        config = league_file(tmp_path, league=settings)
        with running(config) as daemon:
            daemon.stop(signal.SIGKILL)
        with running(config) as daemon:
            found = wait_for("started again (number of times within a day: 1;", config)
            assert set(found) == {"daemon"}
            daemon.stop()
        with closing(Store(load(config).store_url())) as store:
            [told] = store.all(
                Outgoing.select().where(Outgoing.recipient == moderator).order_by(Outgoing.id)
            )
        assert b"ended without saying so" in told.content

    def test_hostile_books_are_not_missed_where_once_ends_well(self, tmp_path: Path) -> None:
        config = league_file(tmp_path)
        with running(config) as daemon:
            daemon.stop(signal.SIGKILL)
        assert set(troubles(config)) == {"daemon"}
        assert pbem("--config", config, "once").returncode == 0
        assert "daemon" not in troubles(config)

    def test_hostile_books_are_not_written_by_a_look(self, tmp_path: Path) -> None:
        """Of a league whose daemon runs."""
        config = league_file(tmp_path)
        with running(config) as daemon:
            while not (tmp_path / "health.json").exists():  # which ends what a round writes
                time.sleep(0.1)
            daemon.process.send_signal(signal.SIGSTOP)
            files = [tmp_path / name for name in ("league.db", "league.db-wal")]
            with closing(sqlite3.connect(tmp_path / "league.db")) as other:
                before = other.execute("PRAGMA data_version").fetchone()
                held = [file.read_bytes() for file in files]
                assert troubles(config) == {}
                assert other.execute("PRAGMA data_version").fetchone() == before
                assert [file.read_bytes() for file in files] == held
            assert list(tmp_path.glob(".pbem-probe*")) == []
            daemon.process.send_signal(signal.SIGCONT)

    def test_hostile_books_of_a_daemon_that_hangs_are_told(self, tmp_path: Path) -> None:
        config = league_file(tmp_path)
        with running(config) as daemon:
            daemon.process.send_signal(signal.SIGSTOP)
            past = time.time() - SILENCE.total_seconds() - 60
            os.utime(tmp_path / LOCK, (past, past))
            assert "has done nothing since" in troubles(config)["daemon"]
            daemon.process.send_signal(signal.SIGCONT)

    def test_hostile_books_remember_deaths_for_a_day(self, tmp_path: Path) -> None:
        settings, now = settings_for(tmp_path), datetime.now(UTC)
        with only_one(settings):
            for _ in range(30):
                Mark(settings.state(LOCK), now)
            assert "started again (number of times within a day: 20;" in trouble(
                presence(settings), now
            )
            assert trouble(presence(settings), now + SILENCE / 2) != ""
            Mark(settings.state(LOCK), now).end(now)
            Mark(settings.state(LOCK), now + 2 * MEMORY)
            os.utime(tmp_path / LOCK, 2 * ((now + 2 * MEMORY).timestamp(),))
            assert trouble(presence(settings), now + 2 * MEMORY) == ""

    @pytest.mark.parametrize(
        "expected", some(["", "\0" * 4096, "[]", '{"began": 3}', "no JSON"], 1)
    )
    def test_hostile_books_beside_a_spoiled_mark_are_looked_at(
        self, tmp_path: Path, expected: str
    ) -> None:
        """A power failure may leave anything in a file."""
        config = league_file(tmp_path)
        with running(config) as daemon:
            daemon.stop()
        (tmp_path / LOCK).write_text(expected)
        assert troubles(config) == {}
        with running(config) as daemon:
            daemon.stop(signal.SIGKILL)
        assert set(troubles(config)) == {"daemon"}


class TestDatabases:
    @staticmethod
    def spoiled(tmp_path: Path, offset: int, data: bytes) -> Path:
        config = league_file(tmp_path)
        assert pbem("--config", config, "once").returncode == 0
        assert troubles(config) == {}
        with (tmp_path / "league.db").open("r+b") as file:
            file.seek(offset)
            file.write(data)
        return config

    def test_hostile_books_that_are_no_database_are_told(self, tmp_path: Path) -> None:
        config = self.spoiled(tmp_path, 0, b"This is not a database. " * 40)
        [(key, text)] = troubles(config).items()
        assert key == "database"
        assert "file is not a database" in text

    def test_hostile_books_whose_pages_are_spoiled_are_told(self, tmp_path: Path) -> None:
        config = self.spoiled(tmp_path, 4096, os.urandom(400_000))
        assert "malformed" in troubles(config)["database"]

    def test_hostile_books_that_are_gone_are_told(self, tmp_path: Path) -> None:
        """A check does not create them again."""
        config = league_file(tmp_path)
        with running(config) as daemon:
            daemon.stop(signal.SIGKILL)
        for file in tmp_path.glob("league.db*"):
            file.unlink()
        assert set(troubles(config)) == {"daemon", "database"}
        assert list(tmp_path.glob("league.db*")) == []

    def test_hostile_books_of_another_schema_are_not_changed_by_a_look(
        self, tmp_path: Path
    ) -> None:
        config = league_file(tmp_path)
        with closing(sqlite3.connect(tmp_path / "league.db")) as made:
            made.execute("CREATE TABLE x (y)")
        assert "schema 0" in troubles(config)["database"]
        with closing(sqlite3.connect(tmp_path / "league.db")) as made:
            assert made.execute("SELECT name FROM sqlite_master").fetchall() == [("x",)]


class TestBackups:
    def aged(self, config: Path, hours: float) -> dict[str, str]:
        """Return the trouble that is reported when the newest of two backups is so old."""
        folder = config.parent / "backups"
        shutil.rmtree(folder, ignore_errors=True)
        assert pbem("--config", config, "backup").returncode == 0
        [file] = folder.iterdir()
        made = datetime.now(UTC) - timedelta(hours=hours)
        for each in (made, made - timedelta(days=9)):
            shutil.copy(file, folder / each.strftime("pbem-%Y%m%dT%H%M%SZ.tar.gz"))
        file.unlink()
        return troubles(config)

    def test_hostile_books_whose_backups_are_too_old_are_told(self, tmp_path: Path) -> None:
        config = league_file(tmp_path)
        assert pbem("--config", config, "once").returncode == 0
        assert troubles(config) == {}
        assert self.aged(config, 29) == {}
        folder = tmp_path / "backups"
        assert self.aged(config, 31) == {"backup": f"the newest backup is 31 h old, in {folder}"}
        facts = json.loads(pbem("--config", config, "health", "--json").stdout)
        assert facts["newest_backup"] is not None
        for file in folder.iterdir():
            file.unlink()
        assert troubles(config) == {"backup": f"there is no backup in {folder}"}
        config = league_file(tmp_path, watch={"backup_hours": 0, "disk_mib": 0})
        assert troubles(config) == {}


def test_hostile_books_of_a_wrong_setting_are_no_trouble_but_a_fault(tmp_path: Path) -> None:
    config = league_file(tmp_path, watch={"disk_mib": "much"})
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "--config", str(config), "health"],
        env=environment(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
