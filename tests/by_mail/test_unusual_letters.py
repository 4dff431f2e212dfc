"""Letters with orders that can't be read: the answer says what it was, and what to do."""

import pytest

from tests.support.harness import League, Person, duel
from tests.support.players import letter, plain, reply, words


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


@pytest.mark.parametrize("name", ["winmail.dat", "orders.docx"])
def test_orders_in_an_attached_file_are_asked_for(league: League, ann: Person, name: str) -> None:
    written = reply("Ann", ann.last, "", 900)
    written.set_content("\n")
    kind = "ms-tnef" if name == "winmail.dat" else "msword"
    written.add_attachment(b"FIRE", maintype="application", subtype=kind, filename=name)
    ann.send(written)
    league.work()
    assert name in words(ann.last)
    assert "this file was not opened" in words(ann.last)


def test_a_file_beside_orders_is_not_mentioned(league: League, ann: Person) -> None:
    written = reply("Ann", ann.last, "", 900)
    written.set_content("SCAN\n")
    written.add_attachment(b"x", maintype="application", subtype="pdf", filename="a.pdf")
    ann.send(written)
    league.work()
    assert "was not opened" not in words(ann.last)


def test_a_letter_that_is_wrapped_by_its_signature_is_explained(
    league: League, ann: Person
) -> None:
    written = letter("Ann", "", 901, to=str(ann.last["Reply-To"]))
    written.set_content(b"x", maintype="application", subtype="pkcs7-mime")
    ann.send(written)
    league.work()
    assert "signed in a way that hides its text" in words(ann.last)


@pytest.mark.parametrize("line", ["SCAN。", "1、SCAN", "①SCAN", "・SCAN", "（1）ＳＣＡＮ！"])
def test_orders_with_east_asian_punctuation_are_orders(
    league: League, ann: Person, line: str
) -> None:
    ann.reply(line)
    league.work()
    place = league.store.places.find(seat="Hawk")
    assert place is not None
    assert '"SCAN"' in place.sheet


@pytest.mark.parametrize("more", ["", "> referee orders SCAN for you.\n"])
def test_a_small_order_right_below_a_long_quoted_line_is_done(league: League, more: str) -> None:
    bob = duel(league)[1]
    bob.new()
    lines = [line for line in plain(bob.last).splitlines() if len(line) > 65]
    quote = "".join(f"> {line}\n" for line in sorted(lines, key=len))
    typed = letter("Bob", f"{quote}jink\nfire\n{more}", 90, bob.last["Reply-To"])
    typed["In-Reply-To"] = bob.last["Message-ID"]
    bob.send(typed)
    league.work()
    place = league.store.places.find(seat="Kestrel")
    assert place is not None
    assert '"queue":["JINK","FIRE"]' in place.sheet
