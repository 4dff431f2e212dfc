"""What stands below a long line of ours without a quote mark is asked about."""

import textwrap

import pytest

from pbem.intake import NewText
from tests.rendering.test_letter_templates import SAMPLES, page
from tests.support.html_words import html_text
from tests.support.unquoted_replies import read_back

REPORT = """StarPilot, game 12, turn 7: Hawk against Kestrel

Kestrel fired a beam at Hawk (36 %) and missed by the breadth of a hair.
You fired at Kestrel (41 %) and tore away two points of structure from it.

What may be ordered
target Kestrel 56 %
eject

Due: Monday 23 November 2026 18:00 UTC"""
BLOCK = "From: Referee <r@x.example>\nSent: Friday 13:26\nTo: Hawk\nSubject: turn\n\n"
OLDER = "From: Hawk <h@x.example>\nSent: Friday 12:00\nTo: Referee\nSubject: turn\n\nEJECT"


def own(body: str) -> NewText:
    return read_back(body, [REPORT])


@pytest.mark.parametrize("width", [30, 50, 72, 200])
def test_a_quote_without_marks_is_known_however_it_is_wrapped(width: int) -> None:
    quoted = "\n".join(textwrap.fill(line, width) for line in REPORT.split("\n"))
    heading = "Dywedodd y dyfarnwr fel hyn"
    assert own(f"TARGET\n\n{heading}\n\n{quoted}\n\nFIRE AT Kestrel") == (
        NewText(f"TARGET\n\n{heading}", ("FIRE AT Kestrel",))
    )


def test_answers_in_and_below_a_quote_without_marks_are_asked_about() -> None:
    first, second = REPORT.split("\n\n", 1)
    for block in (BLOCK, f"{BLOCK}##- please write above this line -##\n\n"):
        answered = f"Hi\n\n{block}{first}\nTARGET\n{second}\nFIRE AT Kestrel"
        assert own(answered) == NewText("Hi", ("TARGET", "FIRE AT Kestrel"))
    attributed = f"On Fri, Nov 20, 2026 Referee <r@x.example> wrote:\n\n{REPORT}\n\nEJECT"
    assert own(attributed) == NewText("", ("EJECT",))


def test_older_letters_of_the_player_do_not_come_back() -> None:
    assert own(f"TARGET\n\n{BLOCK}{REPORT}\n\n{OLDER}") == NewText("TARGET")
    assert own(f"TARGET\n\n{OLDER}\n\n{BLOCK}{REPORT}") == NewText("TARGET")


def test_somebody_elses_quote_without_marks_is_no_question() -> None:
    assert own(f"TARGET\n\n{OLDER}") == NewText("TARGET")


@pytest.mark.parametrize("words", ["eject", "Due: Monday 23 Nov.", "You fired at Kestrel"])
def test_a_short_line_that_we_have_said_is_the_players(words: str) -> None:
    assert own(f"{words}\n\nFIRE") == NewText(f"{words}\n\nFIRE")


@pytest.mark.parametrize("cited", ['You wrote "{}".', "You told:\n\n| {}\n"])
def test_what_our_letter_cites_is_the_players(cited: str) -> None:
    story = "Hawk came out of the sun with the radio off"
    found = read_back(f"{story}\nFIRE", [cited.format(story)])
    assert found == NewText(f"{story}\nFIRE")


def test_what_is_ours_is_no_question_of_marks_or_dashes_either() -> None:
    assert own(f"> {REPORT.splitlines()[2]}\n> FIRE") == NewText("", ("FIRE",))


def test_a_long_letter_against_long_reports_is_quick() -> None:
    report = "\n".join(
        f"line {number} of the report says the same words again" for number in range(2_000)
    )
    assert read_back(f"{report}\nTARGET", [report] * 3) == NewText("", ("TARGET",))


@pytest.mark.parametrize("name", SAMPLES)
def test_our_letters_are_known_whichever_of_their_parts_is_quoted(name: str) -> None:
    made = page(name)
    for quoted in (made.text, html_text(made.html), made.text.replace("'", "\u2019")):
        bare = quoted.partition("-##")[2] or quoted
        found = read_back(f"TARGET\n\n{bare}\n\nEJECT", [made.text], page=made.html)
        assert found.text == "TARGET"
        assert found.unsure[-1:] == ("EJECT",)


def test_what_a_picture_of_ours_shows_is_ours() -> None:
    shown = '<img src="cid:1" alt="Hawk &amp; Kestrel at far range, and nobody else">'
    back = "TARGET\n\n[Hawk & Kestrel at far range, and nobody else]\nFIRE\n"
    assert read_back(back, ["Far."], page=shown) == NewText("TARGET", ("FIRE",))


def test_orders_of_an_older_letter_below_the_marker_are_no_question() -> None:
    """HTML has the marker where any quote begins, so it does not show whose letter that is."""
    marker = "##- please write above this line -##"
    older = f"{BLOCK}{marker}\n\nEJECT\n\n{marker}\n\n{BLOCK}{marker}\n\n{REPORT}"
    assert read_back(f"TARGET\n\n{older}", [f"{marker}\n{REPORT}"]) == NewText("TARGET")
