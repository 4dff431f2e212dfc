"""The program `pbem` run as its users run it: as a process of its own, with a league.toml."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest

from pbem import cli
from pbem.storage import Store
from tests.servers.host import MailHost
from tests.support import forked_processes
from tests.support.forked_processes import ReadyMade
from tests.support.paths import ROOT
from tests.support.players import REFEREE

PBEM = [sys.executable, "-m", "pbem"]

Process = ReadyMade | subprocess.Popen[bytes]
Sections = dict[str, dict[str, Any]]


def environment(**more: str) -> dict[str, str]:
    """Return this process's environment without what could reach into a league."""
    bare = {k: v for k, v in os.environ.items() if not k.startswith(("PBEM_", "NOTIFY_"))}
    return bare | {"PYTHONPATH": str(ROOT)} | more


def _start(words: list[str], environ: dict[str, str], *files: int) -> Process:
    """Start the program: as a new Python where the environment tells Python itself something."""
    if "PYTHONIOENCODING" not in environ and environ["PYTHONPATH"] == str(ROOT):
        return forked_processes.start(words, environ, *files)
    stdin, stdout, stderr = files
    return subprocess.Popen([*PBEM, *words], stdin=stdin, stdout=stdout, stderr=stderr, env=environ)


def pbem(*arguments: object, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end."""
    words = [*map(str, arguments)]
    with TemporaryFile() as into, TemporaryFile() as out, TemporaryFile() as errors:
        into.write(stdin)
        into.seek(0)
        files = [file.fileno() for file in (into, out, errors)]
        process = _start(words, environment(**more), *files)
        try:
            status = process.wait(timeout=60)
        finally:
            process.kill()
        out.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(words, status, out.read(), errors.read())


Run = Callable[..., tuple[int, str, str]]
"""Runs a command; returns its status, output and errors."""


def beside(store: Store, config: Path, capsys: pytest.CaptureFixture[str], *words: str) -> Run:
    """Return what runs commands that begin with these words in this process, on an open store."""

    def run(*arguments: object) -> tuple[int, str, str]:
        status = cli.main(["--config", str(config), *words, *map(str, arguments)])
        output = capsys.readouterr()
        return status, output.out, output.err

    return run


def sections(host: MailHost) -> Sections:
    """Return the settings of a league whose mail is on a host."""
    trust = {"ca_file": str(host.ca_file)} if host.ca_file else {}
    login = {"user": REFEREE, "password_file": "password", "tls": host.tls} | trust
    return {
        "league": {"name": "Avalon League", "address": REFEREE},
        "imap": {"host": host.imap[0], "port": host.imap[1]} | login,
        "smtp": {"host": host.smtp[0], "port": host.smtp[1]} | login,
        "limits": {"letters_a_day": 1000},
    }


def write_league(folder: Path, settings: Sections, password: str = "referee-secret") -> Path:
    """Write league.toml and its password file, and return the former."""
    (folder / "password").touch(0o600)
    (folder / "password").write_text(f"{password}\n")
    file = folder / "league.toml"
    file.write_text("".join(_section(name, values) for name, values in settings.items()))
    return file


def _section(name: str, values: Mapping[str, Any]) -> str:
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    return "\n".join([f"[{name}]", *lines, ""])


class Manager:
    """A socket in place of the service manager's, that keeps what a daemon sends it."""

    def __init__(self, address: Path) -> None:
        self.states: list[str] = []
        self._heard = threading.Condition()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(address))
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while found := self._socket.recv(4096).decode():
            with self._heard:
                self.states += found.split("\n")
                self._heard.notify_all()

    def wait_for(self, state: str, seconds: float = 20) -> bool:
        """Wait until a state has been sent."""
        with self._heard:
            return self._heard.wait_for(lambda: state in self.states, seconds)

    def close(self) -> None:
        """Stop listening."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self._socket.getsockname())
        self._thread.join()
        self._socket.close()


@dataclass
class Running:
    """A `pbem run`, what it sends to the service manager, and what it writes to its log."""

    process: Process
    manager: Manager
    log: Path

    def wait_until_ready(self) -> None:
        """Wait until it reports that it is ready."""
        if not self.manager.wait_for("READY=1"):
            raise TimeoutError(f"it does not get ready:\n{self.log.read_text()}")

    def wait_to_log(self, text: str, seconds: float = 20) -> None:
        """Wait until the log holds a text."""
        last_moment = time.monotonic() + seconds
        while text not in self.log.read_text():
            if self.process.poll() is not None or time.monotonic() > last_moment:
                raise TimeoutError(f"{text!r} is not in the log:\n{self.log.read_text()}")
            time.sleep(0.01)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """Ask it to stop, wait until it has, and return the seconds that this took."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(timeout=20)
        return time.monotonic() - began


@contextmanager
def running(config: Path, **more: str) -> Iterator[Running]:
    """Run the daemon of a league; it is up, and reading, when the block begins."""
    with started(config, **more) as daemon:
        daemon.wait_until_ready()
        yield daemon


@contextmanager
def started(config: Path, **more: str) -> Iterator[Running]:
    """Start the daemon of a league, and kill it at the end if it still runs."""
    address, log = config.parent / "notify", config.parent / "log"
    address.unlink(missing_ok=True)
    manager = Manager(address)
    environ = environment(PBEM_CONFIG=str(config), NOTIFY_SOCKET=str(address), **more)
    with log.open("ab") as paper, open(os.devnull) as nothing:
        files = nothing.fileno(), paper.fileno(), paper.fileno()
        process = _start(["run"], environ, *files)
    try:
        yield Running(process, manager, log)
    except BaseException as error:
        error.add_note(f"The daemon's log:\n{log.read_text()[-4000:]}")
        raise
    finally:
        process.kill()
        process.wait()
        manager.close()
