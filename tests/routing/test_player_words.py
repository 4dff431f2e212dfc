"""Letters in which our own words come back without quote marks."""

import textwrap
from email.message import EmailMessage

import pytest

from tests.support.harness import League, Person, duel
from tests.support.players import letter, plain, words

REFUSED = "it stands among lines of our own letter"


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


def quoted(report: EmailMessage, width: int = 72) -> str:
    """Return a report's text without its marker, wrapped again."""
    lines = plain(report).split("-##", 1)[1].splitlines()
    return "\n".join(textwrap.fill(line, width) for line in lines)


def returned(ann: Person, text: str, report: EmailMessage) -> str:
    """Return the answer to a reply that consists of a text alone."""
    written = letter("Ann", text, len(ann.sent) + 1, report["Reply-To"], f"Re: {report['Subject']}")
    written["In-Reply-To"] = report["Message-ID"]
    ann.new()
    ann.send(written)
    [answer] = ann.new()
    return words(answer)


@pytest.mark.parametrize("width", [40, 64, 100])
def test_a_report_that_comes_back_without_its_marker_orders_nothing(
    ann: Person, width: int
) -> None:
    report = ann.last_about("[G1")
    answer = returned(ann, quoted(report, width), report)
    assert "SURRENDER" not in answer.partition("YOUR MOVE")[0]
    assert ann.league.orders() == [("[]", "")]


def test_an_order_above_or_below_such_a_quote_is_done(ann: Person) -> None:
    report = ann.last_about("[G1")
    for text in (f"ZEITZONE\n\n{quoted(report)}", f"{quoted(report)}\n\nTIMEZONE Europe/Oslo"):
        answer = returned(ann, text, report)
    assert 'You wrote "TIMEZONE Europe/Oslo"' in answer


def test_a_printed_choice_between_lines_of_ours_is_asked_about(ann: Person) -> None:
    report = ann.last_about("[G1")
    lines = quoted(report).splitlines()
    [choice] = [line for line in lines if "SURRENDER" in line and "no roll" in line]
    lines.insert(5, f"\n{choice}\n")
    answer = returned(ann, "\n".join(lines), report)
    assert REFUSED in answer
    assert "the order above all that you quote" in answer


def test_what_looks_ours_but_is_from_a_letter_that_is_gone_is_asked_about(ann: Person) -> None:
    report = ann.last_about("[G1")
    store = ann.league.store
    with store.transaction():
        for row in store.outbox.all(player=1):
            store.outbox.change(row.id, content=b"")
    answer = returned(ann, f"{quoted(report, 50)}\nSURRENDER", report)
    assert REFUSED in answer
    assert 'You wrote "SURRENDER"' in answer


def test_a_line_of_the_report_that_is_copied_into_a_new_letter_is_its_order(ann: Person) -> None:
    report = ann.last_about("[G1")
    choice = next(line for line in plain(report).splitlines() if line.split()[:1] == ["SCAN"])
    for copied in (choice, " ".join(choice.split()), "SCAN         33 in 100   find it"):
        answer = returned(ann, f"Hello,\n\n{copied}\n\nAnna", report)
        assert "SCAN" in answer.partition("YOUR MOVE")[0], copied
