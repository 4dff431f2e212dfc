"""What is handed out to players: the stand-alone script that checks a finished battle."""

from pathlib import Path

SCRIPT_NAME = "verify_battle.py"


def script() -> str:
    """Give the text of the checking script."""
    return (Path(__file__).parent / SCRIPT_NAME).read_text("utf-8")


def checks(system: str) -> bool:
    """Tell whether the script plays a system's battles: it writes that system into each head."""
    return f'system="{system}"' in script()
