"""A league whose health is asked for by the real command, and disks that are filled for it."""

import json
import time
from pathlib import Path
from typing import Any

from pbem.channels.mail.maildir import make_maildir
from tests.support.program import pbem, write_league


def league_file(folder: Path, **more: dict[str, Any]) -> Path:
    """Write the settings of a league whose letters come and go in folders next to it."""
    for name in ("in", "out"):
        make_maildir(folder / name)
    expected = {
        "league": {"name": "Avalon", "address": "referee@league.example"},
        "maildir": {"path": "in", "out": "out"},
        "watch": {"disk_mib": 0},
    }
    return write_league(folder, expected | more)


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
