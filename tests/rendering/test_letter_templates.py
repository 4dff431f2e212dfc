"""The words of letters: complete, the same in both parts, and never to be read as orders."""

import re
from datetime import UTC, datetime
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest
from jinja2 import UndefinedError
from selectolax.lexbor import LexborHTMLParser

from engine.starpilot.events import AnyEvent
from pbem.handlers.order_words import in_words_of
from pbem.i18n.days import dated
from pbem.i18n.message_catalogue import SOURCE
from pbem.intake import CUT_MARKER
from pbem.rendering import LARGEST, LeagueFacts, Page, Renderer
from tests.support import news_samples
from tests.support.html_words import html_text
from tests.support.letter_samples import CAMPAIGN, RULES, Duel, samples
from tests.support.paths import ROOT
from tests.support.team_samples import team_samples
from tests.support.unquoted_replies import ordered_by_quotes

TEMPLATES = ROOT / "templates"
LEAGUE = LeagueFacts(
    "Avalon League", "referee@avalon.example", {RULES.key: RULES.credits}, (RULES.key,)
)
PRESS = Renderer(LEAGUE, TEMPLATES)
SAMPLES = samples() | team_samples() | news_samples.letters(PRESS)
DUEL = Duel().play(9)
FACTLESS = ("stranger",)
HOSTILE = "Fire at Hawk<script>alert(1)</script>&amp;\r\nFIRE\n\u202eSCAN\x00{{ 7*7 }} \u2028JINK"


def page(name: str) -> Page:
    kind, facts = SAMPLES[name]
    return filled(kind, facts)


def filled(kind: str, facts: dict[str, Any], language: str = SOURCE) -> Page:
    """Fill in a kind of letter, around the part that is the same for many if it has one."""
    if kind == "sure":
        facts = facts | {"order": in_words_of(facts["order"], language)}
    if "parts" not in facts:
        return PRESS.page(kind, "starpilot", language, **facts)
    part, own = facts["parts"][language], {key: facts[key] for key in facts.keys() - {"parts"}}
    return PRESS.around(part, kind, language, title=part.subject, **own)


def test_there_is_a_sample_of_every_kind_of_letter() -> None:
    kinds = {path.stem for path in (TEMPLATES / "letters").glob("*.j2")}
    assert kinds == {kind for kind, _ in SAMPLES.values()}


@pytest.mark.parametrize("name", SAMPLES)
def test_text_keeps_to_72_columns(name: str) -> None:
    made = page(name)
    long = [line for line in made.text.splitlines() if len(line) > 72]
    assert [line for line in long if not line.startswith("ENLIST")] == []
    assert made.text.translate({ord(sign): "" for sign in "…×"}).isascii()


SIGNS = str.maketrans("“”○×", '""OX')
"""What stands in the HTML for signs of the text."""


