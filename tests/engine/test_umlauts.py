"""Every German word that a table holds may be typed without umlauts, and with ß or ss."""

from collections.abc import Iterator

import pytest

from engine.names import fold, match_name
from engine.order_translations import GRAMMARS, turned
from engine.registry import RULESETS
from pbem.handlers.order_words import TRANSLATIONS, in_game_line, written_in


def german() -> Iterator[str]:
    """Yield each German word or phrase of the tables."""
    systems = [rules.translations["de"] for rules in RULESETS.values() if rules.translations]
    league = TRANSLATIONS["de"]
    tables = [GRAMMARS["de"].words, league.heads, *league.links.values()]
    for system in systems:
        tables += [system.commands, system.things, *system.league.values()]
    for table in tables:
        for words in table.values():
            yield from words


SPELLED = {"Ä": ("AE", "A"), "Ö": ("OE", "O"), "Ü": ("UE", "U"), "ß": ("SS",)}
WORDS = sorted({word for word in german() if not word.isascii()})


def test_there_are_words_with_umlauts_in_both_cases() -> None:
    assert any(word.isupper() for word in WORDS)
    assert any(word[1:].islower() for word in WORDS)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_may_be_typed_without_umlauts(word: str) -> None:
    forms = turned({"found": (word,)})
    for way in (0, -1):
        spelled = word.upper().replace("ẞ", "ß")
        for letter, other in SPELLED.items():
            spelled = spelled.replace(letter.upper(), other[way])
        for written in (spelled, spelled.lower(), spelled.capitalize()):
            assert forms[fold(written)] == "found", written


@pytest.mark.parametrize(
    ("system", "squad", "english"),
    [
        ("starfarer", "Lea: Schuetze; Tom: Schlaeger", "Lea: marksman; Tom: brawler"),
        ("starfarer", "Lea: SCHUTZE; Tom: schläger", "Lea: marksman; Tom: brawler"),
    ],
)
def test_kinds_of_a_squad_may_be_typed_without_umlauts(
    system: str, squad: str, english: str
) -> None:
    assert RULESETS[system].translations["de"].english(squad) == english


def test_words_in_patterns_may_be_typed_without_umlauts() -> None:
    assert GRAMMARS["de"].doctrines["kuehn"] == "bold"
    assert "FUER" in in_game_line("FOR")
    card = RULESETS["blackskies"].translations["de"]
    assert card.order("Rot: LINKS; NICHT SCHIEßEN") == card.order("Rot: LINKS; NICHT SCHIESSEN")
    assert card.order("Rot: LINKS; NICHT SCHIEßEN") == "Rot: LEFT; HOLD FIRE"
    assert written_in("ich moechte, gruesse") == "de"


@pytest.mark.parametrize(
    ("written", "name"),
    [("Jaeger", "Jäger"), ("JÄGER", "Jaeger"), ("Weiss", "Weiß"), ("Weiß", "Weiss")],
)
def test_a_name_may_be_typed_without_umlauts(written: str, name: str) -> None:
    assert match_name(written, ["Rot", name]) == name


def test_a_name_as_it_is_written_goes_first() -> None:
    assert match_name("Jager", ["Jäger", "Jager"]) == "Jäger"
    assert match_name("Jaeger", ["Jäger", "Jaeger"]) == "Jaeger"
