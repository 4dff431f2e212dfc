"""Two games from outside, installed for all tests, before anything looks for systems.

They have no campaign: what letters take for granted of all systems is found out by their being
there. `toss` is what `pbem system new toss` writes, and `hunt` an author's larger game.
pyproject.toml has pytest load this first.
"""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.support.outside_systems import install, install_hunt

_FOLDER = "PBEM_INSTALLED_GAMES"
"""The variable by which workers of a test run, and programs that it starts, find the games."""


def _folder() -> str:
    """Return the folder in which the games are, made by the first process of a test run."""
    if _FOLDER in os.environ:
        return os.environ[_FOLDER]
    folder = tempfile.mkdtemp(prefix="pbem-games-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    install(Path(folder), "toss")
    install_hunt(Path(folder))
    os.environ[_FOLDER] = folder
    paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    return folder


sys.path.append(_folder())
