"""Lines that are shown again to their writers: in short, without secrets, however long they are."""

import time

import pytest

from pbem.people.scrub import shown
from tests.support.processor_time import quiet


@pytest.mark.parametrize("unit", [" ", "a", "a@", "a@b.example ", "abc-def-ghi ", "KEY ", "—"])
def test_hostile_1_a_long_line_is_shown_again_in_short_and_at_once(unit: str) -> None:
    """Masking a line of a megabyte took half a second, for 80 letters of it."""
    began = time.process_time()
    text = shown("IF x" + unit * (1_000_000 // len(unit)))
    assert quiet(time.process_time() - began) < 0.5
    assert len(text) <= 82
    assert text.endswith(" …")


def test_hostile_2_no_secret_is_shown_where_a_long_line_is_cut() -> None:
    """No matter what is at the cut: what is shown ends far before it, or is all masked."""
    for before in range(1_930, 2_010):
        text = shown("word " * 2 + "x" * before + " a@b.example 2bc-3ef-4hi " * 50)
        assert "b.example" not in text
        assert "3ef" not in text


def test_hostile_2_many_masked_words_leave_no_half_of_one() -> None:
    for before in range(30):
        text = shown("x" * before + " long.name.of.somebody@long.host.example" * 200)
        assert set(text.replace("x", "").split()) <= {"***", "**", "*", "…"}


def test_a_line_is_shown_with_the_signs_that_it_was_written_with() -> None:
    for line in ("你好，世界。", "こんにちは。", "A dash — and 50 %, &c."):
        assert shown(line) == line
    assert "example" not in shown("我在 ann＠home。example，你好")
