"""`pbem health` finds out what is wrong with disks and servers, by real ones.

Each time it reports it in one line, ends with status 1, and changes nothing.
"""

import os
import re
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from pbem.service import disks
from pbem.settings.load import load
from tests.hostile.asking import league_file, troubles, wait_for
from tests.servers.daemon import LOOPBACK, free_address
from tests.servers.disks import filled, small_disk
from tests.servers.postgres import Postgres
from tests.servers.required import unmet
from tests.support.harness import drop, settings_for
from tests.support.players import letter
from tests.support.program import PBEM, Running, environment, pbem, running


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_disk(folder, "8m"):
        yield folder


def read_only(folder: Path) -> None:
    """Mount a disk again so that it can only be read."""
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)


def write_to(folder: Path) -> None:
    """Deliver a letter that the daemon wants to keep."""
    raw = letter("Ann", "JOIN Ann Example\n" + 20_000 * "so much to tell\n", 1).as_bytes()
    drop(folder / "in", "1", raw, datetime.now(UTC))


@pytest.mark.services
class TestDisks:
    def test_hostile_books_on_a_full_disk_are_told(self, tmp_path: Path, disk: Path) -> None:
        """Once the daemon can't go on it writes why, in a file that is on the same disk."""
        config, state = league_file(tmp_path), {"STATE_DIRECTORY": str(disk)}
        with running(config, **state) as daemon:
            assert troubles(config, **state) == {}
            with filled(disk):
                found = troubles(config, **state)
                assert found["disk"] == f"the disk of {disk} is full: nothing can be written"
                write_to(tmp_path)
                found = wait_for("can't work", config, **state)
                assert found["daemon"].endswith("the disk that holds the database is full; "
                                                "make room and it goes on")  # fmt: skip
                assert "disk" in found
            self.goes_on(config, daemon, state)

    @staticmethod
    def goes_on(config: Path, daemon: Running, state: dict[str, str]) -> None:
        for _ in range(60):
            if not troubles(config, **state):
                break
            time.sleep(0.5)
        assert troubles(config, **state) == {}
        daemon.stop()

    def test_hostile_books_on_a_disk_that_is_nearly_full_are_told(
        self, tmp_path: Path, disk: Path
    ) -> None:
        config, state = league_file(tmp_path, watch={}), {"STATE_DIRECTORY": str(disk)}
        assert pbem("--config", config, "once", **state).returncode == 0
        [told] = troubles(config, **state).values()
        assert re.fullmatch(rf"the disk of {disk} has only [5-7] MiB left", told)

    @pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
    def test_hostile_books_on_a_read_only_disk_are_told(
        self, tmp_path: Path, disk: Path, how: signal.Signals
    ) -> None:
        """Old backups in them are reported."""
        config, state = league_file(tmp_path), {"STATE_DIRECTORY": str(disk)}
        with running(config, **state) as daemon:
            daemon.stop(how)
        read_only(disk)
        found = troubles(config, **state)
        assert found["disk"] == f"{disk} can't be written: read-only file system"
        assert set(found) == {"disk"} | ({"daemon"} if how is signal.SIGKILL else set())
        done = pbem("--config", config, "health", **state)
        assert b"letters waiting: 0" in done.stdout

    def test_hostile_books_whose_file_alone_is_read_only_are_told(self, tmp_path: Path) -> None:
        """Root's rights don't matter there: the file is mounted so."""
        config, file = league_file(tmp_path), tmp_path / "league.db"
        assert pbem("--config", config, "once").returncode == 0
        bind = ["mount", "--bind", str(file), str(file)]
        if os.geteuid() != 0 or subprocess.run(bind, capture_output=True, check=False).returncode:
            unmet("nothing can be mounted here")
        try:
            subprocess.run(["mount", "-o", "remount,ro,bind", str(file)], check=True)
            assert troubles(config)["disk"] == f"{file} can't be written: read-only file system"
        finally:
            subprocess.run(["umount", "-l", str(file)], check=True)


