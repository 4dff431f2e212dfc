"""Persona sheets to print: whole, the same bytes each time, and sent to their owner alone."""

import re
import zlib
from base64 import a85decode
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis.strategies import text

from pbem import rendering
from pbem.channels.mail.mime_writer import visible
from pbem.rendering.letter_script import OPEN, ROW, SHUT
from pbem.rendering.pdf import pdf
from tests.rendering.test_letter_templates import PRESS, SAMPLES
from tests.support.harness import League, duel


def drawn(data: bytes) -> str:
    """Return the words that a PDF draws."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL)
    plain = b"".join(zlib.decompress(a85decode(b"<~" + one.strip(), adobe=True)) for one in streams)
    return " ".join(re.findall(r"\((.*?)\) Tj", plain.decode("latin-1")))


def printed(letter: EmailMessage) -> dict[str, str]:
    """Return the words of each PDF that is attached to a letter, by its file's name."""
    found = [part for part in letter.walk() if part.get_content_type() == "application/pdf"]
    return {part.get_filename() or "": drawn(part.get_payload(decode=True)) for part in found}


def test_a_sheet_says_all_and_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "pdf", pdf)  # else the second is a copy of the first
    answers = SAMPLES["answers"][1]["answers"]
    block = next(b for answer in answers for b in answer["blocks"] if b["kind"] == "sheet")
    one, other = (PRESS.pdf_page("persona", "starpilot", block=block) for _ in range(2))
    assert one == other
    for part in (block["sheet"]["name"], block["sheet"]["ship"], "Electronics", "61-00"):
        assert part in drawn(one)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<b>Hawk & co", "< b > Hawk & co"),
        ("Łódź Žižka", "Lódz Žižka"),
        ("鷹", "?"),
        ("a" * 99, "aaa"),
    ],
)
def test_any_name_can_be_printed(name: str, shown: str) -> None:
    words = drawn(pdf(f"{OPEN}heading{ROW}{name}{SHUT}", name))
    words = re.sub(r"\\(\d{3})", lambda m: bytes([int(m[1], 8)]).decode("cp1252"), words)
    assert shown in words


@given(text())
def test_any_words_can_be_printed(words: str) -> None:
    made = pdf(f"{OPEN}para{ROW}{visible(words)}{SHUT}", visible(words))
    assert made.startswith(b"%PDF")


def test_players_get_their_own_sheets_to_print(league: League) -> None:
    ann, bob = duel(league)
    own = printed(ann.ask("SHEET"))
    assert list(own) == ["Hawk.pdf"]
    assert "Persona sheet of Hawk" in own["Hawk.pdf"]
    assert printed(bob.ask("SHEET Hawk")) == {}


def test_a_league_may_do_without(league: League) -> None:
    ann, _ = duel(league)
    object.__setattr__(league.settings.reports, "pdf", False)
    assert printed(ann.ask("SHEET")) == {}
