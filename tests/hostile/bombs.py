"""Letters that try to cost much: each kind as a function from a size in bytes to a letter."""

import base64
import quopri
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import NamedTuple

FULL = 1 << 20
"""The most that the league takes of one letter."""
HEADER = 100 << 10
"""The most that it takes of a header."""
TO = b"To: referee@league.example\r\n"

Make = Callable[[int], bytes]


class Bomb(NamedTuple):
    """A kind of letter, made at a size; `most` is the largest size that says something new."""

    make: Make
    most: int = FULL


def filled(unit: bytes, size: int) -> bytes:
    """Repeat a unit up to a size."""
    return unit * max(1, size // len(unit))


def numbered(form: str, size: int) -> bytes:
    """Repeat a unit that differs each time, by its number or a word made of it, up to a size."""
    made, length = list[bytes](), 0
    for number in count(1):
        made.append(form.format(n=number, w=word(number)).encode())
        length += len(made[-1])
        if length >= size:
            return b"".join(made)[:size]
    raise AssertionError


def word(number: int) -> str:
    """Write a number in letters."""
    letters = ""
    while number:
        number, digit = divmod(number, 26)
        letters += "abcdefghijklmnopqrstuvwxyz"[digit]
    return letters


def letter(body: bytes, head: bytes = b"", subject: bytes = b"Hello") -> bytes:
    """Write a letter whose From and To are added where it is sent."""
    return b"Subject: " + subject + b"\n" + head + b"\n" + body


def html(body: bytes) -> bytes:
    """Write an HTML letter."""
    return letter(body, b"Content-Type: text/html; charset=utf-8\n")


def _ends(before: bytes, unit: bytes, after: bytes = b"") -> Make:
    return lambda size: html(before + filled(unit, size - len(before) - len(after)) + after)


def _other(form: str, before: bytes = b"", after: bytes = b"") -> Make:
    return lambda size: html(before + numbered(form, size - len(before) - len(after)) + after)


def _halves(one: str, other: str, share: float = 0.5) -> Make:
    def make(size: int) -> bytes:
        first = numbered(one, int(size * share))
        return html(first + numbered(other, size - len(first)))

    return make


def _deep(tags: str, depth: int, rest: str) -> Make:
    """Open some hundred tags, and then repeat something within them."""

    def make(size: int) -> bytes:
        opened = "".join(tags.format(n=n) for n in range(depth)).encode()
        return html(opened + numbered(rest, max(1, size - len(opened))))

    return make


HTML: dict[str, Make] = {
    "attributes of one tag": _other("a{n} ", b"<p ", b">TARGET</p>"),
    "attributes with values": _other("a{n}=1 ", b"<p ", b">TARGET</p>"),
    "attributes in quotes": _other("a{n}='1' ", b"<p ", b">TARGET</p>"),
    "attributes without spaces": _other("a{n}='1'", b"<p ", b">TARGET</p>"),
    "attributes parted by strokes": _other("/a{n}", b"<p ", b">TARGET</p>"),
    "the same attribute": _ends(b"<p ", b"a ", b">TARGET</p>"),
    "attributes of an end tag": _other("a{n} ", b"<p>x</p ", b">TARGET"),
    "attributes of a thousand tags": _other("<p " + " ".join(f"a{n}" for n in range(200)) + ">x"),
    "attributes of body again": _other("<body a{n}=1>x"),
    "attributes of html again": _other("<html a{n}=1>x"),
    "attributes in a comment's shadow": _other("a{n} ", b'<!-- <a b=" --><p ', b'>T</p> <!-- ">'),
    "attributes in a style's shadow": _other("a{n} ", b'<style><a b="</style><p ', b'>T</p>">'),
    "attributes in an svg title": _other("a{n} ", b"<svg><title><p ", b">T</p></title></svg>"),
    "attributes in cdata": _other("a{n} ", b'<svg><![CDATA[<a b="]]></svg><p ', b'>T</p>">'),
    "attributes in plaintext": _other("a{n} ", b"<plaintext><p ", b">T</p>"),
    "attributes in noscript": _other("a{n} ", b"<noscript><p ", b">T</p></noscript>"),
    "attributes in textarea": _other("a{n} ", b"<textarea><p ", b">T</p></textarea>"),
    "attributes in a template": _other("a{n} ", b"<template><p ", b">T</p></template>"),
    "an attribute's name": _ends(b"<p ", b"a", b">TARGET</p>"),
    "an attribute's value": _ends(b"<p style='", b"a", b"'>TARGET</p>"),
    "a tag's name": _ends(b"<", b"a", b">TARGET"),
    "tags' names": _other("<x{n}>x"),
    "classes": _other("c{n} ", b"<p class='", b"'>TARGET</p>"),
    "classes x_": _ends(b"<p class='", b"x_", b"'>TARGET</p>"),
    "style 40px": _ends(b"<blockquote style='", b"40px", b"'>x</blockquote>"),
    "style border": _ends(b"<blockquote style='", b"border:none", b"'>x</blockquote>"),
    "style zeros": _ends(b"<p style='font-size:", b"0", b"x'>TARGET</p>"),
    "style zeros again": _ends(b"<p style='", b"font-size:000", b"x'>TARGET</p>"),
    "style border-top": _ends(b"<p style='", b"border-top:solid #", b"x'>TARGET</p>"),
    "styles of 2,000 bytes": _ends(
        b"", b"<blockquote style='" + b"40px" * 500 + b"'>x</blockquote>"
    ),
    "a style sheet": _other("p.c{n} {{ color: red; margin: {n}px }}\n", b"<style>", b"</style>T"),
    "a style sheet not ended": _other("p.c{n} {{ color: red }}\n", b"<style>"),
    "style sheets": _ends(b"", b"<style>a{}</style>x"),
    "imports": _other("@import url(x{n});", b"<style>", b"</style>TARGET"),
    "selectors": _ends(b"<style>", b"a>b+c~d ", b"{}</style>TARGET"),
    "div in div": _ends(b"", b"<div>"),
    "div in div, closed": lambda size: html(
        b"<div>" * (size // 11) + b"T" + b"</div>" * (size // 11)
    ),
    "b in b": _ends(b"", b"<b>"),
    "font in font": _other("<font size={n}>x"),
    "a in a": _ends(b"", b"<a href=x>y"),
    "nobr in nobr": _ends(b"", b"<nobr>y"),
    "p with b unclosed": _other("<p><b id=i{n}>x"),
    "p closing b": _other("<p><b id=i{n}>x</p>"),
    "b and p crossed": _ends(b"", b"<b><p></b>"),
    "b and p crossed with words": _ends(b"", b"<b>x<p>y</b>z</p>"),
    "b, i and a crossed": _ends(b"", b"<b><i><a></b></i></a>"),
    "a and div crossed": _ends(b"", b"<a><div></a>"),
    "formats opened, then p": _deep("<font id=i{n}>", 400, "<p>x"),
    "formats in p, then p": _deep("<p><font id=i{n}>", 200, "</p><p>x"),
    "formats in a closed p": lambda size: html(
        b"<p>"
        + b"".join(b"<b id=i%d>" % n for n in range(400))
        + b"</p>"
        + filled(b"<p>x</p>", size)
    ),
    "formats in a closed p, then formats end": lambda size: html(
        b"<p>"
        + b"".join(b"<b id=i%d>" % n for n in range(400))
        + b"</p>"
        + filled(b"<div>x</b></div>", size)
    ),
    "formats over the cap": _halves("<b id=i{n}>", "<p>x"),
    "blockquotes": _ends(b"", b"<blockquote>x"),
    "blockquotes closed": _ends(b"", b"<blockquote>x</blockquote>y"),
    "gmail quotes": _ends(b"", b"<div class=gmail_quote>x</div>"),
    "gmail quotes in one another": _ends(b"", b"<div class=gmail_quote>x"),
    "attributions": _ends(b"", b"<div class=gmail_attr>a@b.example:</div>"),
    "signatures": _ends(b"x", b"<div class=gmail_signature>x</div>"),
    "cuts": _ends(b"x", b"<div id=divRplyFwdMsg>x</div>"),
    "hidden": _ends(b"", b"<p style='display:none'>x</p>"),
    "pre": _ends(b"<pre>", b"x \n", b"</pre>"),
    "pre in pre": _ends(b"", b"<pre>\n\n"),
    "line breaks": _ends(b"", b"<br>"),
    "rules": _ends(b"", b"<hr>x"),
    "cells": _ends(b"<table><tr>", b"<td>x"),
    "rows": _ends(b"<table>", b"<tr><td>x"),
    "tables in tables": _ends(b"", b"<table><tr><td>"),
    "tables beside tables": _ends(b"", b"<table><tr><td>x</table>"),
    "text in tables": _ends(b"<table>", b"x<tr>"),
    "text in a table": _ends(b"<table>", b"x "),
    "p in tables": _ends(b"<table>", b"<p>x<tr>"),
    "b in tables": _ends(b"<table>", b"<b>x<tr>"),
    "tables in p": _ends(b"", b"<p><table>"),
    "forms in tables": _ends(b"", b"<table><form><input>"),
    "captions": _ends(b"<table>", b"<caption>x</caption>"),
    "columns": _ends(b"<table>", b"<col>"),
    "lists": _ends(b"", b"<ul><li>x"),
    "items": _ends(b"<ul>", b"<li>x"),
    "items in items": _ends(b"", b"<li><ul>"),
    "definitions": _ends(b"", b"<dd>x<dt>"),
    "options": _ends(b"<select>", b"<option>x"),
    "selects": _ends(b"", b"<select><option>x</select>"),
    "buttons": _ends(b"", b"<button>x"),
    "framesets": _ends(b"", b"<frameset><frame>"),
    "templates": _ends(b"", b"<template><p>x"),
    "svg": _ends(b"", b"<svg><p>"),
    "svg in svg": _ends(b"", b"<svg><g>"),
    "math": _ends(b"", b"<math><mi>x</mi></math>"),
    "foreign objects": _ends(b"", b"<svg><foreignObject><p>x"),
    "ruby": _ends(b"", b"<ruby>x<rt>y"),
    "headings": _ends(b"", b"<h1>x"),
    "end tags": _ends(b"", b"</p>"),
    "end tags of nothing": _deep("<x{n}>", 400, "</y{n}>"),
    "end tags of what stands above": _deep("<span>", 480, "</i>"),
    "end br": _ends(b"", b"</br>"),
    "comments": _ends(b"", b"<!---->x"),
    "a comment not ended": _ends(b"TARGET<!--", b"<p>x--"),
    "comments not ended": _ends(b"", b"<!--"),
    "comments of dashes": _ends(b"<!--", b"-", b"->x"),
    "comment ends": _ends(b"<!--", b"--!"),
    "declarations": _ends(b"", b"<!x>"),
    "doctypes": _ends(b"", b"<!DOCTYPE html SYSTEM 'x'>"),
    "instructions": _ends(b"", b"<?x"),
    "cdata": _ends(b"", b"<![CDATA[x]]>"),
    "scripts not ended": _ends(b"", b"<script><!--<script>"),
    "raw text not ended": _ends(b"", b"<title><xmp><iframe>"),
    "less-than signs": _ends(b"", b"<"),
    "less-than signs and letters": _ends(b"", b"<a"),
    "greater-than signs": _ends(b"<p>", b">"),
    "quotes not ended": _ends(b"", b"<a b='"),
    "quotes of both kinds": _ends(b"", b"<a b='\"<a b=\"'"),
    "equals signs": _ends(b"<p ", b"=", b">T"),
    "equals signs and spaces": _ends(b"<p a", b" = ", b">T"),
    "spaces in a tag": _ends(b"<p", b" ", b">TARGET"),
    "spaces in a tag not ended": _ends(b"<p", b" "),
    "spaces before an equals sign": _ends(b"<p ", b"a" + b" " * 999),
    "strokes in a tag": _ends(b"<p", b"/", b">TARGET"),
    "zero bytes": _ends(b"<p>", b"\0", b"T"),
    "entities": _ends(b"", b"&nbsp;"),
    "entities not ended": _ends(b"", b"&amp"),
    "ampersands": _ends(b"", b"&"),
    "entities of digits": _ends(b"&#", b"1"),
    "entities of many digits": _ends(b"", b"&#x" + b"0" * 99 + b"41;"),
    "longest entities": _ends(b"", b"&CounterClockwiseContourIntegral;"),
    "almost entities": _ends(b"", b"&CounterClockwiseContourIntegra"),
    "entities in an attribute": _ends(b"<p class='", b"&amp;", b"'>T"),
    "entities of invisible signs": _ends(b"", b"&#x200d;"),
    "entities of line ends": _ends(b"<pre>", b"&#10;"),
    "spaces": _ends(b"", b" "),
    "text without tags": _ends(b"", b"word "),
    "one word": _ends(b"", b"w"),
    "joiners": _ends(b"", "\u200d".encode()),
}


def _lines(form: str, before: bytes = b"") -> Make:
    """Fill as many lines as a letter may have."""
    return lambda size: letter(before + b"".join(_numbered(form, 4_990 * size // FULL)))


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


def _run(unit: str, before: str = "", after: str = "") -> Make:
    """Fill one line."""
    return lambda size: letter(
        before.encode() + filled(unit.encode(), size - len(before)) + after.encode()
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
    "markers' beginnings": _run("##-"),
    "markers' ends": _run("-##", "##- x"),
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
    "one long word": _run("a"),
    "one long line": _run("word "),
    "one long line of 10 MB": lambda size: letter(b"word " * (2 * size)),
    "a line of colons": _run(":"),
    "a line of dashes": _run("-"),
    "a line of dashes and spaces": _run("- "),
    "a line of spaces": _run(" ", "x", "y"),
    "a line of tabs": _run("\t", "x", "y"),
    "a line of at signs": _run("@"),
    "a line of addresses": _run("a@b.example "),
    "a line of dots after an address": _run("a.", "x@", "!"),
    "a line of digits": _run("1"),
    "a line of quotes": _run(">"),
    "a line of brackets": _run("["),
    "a line of stars": _run("*"),
    "a line of joiners": _run("\u200d"),
    "a line of marks": _run("\u0301", "a"),
    "a line of ligatures": _run("\ufdfa"),
    "a line of emoji": _run("\U0001f600"),
    "a line of sharp s": _run("ß"),
    "lines of ligatures": _padded("", "\ufdfa", 130),
    "keys": _lines("KEY abc-def-{w}"),
    "keys on one line": _run("KEY abc-def-ghi "),
    "keys' beginnings": _run("KEY:"),
    "keys' spaces": _run(" ", "KEY"),
    "keys that are none": _run("KEY abc-def-gh "),
    "a key, and a long line before it": _run("key ", "", " KEY abc-def-ghi"),
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
    "one rule of dashes": _run("-", "IF x ", "y"),
    "one rule of spaces": _run(" ", "IF x", "y"),
    "one German rule of dashes": _run("-", "WENN x ", "y"),
    "salts": _lines("SALT {w}"),
    "one salt": _run("x ", "SALT "),
    "salts of spaces": _run(" ", "SALT"),
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


def _head(field: bytes, unit: str, after: bytes = b"") -> Make:
    """Fill one field of a header."""
    return lambda size: letter(
        b"TARGET", field + b": " + numbered(unit, min(size, HEADER - 2_000)) + after + b"\n"
    )


def _subject(unit: str) -> Make:
    return lambda size: letter(b"TARGET", b"", numbered(unit, min(size, HEADER - 2_000)))


HEADERS: dict[str, Make] = {
    "fields": _head(b"X", "x\nX-{n}: y"),
    "empty fields": _head(b"X", "x\na:"),
    "fields of one name": _head(b"X", "x\nX: y"),
    "lines that are no fields": _head(b"X", "x\n{w}"),
    "folds": _head(b"X", "\n "),
    "folds of spaces": _head(b"X", "x\n" + " " * 200),
    "colons after spaces": _head(b"X", "a" + " " * 500 + "\n"),
    "names without a colon": _head(b"X", "a"),
    "Received": _head(b"Received", "by x{n}\nReceived: by y"),
    "references": _head(b"References", "<a{n}@b> "),
    "references not ended": _head(b"References", "<a{n} "),
    "references without spaces": _head(b"References", "<"),
    "in reply to": _head(b"In-Reply-To", "<a{n}@b> "),
    "message ids": _head(b"Message-ID", "<a{n}@b> "),
    "recipients": _head(b"Cc", "a{n}@b.example, "),
    "recipients in brackets": _head(b"Cc", '"x" <a{n}@b.example>, '),
    "recipients' comments": _head(b"Cc", "(((x"),
    "recipients' dots": _head(b"Cc", "a.b."),
    "recipients' tokens": _head(b"Cc", "a+{w}bcdefghijklmnop@b.example "),
    "delivered to": _head(b"Delivered-To", "a@b\nDelivered-To: a{n}@b.example"),
    "reply to": _head(b"Reply-To", "a{n}@b.example, "),
    "subjects Re": _subject("Re: "),
    "subjects Re with numbers": _subject("Re[{n}]: "),
    "subjects of brackets": _subject("[a] "),
    "subjects of opening brackets": _subject("["),
    "subjects of tokens": _subject("[{w}abcdefghijklmnop] "),
    "subjects of stars": _subject("*"),
    "subjects of numbers": _subject("{n}"),
    "subjects of spaces": _subject("x" + " " * 300),
    "subject words in Q": _subject("=?utf-8?q?a{n}?= "),
    "subject words in B": _subject("=?utf-8?b?YQ==?= "),
    "subject words of charsets": _subject("=?x{n}?q?a?= "),
    "subject words not ended": _subject("=?utf-8?q?"),
    "subject words' beginnings": _subject("=?"),
    "subject words' spaces": _subject("=?utf-8?q?a?=" + " " * 50),
    "subject words of one long B": lambda size: letter(
        b"T", b"", b"=?utf-8?b?" + filled(b"YWFh", min(size, 90_000)) + b"?="
    ),
    "subject words that hold words": _subject("=?utf-8?q?=3D=3Futf-8=3Fq=3Fa=3F=3D?= "),
    "charset": _head(b"Content-Type", "x", b""),
    "parameters": _head(b"Content-Type", "text/plain; a{n}=b"),
    "parameters continued": _head(b"Content-Type", "; boundary*{n}=b"),
    "parameters coded": _head(b"Content-Type", "; boundary*{n}*=utf-8''%41%42"),
    "parameters of quotes": _head(b"Content-Type", '; a="\\'),
    "parameters of backslashes": _head(b"Content-Type", '; a="\\\\'),
    "parameters of spaces": _head(b"Content-Type", ";" + " " * 100),
    "parameters' apostrophes": _head(b"Content-Type", "; a*='"),
    "parameters of stars": _head(b"Content-Type", "; a" + "*" * 50 + "=b"),
    "dispositions": _head(b"Content-Disposition", "; filename*{n}*=x"),
    "encodings": _head(b"Content-Transfer-Encoding", "base64 "),
    "automatic": _head(b"Auto-Submitted", "no;("),
    "results": _head(b"Authentication-Results", "; spf=pass (a{n}) smtp.mailfrom=b"),
    "results of brackets": _head(b"Authentication-Results", "("),
    "results of quotes": _head(b"Authentication-Results", '"\\"'),
    "results of many fields": _head(
        b"Authentication-Results", "x\nAuthentication-Results: mx; spf=pass"
    ),
    "signatures": _head(b"DKIM-Signature", "v=1; a=x; b={n}; "),
    "DKIM signatures": _head(
        b"DKIM-Signature", "v=1\nDKIM-Signature: v=1; d=x{n}.example; s=a; b=x"
    ),
    "list ids": _head(b"X-Loop", "referee@x{n}"),
    "dates": _head(b"Date", "Mon, "),
}


def _from(unit: str, before: str = "", after: str = "") -> Make:
    return lambda size: (
        b"From: "
        + before.encode()
        + numbered(unit, min(size, HEADER - 2_000))
        + after.encode()
        + b"\nSubject: x\n\nTARGET"
    )


SENDERS: dict[str, Make] = {
    "addresses": _from("a{n}@b.example, "),
    "comments": _from("(", "a@b.example "),
    "comments, short": lambda size: b"From: a@b.example " + b"(x)" * 400 + b"\nSubject: x\n\nT",
    "quotes": _from('"\\'),
    "quotes, short": lambda size: b'From: "' + b'\\"' * 600 + b"\nSubject: x\n\nT",
    "spaces, short": lambda size: b"From: a" + b" " * 1_200 + b"<a@b.example\nSubject: x\n\nT",
    "spaces in brackets": lambda size: b"From: a <" + b" " * 1_200 + b"x\nSubject: x\n\nT",
    "labels": _from("a.", "x@", "!"),
    "labels, short": lambda size: b"From: a@" + b"a-" * 150 + b"!\nSubject: x\n\nT",
    "words": _from("=?utf-8?q?a{n}?= ", "", "<a@b.example>"),
    "fields": _from("a@b.example\nFrom: b{n}@b.example"),
    "MAILER-DAEMON": _from("MAILER-DAEMON "),
}


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
    "addresses in words": _bounce(_run("<a@b.example>:\n")),
    "words of failure": _bounce(_run("user unknown ")),
    "beginnings of copies": _bounce(_run("--- Below this line is a copy ")),
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
    "quoted-printable text": _coded(b"quoted-printable", quopri.encodestring, _run("é"), 0.15),
    "quoted-printable signs": _coded(b"quoted-printable", lambda body: body, _run("="), 1),
    "quoted-printable soft ends": _coded(b"quoted-printable", lambda body: body, _run("=\n"), 1),
    "quoted-printable spaces": _coded(b"quoted-printable", lambda body: body, _run(" \n"), 0.005),
    "quoted-printable attributes": _coded(
        b"quoted-printable", quopri.encodestring, HTML["attributes of one tag"], 0.9
    ),
    "base64 attributes": _coded(b"base64", base64.encodebytes, HTML["attributes of one tag"], 0.73),
    "base64 rubbish": _coded(b"base64", lambda body: body, _run("!"), 1),
    "base64 of nothing": _coded(b"base64", lambda body: body, _run("="), 1),
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

_GROUPS = {
    "html": HTML,
    "text": TEXT,
    "header": HEADERS,
    "sender": SENDERS,
    "bounce": BOUNCES,
    "mime": MIME,
}
BOMBS = {
    f"{group}: {name}": Bomb(make, HEADER if group in ("header", "sender") else FULL)
    for group, makes in _GROUPS.items()
    for name, make in makes.items()
}


def made(name: str, size: int, sender: bytes, token: bytes = b"") -> bytes:
    """Make a bomb of at most a size, from somebody, with a token where they have one."""
    raw = BOMBS[name].make(size - 400)
    head = b"Message-ID: <" + name.encode().hex().encode()[:200] + b"@x.example>\n"
    head += b"" if raw.startswith(b"From:") else b"From: " + sender + b"\n"
    return head + b"To: referee" + b"+" * bool(token) + token + b"@league.example\n" + raw
