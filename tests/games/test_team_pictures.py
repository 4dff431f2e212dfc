"""Pictures of team battles: what stands between each two, every name, and the whole battle."""

import re
import xml.etree.ElementTree as ET
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine.pictures import PAPER, Picture, drawable, wide
from pbem.rendering.raster import png
from tests.games.test_pictures import shown
from tests.support.harness import League
from tests.support.letter_samples import CAMPAIGN, RULES
from tests.support.players import words
from tests.support.team_battles import melee
from tests.support.team_samples import Melee

NAMES = ("The Honourable Maximiliane von", "宮本武蔵", "W" * 15 + " " + "M" * 14, "Сокол")


def drawn(view: Any, before: str = "") -> Picture:
    [picture] = RULES.pictures.draw(view, lambda one: before + one)
    return picture


def renamed(facts: Any) -> Any:
    """Return facts with other names for the pilots."""
    if isinstance(facts, dict):
        return {key: renamed(value) for key, value in facts.items()}
    if isinstance(facts, list):
        return [renamed(value) for value in facts]
    names = dict(zip(("Hawk", "Falcon", "Kestrel", "Merlin"), NAMES, strict=True))
    return names.get(facts, facts) if isinstance(facts, str) else facts


def busy() -> Any:
    """Return a view in which there is something of everything."""
    view = RULES.view(Melee().play(60).state, "Hawk")
    view["pairs"] = RULES.view(Melee().play(12).state, "Hawk")["pairs"]
    first, second, third, _ = view["pairs"]
    first["range"], first["advantage"] = "near", "Hawk"
    first["shots"] = [
        {"by": "Hawk", "at": "Kestrel", "weapon": "fire", "origin": "near"},
        {"by": "Kestrel", "at": "Hawk", "weapon": "launch", "origin": "near"},
    ]
    second["range"], second["locks"], third["advantage"] = "extreme", ["Hawk", "Merlin"], "Kestrel"
    return view


def crowd(size: int) -> Any:
    """Return a battle's state with so many pilots in each team."""
    ones = "FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B"
    others = "FOR league WEAPONS 13 PILOTING 10 SENSORS 13 SHIP Wright 1903S"
    teams = [
        [CAMPAIGN.enlist(f"{name} {n} {rest}") for n in range(size)]
        for name, rest in (("Hawk", ones), ("Merlin", others))
    ]
    return RULES.setup(CAMPAIGN.melee(*teams, None))


def untiled(svg: str) -> str:
    """Make a picture's tiles groups, on a sheet of the size that they are drawn to."""
    head, _, rest = svg.removesuffix("</svg>").partition(">")
    pixels = round(int(re.findall(r'height="(\d+)"', head)[0]) * 520 / 420)
    size = f'viewBox="0 0 420 {pixels * 420 / 520:.5f}" width="520" height="{pixels}"'
    head = re.sub(r'viewBox.*height="\d+"', size, head)
    rest = re.sub(r"<svg x=[^>]*><rect[^>]*>", "<g>", rest).replace("</svg>", "</g>")
    return f'{head}><rect width="420" height="2000" fill="{PAPER}"/>{rest}</svg>'


def test_its_sentence_says_what_stands_between_each_two() -> None:
    assert drawn(busy()).alt.startswith(
        "Picture: Hawk and Kestrel at near range (Hawk with the Advantage, a lock by Hawk, a shot"
        " of beams by Hawk in flight, a missile of Kestrel in flight), Hawk and Merlin at extreme"
        " range (a lock by Hawk, a lock by Merlin), Falcon and Kestrel at far range (Kestrel with"
        " the Advantage), Falcon and Merlin at far range, Hawk killed, with the loss of 3 of 3"
    )


@pytest.mark.parametrize("word", ["", "Üg"])
def test_it_is_small_and_nothing_in_it_crosses_the_edge_of_its_tile(word: str) -> None:
    for view in (busy(), renamed(busy()), RULES.view(Melee().play(900).state, None)):
        svg = drawn(view, word).svg
        assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
        assert len(png(svg)) < 25_000
        one, other = (Image.open(BytesIO(png(each))) for each in (svg, untiled(svg)))
        difference = ImageChops.difference(one.convert("L"), other.convert("L")).histogram()
        assert sum(difference[90:]) == 0


def test_no_name_is_cut_off_and_one_that_the_font_lacks_is_told_by_its_ship() -> None:
    view = renamed(busy())
    svg = drawn(view).svg
    spaces = {"start": 190, "end": 190}
    texts = re.findall(r'anchor="(start|end)" font-size="(\d+)"[^>]*>([^<]*)<', svg)
    assert all(wide(words, int(size)) <= spaces[anchor] for anchor, size, words in texts)
    written = "".join(words for *_, words in texts).replace(" ", "")
    for name in (NAMES[0], NAMES[2], NAMES[3], view["pilots"][1]["ship"]):
        assert name.replace(" ", "") in written
    assert NAMES[1] not in svg
    assert NAMES[1] in drawn(view).alt


def test_what_pictures_can_show_is_what_their_font_has() -> None:
    def look(letter: str) -> bytes:
        return png(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><text y="30"'
                   f' font-size="30" fill="#fff">{letter}</text></svg>')  # fmt: skip

    box = look("宮")
    for letter in "AÖżŁđğşũọẾαΩЖїқ’–":
        assert drawable(letter)
        assert look(letter) != box
    for letter in "宮あ한ञקصა":
        assert not drawable(letter)


def test_of_many_pairs_the_readers_own_are_drawn_and_those_where_something_is() -> None:
    view = RULES.view(crowd(8), "Hawk 3")
    view["pairs"][0]["advantage"] = "Hawk 0"
    picture = drawn(view)
    assert picture.svg.count(">Far<") == 9
    assert picture.alt.count(" at far range") == 9
    assert "Hawk 0 and Merlin 0 at far range (Hawk 0 with the Advantage)" in picture.alt
    assert "+ 55 more pairs" in picture.svg


def test_the_strip_of_a_team_battle_has_the_range_of_the_nearest() -> None:
    [strip] = RULES.pictures.film([RULES.view(s, None) for s in Melee().play(900).states.values()],
                                  str)  # fmt: skip
    assert "the nearest opponent of Falcon far at first, extreme from step 112" in strip.alt
    assert strip.svg.count(">Range<") == 4
    assert ">Range: to the nearest opponent, near is low<" in strip.svg


def test_the_strip_of_a_crowd_has_structure_alone() -> None:
    first, later = (RULES.view(crowd(8), None) for _ in range(2))
    later["pilots"][0]["turns"] = 1
    assert RULES.pictures.film([first] * 6, str) == ()
    [strip] = RULES.pictures.film([first, *[later] * 6], str)
    assert strip.svg.count(">Structure<") == 16
    assert "Advantage" not in strip.svg
    assert "nearest" not in strip.svg + strip.alt


def test_letters_of_a_team_battle_show_it(league: League) -> None:
    people = melee(league)
    assert len(shown(people.ann.last_about(" for Hawk: "))) == 1
    assert len(shown(people.bob.ask("MAP 1"))) == 1
    people.bob.ask("FORMAT text")
    assert "Picture: Hawk and Kestrel at far range, Hawk and Merlin at far range" in words(
        people.bob.ask("MAP 1")
    )
