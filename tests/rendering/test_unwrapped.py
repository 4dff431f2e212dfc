"""A letter's text as one line a paragraph, for boards that wrap lines themselves."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.rendering.letter_script import WIDTH, unwrapped, wrap

WORDS = st.lists(st.text("abcdefgh", min_size=1, max_size=WIDTH - 4), min_size=1, max_size=60)


@given(WORDS)
def test_a_wrapped_paragraph_is_one_line_again(words: list[str]) -> None:
    paragraph = " ".join(words)
    assert unwrapped(wrap(paragraph)) == paragraph
    assert unwrapped(wrap(paragraph, "- ", "  ")) == f"- {paragraph}"


def test_lines_that_end_early_stay_lines() -> None:
    sheet = "YOUR BATTLES\n\n- Game 1: Hawk against Kestrel.\n- Game 2: Hawk alone.\n\n  SCAN   36"
    assert unwrapped(sheet) == sheet


def test_a_number_and_its_percent_sign_stay_on_one_line() -> None:
    paragraph = f"{'word ' * 13}has 42 % of all"
    lines = wrap(paragraph).splitlines()
    assert len(lines[0]) + len(" 42") < WIDTH
    assert lines[1].startswith("42 %")
    assert unwrapped("\n".join(lines)) == paragraph
