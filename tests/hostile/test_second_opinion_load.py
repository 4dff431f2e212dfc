"""Letters that a second hand found to cost or cause too much: designs, near rules, refusals."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.blackskies.draft import read_design
from engine.errors import OrderError
from engine.library import RULESETS
from engine.said import Said, translated
from engine.standing import read_for
from tests.house import House, duel, open_house
from tests.players import words

BOUND = 0.5 * 2
"""Half a second of processor time, and as much again for machines that do other work."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("line", ["lasr and " * 48, "zz", "Laser Canon and " * 24])
def test_hostile_1_a_design_of_a_thousand_lines_is_refused_at_once(line: str) -> None:
    """It took 1.4 s, and a German reader's sentence was nested a thousand deep."""
    began = time.process_time()
    with pytest.raises(OrderError) as raised:
        read_design("X\n" + "\n".join(f"weapons: {line}" for _ in range(980)))
    assert time.process_time() - began < BOUND / 4
    told = raised.value.args[0]
    assert isinstance(told, Said)
    assert len(translated(told, str)) < 500


def test_hostile_1_a_design_tells_each_fault_once() -> None:
    with pytest.raises(OrderError) as raised:
        read_design("X: " + ", ".join(["2 MG", "speed 3"] * 16))
    assert str(raised.value).count("2 MG is no weapon") == 1


def test_hostile_1_a_thousand_rules_without_a_colon_are_read_at_once() -> None:
    """An order was looked for at each place of a line before its condition was."""
    letter = "\n".join(f"IF shields hull scan and not evade low x y z {n}" for n in range(990))
    began = time.process_time()
    read_for(RULESETS["blackskies"], None, None, letter, "en")
    assert time.process_time() - began < BOUND


@pytest.mark.parametrize(
    "line",
    [
        "DESIGN X{}: " + ", ".join(["2 MG", "speed 3"] * 16),
        "SQUADRON Ayes{} WITH A: " + "1 x " * 60 + "SKIL 2",
        "ENLIST " + "A FOR " * 40 + "{}",
    ],
)
def test_hostile_1_refusals_without_end_are_counted_and_not_told(house: House, line: str) -> None:
    """190 designs of 53 KiB were answered by 1.6 MB."""
    ann, _ = duel(house)
    answer = ann.ask("\n".join(line.format(n) for n in range(190)))
    assert len(answer.as_bytes()) < 100_000
    assert "further orders that could not be done: 1" in words(answer)
