"""Each letter about a battle says how to write to the opponent, where somebody is there to read."""

import pytest

from tests.support.each_system import FORCES, SYSTEMS, asked, first_reports
from tests.support.harness import League, Person, play_on
from tests.support.players import is_last_report, plain, words

STORY = {
    "en": "STORY tells your story to everybody, TELL {} writes to that player alone",
    "de": "Mit ERZÄHLUNG erzählst du allen deine Geschichte, mit SAGE {} schreibst du nur",
}
TELL = {
    "en": "TELL {} writes to that player alone: put your words below that line.",
    "de": "Mit SAGE {} schreibst du nur diesem Spieler: Schreib deine Worte unter diese Zeile.",
}


def opponent(system: str) -> str:
    """Return what Ann's opponent is called."""
    return "Kestrel" if system == "starpilot" else "Kites"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.league(systems=SYSTEMS)
def test_each_letter_about_a_battle_says_how(league: League, system: str, language: str) -> None:
    ann, bob = first_reports(league, system, language)
    name, first = opponent(system), ann.last_about("[G1-T1")
    assert STORY[language].format(name) in words(first)
    assert STORY[language].format(name) in words(asked(ann, "STANDING sound"))
    assert STORY[language].format(name) in words(ann.ask("REPORT 1"))
    play_on(league, ann, bob)
    told = [one for one in ann.new() if "[G1-" in one["Subject"]]
    last = next(one for one in told if is_last_report(one) or one is told[-1])
    for one in told:
        if one is not last:
            assert STORY[language].format(name) in words(one)
    assert TELL[language].format(name) in words(last)
    assert STORY[language].format(name) not in words(last)
    # An answer that comes too late for any order.
    late = ann.ask("STANDING sound", first)
    assert TELL[language].format(name) in words(late)
    assert STORY[language].format(name) not in words(late)
    tapped = ann.ask("TELL Kestrel" if system == "starpilot" else "TELL Kites", late)
    assert "kestrel" in plain(tapped).lower() or "kites" in plain(tapped).lower()


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.league(systems=SYSTEMS)
def test_in_practice_nobody_is_there_to_read(league: League, system: str) -> None:
    ann = league.person("Ann")
    ann.join()
    ann.ask(FORCES[system][0])
    ann.ask("PRACTICE")
    report: Person = ann
    for text in ("STANDING sound", "My son is in hospital.", "REPORT 1"):
        answer = words(report.ask(text, ann.last_about("[G1-")))
        assert "TELL " not in answer.replace("TELL and a name", "")
        assert "tells your story" not in answer
        assert "tells them to everybody" not in answer
