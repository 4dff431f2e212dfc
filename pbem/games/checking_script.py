"""What players can get: a stand-alone script that checks a system's battles, where it has one.

A script is kept next to its system's rules, but implements them by itself. What it imports of
`engine.checking_script` is put into it, so that players get one file.
"""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from pbem.host.package_data import own_folder

_FUTURE = "from __future__ import annotations\n"
_IMPORT = re.compile(r"^from engine\.checking_script\.(\w+) import (?:\([^)]*\)|.+)\n", re.M)


def script_name(system: str) -> str:
    """Return the name of the file with a system's checking script."""
    return f"verify_{system}.py"


@cache  # Every report asks, and no package changes while the program runs.
def has_script(system: str) -> bool:
    """Return whether a system has a checking script."""
    return bool(_files(system))


def script(system: str) -> str:
    """Return the text of a system's checking script; raise LookupError where it has none."""
    for file in _files(system):
        return _whole(file.read_text("utf-8"))
    raise LookupError(f"{system} has no checking script")


def _whole(text: str) -> str:
    """Return a script with the shared parts in place of the lines that import them."""
    shared = [_shared(name) for name in _IMPORT.findall(text)]
    if not shared:
        return text
    # Python wants this import before all other statements, so the shared parts come after it.
    begin, own = text.split(_FUTURE, 1)
    return "".join((begin, _FUTURE, *shared, _IMPORT.sub("", own)))


def _shared(name: str) -> str:
    """Return a shared part without its first lines."""
    file = files("engine.checking_script") / f"{name}.py"
    return file.read_text("utf-8").split(_FUTURE, 1)[1]


def _files(system: str) -> list[Path]:
    files = [folder / script_name(system) for folder in own_folder(system, "checking_script")]
    return [file for file in files if file.is_file()]
