"""Kill -9 at points between fetching a letter and marking its answer sent.

Every second point is tried, and all of them in `make thorough`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.servers.postgres import USER, Postgres
from tests.support.program import ROOT, environment
from tests.support.trial_counts import tries

MEMORY = Path("/dev/shm")  # outlives a killed process as a disk does, and is quicker
SHARDS = min(os.cpu_count() or 1, 4)
EACH = tries(1, 2)


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as made:
        yield Path(made)


def kill_everywhere(folder: Path, shards: range, of: int, **more: str) -> list[dict[str, Any]]:
    """Run the driver, in several processes that have a share of the points each."""
    with ExitStack() as stack:
        drivers = [
            stack.enter_context(_driver(folder / str(shard), shard, of, **more)) for shard in shards
        ]
        found = [driver.communicate(timeout=580) for driver in drivers]
    for driver, (_, trouble) in zip(drivers, found, strict=True):
        assert driver.returncode == 0, trouble.decode()
    return [json.loads(out) for out, _ in found]


def _driver(folder: Path, shard: int, of: int, **more: str) -> subprocess.Popen[bytes]:
    folder.mkdir()
    return subprocess.Popen(
        [sys.executable, "-m", "tests.service.crash_driver", str(folder), str(shard), str(of)],
        cwd=ROOT,
        env=environment(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.long
@pytest.mark.timeout(600)
def test_fault_01_02_03_a_kill_at_any_point_changes_nothing(folder: Path) -> None:
    """Same rows in the database, same letters by Message-ID and byte, same files; nothing waits."""
    found = kill_everywhere(folder, range(SHARDS), SHARDS * EACH)
    assert sum(shard["kills"] for shard in found) > 200 // EACH
    nothing_is_changed(found)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_nor_does_one_of_a_duel_with_one_player_on_a_board(folder: Path) -> None:
    """The same rows and letters, and nothing stands twice on the board."""
    found = kill_everywhere(folder, range(SHARDS), SHARDS * EACH, CRASH_BOARD="yes")
    assert sum(shard["kills"] for shard in found) > 100 // EACH
    nothing_is_changed(found)
    for shard in found:
        assert len(shard["board"]) > 3
        assert len(set(shard["board"])) == len(shard["board"])


@pytest.mark.services
def test_fault_01_02_03_nor_does_one_on_postgresql(folder: Path, postgres: Postgres) -> None:
    """At few points, since each try has databases of its own."""
    server = postgres.url("", USER)
    found = kill_everywhere(folder, range(1), 23 * EACH, CRASH_SERVER=server)
    assert found[0]["kills"] > 10 // EACH
    nothing_is_changed(found)


def nothing_is_changed(found: list[dict[str, Any]]) -> None:
    """All was answered and sent, and nothing differs from what one undisturbed process leaves."""
    assert [trouble for shard in found for trouble in shard["bad"]] == []
    for shard in found:
        assert shard["states"] == {"answered": shard["letters"], "sent": shard["posted"]}
        assert shard["posted"] >= shard["letters"]
