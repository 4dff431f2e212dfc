"""A league whose health is asked for by the real command, and disks that are filled for it."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pbem.mail.maildir import make_maildir
from tests.program import pbem, write_league
from tests.servers.required import unmet


def league(folder: Path, **more: dict[str, Any]) -> Path:
    """Write the settings of a league whose letters come and go in folders next to it."""
    for name in ("in", "out"):
        make_maildir(folder / name)
    told = {
        "league": {"name": "Avalon", "address": "referee@league.example"},
        "maildir": {"path": "in", "out": "out"},
        "watch": {"disk_mib": 0},
    }
    return write_league(folder, told | more)


def troubles(config: Path, **more: str) -> dict[str, str]:
    """Return the lines in which `pbem health` reports trouble."""
    done = pbem("--config", config, "health", "--json", **more)
    assert done.stderr == b""
    found: dict[str, str] = json.loads(done.stdout)["troubles"]
    assert done.returncode == bool(found)
    return found


def wait_for(what: str, config: Path, **more: str) -> dict[str, str]:
    """Ask for the health until it reports something, and return the whole report."""
    for _ in range(40):
        found = troubles(config, **more)
        if what in " ".join(found.values()):
            return found
        time.sleep(0.5)
    raise TimeoutError(f"{what}: {found}")


@contextmanager
def small_disk(folder: Path, size: str, mode: str = "0755") -> Iterator[None]:
    """Mount a file system in memory; where nobody may, CI fails and other tests are skipped."""
    options = f"size={size},mode={mode}"
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        unmet("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Fill a disk until the block is left."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as paper, suppress(OSError):
        while True:
            paper.write(bytes(4096))
    try:
        yield
    finally:
        filler.unlink()
