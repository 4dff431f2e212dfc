"""Bombs of HTML."""

from tests.hostile.bomb_parts import Make, filled, html, numbered, word

TAGS = 29_000
"""Nearly as many as are read of one letter; a little text fills the rest."""


def _ends(before: bytes, unit: bytes, after: bytes = b"") -> Make:
    def make(size: int) -> bytes:
        room = size - len(before) - len(after)
        most = TAGS // unit.count(b"<") * len(unit) if b"<" in unit else room
        rest = b"word " * ((room - most) // 5)
        return html(before + filled(unit, min(room, most)) + after + rest)

    return make


def _other(form: str, before: bytes = b"", after: bytes = b"") -> Make:
    def make(size: int) -> bytes:
        room = size - len(before) - len(after)
        if (tags := form.count("<")) > 0:
            room = min(room, len("".join(form.format(n=n, w=word(n)) for n in range(TAGS // tags))))
        return html(before + numbered(form, room) + after)

    return make


def _over(unit: bytes) -> Make:
    """Repeat tags beyond all caps."""
    return lambda size: html(filled(unit, size))


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
    "more tags than are read": _over(b"<p>"),
    "more bold type than is read": _over(b"<b>x"),
    "more tables than are read": _over(b"<table><tr><td>x"),
}
