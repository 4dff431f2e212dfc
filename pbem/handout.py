"""What players can get: for each system a stand-alone script that checks its battles.

A script is kept next to its system's rules, but implements them by itself.
"""

from importlib.resources import files


def script_name(system: str) -> str:
    """Return the name of the file with a system's checking script."""
    return f"verify_{system}.py"


def script(system: str) -> str:
    """Return the text of a system's checking script."""
    return files("engine").joinpath(system, "handout", script_name(system)).read_text("utf-8")
