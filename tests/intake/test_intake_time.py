"""No letter up to the caps takes more than a second of processor time."""

from __future__ import annotations

import time

import pytest

from pbem.intake import read_letter
from tests.support.processor_time import within

MIB = 1 << 20
HEAD = b"From: a@b.example\nSubject: x\n"
PLAIN = HEAD + b"\n"
HTML = HEAD + b"Content-Type: text/html\n\n"
DAEMON = b"From: MAILER-DAEMON@x\nSubject: failure notice\n\n"


def filled(head: bytes, scrap: bytes, size: int = MIB) -> bytes:
    return head + scrap * ((size - len(head)) // len(scrap))


def nested(count: int) -> bytes:
    opening = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n"
    return HEAD + b"".join(opening % (at, at) for at in range(count)) + b"\nTARGET"


LINES = [
    b"On 2026 a@b.c wrote",
    b"a@b.c 12:30 2026:",
    b"From: x",
    b"On Mon 2026 at",
    b"---- a",
    b"--",
    b"-- ",
    b"____",
    b"a@b.c:",
    b"Sent from my x",
    b"confidential disclos privileged",
    b"> ",
    b"x y:",
]
RUNS = [
    b">",
    b"a",
    b" ",
    b"-",
    b"_",
    b":",
    b"@",
    b"a@",
    b"1",
    b"12:",
    b"bq",
    b"ich bin ",
    b"=?",
    b"*",
]
TAGS = [
    b"<div>",
    b"<b>",
    b"<p>",
    b"<i></b>",
    b"<table><tr><td>",
    b"<blockquote>",
    b"<!--",
    b"<a b='",
    b"<div class='gmail_quote'>x</div>",
    b"<div class='gmail_quote'>",
    b"<p><table>",
    b"&",
    b"<li><ul>",
    b"<span style='display:none",
    b"<svg><p>",
    b"<b><p></b>",
]
FIELDS = [
    b"To: " + b"a@b.cd, " * 12_500,
    b"To: " + b"a" * 99_000,
    b"a:\n" * 33_000,
    b"X: a" + b"\n " * 45_000,
    b"Subject: " + b"=?utf-8?q?a?= " * 7_000,
    b"Subject: " + b"[a] " * 24_000,
    b"Subject: " + b"Re: " * 24_000,
    b"Content-Type: text/plain" + b"; a*1=b" * 14_000,
    b"References: " + b"<a@b>" * 19_000,
    b"Content-Type: multipart/mixed; boundary=" + b"b" * 90_000,
]
LETTERS = {
    **{f"run of {run!r}": filled(PLAIN, run) for run in RUNS},
    **{f"lines of {line!r}": PLAIN + (line + b"\n") * 4_990 for line in LINES},
    **{f"paragraphs of {line!r}": PLAIN + (line + b"\n\n") * 2_490 for line in LINES},
    **{f"tags {tag!r}": filled(HTML, tag) for tag in TAGS},
    **{f"some tags {tag!r}": HTML + tag * 490 + b"<p>x</p>" * 14_000 for tag in TAGS},
    **{f"field {field[:30]!r}": HEAD + field + b"\n\nTARGET" for field in FIELDS},
    **{f"bounce of {run!r}": filled(DAEMON, run) for run in (*RUNS, b"<a@b.c>:\n", b" \n", b"\n ")},
    "parts": HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\na\n" * 130_000,
    "nested 20": nested(20),
    "nested 15,000": nested(15_000),
    "flowed into one": HEAD
    + b"Content-Type: text/plain; format=flowed; delsp=yes\n\n"
    + (b"a" * 50 + b" \n") * 19_000,
    "flowed": HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"a " * 30 + b" \n" * 4_990,
}


@pytest.mark.parametrize("name", LETTERS)
def test_fault_54_no_letter_takes_a_second(name: str) -> None:
    start = time.process_time()
    read_letter(LETTERS[name])
    assert within(time.process_time() - start, 1)
