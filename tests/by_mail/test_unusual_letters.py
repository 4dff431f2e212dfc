"""Letters with orders that can't be read: the answer says what it was, and what to do."""

import pytest

from pbem.storage import Place
from tests.support.each_system import first_reports
from tests.support.harness import League, Person, duel
from tests.support.players import letter, plain, reply, words


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


@pytest.mark.parametrize("name", ["winmail.dat", "orders.docx"])
@pytest.mark.parametrize(
    ("language", "why"),
    [("en", "this file was not opened"), ("de", "Diese Datei wurde nicht geöffnet")],
)
def test_orders_in_an_attached_file_are_asked_for(
    league: League, name: str, language: str, why: str
) -> None:
    ann, _ = first_reports(league, "starpilot", language)
    written = reply("Ann", ann.last_about("[G1-"), "", 900)
    written.set_content("\n")
    kind = "ms-tnef" if name == "winmail.dat" else "msword"
    written.add_attachment(b"FIRE", maintype="application", subtype=kind, filename=name)
    ann.send(written)
    league.work()
    assert name in words(ann.last)
    assert why in words(ann.last)


def test_a_file_beside_orders_is_not_mentioned(league: League, ann: Person) -> None:
    written = reply("Ann", ann.last, "", 900)
    written.set_content("SCAN\n")
    written.add_attachment(b"x", maintype="application", subtype="pdf", filename="a.pdf")
    ann.send(written)
    league.work()
    assert "was not opened" not in words(ann.last)


@pytest.mark.parametrize(
    ("language", "why", "do"),
    [
        ("en", "signed in a way that hides its text", "write plain text"),
        ("de", "so signiert, dass sein Text verborgen ist", "schreib reinen Text"),
    ],
)
def test_a_letter_that_is_wrapped_by_its_signature_is_explained(
    league: League, language: str, why: str, do: str
) -> None:
    ann, _ = first_reports(league, "starpilot", language)
    written = letter("Ann", "", 901, to=str(ann.last["Reply-To"]))
    written.set_content(b"x", maintype="application", subtype="pkcs7-mime")
    ann.send(written)
    league.work()
    assert why in words(ann.last)
    assert do in words(ann.last)


@pytest.mark.parametrize("line", ["SCAN。", "1、SCAN", "①SCAN", "・SCAN", "（1）ＳＣＡＮ！"])
def test_orders_with_east_asian_punctuation_are_orders(
    league: League, ann: Person, line: str
) -> None:
    ann.reply(line)
    league.work()
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert '"SCAN"' in place.sheet


@pytest.mark.parametrize("more", ["", "> referee orders SCAN for you.\n"])
def test_a_small_order_right_below_a_long_quoted_line_is_asked_about(
    league: League, more: str
) -> None:
    bob = duel(league)[1]
    bob.new()
    lines = [line for line in plain(bob.last).splitlines() if len(line) > 65]
    quote = "".join(f"> {line}\n" for line in sorted(lines, key=len))
    typed = letter("Bob", f"{quote}jink\nfire\n{more}", 90, bob.last["Reply-To"])
    typed["In-Reply-To"] = bob.last["Message-ID"]
    bob.send(typed)
    league.work()
    place = league.store.first(Place.select().where(Place.seat == "Kestrel").order_by(Place.id))
    assert place is not None
    assert '"queue":[]' in place.sheet
    answer = words(bob.last).partition("READ, BUT NOT DONE YET")[2]
    listed = answer.partition("YES")[0]
    assert [listed.count(f"- {order}") for order in ("JINK", "FIRE")] == [1, 1]


def queued(league: League) -> str:
    """What Ann has on file."""
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    return place.sheet.partition('"rules"')[0]


@pytest.mark.parametrize(
    "crossed",
    [
        "<s>SURRENDER</s>",
        "<strike>SURRENDER</strike>",
        "<del>SURRENDER</del>",
        '<span style="text-decoration: line-through;">SURRENDER</span>',
        '<span style="text-decoration-line:line-through">SURRENDER</span>',
    ],
)
@pytest.mark.parametrize("plain_too", [False, True])
def test_what_is_crossed_out_is_not_ordered(
    league: League, ann: Person, crossed: str, plain_too: bool
) -> None:
    written = reply("Ann", ann.last, "", 900)
    page = f"<p>SCAN</p><p>{crossed}</p><p>TARGET</p>"
    if plain_too:
        written.set_content("SCAN\nSURRENDER\nTARGET\n")
        written.add_alternative(page, subtype="html")
    else:
        written.set_content(page, subtype="html")
    ann.send(written)
    league.work()
    assert queued(league) == '{"queue":["SCAN","TARGET"],'
    asked_about = words(ann.last).partition("READ, BUT NOT DONE YET")[2]
    assert ("SURRENDER" in asked_about) == plain_too


@pytest.mark.parametrize("kind", ["image/jpeg", "application/octet-stream", "text/rtf"])
def test_a_letter_that_is_nothing_but_a_file_is_explained(
    league: League, ann: Person, kind: str
) -> None:
    written = reply("Ann", ann.last, "", 900)
    written.set_content(b"SCAN", *kind.split("/"))
    ann.send(written)
    league.work()
    assert "only the text of a letter is read" in words(ann.last)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "一、SCAN",
            "（一）SCAN",
            "a) SCAN",
            "(a) SCAN",
            "ii. SCAN",
            "#1 SCAN",
            "→ SCAN",
            "✓ SCAN",
        ),
        *("☑ SCAN", "🎯 SCAN", "SCAN ✈️", "`SCAN`", "<html><body><p>SCAN</p></body></html>"),
    ],
)
def test_orders_with_the_signs_of_many_lists_are_orders(
    league: League, ann: Person, line: str
) -> None:
    ann.reply(line)
    league.work()
    assert queued(league) == '{"queue":["SCAN"],'
