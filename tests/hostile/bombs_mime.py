"""Bombs of parts, encodings and charsets, and bounces."""

import base64
import quopri
from collections.abc import Callable

from tests.hostile.bomb_parts import Make, filled, letter, numbered, run
from tests.hostile.bombs_html import HTML


def _bounce(body: Make) -> Make:
    def make(size: int) -> bytes:
        inner = body(size).partition(b"\n\n")[2]
        return b"From: MAILER-DAEMON@x.example\nSubject: failure notice\n\n" + inner

    return make


def _report(unit: str) -> Make:
    return lambda size: (
        b"From: MAILER-DAEMON@x.example\nSubject: failure\n"
        b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        b"--b\n\nx\n--b\nContent-Type: message/delivery-status\n\n"
        + numbered(unit, size)
        + b"\n--b--"
    )


BOUNCES: dict[str, Make] = {
    "statuses": _report("Final-Recipient: rfc822; a{n}@b.example\nStatus: 5.1.1\n\n"),
    "statuses without an end": _report("Final-Recipient: rfc822; a{n}@b.example\n"),
    "blank lines": _report("\n \t"),
    "spaces": _report("\n" + " " * 500),
    "tabs and ends": _report("\n\t\n\t"),
    "addresses in words": _bounce(run("<a@b.example>:\n")),
    "words of failure": _bounce(run("user unknown ")),
    "beginnings of copies": _bounce(run("--- Below this line is a copy ")),
    "returned letters": lambda size: (
        b"From: MAILER-DAEMON@x.example\nSubject: failure\n"
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
        + filled(b"--b\nContent-Type: message/rfc822\n\nTo: a@b.example\n\nx\n", size)
    ),
}


def _parts(unit: bytes, kind: bytes = b"mixed", after: bytes = b"") -> Make:
    return lambda size: letter(
        filled(unit, size) + after, b"Content-Type: multipart/" + kind + b"; boundary=b\n"
    )


def _nested(size: int, depth: int = 5_000) -> bytes:
    opening = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n"
    count = min(depth, size // 55)
    return b"Subject: x\n" + b"".join(opening % (n, n) for n in range(count)) + b"\nTARGET"


def _coded(how: bytes, code: Callable[[bytes], bytes], make: Make, share: float) -> Make:
    """Write a letter again in a transfer encoding."""

    def coded(size: int) -> bytes:
        head, _, body = make(int(size * share)).partition(b"\n\n")
        return head + b"\nContent-Transfer-Encoding: " + how + b"\n\n" + code(body)

    return coded


def _in_charset(charset: str, text: str | bytes) -> Make:
    raw = text if isinstance(text, bytes) else text.encode(charset)
    head = f"Content-Type: text/plain; charset={charset}\n".encode()
    return lambda size: letter(filled(raw, size), head)


MIME: dict[str, Make] = {
    "parts": _parts(b"--b\n\na\n"),
    "empty parts": _parts(b"--b\n"),
    "parts of headers": _parts(b"--b\n" + b"X: y\n" * 50 + b"\na\n"),
    "a part's header": lambda size: letter(
        b"--b\n" + numbered("X-{n}: y\n", size), b"Content-Type: multipart/mixed; boundary=b\n"
    ),
    "alternatives": _parts(b"--b\nContent-Type: text/html\n\n<p>x\n", b"alternative"),
    "HTML parts": _parts(b"--b\nContent-Type: text/html\n\n<p>x</p>\n"),
    "boundaries in lines": _parts(b"x--b"),
    "boundaries that are none": _parts(b"--bx\n"),
    "boundaries with spaces": _parts(b"--b" + b" " * 200 + b"x\n"),
    "boundaries guessed": lambda size: letter(
        filled(b"--" + b"a" * 190 + b" " * 9 + b"x\n", size), b"Content-Type: multipart/mixed\n"
    ),
    "boundaries guessed of spaces": lambda size: letter(
        b"--a" + filled(b" ", size) + b"x", b"Content-Type: multipart/mixed\n"
    ),
    "nested parts": _nested,
    "nested letters": lambda size: (
        b"Subject: x\n" + filled(b"Content-Type: message/rfc822\n\n", size)
    ),
    "nested alternatives": lambda size: _nested(size, 19).replace(b"mixed", b"alternative"),
    "flowed": lambda size: letter(
        filled(b"a" * 50 + b" \n", min(size, 250_000)), b"Content-Type: text/plain; format=flowed\n"
    ),
    "flowed quotes": lambda size: letter(
        filled(b">" * 200 + b" \n", size), b"Content-Type: text/plain; format=flowed\n"
    ),
    "line ends": lambda size: letter(filled(b"\r", min(size, 4_000))),
    "line ends of all kinds": lambda size: letter(filled("\u2028\x0b\x0c\x85".encode(), 20_000)),
    "quoted-printable text": _coded(b"quoted-printable", quopri.encodestring, run("é"), 0.15),
    "quoted-printable signs": _coded(b"quoted-printable", lambda body: body, run("="), 1),
    "quoted-printable soft ends": _coded(b"quoted-printable", lambda body: body, run("=\n"), 1),
    "quoted-printable spaces": _coded(b"quoted-printable", lambda body: body, run(" \n"), 0.005),
    "quoted-printable attributes": _coded(
        b"quoted-printable", quopri.encodestring, HTML["attributes of one tag"], 0.9
    ),
    "base64 attributes": _coded(b"base64", base64.encodebytes, HTML["attributes of one tag"], 0.73),
    "base64 rubbish": _coded(b"base64", lambda body: body, run("!"), 1),
    "base64 of nothing": _coded(b"base64", lambda body: body, run("="), 1),
    "utf-16": _in_charset("utf-16-le", "word "),
    "utf-16 marks": _in_charset("utf-16-le", "\u0301"),
    "utf-32": _in_charset("utf-32-le", "w"),
    "utf-7": _in_charset("utf-7", b"+AGEA-"),
    "hz": _in_charset("hz", b"~{!!~}"),
    "hz not ended": _in_charset("hz", b"~{"),
    "iso-2022-jp": _in_charset("iso-2022-jp", b"\x1b$B!!\x1b(B"),
    "iso-2022-jp escapes": _in_charset("iso-2022-jp", b"\x1b"),
    "iso-2022-kr": _in_charset("iso-2022-kr", b"\x0e!!\x0f"),
    "gb18030": _in_charset("gb18030", b"\x81\x30\x81\x30"),
    "damaged utf-8": _in_charset("utf-8", b"\xf0\x9f"),
    "damaged gb18030": _in_charset("gb18030", b"\xff\x81"),
    "rot13": _in_charset("rot13", b"abc"),
    "idna": _in_charset("idna", b"xn--a"),
    "punycode": _in_charset("punycode", b"a-b"),
    "unicode-escape": _in_charset("unicode-escape", b"\\N{DIGIT ONE}"),
    "zip": _in_charset("zip", b"x"),
}
