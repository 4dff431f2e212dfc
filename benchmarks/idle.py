"""What the daemon takes while nothing comes: memory, and CPU over some idle time."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.drain import Servers
from benchmarks.sample_league import ADDRESS

SETTLE, WATCH = 5.0, 20.0
_LEAGUE = """\
[league]
name = "Bench League"
address = "{address}"
[imap]
host = "127.0.0.1"
port = {imap}
tls = "none"
user = "{user}"
password_file = "password"
[smtp]
host = "127.0.0.1"
port = {smtp}
tls = "none"
"""


@dataclass(frozen=True, slots=True)
class Idle:
    """Memory in MB (`pss` divides what is shared with others), CPU in percent of one core."""

    rss: float
    pss: float
    cpu: float


@contextmanager
def _daemon(folder: Path, at: Servers) -> Iterator[int]:
    """Run `pbem run` in a folder of its own, and yield its process number."""
    folder.mkdir()
    (folder / "password").write_text("secret")
    text = _LEAGUE.format(
        address=ADDRESS, imap=at.dovecot.imap[1], smtp=at.smtp[1], user=next(at.users)
    )
    (folder / "league.toml").write_text(text)
    command = [sys.executable, "-m", "pbem", "--config", str(folder / "league.toml"), "run"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            yield process.pid
        finally:
            process.terminate()


def measure(folder: Path, at: Servers) -> Idle:
    """Run an idle daemon, and return what it uses."""
    with _daemon(folder, at) as pid:
        time.sleep(SETTLE)
        before = _ticks(pid)
        time.sleep(WATCH)
        spent = (_ticks(pid) - before) / os.sysconf("SC_CLK_TCK")
        return Idle(_memory(pid, "Rss"), _memory(pid, "Pss"), 100 * spent / WATCH)


def _ticks(pid: int) -> int:
    """Return the clock ticks that a process has spent, in its own code and in the system's."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _memory(pid: int, kind: str) -> float:
    """Return a process's Rss or Pss in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:")) / 1024
