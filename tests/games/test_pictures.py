"""Pictures of duels: words say what they show, and they come with reports and by MAP."""

import re
import struct
import xml.etree.ElementTree as ET
from dataclasses import replace
from email.message import EmailMessage
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from engine.pictures import PAPER, Picture, drawable, folded, wide
from engine.registry import RULESETS
from pbem.rendering.raster import WIDTH, png
from pbem.settings.sections import ReportSettings
from tests.support.harness import League, duel
from tests.support.letter_samples import RULES, Duel
from tests.support.players import STANDING, attached, words


def picture(turns: int, word: str = "") -> Picture:
    """Draw a duel after so many steps, each word of it with something before it."""
    view = RULES.view(Duel().play(turns).state, None)
    [drawn] = RULES.pictures.draw(view, lambda one: word + one)
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
    return f'{head}><rect width="420" height="331" fill="{PAPER}"/>{rest}</svg>'


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
    [drawn] = RULES.pictures.draw(view, lambda one: one)
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
    league.service.ports.outbox.settings = replace(
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
    told = attached(receipts)["receipt.txt"].decode()
    assert '"step":0' in told
    assert secret not in told + receipts.as_string()
    bob.reply("SURRENDER", bob.last_about("G1-"))
    ann.reply("SURRENDER", ann.last_about("G1-"))
    league.work()
    assert not league.game.running
    assert secret in attached(cat.ask("RECEIPTS 1"))["receipt.txt"].decode()


def strip(duel: Duel, first: int = -1) -> tuple[Picture, ...]:
    """Return the strip of a duel from the views since a step."""
    views = [RULES.view(state, None) for n, state in duel.states.items() if n >= first]
    assert RULES.pictures.film is not None
    return RULES.pictures.film(views, str)


def test_a_strip_shows_a_whole_duel_and_its_sentence_says_all_of_it() -> None:
    duel = Duel().play(400)
    [drawn] = strip(duel)
    assert drawn.alt.startswith("The whole battle: 74 steps, range far at first, Structure of Hawk")
    for fact in ("3 at first, 2 from step 25", "3 in step 11", "lock after steps 3-4, 15-16"):
        assert fact in drawn.alt
    assert "67-72, Hawk ejected at the end, Structure of Kestrel 3 at first" in drawn.alt
    dots = drawn.svg.count('r="3.5"') - 1  # one in the legend
    lost = [int(n) for n in re.findall(r"(\d+) in step", drawn.alt)]
    assert dots == sum(lost) == 14
    assert len(png(drawn.svg)) < 15_000


def test_a_strip_begins_at_the_beginning() -> None:
    duel = Duel().play(30)
    assert strip(duel)
    assert strip(duel, 8) == ()
    assert strip(Duel().play(3)) == ()


@given(st.text("aiWMm Ü.'", min_size=1, max_size=40), st.integers(11, 20))
def test_no_name_is_cut_off(name: str, size: int) -> None:
    lines = folded(name, size, 190)
    assert "".join(lines).replace(" ", "") == "".join(name.split())
    assert all(wide(line, size) <= 190 for line in lines)


def test_long_names_stay_in_their_half_of_the_picture() -> None:
    names = ["W" * 15 + " " + "M" * 14, "The Honourable Maximiliane von"]
    view = RULES.view(Duel().play(9).state, None)
    for pilot, name in zip(view["pilots"], names, strict=True):
        pilot["name"] = name
    [drawn] = RULES.pictures.draw(view | {"pairs": []}, str)
    texts = re.findall(r'text-anchor="(?:start|end)" font-size="(\d+)"[^>]*>([^<]*)<', drawn.svg)
    assert " ".join(words for _, words in texts).replace(" ", "") == "".join(names).replace(" ", "")
    assert all(wide(words, int(size)) <= 190 for size, words in texts)


def test_the_account_of_a_battle_shows_the_whole_of_it(league: League) -> None:
    ann, bob = duel(league)
    ann.reply(STANDING, ann.last_about("G1-"))
    bob.reply(STANDING, bob.last_about("G1-"))
    league.work()
    assert league.game.steps > 4
    assert len(shown(ann.ask("HISTORY 1"))) == 1
    ann.ask("FORMAT text")
    assert ann.ask("HISTORY 1").get_content_type() == "text/plain"


@pytest.mark.parametrize(
    ("system", "one", "other"),
    [
        ("blackskies", "鷹 WITH 狼: 2 Gadfly SKILL 2", "Kites WITH Blue: 2 Gadfly SKILL 2"),
        ("cortex", "鷹 WITH 狼: fighter; 兎: frigate", "Kites WITH Blue: fighter; Fort: frigate"),
        ("starfarer", "鷹 WITH 狼: scout; 兎: guard", "Kites WITH Bo: scout; Cy: guard"),
    ],
)
def test_names_that_the_font_lacks_are_not_drawn(system: str, one: str, other: str) -> None:
    rules = RULESETS[system]
    assert rules.campaign is not None
    ours, theirs = map(rules.campaign.enlist, (one, other))
    state = rules.setup(rules.campaign.melee((ours,), (theirs,), None))
    drawn = rules.pictures.draw(rules.view(state, None), lambda word: word)
    texts = ["".join(ET.fromstring(each.svg).itertext()) for each in drawn]
    assert texts
    assert all(map(drawable, texts))
    assert "狼" in drawn[0].alt
