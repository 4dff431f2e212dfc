"""The German guide for players: its words are those that are read."""

import re

import pytest

from engine.blackskies.grammar import COMMANDS as WORDS_OF_COMMAND
from engine.blackskies.grammar import TITLES
from engine.blackskies.if_conditions import _PLAIN as CONDITIONS
from engine.blackskies.rules import BLACKSKIES
from engine.orders.orders_on_file import lines
from engine.orders.reading import read_for
from engine.registry import RULESETS
from engine.ruleset import Near
from engine.starpilot.german import GERMAN
from engine.starpilot.rules import STARPILOT
from engine.starpilot.tables import APTITUDES, COMMANDS, SIDES, STATS
from pbem.handlers.order_words import TRANSLATIONS
from pbem.handlers.pages.topic_pages import TOPICS
from pbem.i18n.message_catalogue import read
from pbem.routing import find_league_order
from tests.project.test_docs import ROOT, first_cells, part
from tools.messages import LOCALE

GUIDE = (ROOT / "docs" / "player.de.md").read_text("utf-8")
PAIR = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \|", re.M)


@pytest.mark.parametrize(("german", "english"), PAIR.findall(part(GUIDE, "Kampfbefehle")))
def test_every_battle_order_means_what_the_guide_says(german: str, english: str) -> None:
    assert read_for(STARPILOT, None, None, german, "de").queue == (english,)


def test_every_battle_order_stands_in_the_guide() -> None:
    found = [english for _, english in PAIR.findall(part(GUIDE, "Kampfbefehle"))]
    assert sorted(found) == sorted(COMMANDS)


@pytest.mark.parametrize(("german", "english"), PAIR.findall(part(GUIDE, "Dauerbefehle")))
def test_every_condition_means_what_the_guide_says(german: str, english: str) -> None:
    written = read_for(STARPILOT, None, None, f"WENN {german}: FEUER", "de").standing
    assert written is not None
    assert lines(written) == [f"IF {english}: FIRE"]


@pytest.mark.parametrize("example", first_cells(part(GUIDE, "Befehle der Liga")))
def test_every_league_order_of_the_guide_is_one(example: str) -> None:
    assert isinstance(find_league_order.find(example, "de"), tuple)


@pytest.mark.parametrize("block", re.findall(r"```\n(.*?)```", GUIDE, re.S))
def test_every_block_of_orders_is_read_whole(block: str) -> None:
    found = {line: find_league_order.find(line, "de") for line in block.splitlines()}
    rest = [line for line, order in found.items() if order is None or isinstance(order, Near)]
    read = [read_for(rules, None, None, "\n".join(rest), "de") for rules in RULESETS.values()]
    assert ((), ()) in [(written.near, written.words) for written in read]


SKIES = dict(PAIR.findall(part(GUIDE, "Black Skies")))


@pytest.mark.parametrize("german", SKIES)
def test_every_card_and_condition_means_what_the_guide_says(german: str) -> None:
    found = read_for(BLACKSKIES, None, None, f"Rot: {german}", "de").queue
    rule = read_for(BLACKSKIES, None, None, f"WENN {german}: Rot: SCHARF LINKS", "de").standing
    listed = [*found, *(lines(rule) if rule else [])]
    english = SKIES[german]
    assert listed in ([f"Rot: {english}"], [f"IF {english}: Rot: BREAK LEFT"])


def test_every_card_and_condition_stands_in_the_guide() -> None:
    told = set(SKIES.values())
    cards = {title.replace("RIGHT", "LEFT") for title in TITLES.values()} - {"ACCELERATE"}
    assert {*cards, *WORDS_OF_COMMAND} <= told
    sides = {f"ENEMY {side}" for side in ("LEFT", "RIGHT", "BEHIND")}
    assert set(CONDITIONS) - sides <= told


SHOWN = read((LOCALE,), "de")


@pytest.mark.parametrize("order", find_league_order.ORDERS, ids=lambda order: order.word)
def test_the_german_example_of_every_league_order_is_that_order(
    order: find_league_order.LeagueOrder,
) -> None:
    found = find_league_order.find(SHOWN.message(order.example), "de")
    assert isinstance(found, tuple)
    assert found[0].word == order.word
    assert order.word in TRANSLATIONS["de"].heads or order.word == "GM"


@pytest.mark.parametrize("topic", TOPICS)
def test_help_is_asked_for_by_the_topics_that_it_shows(topic: str) -> None:
    found = find_league_order.find(f"HILFE {SHOWN.word(topic)}", "de")
    assert isinstance(found, tuple)
    assert found[1]["topic"].lower() == topic


@pytest.mark.parametrize("word", [*STATS, *APTITUDES, *SIDES])
def test_every_word_that_letters_show_is_read(word: str) -> None:
    assert GERMAN.english(SHOWN.word(word)).lower() == word


@pytest.mark.parametrize("strength", STARPILOT.strengths)
def test_the_house_is_called_as_letters_name_it(strength: str) -> None:
    found = find_league_order.find(f"ÜBEN MIT Hawk GEGEN {SHOWN.word(strength)}", "de")
    assert isinstance(found, tuple)
    assert found[1]["strength"] == strength
