"""The account of a battle: what the players told, set between the steps of its log."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

Facts = dict[str, Any]

STEPS = 4
"""The most steps that are told without a break."""
LINES, LENGTH = 60, 800
"""The most of a story that is told: lines, and characters of a line."""


def passages(steps: Sequence[Facts], stories: Iterable[Facts]) -> list[Facts]:
    """Set each story before the step that followed it, and give the whole in short passages."""
    waiting = deque(_once(stories))
    found: list[Facts] = []
    for step in steps:
        told = []
        while waiting and waiting[0]["after"] <= step["n"]:
            told.append(waiting.popleft())
        if told or not found or len(found[-1]["steps"]) == STEPS:
            found.append({"stories": told, "steps": []})
        found[-1]["steps"].append(step)
    return [*found, *([{"stories": list(waiting), "steps": []}] if waiting else [])]


def _once(stories: Iterable[Facts]) -> list[Facts]:
    """Leave out what was sent again, and the rest of what is too long."""
    told = {(story["seat"], story["after"], *story["lines"]): story for story in stories}
    return [story | {"lines": _shortened(story["lines"])} for story in told.values()]


def _shortened(lines: Sequence[str]) -> list[str]:
    bare = [line.strip() for line in lines[:LINES]]
    cut = [line if len(line) <= LENGTH else line[:LENGTH] + " …" for line in bare]
    return [*cut, "…"] if len(lines) > LINES else cut
