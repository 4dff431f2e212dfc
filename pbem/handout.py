"""What is handed out to players: for each system a stand-alone script that checks its battles.

A script lives beside its system's rules, which it plays by its own account.
"""

from importlib.resources import files


def script_name(system: str) -> str:
    """Give the name of the file with a system's checking script."""
    return f"verify_{system}.py"


def script(system: str) -> str:
    """Give the text of a system's checking script."""
    return files("engine").joinpath(system, "handout", script_name(system)).read_text("utf-8")
