"""Orders for several pieces in one line: `All: STEADY`, `Red 1 to Red 4: HOLD`."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from engine.codec import change
from engine.names import fold
from engine.order_translations import ALL, ASK, EVERYBODY
from engine.orders.orders_on_file import Condition, Rule, Sheet, standing_orders

FEWEST = 3
"""The fewest pieces whose orders are told together, and the fewest names in a run."""
EACH = re.compile(r"\s*(?:[,&+]|\band\b|\bund\b)\s*", re.I)
"""What stands between the names of pieces."""
_NUMBERED = re.compile(r"(.*?)(0|[1-9]\d{0,3})")
_RUN = re.compile(r"(.*?)(\d{1,4})\s*(?:\b(?:to|bis)\b|[-–])\s*(?:(.*?)(\d{1,4}))", re.I)

Way = tuple[tuple[tuple[Condition, ...], str], ...]
"""What a piece does: its orders, each with its conditions; none before an ELSE."""


def runs(names: Iterable[str]) -> list[list[str]]:
    """Return names in order, those together that count up, if they are three or more.

    >>> runs(["R 2", "R 10", "Hawk", "R 3", "R 4"])
    [['R 2', 'R 3', 'R 4'], ['R 10'], ['Hawk']]
    """
    stems: dict[str, dict[int, str]] = {}
    for name in names:
        match = _NUMBERED.fullmatch(name)
        stem, number = (match[1], int(match[2])) if match else (name, 0)
        stems.setdefault(stem, {})[number] = name
    found = list[list[str]]()
    for numbered in stems.values():
        # In a run the number grows as much as the place in the order does.
        for _, run in groupby(enumerate(sorted(numbered)), key=lambda at: at[1] - at[0]):
            alike = [numbered[number] for _, number in run]
            found += [alike] if len(alike) >= FEWEST else [[one] for one in alike]
    return found


def whom(text: str, every: Sequence[str]) -> list[str]:
    """Return the pieces that a text names, if it is for several: `all`, `Red 1 to 4`, `Red, Gold`.

    Other names stay as they were written. Return nothing for a single name.
    """
    parts = EACH.split(text.strip())
    if not EVERYBODY.isdisjoint(map(fold, parts)):
        return [*every]
    found = [_run(part, every) for part in parts]
    named = [one for part, run in zip(parts, found, strict=True) for one in run or [part]]
    return named if len(parts) > 1 or found[0] else []


def ends(text: str) -> list[str]:
    """Return the names in a text that is for several, where nobody knows whom there are: of a run
    its first and last. Return nothing for a single name.

    >>> ends("Lance, Red 1 to 5")
    ['Lance', 'Red 1', 'Red 5']
    """
    found = list[str]()
    for part in EACH.split(text.strip()):
        match = _RUN.fullmatch(part)
        last = f"{match[3] or match[1]}{match[4]}" if match else ""
        found += [f"{match[1]}{match[2]}", last] if match else [part]
    return found if len(found) > 1 else []


def _run(part: str, every: Sequence[str]) -> list[str]:
    """Return the pieces from one to another: the names with the same words and a number between."""
    match = _RUN.fullmatch(part)
    if match is None or fold(match[3]) not in ("", fold(match[1])):
        return []
    numbered = [(one, _NUMBERED.fullmatch(one)) for one in every]
    first, last = int(match[2]), int(match[4])
    return [
        one
        for one, name in numbered
        if name and fold(name[1]) == fold(match[1]) and first <= int(name[2]) <= last
    ]


def shared(sheet: Sheet, every: Sequence[str]) -> Sheet:
    """Return a sheet to be told: what three or more of `every` piece do alike stands there once."""
    ways: dict[str, Way] = {}
    rules = ((rule.conditions, rule.order) for rule in sheet.rules)
    for conditions, order in (*rules, *(((), order) for order in sheet.elses)):
        # What asks is for nobody by name.
        if order == ASK:
            continue
        who, _, does = order.partition(": ")
        ways[who] = (*ways.get(who, ()), (conditions, does))
    told = _together(ways, every)
    left = standing_orders(
        (Rule(rule.conditions, one) for rule in sheet.rules for one in _told(rule.order, told)),
        (one for order in sheet.elses for one in _told(order, told)),
    )
    return change(left, queue=sheet.queue)


def shared_orders(orders: Sequence[str], whole: bool = True) -> list[str]:
    """Return orders, one for each piece, to be told: those of three or more alike once.

    `whole` means that they are for all pieces.

    >>> shared_orders(["R 1: HOLD", "R 2: HOLD", "R 3: HOLD", "Hawk: OPEN"])
    ['R 1 to R 3: HOLD', 'Hawk: OPEN']
    """
    ways = {who: does for who, _, does in (one.partition(": ") for one in orders)}
    # Several for a piece are for several turns.
    if len(ways) < len(orders):
        return [*orders]
    told = _together(ways, [*ways] if whole else ())
    return [one for order in orders for one in _told(order, told)]


def _together(ways: dict[str, Way] | dict[str, str], every: Sequence[str]) -> dict[str, str]:
    """Return how pieces are called that do the same: the first for all, the others by nothing."""
    alike: dict[Way | str, list[str]] = {}
    for who, way in ways.items():
        alike.setdefault(way, []).append(who)
    told: dict[str, str] = {}
    for way, names in alike.items():
        if way and len(names) >= FEWEST:
            told |= dict.fromkeys(names, "") | {names[0]: _called(names, every)}
    return told


def _called(names: Sequence[str], every: Sequence[str]) -> str:
    if {name.strip('"') for name in names} == set(every):
        return ALL
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs(names))


def _told(order: str, told: dict[str, str]) -> list[str]:
    """Return an order with the names of all whom it is for; nothing where it was told before."""
    who, colon, does = order.partition(": ")
    called = told.get(who, who)
    return [f"{called}{colon}{does}"] if called else []
