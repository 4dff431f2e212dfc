"""How much of the naive referee of Cortex is used: which lines of it run."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tests.oracle import naive_cortex
from tests.oracle.cortex import (
    bombardment,
    crew,
    figures,
    fleet,
    flight,
    gunnery,
    harm,
    legal,
)
from tests.oracle.cortex.figures import Json

MODULES = (figures, fleet, harm, crew, flight, gunnery, bombardment, legal, naive_cortex)
FILES = [str(module.__file__) for module in MODULES]
CO_OPTIMIZED = 1  # set for functions, and not for modules and classes


def functions_of(path: str) -> Iterator[tuple[str, int, frozenset[int]]]:
    """Each function of a file: the file, its first line, and the lines of its body."""
    pending = [compile(Path(path).read_text(), path, "exec")]
    while pending:
        code = pending.pop()
        pending += [part for part in code.co_consts if isinstance(part, CodeType)]
        if code.co_flags & CO_OPTIMIZED:
            lines = {line for _, _, line in code.co_lines() if line}
            yield path, code.co_firstlineno, frozenset(lines - {code.co_firstlineno})


def lines_not_run(scenarios: Iterable[Json]) -> list[str]:
    """The lines of the naive referee that no scenario needs, as file:line and text."""
    left: dict[tuple[str, int], set[int]] = {}
    for path in FILES:
        for file, first, lines in functions_of(path):
            left.setdefault((file, first), set()).update(lines)

    def on_call(frame: FrameType, _event: str, _arg: Any) -> Any:
        # A function whose lines have all run is not followed any more: that is slow.
        lines = left.get((frame.f_code.co_filename, frame.f_code.co_firstlineno))
        if not lines:
            return None

        def on_line(frame: FrameType, event: str, _arg: Any) -> Any:
            if event == "line":
                lines.discard(frame.f_lineno)
            return on_line

        return on_line

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        for scenario in scenarios:
            if any(left.values()):
                naive_cortex.replay(scenario)
    finally:
        sys.settrace(before)
    return [
        f"{Path(path).name}:{line} {Path(path).read_text().splitlines()[line - 1].strip()}"
        for (path, _), lines in sorted(left.items())
        for line in sorted(lines)
    ]
