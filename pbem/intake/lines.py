"""Lines of a letter: which are marked as quoted, and which are written."""

from __future__ import annotations

import re
from collections.abc import Sequence

QUOTED = re.compile(r"\s{0,4}(?:\0?[>＞]|&gt;|[A-Z]{1,3}>(?:\s|$)|\|\s*$)")
HEADED = re.compile(r">>> [^>]{0,80}<[^<>\s]{3,80}> [^>]{4,40} >>>\s*")
"""A heading of GroupWise: who and when, between three marks; below it nothing is marked."""
COMPARED = re.compile(r">=\s?-?\d")
"""The rest of a condition such as `TURN >= 10`, wrapped before the sign."""

NARROW, GMAIL_WRAPS = 60, 72
"""Gmail wraps lines that are longer than one, so that the next word would have passed the other."""


def is_quoted(line: str) -> bool:
    """Return whether a line is marked as quoted."""
    if line.startswith(">"):
        return not HEADED.fullmatch(line)
    return bool(QUOTED.match(line))


def quote_marks(lines: Sequence[str]) -> list[bool]:
    """Return which lines are marked as quoted; one that goes on with a comparison is not."""
    found: list[bool] = []
    above = ""
    for line in lines:
        # Nearly all lines of a quote begin so, and no comparison does.
        if line[:2] == "> ":
            found.append(True)
        else:
            goes_on = COMPARED.match(line) and above.strip() and not found[-1]
            found.append(not goes_on and is_quoted(line))
        above = line
    return found


def next_written(lines: Sequence[str], at: int) -> int:
    """Return the next line from here on that is not blank."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def is_unmarked_start(lines: Sequence[str], quoted: Sequence[bool], at: int) -> bool:
    """Return whether a line is the first of a quoted paragraph that Gmail has wrapped.

    It marks the other lines of one that is split by an answer, and leaves the first as it is.
    """
    above, line = lines[at - 1] if at else "", lines[at].rstrip()
    if not quoted[at + 1] or above.strip() or len(line) < NARROW or line[-1] in ".!?:;":
        return False
    goes_on = lines[at + 1].removeprefix("> ")
    return goes_on[:1].islower() and len(line) + len(goes_on.split(" ", 1)[0]) >= GMAIL_WRAPS
