"""What we sent ourselves is taken out of a letter, whichever program quotes it."""

from __future__ import annotations

import textwrap
from email.message import EmailMessage

import pytest

from engine.registry import RULESETS
from pbem.intake import CUT_MARKER, Reading, our_texts, read_letter
from pbem.intake import new_text as own_words
from pbem.routing.line_tests import is_order
from tests.rendering.test_letter_templates import SAMPLES, page
from tests.support.html_words import html_text

REPORT = """StarPilot, game 12, turn 7: Hawk against Kestrel

Kestrel fired a beam at Hawk (36 %) and missed by the breadth of a hair.
You fired at Kestrel (41 %) and tore away two points of structure from it.

What may be ordered
target Kestrel 56 %
eject

Due: Monday 23 November 2026 18:00 UTC"""


def new_text(reading: Reading, ours: list[str]) -> str:
    return own_words(reading, ours, lambda line: is_order(line, "en", tuple(RULESETS))).text


def own(body: str) -> str:
    return new_text(read_letter(f"From: hawk@example.org\n\n{body}".encode()), [REPORT])


@pytest.mark.parametrize("width", [30, 50, 72, 200])
def test_a_quote_without_marks_is_known_however_it_is_wrapped(width: int) -> None:
    quoted = "\n".join(textwrap.fill(line, width) for line in REPORT.split("\n"))
    assert own(f"TARGET\n\nDywedodd y dyfarnwr fel hyn\n\n{quoted}\n\nFIRE AT Kestrel") == (
        "TARGET\n\nDywedodd y dyfarnwr fel hyn\nFIRE AT Kestrel"
    )


def test_answers_inside_an_outlook_quote_are_kept() -> None:
    first, second = REPORT.split("\n\n", 1)
    block = "From: Referee <r@league.example>\nSent: Friday 13:26\nTo: Hawk\nSubject: turn"
    assert own(f"Hi\n\n{block}\n\n{first}\nTARGET\n{second}\nFIRE AT Kestrel") == (
        "Hi\nTARGET\nFIRE AT Kestrel"
    )


def test_bottom_posting_under_an_unmarked_quote_is_kept() -> None:
    assert own(f"On Fri, Nov 20, 2026 Referee <r@x.example> wrote:\n\n{REPORT}\n\nEJECT") == "EJECT"


def test_older_letters_of_the_player_do_not_come_back() -> None:
    blocks = "From: Referee <r@x.example>\nSent: Friday 13:26\nTo: Hawk\nSubject: turn\n\n"
    older = "From: Hawk <h@x.example>\nSent: Friday 12:00\nTo: Referee\nSubject: turn\n\nEJECT"
    assert own(f"TARGET\n\n{blocks}{REPORT}\n\n{older}") == "TARGET"


def test_a_line_that_the_player_types_is_theirs_even_if_we_have_said_it() -> None:
    assert own("eject\n") == "eject"


def test_a_long_letter_against_long_reports_is_quick() -> None:
    report = "\n".join(
        f"line {number} of the report says the same words again" for number in range(4_000)
    )
    letter = f"From: hawk@example.org\n\n{report}\nTARGET".encode()
    assert new_text(read_letter(letter), [report] * 3) == "TARGET"


@pytest.mark.parametrize("name", SAMPLES)
def test_our_letters_are_known_whichever_of_their_parts_is_quoted(name: str) -> None:
    made, raw = page(name), EmailMessage()
    raw.set_content(made.text)
    raw.add_alternative(made.html, subtype="html")
    for quoted in (made.text, html_text(made.html), made.text.replace("'", "\u2019")):
        letter = read_letter(f"From: hawk@example.org\n\n{quoted}\n\nEJECT".encode())
        assert new_text(letter, our_texts(raw.as_bytes())) == "EJECT"


def test_outlooks_quote_of_another_letter_is_cut_in_a_language_that_nobody_knows() -> None:
    header = (
        '<div id="divRplyFwdMsg"><b>Oddi wrth:</b> Bob &lt;b@x.example&gt;<br>Anfonwyd: ddoe</div>'
    )
    head = "From: hawk@example.org\nContent-Type: text/html\n\n"
    letter = read_letter(f"{head}TARGET<hr>{header}<p>EJECT</p>".encode())
    assert new_text(letter, [f"{CUT_MARKER}\n{REPORT}"]) == "TARGET"


def test_words_that_we_said_twice_are_known_in_either_place() -> None:
    ours = ["One of two, and it goes on.\nHere.\nOne of two, and that was all.\nThere."]
    letter = read_letter(b"From: a@b.example\n\nOne of two, and that was all.\nThere.\nEJECT")
    assert new_text(letter, ours) == "EJECT"


@pytest.mark.parametrize(
    "heading",
    [
        "    On Monday, November 2, 2026 at 01:00:00 PM GMT+1, {} wrote:  ",
        ">>> {} 11/2/2026 1:00 PM >>>",
        "From: {}\nSent: Monday, November 2, 2026 1:00 PM\nTo: A.\nSubject: Re: your turn",
    ],
)
def test_orders_of_an_older_letter_above_ours_are_not_new(heading: str) -> None:
    older = heading.format("Hawk <hawk@example.org>")
    ours = heading.format("Referee <referee@league.example>")
    assert own(f"TARGET\n\n{older}\n\nFIRE\nCLOSE\n\n{ours}\n\n{REPORT}") == "TARGET"


def test_what_a_picture_of_ours_shows_is_ours() -> None:
    letter = EmailMessage()
    letter.set_content("Far range.")
    letter.add_alternative('<img src="cid:1" alt="Hawk &amp; Kestrel at far range">', "html")
    back = b"From: hawk@example.org\n\nTARGET\n\n[Hawk & Kestrel at far range]\n"
    assert new_text(read_letter(back), our_texts(letter.as_bytes())) == "TARGET"