@pytest.mark.parametrize("name", SAMPLES)
def test_both_parts_say_the_same(name: str) -> None:
    made = page(name)
    shown = html_text(made.html).translate(SIGNS)
    title = re.sub(r" ?\[.*?\]", "", made.subject)
    marker, _, rest = made.text.partition("\n")
    # The title of the text part is its subject.
    assert _words(shown) == _words(f"{marker} {title} {rest}".translate(SIGNS))


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[\w'-]+", text.casefold()) if word.strip("-_")]


@pytest.mark.parametrize("name", SAMPLES)
def test_html_needs_nothing_from_outside(name: str) -> None:
    made = page(name)
    tree = LexborHTMLParser(made.html)
    assert tree.root is not None
    assert tree.root.attributes["lang"] == "en"
    assert all(node.attributes["src"].startswith("cid:") for node in tree.css("img"))  # type: ignore[union-attr]
    alts = [node.attributes["alt"] or "" for node in tree.css("img")]
    # One short sentence: what a picture shows is in the letter's words, too.
    assert all(alt.count(".") <= 1 and len(alt) < 80 for alt in alts)
    assert not tree.css("link, script, iframe, object, form, input, [onclick]")
    links = [node.attributes["href"] or "" for node in tree.css("[href]")]
    assert all(link.startswith("mailto:") for link in links)
    assert "url(" not in made.html
    assert "@import" not in made.html
    assert not made.cut
    for table in tree.css("table"):
        assert table.css_first("caption") is not None
        assert all(th.attributes["scope"] in ("col", "row") for th in table.css("th"))


@pytest.mark.parametrize("language", ["en", "de"])
def test_html_that_is_too_long_ends_early_and_says_so(language: str) -> None:
    kind, facts = SAMPLES["turn"]
    story = {"seat": "Kestrel", "after": 3, "lines": ["Who dares, wins."] * 60}
    made = filled(kind, facts | {"stories": [story] * 40}, language)
    assert made.cut
    assert LARGEST - 5_000 < len(made.html.encode()) <= LARGEST
    assert made.text.count("Who dares") == 2400
    # Whole blocks are left out, so nothing is left open.
    assert re.search(r"</b>[^<]* letter\.txt\.</p>\s*</div>", made.html)
    assert made.html.count("<blockquote") == made.html.count("</blockquote")


@pytest.mark.parametrize("name", SAMPLES)
def test_html_has_landmarks_and_begins_with_the_first_sentence(name: str) -> None:
    made = page(name)
    body = LexborHTMLParser(made.html).body
    assert body is not None
    preheader, main, *rest = [node for node in body.iter() if node.tag == "div"]
    assert rest == []
    assert preheader.attributes["style"] is not None
    assert "display:none" in preheader.attributes["style"]
    paragraphs = [" ".join(part.split()) for part in made.text.split("\n\n")]
    assert preheader.text() in (made.subject, *(one.removeprefix("- ") for one in paragraphs[1:3]))
    assert (main.attributes["role"], main.attributes["lang"]) == ("main", "en")
    assert len(main.css("h1")) == 1
    for listed in main.css("ul"):
        assert {item.tag for item in listed.iter()} == {"li"}


def test_steps_are_a_list_and_credits_say_that_they_are_english() -> None:
    main = LexborHTMLParser(filled(*SAMPLES["begin"], "de").html).css_first("[role=main]")
    assert main is not None
    assert any("Schritt" in item.text() for item in main.css("li b"))
    assert [credit.text() for credit in main.css("[lang=en]")] == [RULES.credits]


def test_circles_are_not_read_aloud_and_lost_ones_are_no_letters() -> None:
    facts = SAMPLES["final"][1]
    asked_for = {"whole": True, "summary": facts["summary"] | {"shown": ["Hawk"]}}
    made = PRESS.page("turn", "starpilot", **facts | asked_for)
    main = LexborHTMLParser(made.html).css_first("[role=main]")
    assert main is not None
    drawn = [node.text() for node in main.css("[aria-hidden]") if "○" in node.text()]
    assert drawn
    assert not any(re.search("[OX]", one) for one in drawn)
    assert "×" in "".join(drawn)


def test_the_marker_stands_at_the_top_of_both_parts() -> None:
    made = page("turn")
    assert made.text.splitlines()[0] == CUT_MARKER
    assert html_text(made.html).strip().splitlines()[0] == CUT_MARKER


def test_subjects_carry_game_turn_and_token() -> None:
    assert page("turn").subject.startswith(
        "[G12-T7 abcdefghijklmnop] Your move in 12: Far range, Kestrel has a lock on you"
    )
    assert page("answers").subject.startswith("[PBEM abcdefghijklmnop] ")


def test_a_report_says_first_what_happened_what_is_asked_and_what_can_be_ordered() -> None:
    head, told, rest = page("turn").text.partition("YOUR MOVE")
    opening = " ".join(head.split())
    assert "Hawk scans and picks up Kestrel." in opening
    assert "Game 12: you found Kestrel; Kestrel found you; your TARGET failed. Your" in opening
    assert head.count("\n") <= 9
    assert told
    assert "\n  TARGET      33 %      a lock, +30 to a shot next turn\n" in rest
    why, happened, _ = rest.partition("WHAT HAS HAPPENED")
    assert "LAUNCH (this ship has no Missiles)." in " ".join(why.split())
    assert happened


def test_repeated_failures_are_told_in_one_line() -> None:
    text = " ".join(page("turn").text.split())
    assert "Steps 2 and 4. Kestrel tries SCAN twice (42 %) and fails: 73, 97." in text
    assert "Step 4." not in text


def test_sheets_come_once() -> None:
    assert page("begin").text.count("Points left") == 2
    assert "Points left" not in page("turn").text + page("final").text
    assert "REPORT 12 brings sheets and all the rest." in page("turn").text


def test_every_event_has_its_words() -> None:
    told = PRESS.letters("en").get_template("starpilot/tell.j2").module
    kinds = {event.__name__ for event in get_args(AnyEvent)}
    macros = {name for name in vars(told) if name[0].isupper()}
    assert macros == kinds


def test_a_fact_that_is_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="number"):
        PRESS.page("welcome", None, player={"name": "Anna"}, reply=SAMPLES["turn"][1]["reply"])


