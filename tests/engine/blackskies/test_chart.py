"""The map of a turn: it tells what its words tell, and is the same everywhere."""

import re
from xml.etree import ElementTree

from engine.blackskies.rules import BLACKSKIES
from tests.engine.blackskies.fights import HIT, MISS, RED, element, facing, fight

_SVG = "{http://www.w3.org/2000/svg}"


def drawn(battle: object) -> tuple[ElementTree.Element, str]:
    """A battle's map and its words."""
    view = BLACKSKIES.view(battle, RED)
    (picture,) = BLACKSKIES.pictures(view, lambda word: word)
    assert not re.search(r"\d\.\d", picture.svg)
    return ElementTree.fromstring(picture.svg), str(picture.alt)


def test_the_map_names_every_fighter_and_its_words_tell_the_same() -> None:
    fought = facing(5).turn(dice=(HIT, 2, MISS))
    svg, words = drawn(fought.battle)
    texts = {text.text for text in svg.iter(f"{_SVG}text")}
    assert {"Red 1", "Blue 1", "red", "blue", "6 inches"} <= texts
    assert "Red 1 heading east at speed 0" in words
    assert "a shot of Red 1 at Blue 1, hits: 1" in words
    assert len(list(svg.iter(f"{_SVG}polyline"))) == 2


def test_a_fighter_destroyed_is_marked_where_it_was() -> None:
    blues = [element("Blue", (10, 0), heading=0, design="Dart"), element("Kite", (90, 0))]
    gone = fight([element("Red", (0, 0), speed=0)], blues).turn(dice=(HIT, 6))
    svg, words = drawn(gone.battle)
    assert "Blue 1" in {text.text for text in svg.iter(f"{_SVG}text")}
    assert "Blue 1 heading" not in words


def test_names_are_written_safely() -> None:
    battle = fight([element("R<&\"'", (0, 0))], [element("Blue", (90, 0))]).battle
    svg, _ = drawn(battle)
    assert "R<&\"' 1" in {text.text for text in svg.iter(f"{_SVG}text")}


def test_the_same_battle_gives_the_same_map() -> None:
    view = BLACKSKIES.view(facing(5).battle, None)
    first, second = (BLACKSKIES.pictures(view, lambda word: word) for _ in range(2))
    assert first == second
