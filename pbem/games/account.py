"""The account of a battle: the steps of its log, with the players' stories between them."""

import json
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from engine import codec, play
from engine.i18n import unpacked
from engine.ruleset import Ruleset
from engine.seats import Seat
from engine.undo import undo_of
from pbem.storage import Ruling, Step

Facts = dict[str, Any]

STEPS = 4
"""The most steps that are shown without a break."""
LINES, LENGTH = 60, 800
"""How much of a story is shown: the most lines, and the most characters of a line."""


def log_seen(
    rules: Ruleset[Any, Any], steps: Iterable[Step], seat: Seat | None, over: bool = False
) -> list[Facts]:
    """Return steps as a seat may know them (None: the public); steps that were undone are void.

    While a game is not `over`, nobody sees another player's words (docs/dice.md).
    """
    found = [step_seen(rules, step, seat, over) for step in steps]
    # An UNDO voids all steps after the one that it goes back to.
    void = {n for s in found if s["undo"] is not None for n in range(s["undo"] + 1, s["n"])}
    return [step | {"void": step["n"] in void} for step in found]


def step_seen(rules: Ruleset[Any, Any], step: Step, seat: Seat | None, over: bool = False) -> Facts:
    """Return a step as a seat may know it (None: the public)."""
    orders = json.loads(step.orders)
    undo = undo_of(orders)
    author, text = orders[0] if orders else ("", "")
    events = codec.decode(step.events, list[rules.event])  # type: ignore[name-defined]
    own = seat is not None and author == seat
    return {
        "n": step.n,
        "seat": author,
        "order": text,
        "undo": undo and undo.to,
        "void": False,
        # Where on the sheet an order stood shows its author's plans, so others do not see it.
        "source": step.source if own or step.source in ("default", "referee") else "",
        "passed": [
            {"order": order, "reason": rules.explain(reason)}
            for order, reason in (json.loads(step.passed) if own else [])
        ],
        "events": [codec.plain(event) for event in play.seen(rules, events, seat)],
        "digest": step.digest,
        "words": {s: w for s, w in json.loads(step.words).items() if over or s == seat},
        "proxied": json.loads(step.proxied),
        "rolls": [
            {"sides": sides, "result": result, "why": why}
            for sides, result, why in json.loads(step.rolls)
        ],
    }


def words_told(steps: Iterable[Facts]) -> list[Facts]:
    """Return whose words entered which steps; steps in a row with the same words are one entry."""
    found: dict[str, list[Facts]] = {}
    for step in steps:
        for seat, words in step["words"].items():
            runs = found.setdefault(seat, [])
            if not runs or runs[-1]["words"] != words:
                runs.append({"seat": seat, "words": words, "first": step["n"]})
            runs[-1]["last"] = step["n"]
    return [run for runs in found.values() for run in runs]


def ruled(rulings: Iterable[Ruling]) -> list[Facts]:
    """Return the rulings of a battle: after how many steps, on which day (UTC), and the text."""
    return [
        {
            "after": row.after,
            "day": row.made.date().isoformat(),
            "text": unpacked(json.loads(row.said)) if row.said else row.text,
        }
        for row in rulings
    ]


def passages(steps: Sequence[Facts], stories: Iterable[Facts]) -> list[Facts]:
    """Return the steps in short passages, with each story before the step that followed it."""
    waiting = deque(_once(stories))
    found: list[Facts] = []
    for step in steps:
        earlier = []
        while waiting and waiting[0]["after"] <= step["n"]:
            earlier.append(waiting.popleft())
        if earlier or not found or len(found[-1]["steps"]) == STEPS:
            found.append({"stories": earlier, "steps": []})
        found[-1]["steps"].append(step)
    return [*found, *([{"stories": list(waiting), "steps": []}] if waiting else [])]


def _once(stories: Iterable[Facts]) -> list[Facts]:
    """Return the stories without repeats, each cut to the length that is shown."""
    unique = {(story["seat"], story["after"], *story["lines"]): story for story in stories}
    return [story | {"lines": _shortened(story["lines"])} for story in unique.values()]


def _shortened(lines: Sequence[str]) -> list[str]:
    bare = [line.strip() for line in lines[:LINES]]
    cut = [line if len(line) <= LENGTH else line[:LENGTH] + " …" for line in bare]
    return [*cut, "…"] if len(lines) > LINES else cut
