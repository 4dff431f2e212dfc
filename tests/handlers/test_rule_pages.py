"""RULES and SHIPS by mail, in both languages."""

import pytest

from engine.registry import RULESETS
from pbem.handlers.pages.topic_pages import BOOKS
from tests.support.harness import Person
from tests.support.link_taps import links
from tests.support.players import words


def test_rules_brings_a_newcomer_the_first_system_with_links_to_the_others(ann: Person) -> None:
    answer = ann.ask("RULES")
    text = words(answer)
    assert "STARPILOT IN SHORT" in text
    assert "BLACK SKIES IN SHORT" not in text
    assert "RULES starpilot damage" in links(answer)
    assert "RULES blackskies firing" in links(ann.ask("RULES blackskies", answer))


@pytest.mark.parametrize("order", ["RULES starpilot damage", "RULES damage", "rules on Damage"])
def test_a_topic_is_found_with_and_without_its_system(ann: Person, order: str) -> None:
    text = words(ann.ask(order))
    assert "61-00 Structure" in text
    assert "RULES starpilot" in text


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("RULES Black Skies cards", "AFTERBURNER (4, rear) 2 0"),
        ("SHIPS", "Gadfly light 4"),
        ("SHIPS cartel", "Angela 313B (cartel) 3 0 3 2 2 3"),
        ("SHIPS cartel heavy", "Catherine 521A (cartel) 3 4 4 3 2 5"),
        ("SHIPS for the league", "Wright 1903S (league) 3 0 3 2 3 2"),
        ("SHIPS black skies", "ALL THE WEAPONS"),
        ("SHIPS zeppelin", "no ships are called zeppelin"),
        ("RULES damge", "Perhaps this helps: RULES damage"),
        ("RULES weather", "the topics are pilots, turns"),
    ],
)
def test_what_is_asked_is_answered(ann: Person, order: str, expected: str) -> None:
    assert expected in words(ann.ask(order))


def test_ships_are_answered_by_what_is_named_alone(ann: Person) -> None:
    text = words(ann.ask("SHIPS alliance light"))
    assert "Rus 133-A" in text
    assert "Lakota" not in text
    assert "Gadfly" not in text


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("REGELN", "STARPILOT IN KÜRZE"),
        ("REGELN starpilot Schaden", "61-00 Struktur"),
        ("REGELN SCHIESSEN", "Strahlen von Nah der Wert Strahlen"),
        ("REGELN Schießen", "Strahlen von Nah der Wert Strahlen"),
        ("REGELN blackskies Rückwärts", "SCHLEUDERWENDE schwingt die Nase"),
        ("SCHIFFE Kartell", "Angela 313B (Kartell) 3 0 3 2 2 3"),
        ("SCHIFFE leichte", "Gadfly leicht 4"),
        ("SCHIFFE lila", "Nichts heißt hier lila"),
        ("REGELN Wetter", "Die Regeln haben keine Seite über wetter"),
    ],
)
def test_german_words_are_as_good(ann: Person, order: str, expected: str) -> None:
    ann.ask("LANGUAGE de")
    assert expected in words(ann.ask(order))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.league(systems=(*RULESETS,))
def test_every_link_of_the_rules_is_an_order_that_is_answered(ann: Person, language: str) -> None:
    """REGELN blackskies Staffeln was refused, for Cortex has another topic of that name."""
    ann.ask(f"LANGUAGE {language}")
    rules, ships = {"en": ("RULES", "SHIPS"), "de": ("REGELN", "SCHIFFE")}[language]
    for key, book in BOOKS.items():
        found = [one for one in links(ann.ask(f"RULES {key}")) if one.startswith((rules, ships))]
        assert len(found) >= len(book.topics)
        for answer in (ann.ask("\n".join(found[:9])), ann.ask("\n".join(found[9:]))):
            assert "That could not be done" not in words(answer)
            assert "Das ging nicht" not in words(answer)


@pytest.mark.parametrize("order", ["HELP", "HELP battle", "HELP standing", "RULES", "SHIPS"])
def test_who_plays_one_game_is_told_of_that_one(ann: Person, order: str) -> None:
    assert "Gadfly" in words(ann.ask("SHIPS"))
    ann.ask("ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B")
    answer = ann.ask(order)
    told = words(answer).replace("RULES blackskies", "").replace("Black Skies", "", 1)
    assert "Black Skies" not in told
    assert "BLACK SKIES" not in told
    if order != "SHIPS":
        assert "RULES blackskies" in links(answer)
    assert "RULES blackskies firing" in links(ann.ask("RULES blackskies"))