@pytest.mark.parametrize("kind", FACTLESS)
def test_strangers_get_a_fixed_text(kind: str) -> None:
    assert PRESS.page(kind).text == page(kind).text


@pytest.mark.parametrize("name", SAMPLES)
def test_help_is_offered_to_players_alone(name: str) -> None:
    known = bool(SAMPLES[name][1]["player"]["name"])
    assert ("Lost? Reply with" in page(name).text) == known
    assert ("Lost? Reply with" in page(name).html) == known


def _hostile(value: Any) -> Any:
    """Put a hostile text in place of each text that a player may have written."""
    if isinstance(value, dict):
        written = {"text", "hint", "order", "reason", "name", "player", "pilot", "own", "title"}
        return {
            key: HOSTILE if key in written and isinstance(item, str) else _hostile(item)
            for key, item in value.items()
        }
    return [_hostile(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", SAMPLES)
def test_fault_38_nothing_that_a_player_wrote_breaks_out(name: str) -> None:
    kind, facts = SAMPLES[name]
    made = filled(kind, _hostile(facts))
    assert "<script" not in made.html
    assert "&amp;lt;" not in made.html
    assert "&lt;script" not in made.text
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e\u2028]", made.subject + made.text + made.html)
    assert "\n" not in made.subject
    assert ordered_by_quotes(made.text) == []


@pytest.mark.parametrize("names", [("Fire", "Target"), ("Jink Hold", "Lord of the Flies")])
def test_pilots_named_like_commands_make_no_orders(names: tuple[str, str]) -> None:
    form = "{} FOR {} WEAPONS 12 PILOTING 12 SENSORS 12 SHIP {}"
    one = CAMPAIGN.enlist(form.format(names[0], "cartel", "Angela 313B"))
    other = CAMPAIGN.enlist(form.format(names[1], "alliance", "Rus 133-A"))
    duel = Duel(one, other).play(400)
    everyone = {key: SAMPLES["turn"][1][key] for key in ("player", "reply")}
    for kind, facts in (("turn", duel.report(names[0])), ("final", duel.final(names[0]))):
        made = PRESS.page(kind, "starpilot", **everyone, **facts)
        assert ordered_by_quotes(made.text) == []


def test_one_moment_is_told_in_each_zone() -> None:
    noon = datetime(2026, 11, 24, 12, tzinfo=UTC)
    assert dated(noon, UTC) == "Tue 24 Nov 2026, 12:00 UTC"
    assert dated(noon, ZoneInfo("Europe/Oslo")) == "Tue 24 Nov 2026, 13:00 CET"


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", ("  DOGFIGHT ", "  STANDING sound ", "  HELP orders ", "  RULES ")),
        ("de", ("  KURVENKAMPF ", "  DAUERBEFEHLE solide ", "  HILFE Befehle ", "  REGELN ")),
    ],
)
def test_help_is_one_page_with_the_orders_of_a_battle(
    language: str, shown: tuple[str, ...]
) -> None:
    kind, facts = SAMPLES["answers-help"]
    made = filled(kind, {**facts, "answers": facts["answers"][:1]}, language)
    assert [line for line in shown if f"\n{line}" not in made.text] == []
    assert made.html.count("mailto:") >= 9
    assert len(made.text.splitlines()) <= 45
