"""No bytes make the reading raise, and its results are always clean."""

from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.intake import Limits, Reading, new_text, read_letter
from pbem.intake.mime import plain_line_ends
from tests.support.paths import LETTERS
from tests.support.trial_counts import tries

RAW = [path.read_bytes() for path in sorted(LETTERS.glob("*.eml"))]
CLASSES = {"human", "bounce", "autoreply", "feedback", "list", "refused"}
SCRAPS = [
    b"\n",
    b"\r",
    b"\0",
    b"\n\n",
    b"--b\n",
    b"From: ",
    b"=?utf-8?q?",
    b"?=",
    b'"',
    b"<",
    b">",
    b"\xff",
    b"Content-Type: multipart/mixed; boundary=b\n\n",
    b"\x1b$B",
    b"=0D=0A",
    b"<blockquote>",
    b"<!--",
    b"wrote:",
    b"> ",
    b"-- \n",
    b"charset=idna",
    b"\xe2\x80\xae",
    b"Auto-Submitted: ",
]


def check(reading: Reading) -> None:
    assert reading.klass in CLASSES
    for line in (reading.subject, reading.display_name, reading.reason, reading.sender or ""):
        assert not re.search(r"[\x00-\x1f\x7f\u2028\u202e]", line)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", reading.text)
    for address in (*reading.recipients, *reading.failed):
        assert "@" in address
        assert not re.search(r"[\s<>]", address)
    assert new_text(reading, [b"\n\nTARGET Kestrel 56 % says the report"], str.isupper) is not None


@given(st.binary(max_size=2_000))
@example(b"")
@example(b"\n")
@example(b"From:")
def test_any_bytes(raw: bytes) -> None:
    check(read_letter(raw))


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    raw = draw(st.sampled_from(RAW))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(raw)))
        end = draw(st.integers(start, min(len(raw), start + 60)))
        scrap = draw(st.sampled_from(SCRAPS) | st.binary(max_size=8))
        raw = raw[:start] + scrap * draw(st.integers(1, 3)) + raw[end:]
    return raw


@settings(max_examples=tries(400, 100), deadline=None)
@given(damaged())
def test_damaged_letters(raw: bytes) -> None:
    check(read_letter(raw))


@given(damaged(), st.integers(0, 3_000), st.integers(0, 4), st.integers(0, 3))
def test_small_limits(raw: bytes, size: int, parts: int, nesting: int) -> None:
    limits = Limits(letter=size, header=size, parts=parts, nesting=nesting, lines=parts, tags=parts)
    check(read_letter(raw, limits))


@given(st.lists(st.sampled_from(SCRAPS), max_size=60))
def test_heaps_of_scraps(scraps: list[bytes]) -> None:
    check(read_letter(b"From: a@b.example\n" + b"".join(scraps)))


@given(st.lists(st.sampled_from([b"\r", b"\n", b"\r\n", b"a"]), max_size=12).map(b"".join))
@example(b"a\r\r\na")
@example(b"a\ra\r\n")
def test_every_line_end_becomes_plain(raw: bytes) -> None:
    plain = raw.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert plain_line_ends(raw) == plain.lstrip(b"\n")
