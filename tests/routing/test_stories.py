"""Which lines of a letter are its story, and which stay private."""

import pytest

from pbem.routing.player_stories import ORDER, Kept, sort_out


@pytest.mark.parametrize(
    "line", ["Sense his pilot", "Shield her with mine", "check fire", "KEY abc-def-gh"]
)
def test_a_line_that_begins_like_an_order_of_several_words_stays_private(line: str) -> None:
    assert sort_out([line]) == ((), [Kept(line, ORDER)])


@pytest.mark.parametrize("line", ["Durch dick und dünn", "Toward new stars"])
def test_a_line_that_begins_with_the_last_word_of_an_order_is_story(line: str) -> None:
    assert sort_out([line]) == ((line,), [])
