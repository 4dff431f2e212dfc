"""How many of the letters with orders are done at once, without a question."""

import json
from pathlib import Path

import pytest

from engine.preview.budget import Budget
from pbem.handlers.request import Request
from pbem.intake import Reading, read_letter
from pbem.routing.done_at_once import sort_out
from pbem.routing.line_kinds import read
from pbem.routing.order_paragraphs import ORDERS, Kind, sure_orders
from pbem.storage import Place, Player, Story
from tests.support.harness import League, duel
from tests.support.paths import LETTERS
from tests.support.players import words

LANGUAGES = ("en", "de")
AT_ONCE = 0.92
"""The share of the letters with orders that must be done without a question (issue 26)."""


def asked_about(league: League, place: Place, reading: Reading) -> list[str] | None:
    """Return what is asked about in a letter of a player's, or None if it holds no order."""
    ports = league.service.ports
    player, letter = league.store.get(Player, place.player_id), league.last_letter()
    for language in LANGUAGES:
        writer = player.changed(language=language, name=reading.display_name or player.name)
        request = Request(ports, writer, letter, league.now, place, budget=Budget(1_000_000))
        found, ordered = read(request, reading.text)
        sort_out(request, found, ordered)
        if not set(ORDERS).isdisjoint(found.kinds):
            unsure = [*found.unsure, *(one for part in found.parts for one in part.unsure)]
            return [one.line for one in unsure]
    return None


def test_ordinary_letters_are_not_asked_about(league: League) -> None:
    duel(league)
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    asked: dict[Path, list[str]] = {}
    for path in sorted(LETTERS.glob("*.eml")):
        reading = read_letter(path.read_bytes())
        if reading.klass == "human":
            lines = asked_about(league, place, reading)
            if lines is not None:
                asked[path] = lines
    assert len(asked) > 290
    at_once = sum(not lines for lines in asked.values()) / len(asked)
    assert at_once >= AT_ONCE, {path.stem: lines for path, lines in asked.items() if lines}
    assert not any(lines for path, lines in asked.items() if path.stem.startswith("between-"))


@pytest.mark.parametrize(
    ("written", "filed"),
    [
        ("1. IF LOCKED: FIRE\n2. JINK", ["JINK"]),
        ("1. SCAN\n2. TARGT\n3. FIRE", ["SCAN", "FIRE"]),
        ("1. SCAN\n2. IF LOCKED: FIRE\n3. JINK", ["SCAN", "JINK"]),
        ("1. TARGT\n3. FIRE", []),
    ],
)
def test_rules_and_mistyped_orders_count_in_a_list(
    league: League, written: str, filed: list[str]
) -> None:
    ann, _ = duel(league)
    ann.ask(written)
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert json.loads(place.sheet)["queue"] == filed


def test_a_signature_is_no_mistyped_mark(league: League) -> None:
    ann, _ = duel(league)
    assert "READ, BUT NOT DONE YET" not in words(ann.ask("SCAN\n\n--\nAnn Example\nTel. 1"))


@pytest.mark.parametrize("sign", ["🤔", "👎", "50", "/*", "!!", "??"])
def test_a_sign_beside_an_order_may_say_something(league: League, sign: str) -> None:
    ann, _ = duel(league)
    answer = words(ann.ask(f"{sign}\nFIRE"))
    assert "READ, BUT NOT DONE YET" in answer
    assert f"| {sign}" in answer


def test_two_stories_of_a_letter_are_told_together(league: League) -> None:
    ann, _ = duel(league)
    ann.ask("STORY\nHawk dives.\nEND\n\nSCAN\n\nSTORY\nHawk climbs.")
    assert [one.text for one in league.store.all(Story.select().order_by(Story.id))] == [
        "Hawk dives.\n\nHawk climbs."
    ]


def test_words_below_an_unknown_game_stand_between_orders_too(league: League) -> None:
    ann, _ = duel(league)
    answer = words(ann.ask("SCAN\n\nGAME 7\nand this is off\n\nGAME 1\nFIRE"))
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert json.loads(place.sheet)["queue"] == []
    assert answer.count("and this is off") == 1


def test_numbers_go_on_over_blank_lines() -> None:
    kinds: list[Kind] = ["order", "", "order", "", "order"]
    assert sure_orders(["1. SCAN", "", "2. TARGET", "", "3. FIRE"], kinds) == {0, 2, 4}
    assert sure_orders(["1. SCAN", "", "3. TARGET", "", "4. FIRE"], kinds) == {0}
    kinds = ["words", "order", "", "order"]
    assert sure_orders(["Plan B", "1. SCAN", "", "2. TARGET"], kinds) == set()
