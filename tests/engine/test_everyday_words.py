"""Everyday words get a hint that names the order (issue 13, point 5)."""

import pytest

from engine.orders.orders_on_file import Written
from engine.orders.reading import read_for
from engine.starpilot.order_text import PHRASES, command_word
from engine.starpilot.rules import STARPILOT
from engine.starpilot.tables import COMMANDS


def read(text: str, language: str = "en") -> Written:
    return read_for(STARPILOT, None, None, text, language)


EVERY = [(phrase, command) for command, line in PHRASES.items() for phrase in line.split(";")]


@pytest.mark.parametrize(("phrase", "command"), EVERY)
def test_an_everyday_phrase_is_nearly_an_order(phrase: str, command: str) -> None:
    for text in (phrase, phrase.capitalize(), f"{phrase.upper()}!"):
        written = read(text)
        assert written.queue == ()
        assert [near.hint for near in written.near] == [command]


def test_every_order_of_a_fight_has_everyday_words() -> None:
    assert set(PHRASES) == set(COMMANDS)
    assert not [phrase for phrase, _ in EVERY if command_word(phrase)]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Attack Kestrel", "FIRE Kestrel"),
        ("shoot at him", "FIRE"),
        ("lock on Kestrel", "TARGET Kestrel"),
        ("Please run away", "ESCAPE"),
        ("close in", "CLOSE"),
    ],
)
def test_what_follows_an_everyday_word_may_be_an_opponent(text: str, hint: str) -> None:
    assert [near.hint for near in read(text).near] == [hint]


@pytest.mark.parametrize(
    "story",
    [
        "Attack at dawn",
        "Shields up, they cried",
        "Radar showed nothing",
        "Leave me alone",
        "pass the salt",
        "Run like the wind, Hawk",
        "The ship will retreat",
        "Red, Blue, and Gold",
        "Fire, and the smoke of it",
    ],
)
def test_a_sentence_with_an_everyday_word_is_story(story: str) -> None:
    written = read(story)
    assert (written.queue, written.near, written.words) == ((), (), (story,))


@pytest.mark.parametrize(
    "line",
    ["scan, target, fire", "SCAN TARGET; FIRE".replace(" ", " / ", 1), "Scan then target and fire"],
)
def test_several_orders_on_one_line_are_asked_about(line: str) -> None:
    written = read(line)
    assert written.queue == ()
    assert [near.hint for near in written.near] == ["SCAN, TARGET, FIRE, each on a line of its own"]
