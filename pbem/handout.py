"""What players can get: a stand-alone script that checks a system's battles, where it has one.

A script is kept next to its system's rules, but implements them by itself.
"""

from pathlib import Path

from pbem.packages import own_folder


def script_name(system: str) -> str:
    """Return the name of the file with a system's checking script."""
    return f"verify_{system}.py"


def has_script(system: str) -> bool:
    """Return whether a system has a checking script."""
    return bool(_files(system))


def script(system: str) -> str:
    """Return the text of a system's checking script; raise LookupError where it has none."""
    for file in _files(system):
        return file.read_text("utf-8")
    raise LookupError(f"{system} has no checking script")


def _files(system: str) -> list[Path]:
    files = [folder / script_name(system) for folder in own_folder(system, "handout")]
    return [file for file in files if file.is_file()]
