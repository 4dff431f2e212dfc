"""A battle's first letter, REPORT and the last letter say how to write to the opponent, if any."""

import pytest

from tests.support.each_system import FORCES, SYSTEMS, asked, first_reports
from tests.support.harness import League
from tests.support.players import words

STORY = {
    "en": "STORY tells your story to everybody, TELL {} writes to that player alone",
    "de": "Mit ERZÄHLUNG erzählst du allen deine Geschichte, mit SAGEN {} schreibst du nur",
}
TELL = {
    "en": "TELL {} writes to that player alone: put your words below that line.",
    "de": "Mit SAGEN {} schreibst du nur diesem Spieler: Schreib deine Worte unter diese Zeile.",
}


def opponent(system: str) -> str:
    """Return what Ann's opponent is called."""
    return "Kestrel" if system == "starpilot" else "Kites"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.league(systems=SYSTEMS)
def test_the_first_letter_and_the_last_say_how(league: League, system: str, language: str) -> None:
    ann, bob = first_reports(league, system, language)
    name, first = opponent(system), ann.last_about("[G1-T1")
    assert STORY[language].format(name) in words(first)
    assert STORY[language].format(name) not in words(asked(ann, "STANDING sound"))
    assert STORY[language].format(name) in words(ann.ask("REPORT 1"))
    ann.reply("DRAW 1", first)
    bob.reply("DRAW 1", bob.last_about("[G1-T1"))
    ann.new()
    last = ann.last_about("[G1-")
    assert TELL[language].format(name) in words(last)
    assert STORY[language].format(name) not in words(last)
    # An answer that comes too late for any order.
    late = ann.ask("STANDING sound", first)
    assert TELL[language].format(name) in words(late)
    assert STORY[language].format(name) not in words(late)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.league(systems=SYSTEMS)
def test_in_practice_nobody_is_there_to_read(league: League, system: str) -> None:
    ann = league.person("Ann")
    ann.join()
    ann.ask(FORCES[system][0])
    ann.ask("PRACTICE")
    for text in ("STANDING sound", "My son is in hospital.", "REPORT 1"):
        answer = words(ann.ask(text, ann.last_about("[G1-")))
        assert "TELL " not in answer.replace("TELL and a name", "")
        assert "tells your story" not in answer
        assert "tells them to everybody" not in answer
