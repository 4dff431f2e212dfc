"""Every letter under tests/letters reads as the file next to it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.intake import Limits, read_letter
from tests.support.paths import LETTERS

ALL = sorted(LETTERS.glob("*.eml"))


def plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_letter_reads_as_expected(path: Path) -> None:
    wanted: dict[str, Any] = json.loads(path.with_suffix(".json").read_text("utf-8"))
    reading = read_letter(path.read_bytes())
    assert (reading.klass, reading.reason) == (wanted.pop("class"), reading.reason)
    if "text" in wanted:
        assert reading.text.split("\n") == wanted.pop("text")
    assert {name: plain(getattr(reading, name)) for name in wanted} == wanted


@pytest.mark.parametrize("ending", [b"\r\n", b"\r", b"\r\r\n"])
def test_line_ends_do_not_matter(ending: bytes) -> None:
    for path in ALL:
        raw = path.read_bytes()
        if path.stem != "utf-16":
            other = read_letter(raw.replace(b"\n", ending))
            assert (other.klass, other.text) == (read_letter(raw).klass, read_letter(raw).text)


def test_every_letter_has_a_reason_that_names_its_row() -> None:
    for path in ALL:
        assert re.fullmatch(r"row \d+ [\w -]+: .+", read_letter(path.read_bytes()).reason)


def test_no_quoted_order_gets_through() -> None:
    for path in ALL:
        if path.stem.startswith(("top-", "bottom-", "outlook-", "footer-", "forward-", "html-")):
            assert "EJECT" not in read_letter(path.read_bytes()).text, path.stem


def test_a_letter_says_whom_it_answers_and_where_it_was_sent() -> None:
    reading = read_letter((LETTERS / "top-gmail-en.eml").read_bytes())
    assert reading.sender == "hawk@example.org"
    assert reading.display_name == "Hawk"
    assert reading.recipients == ("referee+k7qx9m@league.example",)
    assert reading.subject == "Re: [G12-T7 K7QX9M] StarPilot: your turn"
    assert reading.message_id == "<a1@example.org>"
    assert reading.in_reply_to == ("<t7.g12@league.example>",)
    assert reading.references == ("<t6.g12@league.example>", "<t7.g12@league.example>")


def test_the_leagues_own_addresses_are_known() -> None:
    raw = b"From: referee@league.example\nSubject: your turn\n\nTARGET\n"
    assert read_letter(raw).klass == "human"
    reading = read_letter(raw, Limits(ours=("referee@league.example",)))
    assert (reading.klass, reading.text) == ("autoreply", "")
