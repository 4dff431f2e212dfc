"""The random scenarios of Cortex: they reach everything that is of interest."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest

from tests.oracle.cortex.author import author
from tests.oracle.cortex.figures import OPTIONS, Json
from tests.oracle.cortex.legal import ORDERS
from tests.oracle.cortex.reach import FILES, lines_not_run
from tests.oracle.naive_cortex import replay
from tests.support.trial_counts import tries

COUNT = tries(3000, 1000)

REASONS = (
    "over", "unknown unit", "unknown order", "out of the battle", "rule off", "wrong station",
    "in a wing", "wrong scale", "immobile", "busy", "bad wing", "bad target", "no equipment",
    "bad weapon", "no drive", "out of range", "bad battery", "spent", "strafed", "no lock",
    "no missile", "not spotted",
)  # fmt: skip
OWN_REASONS = {  # the last column of the table of orders
    "shield": ("bad wing",),
    "leave": ("bad wing",),
    "spot": ("bad target", "no equipment", "busy"),
    "assist": ("bad target", "wrong station", "busy"),
    "sense": ("bad target", "wrong station", "busy"),
    "forward": ("wrong station", "busy"),
    "plot": ("wrong station", "busy"),
    "defend": ("rule off", "immobile", "busy"),
    "evade": ("rule off", "wrong scale", "busy"),
    "press": ("bad weapon", "wrong scale", "busy"),
    "jump": ("no drive", "wrong scale", "busy"),
    "withdraw": ("out of range", "busy"),
    "join": ("bad wing", "bad target", "out of range", "wrong scale", "busy"),
    "close": ("bad target", "busy"),
    "open": ("busy",),
    "ram": ("bad target", "out of range", "busy"),
    "strafe": ("bad target", "out of range", "busy"),
    "fire": ("bad weapon", "bad battery", "spent", "bad target", "out of range", "strafed"),
    "aim": ("bad weapon", "spent", "bad target", "busy"),
    "lock": ("bad weapon", "bad battery", "spent", "bad target", "out of range"),
    "launch": ("bad weapon", "bad battery", "spent", "bad target", "no lock"),
    "intercept": ("bad weapon", "bad battery", "spent", "no missile", "out of range"),
    "outfly": ("no missile", "busy"),
    "trick": ("no missile", "bad target", "out of range"),
    "bombard": ("bad weapon", "bad battery", "spent", "bad target", "out of range", "not spotted"),
}


@cache
def scenarios() -> list[Json]:
    """Always the same."""
    return [author(Random(number)) for number in range(COUNT)]


@cache
def results() -> list[Json]:
    """What the naive referee makes of them."""
    return [replay(scenario) for scenario in scenarios()]


@pytest.mark.long
def test_every_line_of_the_naive_referee_is_used() -> None:
    """So that each branch of each ruling is compared with the engine."""
    assert lines_not_run(scenarios()) == []


def test_the_naive_referee_cites_every_ruling() -> None:
    """CX-1 to CX-72."""
    text = " ".join(Path(path).read_text() for path in FILES)
    cited = {int(number) for number in re.findall(r"CX-(\d+)", text)}
    assert cited == set(range(1, 73))


@pytest.mark.long
def test_the_generator_reaches_every_order_and_reason() -> None:
    """Each order is carried out, and refused for each reason that it can be."""
    done: Counter[str] = Counter()
    refused: Counter[tuple[str, str]] = Counter()
    for scenario, result in zip(scenarios(), results(), strict=True):
        reasons = {one["index"]: one["reason"] for one in result["refused"]}
        orders = [order for turn in scenario["orders"] for order in turn]
        for index, order in enumerate(orders):
            if index in reasons:
                refused[str(order.get("do")), reasons[index]] += 1
            else:
                done[order["do"]] += 1
    assert [do for do in ORDERS if not done[do]] == []
    assert {reason for _, reason in refused} == {*REASONS}
    wanted = [(do, reason) for do, reasons in OWN_REASONS.items() for reason in reasons]
    assert [pair for pair in wanted if not refused[pair]] == []


@pytest.mark.long
def test_the_generator_covers_the_options() -> None:
    """All pairs of options on and off, and each switched off alone."""
    chosen = [frozenset(on) for on in (s["setup"].get("options") for s in scenarios()) if on]
    for one, other in combinations(OPTIONS, 2):
        pairs = set(product((True, False), repeat=2))
        if (one, other) == ("crew1", "crew2"):
            pairs.remove((True, True))
        assert {(one in used, other in used) for used in chosen} == pairs
    for option in OPTIONS:
        for draft in ("crew1", "crew2"):
            others = frozenset(OPTIONS) - {"crew1", "crew2"} | {draft}
            assert option in ("crew1", "crew2") or others - {option} in chosen


@pytest.mark.long
def test_the_generator_covers_ends_and_set_ups() -> None:
    """Won, lost to nobody, and open; in atmosphere and in space; wings and single vessels."""
    ends = {(r["over"], r["state"]["winner"] is None) for r in results()}
    assert ends == {(True, True), (True, False), (False, True)}
    fates = {one["fate"] for r in results() for one in r["state"]["vessels"].values()}
    assert fates == {*("active", "disabled", "destroyed", "surrendered", "withdrawn", "jumped")}
    assert {s["setup"].get("atmosphere") for s in scenarios()} >= {True, False, None}
    wings = [
        Counter(one["wing"] for one in r["state"]["vessels"].values() if one["wing"])
        for r in results()
    ]
    assert {size for wing in wings for size in wing.values()} >= {2, 3}
