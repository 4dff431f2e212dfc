"""`Written.kinds` says of each line of a letter what it is."""

import pytest

from engine.blackskies.rules import BLACKSKIES
from engine.orders.reading import read_for
from engine.starpilot.rules import STARPILOT

LETTER = """\
Hello Ann,

SCAN
TRAGET
IF NOT UNDETECTED AND STRUCTURE <= 1 AND ENEMY SHIELDS <= 2 AND
NEUTRAL: SURRENDER
STANDING
  IF NEAR: FLY
  ELSE: TARGET
  ELSE: SCAN
END
SALT dice
Order 2: ____
STANDING cosy
See you on Monday
"""
KINDS = [
    ("Hello Ann,", "words"),
    ("", ""),
    ("SCAN", "order"),
    ("TRAGET", "near"),
    ("IF NOT UNDETECTED AND STRUCTURE <= 1 AND ENEMY SHIELDS <= 2 AND", "order"),
    ("NEUTRAL: SURRENDER", "rest"),
    ("STANDING", "order"),
    ("  IF NEAR: FLY", "near"),
    ("  ELSE: TARGET", "order"),
    ("  ELSE: SCAN", "near"),
    ("END", "order"),
    ("SALT dice", "order"),
    ("Order 2: ____", "order"),
    ("STANDING cosy", "near"),
    ("See you on Monday", "words"),
]


def test_each_line_of_a_letter_has_its_kind() -> None:
    kinds = read_for(STARPILOT, None, None, LETTER).kinds
    assert list(zip(LETTER.splitlines(), kinds, strict=True)) == KINDS


@pytest.mark.parametrize("line", ["SCAN", "TRAGET", "Hello", ""])
def test_a_single_line_has_its_kind(line: str) -> None:
    kinds = {"SCAN": ("order",), "TRAGET": ("near",), "Hello": ("words",), "": ()}
    assert read_for(STARPILOT, None, None, line).kinds == kinds[line]


def test_an_order_that_the_next_line_may_belong_to_is_nearly_one_with_it() -> None:
    lines = ["ELSE", "THE WIND BLOWS"]
    assert read_for(STARPILOT, None, None, "\n".join(lines)).kinds == ("near", "near")


def test_rules_that_are_found_amiss_at_the_end_are_nearly_orders() -> None:
    written = read_for(BLACKSKIES, None, None, "Red: STANDING sound\nhello")
    assert written.near
    assert written.kinds == ("near", "words")
