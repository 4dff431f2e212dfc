"""Pictures of duels: words say what they show, and they come with reports and by MAP."""

import re
import struct
import xml.etree.ElementTree as ET
from dataclasses import replace
from email.message import EmailMessage
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from engine.ruleset import Picture
from pbem.drawing.raster import WIDTH, png
from pbem.settings.sections import ReportSettings
from tests.support.harness import League, duel
from tests.support.letter_samples import RULES, Duel
from tests.support.players import plain, words


def picture(turns: int, word: str = "") -> Picture:
    """Draw a duel after so many steps, each word of it with something before it."""
    view = RULES.view(Duel().play(turns).state, None)
    [drawn] = RULES.pictures(view, lambda one: word + one)
    return drawn


def shown(letter: EmailMessage) -> list[bytes]:
    """Return the pictures that a letter's HTML shows."""
    html = letter.get_body(("html",))
    parts = {part["Content-ID"]: part for part in letter.walk() if part["Content-ID"]}
    text = html.get_content() if html is not None else ""
    return [part.get_content() for cid, part in parts.items() if f'src="cid:{cid[1:-1]}"' in text]


@pytest.mark.parametrize("turns", [1, 9, 400])
def test_a_duel_is_drawn_small_and_well_formed(turns: int) -> None:
    drawn = picture(turns)
    assert ET.fromstring(drawn.svg).tag == "{http://www.w3.org/2000/svg}svg"
    data = png(drawn.svg)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">I", data[16:20]) == (WIDTH,)
    assert len(data) < 15_000
    assert png.__wrapped__(drawn.svg) == data


def untiled(svg: str) -> str:
    """Make a picture's tiles groups, on a sheet of the size that they are drawn to."""
    head, _, rest = svg.removesuffix("</svg>").partition(">")
    high = 'viewBox="0 0 420 330.34615" width="520" height="409"'
    head = re.sub(r'viewBox.*height="330"', high, head)
    rest = re.sub(r"<svg x=[^>]*><rect[^>]*>", "<g>", rest).replace("</svg>", "</g>")
    return f'{head}><rect width="420" height="331" fill="#fff"/>{rest}</svg>'


@pytest.mark.parametrize("turns", [1, 5, 9, 30, 60, 400])
@pytest.mark.parametrize("word", ["", "Üg"])
def test_nothing_in_it_crosses_the_edge_of_its_tile(turns: int, word: str) -> None:
    svg = picture(turns, word).svg
    one, other = (Image.open(BytesIO(png(each))) for each in (svg, untiled(svg)))
    differing = ImageChops.difference(one.convert("L"), other.convert("L")).histogram()
    assert sum(differing[60:]) == 0


def test_its_sentence_says_what_it_shows() -> None:
    assert picture(9).alt == (
        "Picture: Hawk and Kestrel at far range, a lock by Kestrel, Hawk active and undamaged,"
        " Kestrel active and undamaged."
    )
    assert "beams wrecked" in picture(400).alt
    assert "1 of 3 structure" in picture(400).alt


def test_its_words_are_the_readers_and_names_open_no_tag() -> None:
    assert ">~Far<" in picture(9, "~").svg
    view = RULES.view(Duel().play(9).state, None)
    view["pilots"][0]["name"] = "<b>&"
    [drawn] = RULES.pictures(view, lambda one: one)
    assert "&lt;b&gt;&amp;" in drawn.svg
    assert ET.fromstring(drawn.svg) is not None


def test_reports_show_it_and_acknowledgements_do_not(league: League) -> None:
    ann, bob = duel(league)
    assert len(shown(ann.last_about("the battle begins"))) == 1
    assert shown(ann.ask("SCAN", ann.last_about("G1-"))) == []
    bob.reply("SCAN", bob.last_about("G1-"))
    bob.new()
    bob.ask("FORMAT text", bob.last_about("G1-"))
    assert shown(ann.new()[-1]) != []
    assert bob.ask("MAP 1").get_content_type() == "text/plain"
    assert "Picture: Hawk and Kestrel at far range" in words(bob.last)


def test_a_league_can_do_without(league: League) -> None:
    league.service.ports.reports.settings = replace(
        league.settings, reports=ReportSettings(pictures=False)
    )
    ann, _ = duel(league)
    assert shown(ann.last_about("the battle begins")) == []
    assert len(shown(ann.ask("MAP 1"))) == 1


def test_everybody_may_see_it_and_the_dice(league: League) -> None:
    ann, bob = duel(league)
    cat = league.person("Cat")
    cat.join()
    assert len(shown(cat.ask("MAP 1"))) == 1
    assert "there is no game 9" in words(cat.ask("MAP 9"))
    assert "you are in no running game" in words(cat.ask("RECEIPTS"))
    receipts = cat.ask("RECEIPTS 1")
    secret = league.game.secret.hex()
    assert "Step 0 rolled" in plain(receipts)
    assert secret not in receipts.as_string()
    bob.reply("SURRENDER", bob.last_about("G1-"))
    ann.reply("SURRENDER", ann.last_about("G1-"))
    league.work()
    assert not league.game.running
    assert secret in plain(cat.ask("RECEIPTS 1"))
