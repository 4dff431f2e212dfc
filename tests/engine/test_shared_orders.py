"""Orders for several pieces in one line: whom a line is for, and what is told once."""

import json

import pytest

from engine.orders.orders_for_several import shared_orders, whom
from engine.orders.reading import LineReader
from engine.registry import rules_of
from engine.seats import Seat
from tests.support.paths import ROOT

NAMES = ("Red 1", "Red 2", "Red 3", "Red 10", "Gold")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("All", list(NAMES)),
        ("alle", list(NAMES)),
        ("red 1 to red 3", ["Red 1", "Red 2", "Red 3"]),
        ("Red 2 bis 10", ["Red 2", "Red 3", "Red 10"]),
        ("Red 1-2", ["Red 1", "Red 2"]),
        ("Red 1, Gold", ["Red 1", "Gold"]),
        ("Red 1 to 2 and Gold", ["Red 1", "Red 2", "Gold"]),
        ("Gold", []),
        ("Red 7 to 9", []),
        ("Blue 1 to 3", []),
        ("Red 1 to Blue 3", []),
    ],
)
def test_whom_a_line_is_for(text: str, found: list[str]) -> None:
    assert whom(text, NAMES) == found


def test_three_alike_are_told_once() -> None:
    alike = [f"{name}: HOLD" for name in NAMES]
    assert shared_orders(alike) == ["All: HOLD"]
    assert shared_orders([*alike[:4], "Gold: OPEN"]) == [
        "Red 1 to Red 3, Red 10: HOLD",
        "Gold: OPEN",
    ]
    assert shared_orders(["Red 1: HOLD", "Red 2: HOLD", "Gold: OPEN"]) == [
        "Red 1: HOLD",
        "Red 2: HOLD",
        "Gold: OPEN",
    ]


def test_so_many_lines_of_a_letter_are_read_for_several() -> None:
    rules = rules_of("cortex")
    scenario = json.loads((ROOT / "examples/cortex/strike.json").read_text("utf-8"))
    reader = LineReader(rules, rules.setup(scenario["setup"]), Seat("strike"), "en")
    found = [reader.each("All: HOLD" + n * " ", standing=False) for n in range(60)]
    assert [len(one) for one in found] == [6] * 50 + [0] * 10
