"""Lines of a letter: which are marked as quoted, and which are written."""

from __future__ import annotations

import re
from collections.abc import Sequence

QUOTED = re.compile(r"\s{0,4}(?:\0?[>＞]|&gt;|[A-Z]{1,3}>(?:\s|$))")


def is_quoted(line: str) -> bool:
    """Return whether a line is marked as quoted."""
    return line.startswith(">") or bool(QUOTED.match(line))


def next_written(lines: Sequence[str], at: int) -> int:
    """Return the next line from here on that is not blank."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at
