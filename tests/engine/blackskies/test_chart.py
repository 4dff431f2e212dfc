"""The map of a turn: it shows what its words say, and is the same on every machine."""

import re
from functools import cache
from itertools import combinations
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.blackskies.canvas import FONT, WIDTH, wide
from engine.blackskies.rules import BLACKSKIES
from engine.codec import change
from engine.dice import SeededDice
from engine.play import bot_flyer, play_on
from tests.engine.blackskies.fights import HIT, MISS, RED, element, facing, fight
from tests.laws.skies import random_skies

_SVG = "{http://www.w3.org/2000/svg}"


def drawn(battle: object) -> tuple[ElementTree.Element, str]:
    """A battle's map and its words."""
    view = BLACKSKIES.view(battle, RED)
    (picture,) = BLACKSKIES.pictures.draw(view, lambda word: word)
    assert not re.search(r"\d\.\d", picture.svg)
    return ElementTree.fromstring(picture.svg), str(picture.alt)


def test_the_map_names_every_fighter_and_its_words_tell_the_same() -> None:
    fought = facing(5).turn(dice=(HIT, 2, MISS))
    svg, words = drawn(fought.battle)
    texts = {text.text for text in svg.iter(f"{_SVG}text")}
    assert {"Red 1", "Blue 1", "red", "blue", "3 inches"} <= texts
    assert "Red of red heading east at speed 0, nearest enemy Blue 1 at 9.0 inches, ahead" in words
    assert "Red 1 shot at Blue 1, hits: 1" in words


def test_a_fighter_destroyed_is_marked_where_it_was() -> None:
    blues = [element("Blue", (10, 0), heading=0, design="Dart"), element("Kite", (90, 0))]
    gone = fight([element("Red", (0, 0), speed=0)], blues).turn(dice=(HIT, 6))
    svg, words = drawn(gone.battle)
    assert "Blue 1" in {text.text for text in svg.iter(f"{_SVG}text")}
    assert "Blue 1 destroyed" in words
    assert "Blue of blue heading" not in words


def test_an_empty_plane_can_be_drawn() -> None:
    fought = facing(5)
    left = {name: change(one, fate="surrendered") for name, one in fought.battle.fighters.items()}
    svg, words = drawn(change(fought.battle, fighters=left, over=True))
    assert words == "Map: no fighter is left."
    assert "At the end" in {text.text for text in svg.iter(f"{_SVG}text")}


def test_names_are_written_safely() -> None:
    battle = fight([element("R<&\"'", (0, 0))], [element("Blue", (90, 0))]).battle
    svg, _ = drawn(battle)
    assert "R<&\"' 1" in {text.text for text in svg.iter(f"{_SVG}text")}


def test_the_same_battle_gives_the_same_map() -> None:
    view = BLACKSKIES.view(facing(5).battle, None)
    first, second = (BLACKSKIES.pictures.draw(view, lambda word: word) for _ in range(2))
    assert first == second


_LEAST = 11 * WIDTH // 320
"""The least height of words that can be read on a telephone, where a map is 320 pixels wide."""


@cache
def _battle(elements: int) -> list[dict[str, Any]]:
    """The views of a battle of so many elements a side, before it and after each turn."""
    campaign = BLACKSKIES.campaign
    assert campaign is not None
    vultures, hawks = (
        campaign.enlist(
            f"{name} WITH "
            + "; ".join(f"{name[:3]}{n}: 2 Grey Fox SKILL 2" for n in range(elements))
        )
        for name in ("Vultures", "Hawks")
    )
    return _played(campaign.melee((vultures,), (hawks,), "Hawks"))


def _played(setup: dict[str, Any]) -> list[dict[str, Any]]:
    """The views of a battle before it and after each turn."""
    state = BLACKSKIES.setup(setup)
    dice, whims = SeededDice(b"dice", "G1", 0, b""), SeededDice(b"whims", "G1", 0, b"")
    flyers = {s: bot_flyer(BLACKSKIES, "sound", s, whims) for s in BLACKSKIES.seats(state)}
    states = [state, *(turn.state for turn in play_on(BLACKSKIES, state, flyers, dice))]
    return [BLACKSKIES.view(each, None) for each in states]


def _boxes(svg: ElementTree.Element) -> list[tuple[str, int, int, int, int]]:
    """The box of each word, if its letters are as wide as they can be."""
    found = []
    for text in svg.iter(f"{_SVG}text"):
        x, y, words = int(text.attrib["x"]), int(text.attrib["y"]), text.text or ""
        left = x - wide(words) // 2 if text.attrib["text-anchor"] == "middle" else x
        found.append((words, left, y - FONT * 4 // 5, left + wide(words), y + FONT // 5))
    return found


@pytest.mark.parametrize("elements", [1, 2, 4])
def test_no_words_of_a_map_cover_others(elements: int) -> None:
    for view in _battle(elements):
        (picture,) = BLACKSKIES.pictures.draw(view, lambda word: word)
        for one, other in combinations(_boxes(ElementTree.fromstring(picture.svg)), 2):
            apart = one[3] <= other[1] or other[3] <= one[1]
            assert apart or one[4] <= other[2] or other[4] <= one[2], (one, other, view["turn"])


@pytest.mark.parametrize("elements", [1, 8])
def test_all_words_are_large_enough_for_a_telephone_and_within_the_map(elements: int) -> None:
    film = BLACKSKIES.pictures.film
    assert film is not None
    maps = [BLACKSKIES.pictures.draw(view, lambda word: word) for view in _battle(elements)]
    for (picture,) in [*maps, film(_battle(elements), lambda word: word)]:
        svg = ElementTree.fromstring(picture.svg)
        sizes = [int(part.attrib["font-size"]) for part in svg.iter() if "font-size" in part.attrib]
        assert min(sizes) >= _LEAST
        assert all(left >= 0 and right <= WIDTH for _, left, _, right, _ in _boxes(svg))


def test_a_film_tells_of_every_loss_in_few_frames() -> None:
    film = BLACKSKIES.pictures.film
    assert film is not None
    views = _battle(5)
    (strip,) = film(views, lambda word: word)
    gone = [p["name"] for p in views[-1]["pilots"] if p["fate"] != "active"]
    assert gone
    assert all(strip.alt.count(name) == 1 for name in gone)
    assert strip.alt.count(";") < 8 < len(views)
    assert "before the first turn Vultures 10, Hawks 10; " in strip.alt
    assert "; at the end Vultures " in strip.alt
    assert film(views, lambda word: word) == (strip,)
    assert film(views[:1], lambda word: word) == ()


def test_any_battle_can_be_drawn() -> None:
    film = BLACKSKIES.pictures.film
    assert film is not None
    for seed in range(40):
        views = _played(random_skies(Random(seed)))
        maps = [BLACKSKIES.pictures.draw(view, lambda word: word) for view in views]
        for picture in (*(one for (one,) in maps), *film(views, lambda word: word)):
            assert not re.search(r"[0-9]\.[0-9]", picture.svg)
            assert ElementTree.fromstring(picture.svg).tag == f"{_SVG}svg"
