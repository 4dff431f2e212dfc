"""A virtual environment of a test's own: the wheel, and what pip's index has for it."""

import re
import subprocess
import sys
from pathlib import Path

from tests.servers.required import unmet
from tests.support.paths import ROOT

PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def pins() -> dict[str, str]:
    """Return the version of each package in requirements.lock."""
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)==([^ ;]+)", lock, re.MULTILINE))


def built(folder: Path) -> Path:
    """Build the wheel of the checkout into a folder, without the network, and return it."""
    _run(sys.executable, *PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(folder: Path, versions: dict[str, str], *wanted: str) -> Path:
    """Return the Python of a new environment that has the wanted packages in these versions.

    Where pip reaches no index, the test is skipped, or fails by REQUIRE_SERVICES=1.
    """
    constraints = folder / "constraints"
    constraints.write_text("".join(f"{name}=={one}\n" for name, one in versions.items()))
    _run(sys.executable, "-m", "venv", folder / "environment")
    python = folder / "environment" / "bin" / "python"
    try:
        _run(python, *PIP, "download", "--no-deps", "--dest", folder, f"click=={pins()['click']}")
    except AssertionError as error:
        unmet(f"pip can download nothing: {error}")
    _run(python, *PIP, "install", "--constraint", constraints, *wanted)
    return python


def _run(*words: str | Path) -> None:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
