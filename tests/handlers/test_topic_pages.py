"""Whatever is asked for with HELP, RULES or SHIPS is looked up in all pages, and found in one."""

import pytest

from tests.support.each_system import SYSTEMS
from tests.support.harness import League
from tests.support.players import HAWK, words


@pytest.mark.league(systems=SYSTEMS)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("RULES ranks", ("squadron leader", "staffelführer")),
        ("RULES background", ("alliance", "allianz")),
        ("RULES alliance", ("alliance", "allianz")),
        ("SHIPS Catherine 521A", ("catherine 521a", "catherine 521a")),
        ("SHIPS Rus 133-B", ("rus 133-b", "rus 133-b")),
        ("RANKS", ("squadron leader", "staffelführer")),
        ("HELP ships", ("ship", "schiff")),
        ("HELP asteroids", ("asteroid", "asteroid")),
        ("HELP initiative", ("initiative", "initiative")),
        ("RULES missiles", ("missile", "rakete")),
        ("RULES bleeding", ("bleeding", "blut")),
    ],
)
def test_what_is_asked_for_is_found(
    league: League, language: str, asked: str, told: tuple[str, str]
) -> None:
    ann = league.person("Ann")
    ann.join()
    ann.ask(HAWK)
    ann.ask(f"LANGUAGE {language}")
    answer = words(ann.ask(asked)).lower()
    assert told[language == "de"] in answer
    assert "could not be done" not in answer
    assert "das ging nicht" not in answer
    assert len(answer.split()) > 60


@pytest.mark.league(systems=SYSTEMS)
@pytest.mark.parametrize("order", ["HELP", "RULES"])
def test_what_is_told_nowhere_is_answered_with_what_there_is(league: League, order: str) -> None:
    ann = league.person("Ann")
    ann.join()
    answer = words(ann.ask(f"{order} zeppelins"))
    assert "zeppelins" in answer
    assert "the topics are pilots" in answer
    assert "dice" in answer


@pytest.mark.league(systems=SYSTEMS)
def test_a_word_of_thanks_is_no_question(league: League) -> None:
    ann = league.person("Ann")
    ann.join()
    for word in ("Thanks!", "ok", "Ranks"):
        assert "RULES OF" not in words(ann.ask(word)).upper().replace("THE RULES ON A PAGE", "")
