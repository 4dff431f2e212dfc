"""Bombs of plain text: quotes, footers, keys and lines of orders."""

from collections.abc import Iterator
from itertools import count, islice

from tests.hostile.bomb_parts import FULL, Make, filled, letter, run, word


def _lines(form: str, before: bytes = b"") -> Make:
    """Fill as many lines as a letter may have."""
    share = 4_980 // (form.count("\n") + 1) / FULL
    return lambda size: letter(before + b"".join(_numbered(form, int(share * size))))


def _numbered(form: str, lines: int) -> Iterator[bytes]:
    return (form.format(n=n, w=word(n)).encode() + b"\n" for n in islice(count(1), max(1, lines)))


def _padded(form: str, fill: str, width: int) -> Make:
    """Fill lines of a width, each of which differs at its end."""
    return lambda size: letter(
        b"".join(
            (form + fill * ((width - len(form)) // len(fill)) + word(n)).encode() + b"\n"
            for n in range(
                1, max(2, min(4_990, size // max(1, len((fill * width)[:width].encode()))))
            )
        )
    )


TEXT: dict[str, Make] = {
    "attributions": _lines("On 2026-11-02 a{n}@b.example wrote:"),
    "attributions not ended": _lines("On 2026 a@b.c wrote {n}"),
    "attributions of four lines": _lines("On Mon 2 Nov 2026 at 12:30, {w}"),
    "attributions with colons": _lines("a@b.c 12:30 2026 {n}:"),
    "words before a quote": _lines("wrote {n}:\n> x"),
    "header lines": _lines("From: x{n}"),
    "header blocks": _lines("From: a{n}@b.example\nSent: 12:30\nTo: x\nSubject: y"),
    "header labels": _lines("Subject: {n}"),
    "dividers": _lines("-----Original Message----- {n}"),
    "dividers of dashes": _padded("", "-", 490),
    "dividers of mixed signs": _padded("", "-_=*~", 490),
    "dividers of short words": _padded("--- ", "a -- ", 490),
    "rules": _lines("________________ {n}"),
    "forwarded": _lines("Begin forwarded message: {n}:"),
    "markers": _lines("##- {w} -##"),
    "markers' beginnings": run("##-"),
    "markers' ends": run("-##", "##- x"),
    "signatures": _lines("-- "),
    "signature signs": _lines("--"),
    "mobile footers": _lines("Sent from my phone {n}"),
    "legal notices": _lines("confidential disclose privileged intended recipient {n}\n"),
    "list footers": _lines("_____ {n}\nmailing list"),
    "quotes": _lines("> {n}"),
    "quotes within quotes": _padded("", "> ", 490),
    "one quote sign a line": _lines(">"),
    "long quoted lines that go on": _lines("> " + "word " * 14 + "\nx{w}"),
    "quoted lines and answers": _lines("> a {n}\nb"),
    "greetings": _lines("Hello {n},\n> x"),
    "indented lines": _lines("    x {n}"),
    "set in below an attribution": _lines("On 2026-11-02 a@b.c wrote:\n    x{n}"),
    "blank lines": lambda size: letter(b"\n" * min(4_990, size)),
    "blanks and words": _lines("x {n}\n\n\n"),
    "paragraphs": _lines("{w}\n"),
    "one long word": run("a"),
    "one long line": run("word "),
    "one long line of 10 MB": lambda size: letter(b"word " * (2 * size)),
    "a line of colons": run(":"),
    "a line of dashes": run("-"),
    "a line of dashes and spaces": run("- "),
    "a line of spaces": run(" ", "x", "y"),
    "a line of tabs": run("\t", "x", "y"),
    "a line of at signs": run("@"),
    "a line of addresses": run("a@b.example "),
    "a line of dots after an address": run("a.", "x@", "!"),
    "a line of digits": run("1"),
    "a line of quotes": run(">"),
    "a line of brackets": run("["),
    "a line of stars": run("*"),
    "a line of joiners": run("\u200d"),
    "a line of marks": run("\u0301", "a"),
    "a line of ligatures": run("\ufdfa"),
    "a line of emoji": run("\U0001f600"),
    "a line of sharp s": run("ß"),
    "lines of ligatures": _padded("", "\ufdfa", 130),
    "keys": _lines("KEY abc-def-{w}"),
    "keys on one line": run("KEY abc-def-ghi "),
    "keys' beginnings": run("KEY:"),
    "keys' spaces": run(" ", "KEY"),
    "keys that are none": run("KEY abc-def-gh "),
    "a key, and a long line before it": run("key ", "", " KEY abc-def-ghi"),
    "PGP": lambda size: letter(
        b"-----BEGIN PGP SIGNED MESSAGE-----\n"
        + filled(b"Hash: SHA256\n", min(size, 60_000))
        + b"T"
    ),
    "PGP openers": lambda size: letter(
        filled(b"-----BEGIN PGP SIGNED MESSAGE-----\nA", min(size, 170_000))
    ),
    "orders near": _lines("SCANN {n}"),
    "orders nearly right": _lines("JINKK {w}"),
    "orders in other words": _lines("STANDIG {w}"),
    "orders with names": _lines("TARGET {w}"),
    "orders": _lines("SCAN\nJINK\nEVADE"),
    "one order": _lines("TARGT {w}"),
    "challenges": _lines("CHALLENGE {w} WITH {w}"),
    "helps": _lines("HELP {w}"),
    "maps": _lines("MAP {n}"),
    "game heads": _lines("GAME {n}"),
    "pilot heads": _lines("FOR {w}:"),
    "rules of orders": _lines("IF HULL <= {n}: SCAN"),
    "rules without an order": _lines("IF HULL <= {n} AND ENEMY HULL <= 3 THEN {w}"),
    "rules without a colon": _padded("IF ", "a b ", 390),
    "rules of many conditions": _padded("IF ", "NOT a AND ", 390),
    "rules of dashes": _padded("IF x", "-", 390),
    "rules of long dashes": _padded("IF x", "—", 390),
    "rules of spaces": _padded("IF x", " ", 390),
    "one rule of dashes": run("-", "IF x ", "y"),
    "one rule of spaces": run(" ", "IF x", "y"),
    "one German rule of dashes": run("-", "WENN x ", "y"),
    "salts": _lines("SALT {w}"),
    "one salt": run("x ", "SALT "),
    "salts of spaces": run(" ", "SALT"),
    "standing orders": _lines("STANDING\nIF HULL <= {n}: SCAN\nEND"),
    "bullets": _padded("", "1. ", 390),
    "bullets of stars": _padded("", "* ", 390),
    "bullets in brackets": _padded("", "[x] ", 390),
    "please": _padded("", "please ", 390),
    "forms": _lines("Order {n}: ____"),
    "forms of blanks": _padded("__ ", "IF AND ", 390),
    "forms of colons": _padded("__", ":", 390),
    "forms of arrows": _padded("__", "->", 390),
    "enlistments": _lines("ENLIST {w} PILOTING 3 SENSORS 4"),
    "squadrons": _lines("SQUADRON {w} WITH Red: 2 Gadfly SKILL 2"),
    "squadrons of a long line": _padded("SQUADRON a WITH ", "Red: 2 Gadfly SKILL 2; ", 390),
    "designs": _lines("DESIGN {w}: hull 3, guns 2 x cannon"),
    "designs of many parts": _padded("DESIGN a: ", "gun,", 390),
    "targets": _padded("1; TARGETS ", "a, ", 390),
    "hold fire": _padded("1 ", "; HOLD FIRE ", 390),
    "quoted names": _padded("TARGETS ", '"a" ', 390),
    "quoted names not ended": _padded("TARGETS ", '"\\', 390),
    "addresses to add": _lines("ADDRESS a{n}@b.example"),
    "addresses' edges": _padded("ADDRESS ", "a@", 390),
    "practice": _lines("PRACTICE {w}"),
    "away": _lines("AWAY 2026-11-{n} TO 2026-12-01"),
    "editorials": _lines("{w} {n}", b"EDITORIAL\n"),
    "tells": _lines("TELL {w} hello"),
    "press": _lines("PRESS {w}\nhello"),
    "prose": _lines("The {w} came out of the sun, and nobody saw it."),
    "joins": _lines("JOIN {w} Example"),
    "unsubscribe": _lines("UNSUBSCRIBE newsletter"),
    "leave": _lines("LEAVE LEAGUE"),
}
