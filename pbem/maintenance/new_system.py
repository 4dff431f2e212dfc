"""A small complete rule system, written into a folder for an author to start from."""

import re
from importlib.util import find_spec
from pathlib import Path

from engine.registry import FAULTS, REPLAYABLE

_KEY = re.compile(r"[a-z][a-z0-9]{1,29}")


class NotWritten(Exception):
    """A new system that can't be written; the text says why, and what would be right."""


def write(key: str, folder: Path) -> list[Path]:
    """Write the files of a new system into a folder that is named by its key, and return them.

    Raise NotWritten where the key can't be a system's, or something of that name is there.
    """
    if not _KEY.fullmatch(key):
        raise NotWritten(f"{key!r} can't be a system's key: write 2 to 30 small letters and digits")
    if key in REPLAYABLE or key in FAULTS:
        raise NotWritten(f"there is a system {key} already; choose another name")
    # A package of that name would hide the other, or be hidden by it.
    if find_spec(key) is not None:
        raise NotWritten(f"Python has a module {key} already; choose another name")
    home = folder / key
    if home.exists():
        raise NotWritten(f"{home} is there already; choose another name, or remove it")
    source = Path(__file__).parent / "scaffold"
    written = []
    for file in sorted(source.rglob("*.txt")):
        path = home / str(file.relative_to(source)).removesuffix(".txt").replace("KEY", key)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text("utf-8").replace("@KEY@", key).replace("@TITLE@", key.capitalize())
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written
