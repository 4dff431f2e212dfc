"""Small disks in memory, which tests fill."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.servers.required import unmet


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
