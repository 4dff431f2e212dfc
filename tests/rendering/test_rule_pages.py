"""RULES and SHIPS: nothing that a player can feel is missing, and no figure is typed twice."""

import re
from itertools import pairwise

import pytest

from engine.blackskies import tables as skies
from engine.blackskies.grammar import TITLES
from engine.cortex import tables as cortex
from engine.cortex.vessel_types import ARMS
from engine.starfarer.equipment import WEAPONS
from engine.starpilot import tables
from tests.rendering.test_letter_templates import PRESS, SAMPLES, filled
from tests.support.our_systems import OURS
from tests.support.paths import ROOT
from tests.support.rule_samples import book_of, page_of, ships_of, whole_book

SYSTEMS = sorted(OURS)
LANGUAGES = ("en", "de")
_RULINGS = {
    "starpilot": [f"SP-{n}" for n in range(1, 37)] + ["SP-28a", "SP-28b", "SP-28c"],
    "blackskies": [f"BS-{n}" for n in range(1, 29)],
    "starfarer": [f"SF-{n}" for n in range(1, 45)],
    "cortex": [f"CX-{n}" for n in range(1, 73)],
}


def source(system: str) -> str:
    return (ROOT / "templates" / system / "rules.j2").read_text("utf-8")


def text(language: str, *blocks: dict[str, object]) -> str:
    """Return the text of a letter with some blocks, in one line."""
    answer = {**whole_book("starpilot")[0], "blocks": list(blocks)}
    facts = {**SAMPLES["answers-help"][1], "answers": [answer]}
    return " ".join(filled("answers", facts, language).text.split())


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_ruling_stands_beside_a_sentence(system: str) -> None:
    named = set(
        re.findall(
            r"\b(?:SP|BS|SF|CX)-\d+[a-c]?", " ".join(re.findall(r"\{#(.*?)#\}", source(system)))
        )
    )
    assert sorted(set(_RULINGS[system]) - named) == []
    assert sorted(named - set(_RULINGS[system])) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_paragraph_of_a_topic_names_its_ruling(system: str) -> None:
    lines = source(system).splitlines()
    bare = [
        line
        for before, line in pairwise(lines)
        if line.startswith("{% call kit.para() %}") and not before.startswith("{# ")
    ]
    # What is not a ruling: the story of the world, and what the league adds of its own.
    free = ("kit.strong", "It is about", "Avalon counts", "Ranks One", "earns no points")
    free += ("A new pilot takes", "How each", "twin to the RIGHT")
    assert [line for line in bare if not any(word in line for word in free)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_each_topic_has_a_page_and_a_link_on_the_first(system: str, language: str) -> None:
    first = text(language, page_of(system))
    for topic in book_of(system).topics:
        word = PRESS.word(topic, language)
        order = "RULES" if language == "en" else "REGELN"
        assert f"{order} {system} {word}" in first
        assert len(text(language, page_of(system, topic))) > 500


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_designers_are_credited_on_every_page(system: str, language: str) -> None:
    # Names and years are the same in every language.
    credited = re.findall(r"[A-Z]\w+ [A-Z][.\w]+ \w+|\d{4}|^\w+", OURS[system].credits)
    for page in whole_book(system):
        told = text(language, *page["blocks"])
        assert all(one in told for one in credited)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_german_page_keeps_to_72_columns(system: str) -> None:
    facts = {**SAMPLES["answers-help"][1], "answers": whole_book(system)}
    made = filled("answers", facts, "de")
    assert [line for line in made.text.splitlines() if len(line) > 72] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_ships_tells_the_ratings_of_all_24(language: str) -> None:
    page = text(language, ships_of("starpilot"))
    for name, ship in tables.SHIPS.items():
        side = PRESS.word(ship.side, language)
        figures = " ".join(map(str, ship.stats[:-1]))
        assert f"{name} ({side}) {figures}" in page, name
    assert len(tables.SHIPS) == 24


def test_ships_can_be_narrowed_down() -> None:
    page = text("en", ships_of("starpilot", "cartel", "heavy"))
    assert "Catherine 521A (cartel) 3 4 4 3 2 5" in page
    assert "Angela" not in page
    assert "Cymru" not in page
    page = text("en", ships_of("blackskies", "light"))
    assert "Gadfly light 4" in page
    assert "Longbow" not in page


def test_the_damage_page_has_the_whole_table() -> None:
    page = text("en", page_of("starpilot", "damage"))
    for number, stat in enumerate(tables.STATS):
        rolls = [roll for roll in range(1, 101) if tables.damaged_stat(roll) == number]
        assert f"{rolls[0]:02}-{rolls[-1] % 100:02} {stat.capitalize()}" in page
    assert f"A damage roll of {tables.WOUND_ROLL} or more wounds the pilot" in page
    assert "4 85 %" in page


def test_the_shooting_page_has_hits_by_weapon_and_range() -> None:
    page = text("en", page_of("starpilot", "shooting"))
    for row in (
        "Beams from Near the Beams rating",
        "Beams from Far 1",
        "Missiles from Near 1",
        "Missiles from Far the Missiles rating",
        "Missiles from Far, landing at Extreme 1",
    ):
        assert row in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sides_have_their_ranks_and_awards(language: str) -> None:
    page = text(language, page_of("starpilot", "sides"), page_of("starpilot", "awards"))
    for key, side in tables.SIDES.items():
        assert all(PRESS.word(rank, language) in page for rank in side.ranks)
        assert f"[{tables.BADGES[key].code}]" in page
        assert f"[{tables.MEDALS[key].code}]" in page
    for _, *grades in tables.GRADES.values():
        for least, honour in grades:
            assert f" {least if least < 100 else least // 10} " in page
            assert f"[{honour.code}]" in page


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_was_told_wrongly_is_told_no_more(system: str) -> None:
    page = text("en", *(page_of(system, topic) for topic in ("", *book_of(system).topics)))
    assert "you can only SCAN." not in page
    assert "sees where the others" not in page


def test_the_cards_have_difficulty_cost_and_halves() -> None:
    page = text("en", page_of("blackskies", "cards"))
    for key, card in skies.MANOEUVRES.items():
        if "RIGHT" not in TITLES[key]:
            thruster = f", {card.thruster}" if card.thruster else ""
            row = f"{TITLES[key]} ({card.card}{thruster}) {card.difficulty} {card.penalty}"
            assert row in page
    assert "REVERSE LEFT 60 left 120 left back" in page
    assert "HARD LEFT ahead 60 left 120 left" in page


def test_the_firing_page_has_the_numbers_and_the_dice() -> None:
    page = text("en", page_of("blackskies", "firing"))
    assert "4 at close range, 7 at medium, 10 at long" in page
    assert "Target at speed 0 4 less" in page
    assert "Target at speed 10 to 12 2 more" in page
    assert "d12, d10, d8, d6, d4, d3, d2" in page
    checks = text("en", page_of("blackskies", "flying"))
    assert "6 5 or more 4 or more 3 or more 2 or more" in checks
    assert "light 6, medium 4, heavy 3" in checks


def test_the_weapons_of_starfarer_say_what_armour_counts_them_as() -> None:
    page = text("en", ships_of("starfarer"))
    for name, weapon in WEAPONS.items():
        assert re.search(rf"{weapon.type}: [^;.]*\b{name}\b", page), name
        if weapon.initiative:
            assert f"{name} {weapon.initiative:+}" in page


def test_cortex_tells_how_large_a_vessel_is_by_its_strength() -> None:
    page = text("en", page_of("cortex", "flying"))
    for rows in cortex.SIZE_BY_STRENGTH.values():
        for step, name in rows:
            assert f"{name} from {cortex.die(step)}" in page


@pytest.mark.parametrize("system", ["cortex", "starfarer"])
def test_examples_name_only_weapons_that_can_be_had(system: str) -> None:
    """HELP and RULES named some that no catalogue has, so that who copied them failed."""
    known = {"cortex": ARMS, "starfarer": WEAPONS}[system]
    for folder in ("rules", "help"):
        lines = (ROOT / "templates" / system / f"{folder}.j2").read_text("utf-8")
        for found in re.findall(r"(?:ATTACK[\w ]*|INTERCEPT M1) WITH (\w+(?: \d+)?)", lines):
            assert found in known
        for found in re.findall(r"\b(?:FIRE|LOCK|LAUNCH|AIM)(?: \d)? (\w+) (?:AT|ON)\b", lines):
            assert found in known
