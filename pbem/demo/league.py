"""A league of its own for the demo, run by the real program."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.demo.servers import Embedded
from pbem.maintenance.founding import found_league

ADDRESS = "referee@league.example"
PASSWORD = "kept by the referee"
_PATIENCE = 30


class DemoFailed(Exception):
    """The demo can't go on; one sentence says why."""


class DemoLeague:
    """The program `pbem`, working for one league."""

    def __init__(self, config: Path, daemon: subprocess.Popen[bytes], log: Path) -> None:
        self._config, self._daemon, self._log = config, daemon, log

    def check(self) -> None:
        """Check that the daemon runs; raise DemoFailed with its last words."""
        if self._daemon.poll() is not None:
            said = self._log.read_text("utf-8", "replace").strip().splitlines()[-1:]
            raise DemoFailed(f"the referee has stopped: {' '.join(said)}")

    def command(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        """Run a command of the program for this league."""
        return subprocess.run(
            [*_program(self._config), *words],
            env=_environment(),
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )


@contextmanager
def running_league(servers: Embedded, system: str) -> Iterator[DemoLeague]:
    """Make a league in a temporary folder, and run its daemon until the block ends.

    It plays one system, or without one named the usual ones.
    """
    with TemporaryDirectory(prefix="pbem-demo-") as name:
        folder = Path(name)
        played = {"league.systems": json.dumps([system])} if system else {}
        # Nobody tries a league for a day.
        played |= {"limits.letters_a_day": "1000"}
        config = found_league(folder, _answers(servers) | played)
        (folder / "imap-password").write_text(PASSWORD)
        log = folder / "referee.log"
        with log.open("wb") as output:
            daemon = subprocess.Popen(
                [*_program(config), "run"],
                env=_environment(),
                # What is typed belongs to the person's letters.
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            yield DemoLeague(config, daemon, log)
        finally:
            _stop(daemon)


def _answers(servers: Embedded) -> dict[str, str]:
    answers = {"league.name": "Avalon League", "league.address": ADDRESS}
    for part, (host, port) in (("imap", servers.imap), ("smtp", servers.smtp)):
        # The embedded servers know no TLS (decision 0002).
        answers |= {f"{part}.host": host, f"{part}.port": str(port), f"{part}.tls": "none"}
    # The SMTP server offers a login, and requires none.
    return answers | {"imap.user": ADDRESS, "smtp.user": ""}


def _program(config: Path) -> list[str]:
    return [sys.executable, "-m", "pbem", "--config", str(config)]


def _environment() -> dict[str, str]:
    """Return our environment without what would change the league's settings."""
    strange = ("PBEM_", "CREDENTIALS_DIRECTORY", "NOTIFY_SOCKET", "STATE_DIRECTORY")
    return {key: value for key, value in os.environ.items() if not key.startswith(strange)}


def _stop(daemon: subprocess.Popen[bytes]) -> None:
    # It gets time to finish, because its folder is removed after this.
    daemon.terminate()
    try:
        daemon.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()
