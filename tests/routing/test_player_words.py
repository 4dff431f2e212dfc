"""Letters in which our own words come back without quote marks."""

import textwrap
from email.message import EmailMessage

import pytest

from pbem.storage import Player
from tests.support.harness import League, Person, duel
from tests.support.players import letter, plain, words

ASKED = "READ, BUT NOT DONE YET"


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


def quoted(report: EmailMessage, width: int = 72) -> str:
    """Return a report's text without its marker, wrapped again."""
    lines = plain(report).split("-##", 1)[1].splitlines()
    return "\n".join(textwrap.fill(line, width) for line in lines)


def returned(ann: Person, text: str, report: EmailMessage, answers: bool = True) -> str:
    """Return the answer to a letter that consists of a text alone, a reply or not."""
    written = letter("Ann", text, len(ann.sent) + 1, report["Reply-To"], f"Re: {report['Subject']}")
    if answers:
        written["In-Reply-To"] = report["Message-ID"]
    ann.new()
    ann.send(written)
    [answer] = ann.new()
    return words(answer)


@pytest.mark.parametrize("answers", [True, False])
@pytest.mark.parametrize("width", [40, 64, 100])
def test_a_report_that_comes_back_without_its_marker_orders_nothing(
    ann: Person, width: int, answers: bool
) -> None:
    report = ann.last_about("[G1")
    answer = returned(ann, quoted(report, width), report, answers)
    assert "SURRENDER" not in answer.partition("YOUR MOVE")[0]
    assert ann.league.orders() == [("[]", "")]


@pytest.mark.parametrize("answers", [True, False])
def test_an_order_is_done_above_such_a_quote_and_asked_about_below_it(
    ann: Person, answers: bool
) -> None:
    report = ann.last_about("[G1")
    answer = returned(ann, f"TIMEZONE Asia/Tokyo\n\n{quoted(report)}", report, answers)
    assert 'You wrote "TIMEZONE Asia/Tokyo"' in answer
    assert ASKED not in answer
    answer = returned(ann, f"{quoted(report)}\n\nTIMEZONE Europe/Oslo", report, answers)
    assert "TIMEZONE Europe/Oslo" in answer.partition(ASKED)[2]
    player = ann.league.store.get(Player, 1)
    assert player.zone == "Asia/Tokyo"


def test_orders_between_our_lines_below_the_marker_are_asked_about(ann: Person) -> None:
    report = ann.last_about("[G1")
    lines = plain(report).splitlines()
    middle = lines.index("", 5)
    lines[middle:middle] = ["", "SURRENDER"]
    answer = returned(ann, "\n".join(lines), report)
    assert "SURRENDER" in answer.partition(ASKED)[2]
    assert ann.league.orders() == [("[]", "")]


def test_a_line_of_the_report_that_is_copied_into_a_new_letter_is_its_order(ann: Person) -> None:
    report = ann.last_about("[G1")
    choice = next(line for line in plain(report).splitlines() if line.split()[:1] == ["SCAN"])
    for copied in (choice, " ".join(choice.split()), "SCAN         33 %   find it"):
        answer = returned(ann, f"Hello,\n\n{copied}\n\nAnna", report)
        assert "SCAN" in answer.partition("YOUR MOVE")[0], copied
        assert ASKED not in answer