def test_hostile_books_that_a_limit_keeps_from_growing_are_told(tmp_path: Path) -> None:
    """By a real limit of the process, which needs no rights: that is found by trying alone."""
    config = league_file(tmp_path)
    assert pbem("--config", config, "once").returncode == 0
    bound = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (0, 0))
    done = subprocess.run(
        [*PBEM, "--config", str(config), "health"],
        env=environment(),
        capture_output=True,
        timeout=60,
        check=False,
        preexec_fn=bound,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert f"WRONG  disk: {tmp_path} can't be written: File too large" in done.stdout.decode()


@pytest.mark.parametrize(
    ("flag", "number", "words"),
    [
        (os.ST_RDONLY, 0, "read-only file system"),
        (0, 28, "is full"),
        (0, 122, "is full"),
        (0, 5, "can't be written: Input/output error"),
    ],
)
def test_hostile_books_are_told_where_nothing_can_be_mounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: int, number: int, words: str
) -> None:
    """By errors of the kernel's that are made up, for machines that let nobody mount."""
    found = os.statvfs(tmp_path)

    class Disk:
        f_flag, f_bavail, f_frsize = found.f_flag | flag, found.f_bavail, found.f_frsize

    def write(handle: int, data: bytes) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "statvfs", lambda _: Disk)
    if number:
        monkeypatch.setattr(os, "write", write)
    told = disks.trouble(settings_for(tmp_path), f"sqlite:///{tmp_path}/x.db", probing=True)
    assert words in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.services
class TestServers:
    @pytest.fixture
    def config(self, tmp_path: Path, postgres: Postgres) -> Path:
        return league_file(tmp_path, store={"url": postgres.new()})

    @staticmethod
    def url(config: Path) -> str:
        return load(config).store_url()

    def test_hostile_books_on_a_server_that_only_reads_are_told(
        self, config: Path, postgres: Postgres
    ) -> None:
        assert pbem("--config", config, "once").returncode == 0
        assert troubles(config) == {}
        name = self.url(config).rpartition("/")[2]
        postgres.do(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        [(key, text)] = troubles(config).items()
        assert (key, "its server only lets it be read" in text) == ("database", True)

    def test_hostile_books_on_a_server_that_is_away_are_told(self, tmp_path: Path) -> None:
        url = f"postgres://pbem:secret-word@{LOOPBACK}:{free_address()[1]}/pbem"
        config = league_file(tmp_path, store={"url": url})
        [(key, text)] = troubles(config).items()
        assert (key, "refused" in text, "secret-word" in text) == ("database", True, False)

    def test_hostile_books_on_a_servers_full_disk_are_told(
        self, tmp_path: Path, postgres: Postgres
    ) -> None:
        """By a table that nobody sees and that is undone."""
        folder = postgres.folder / "narrow"
        folder.mkdir()
        with small_disk(folder, "16m", "0777"):
            space = postgres.owned(folder / "space")
            postgres.do(f"CREATE TABLESPACE narrow LOCATION '{space}'")
            url = postgres.new("TABLESPACE narrow")
            config = league_file(tmp_path, store={"url": url})
            assert pbem("--config", config, "once").returncode == 0
            assert troubles(config) == {}
            with filled(folder):
                [(key, text)] = troubles(config).items()
            assert (key, "is full" in text) == ("database", True)
            assert troubles(config) == {}
            postgres.do(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")
            postgres.do("DROP TABLESPACE narrow")

    def test_hostile_books_of_a_daemon_elsewhere_are_looked_after(
        self, config: Path, tmp_path: Path
    ) -> None:
        """One that died here is not missed while another machine's has the database."""
        with running(config) as daemon:
            assert troubles(config) == {}
            daemon.stop(signal.SIGKILL)
        assert set(wait_for("no daemon", config)) == {"daemon"}
        other = tmp_path / "other"
        other.mkdir()
        second = league_file(other, store={"url": self.url(config)})
        with running(second) as daemon:
            assert troubles(config) == {}
            daemon.stop()
        assert set(troubles(config)) == {"daemon"}

    def test_hostile_books_on_a_server_are_not_written_by_a_look(
        self, config: Path, postgres: Postgres
    ) -> None:
        assert pbem("--config", config, "once").returncode == 0
        before = self.dump(config, postgres)
        assert troubles(config) == {}
        assert self.dump(config, postgres) == before

    def dump(self, config: Path, postgres: Postgres) -> list[bytes]:
        """Return a database as pg_dump writes it, without its words of chance."""
        lines = postgres.dump(self.url(config)).splitlines()
        return [line for line in lines if b"restrict" not in line]
