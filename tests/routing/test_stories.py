"""Which lines of a letter are its story, and which stay private."""

import pytest

from pbem.routing.player_stories import AUTOMATIC, ORDER, Kept, sort_out


@pytest.mark.parametrize(
    "line", ["Sense his pilot", "Shield her with mine", "check fire", "KEY abc-def-gh"]
)
def test_a_line_that_begins_like_an_order_of_several_words_stays_private(line: str) -> None:
    assert sort_out([line]) == ((), [Kept(line, ORDER, order=True)])


@pytest.mark.parametrize("line", ["Durch dick und dünn", "Toward new stars"])
def test_a_line_that_begins_with_the_last_word_of_an_order_is_story(line: str) -> None:
    assert sort_out([line]) == ((line,), [])


@pytest.mark.parametrize(
    "line",
    [
        "I am out of the office until 5 December and will answer when I am back.",
        "Ich bin bis zum 5. Dezember nicht im Büro.",
        "Je suis absent du bureau jusqu'au 5 décembre.",
        "Ann Example reacted to your message: +1",
    ],
)
def test_what_a_robot_says_without_any_mark_is_told_to_nobody(line: str) -> None:
    assert sort_out([line]) == ((), [Kept(line, AUTOMATIC)])
