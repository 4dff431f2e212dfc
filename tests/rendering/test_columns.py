"""Columns stand in line whatever the script of the names in them."""

import unicodedata

import pytest

from pbem.rendering.letter_script import Kit, text

NAMES = ["Hawk", "张伟", "Zoe\N{COMBINING DIAERESIS}", "ハヤブサ", "ابن", "เหยี่ยว", "Кречет"]


def cells(words: str) -> int:
    """Return how many cells a terminal draws words in, by Unicode's own data."""
    drawn = [c for c in words if unicodedata.category(c) not in ("Mn", "Me", "Cf")]
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in drawn)


def starts(laid: str, word: str) -> set[int]:
    """Return in which columns a word begins that each line of a text ends with."""
    return {cells(line.removesuffix(word)) for line in laid.splitlines() if line.endswith(word)}


@pytest.mark.parametrize("names", [NAMES, NAMES[:2], ["Hawk", NAMES[2]]])
def test_tables_and_lists_stand_in_line(names: list[str]) -> None:
    kit = Kit(str)
    table = kit.table("Standings", ["pilot", "won"], [[name, "7"] for name in names])
    assert starts(text(table), " 7") == {max(map(cells, ["pilot", *names]))}
    glossary = kit.glossary([(f"TELL {name}", "writes to them") for name in names])
    assert len(starts(text(glossary), "writes to them")) == 1
    replies = kit.replies([("writes to them", f"TELL {name}") for name in names])
    assert len(starts(text(replies), "writes to them")) == 1
    choices = kit.block("choices", [["", f"FIRE AT {name}", " 40 % ", "hits"] for name in names])
    assert len(starts(text(choices), "hits")) == 1
