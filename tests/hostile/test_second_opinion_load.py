"""Letters that a second hand found to cost or cause too much: designs, near rules, refusals."""

import time

import pytest

from engine.blackskies.design_text import read_design
from engine.errors import OrderError
from engine.i18n import Said, translated
from engine.orders.reading import read_for
from engine.registry import RULESETS
from tests.support.harness import League, duel
from tests.support.players import words
from tests.support.processor_time import quiet

BOUND = 0.5 * 2
"""Half a second of processor time, and as much again for machines that do other work."""


@pytest.mark.parametrize("line", ["lasr and " * 48, "zz", "Laser Canon and " * 24])
def test_hostile_1_a_design_of_a_thousand_lines_is_refused_at_once(line: str) -> None:
    """It took 1.4 s, and a German reader's sentence was nested a thousand deep."""
    began = time.process_time()
    with pytest.raises(OrderError) as raised:
        read_design("X\n" + "\n".join(f"weapons: {line}" for _ in range(980)))
    assert quiet(time.process_time() - began) < BOUND / 4
    told = raised.value.args[0]
    assert isinstance(told, Said)
    assert len(translated(told, str)) < 500


def test_hostile_1_a_design_tells_each_fault_once() -> None:
    with pytest.raises(OrderError) as raised:
        read_design("X: " + ", ".join(["2 MG", "speed 3"] * 16))
    assert str(raised.value).count("2 MG is not a weapon") == 1


def test_hostile_1_a_thousand_rules_without_a_colon_are_read_at_once() -> None:
    """An order was looked for at each place of a line before its condition was."""
    letter = "\n".join(f"IF shields hull scan and not evade low x y z {n}" for n in range(990))
    began = time.process_time()
    read_for(RULESETS["blackskies"], None, None, letter, "en")
    assert quiet(time.process_time() - began) < BOUND


@pytest.mark.parametrize(
    "line",
    [
        "DESIGN X{}: " + ", ".join(["2 MG", "speed 3"] * 16),
        "SQUADRON Ayes{} WITH A: " + "1 x " * 60 + "SKIL 2",
        "ENLIST " + "A FOR " * 40 + "{}",
    ],
)
def test_hostile_1_refusals_without_end_are_counted_and_not_told(league: League, line: str) -> None:
    """190 designs of 53 KiB were answered by 1.6 MB."""
    ann, _ = duel(league)
    answer = ann.ask("\n".join(line.format(n) for n in range(190)))
    assert len(answer.as_bytes()) < 100_000
    left_out = ("further orders that could not be done: 1", "orders that were left out: 1")
    assert any(one in words(answer) for one in left_out)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "line",
    [
        "AE1: STEADY" + " " * 380 + "x",
        "AE1: " + "then " * 70,
        '"\\' * 190,
        "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 390,
        "order: " * 55,
        "IF " + "TURN >= 1 & " * 30 + ": x",
    ],
    ids=["gaps", "then", "quotes", "ligatures", "labels", "conditions"],
)
def test_hostile_1_long_lines_that_are_no_orders_are_read_at_once(line: str, language: str) -> None:
    """Fifty lines of 380 spaces took minutes, and 150 of words that are German for nothing 2 s."""
    letter = "\n".join(f"{line}{n}" for n in range(150))  # as many as 60,000 characters hold
    began = time.process_time()
    read_for(RULESETS["blackskies"], None, None, letter, language)
    assert quiet(time.process_time() - began) < BOUND


def test_hostile_1_a_letter_of_too_many_characters_is_not_read(league: League) -> None:
    """A character may stand for eighteen letters, and is counted as these."""
    ann, _ = duel(league)
    for text in ("x" * 79 + "\n", "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 5 + "\n"):
        answer = ann.ask(text * 760)
        assert "60000 characters" in words(answer)


def test_hostile_1_near_misses_without_end_are_counted_and_not_told(league: League) -> None:
    """990 lines that were nearly rules were answered by 1.1 MB."""
    ann, _ = duel(league)
    letter = "\n".join("IF " + "UNDETECTD AND " * 3 + f"FARR{n}: FIER" for n in range(990))
    answer = ann.ask(f"STANDING\n{letter}")
    assert len(answer.as_bytes()) < 150_000
    assert "more lines are nearly orders" in words(answer)
