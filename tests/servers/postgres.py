"""A real PostgreSQL in a folder of its own: on a loopback port, with passwords."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Self

import psycopg

from tests.servers.daemon import LOOPBACK, free_address, program

USER, PASSWORD = "referee", "over/and@out"
LEAGUE = "pbem"
"""The user who owns the leagues' databases and may do nothing else."""

_SETTINGS = """\
listen_addresses = '127.0.0.1'
unix_socket_directories = '{folder}'
port = {port}
fsync = off
max_connections = 40
lc_messages = 'C'
"""
_ACCESS = "host all all 127.0.0.1/32 scram-sha-256\n"


def home() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs, which Debian keeps off the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_version)
    named = program("initdb")
    return found[-1].parent if found else Path(named).resolve().parent if named else None


def _version(path: Path) -> float:
    with suppress(ValueError):
        return float(path.parts[-3])
    return 0.0


class Postgres:
    """A PostgreSQL that can be stopped and started again over the same data, at the same port."""

    def __init__(self, folder: Path, bin_folder: Path) -> None:
        self.address = free_address()
        self.folder, self._bin = folder, bin_folder
        self._data, self._numbers = folder / "data", count(1)
        self._owner = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
        self._give_away(folder)
        self._make()

    def url(self, database: str, user: str = LEAGUE, password: str = PASSWORD) -> str:
        """Return a database's URL, as league.toml would have it."""
        quoted = password.replace("/", "%2F").replace("@", "%40")
        return f"postgres://{user}:{quoted}@{LOOPBACK}:{self.address[1]}/{database}"

    def new(self, options: str = "") -> str:
        """Make a new, empty database, and return its URL; it sorts as Germans do, if possible."""
        [(version,)] = self.do("SELECT current_setting('server_version_num')::int")
        if not options and version >= 150_000:
            options = "LOCALE_PROVIDER icu ICU_LOCALE 'de'"
        name = f"league{next(self._numbers)}"
        self.do(f"CREATE DATABASE {name} OWNER {LEAGUE} TEMPLATE template0 {options}")
        return self.url(name)

    def do(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Execute a statement as the server's superuser, and return the rows."""
        with psycopg.connect(self.url(database, USER), autocommit=True) as link:
            found = link.execute(statement.encode())
            return found.fetchall() if found.description else []

    def owned(self, folder: Path) -> Path:
        """Make a folder that belongs to the server, and return it."""
        folder.mkdir()
        self._give_away(folder)
        return folder

    def _give_away(self, path: Path) -> None:
        if self._owner:
            shutil.chown(path, **self._owner)

    def start(self) -> None:
        """Start, and return when it answers."""
        self._run("pg_ctl", "-D", self._data, "-l", self.folder / "log", "-s", "-w", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop as an administrator does, or by `immediate` as a crash does."""
        self._run("pg_ctl", "-D", self._data, "-s", "-m", how, "-w", "stop")

    @contextmanager
    def running(self) -> Iterator[Self]:
        """Keep the server running until the block ends."""
        self.start()
        try:
            self.do(f"CREATE ROLE {LEAGUE} LOGIN PASSWORD '{PASSWORD}'")
            yield self
        finally:
            self.stop("immediate")

    @contextmanager
    def stopped(self, how: str = "fast") -> Iterator[None]:
        """Keep the server down until the block ends; then it runs as before."""
        self.stop(how)
        try:
            yield
        finally:
            self.start()

    def dump(self, url: str) -> bytes:
        """Return a database as pg_dump writes it."""
        return self._run("pg_dump", url).stdout

    def load(self, url: str, dump: bytes) -> None:
        """Load the output of pg_dump into an empty database."""
        self._run("psql", "-q", "-v", "ON_ERROR_STOP=1", url, stdin=dump)

    def _make(self) -> None:
        secret = self.folder / "secret"
        secret.write_text(PASSWORD)
        self._give_away(secret)
        options = ("-U", USER, "-A", "scram-sha-256", "-E", "UTF8", "--no-sync")
        self._run("initdb", "-D", self._data, f"--pwfile={secret}", "--locale=C.UTF-8", *options)
        settings = _SETTINGS.format(folder=self.folder, port=self.address[1])
        with (self._data / "postgresql.conf").open("a") as conf:
            conf.write(settings)
        (self._data / "pg_hba.conf").write_text(_ACCESS)

    def _run(
        self, name: str, *words: object, stdin: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run one of PostgreSQL's programs as the user that its files belong to, never as root."""
        done = subprocess.run(
            [str(self._bin / name), *map(str, words)],
            input=stdin,
            stdout=subprocess.PIPE if name == "pg_dump" else subprocess.DEVNULL,
            stderr=subprocess.PIPE if name in ("pg_dump", "psql", "initdb") else None,
            cwd=self.folder,
            check=False,
            **self._owner,
        )
        if done.returncode:
            log = self.folder / "log"
            text = (done.stderr or b"").decode() or (log.read_text() if log.exists() else "")
            raise RuntimeError(f"{name} failed:\n{text}")
        return done
