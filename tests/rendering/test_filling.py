"""Paragraphs are filled: no line is shorter than it must be."""

import itertools
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.rendering.letter_script import WIDTH, wrap
from tests.support.snapshot import FOLDER

ENDS = (".", ":", ";", "!", "?", '"', ")")


def test_no_word_of_the_next_line_would_have_fitted() -> None:
    dice = random.Random(72)
    for _ in range(300):
        words = ["x" * dice.randrange(1, 30) for _ in range(dice.randrange(60))]
        lines = wrap(" ".join(words), "- ", "  ").split("\n")
        assert [word for line in lines for word in line.split()] == ["-", *words]
        for line, below in itertools.pairwise(lines):
            assert len(line) <= WIDTH < len(line) + 1 + len(below.split()[0])


def ragged(text: str) -> Iterator[str]:
    """Yield the lines that break within a sentence though the next word would have fitted.

    An order that stands above what it does, which is indented, is not a sentence.
    """
    lines = text.split("\n")
    for line, below in itertools.pairwise(lines):
        starts = below.removeprefix("| " if line.startswith("| ") else "").lstrip(" ")
        goes_on = starts[:1].islower() and len(line) > 40 and "  " not in line.strip()
        if re.match("  +[A-Z]{2,} ", line) and below.startswith("      "):
            continue
        if goes_on and not line.endswith(ENDS) and len(line) + 1 + len(starts.split()[0]) <= WIDTH:
            yield line


@pytest.mark.parametrize("folder", ["letters", "letters/de", "posts"])
def test_no_paragraph_of_a_letter_is_ragged(folder: str) -> None:
    files = list(Path(FOLDER / folder).glob("*.txt"))
    assert files
    for path in files:
        assert not list(ragged(path.read_text("utf-8"))), path.name
