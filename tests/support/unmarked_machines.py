"""Fifty machines that write without any mark of a standard: what they say, and how they quote."""

from pathlib import Path
from typing import NamedTuple


class Machine(NamedTuple):
    """A machine's sender, subject and text; `{n}` is a number of its own, `{re}` our subject."""

    local: str
    subject: str
    text: str


WRITTEN = Path(__file__).with_suffix(".txt").read_text("utf-8")
MACHINES = [Machine(*line.split(" | ", 2)) for line in WRITTEN.splitlines()]
QUOTES = ("nothing", "marked", "bare", "without the marker", "as a copy", "in HTML")
"""How machines repeat the letter that they answer."""
