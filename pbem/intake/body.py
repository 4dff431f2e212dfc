"""Which part of a letter is its text, and that text in plain lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from pbem.intake.html import html_text_and_tags
from pbem.intake.mime import Part
from pbem.intake.reading import Limits, TooMuchError

STUB = 400
SIGNED_OPENER = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Z][\w-]+:[^\n]*\n)*\n?")
SIGNED_TAIL = "-----BEGIN PGP SIGNATURE-----"
TEXT_TYPES = ("text/plain", "text/html")
NO_WORDS = frozenset(
    "text/calendar text/vcard text/x-vcard text/directory text/css text/javascript text/csv "
    "text/xml text/rfc822-headers text/x-amp-html text/x-moz-deleted text/html text/rtf".split()
)
"""Kinds of text that are no words of the writer's. Others that are unknown count as plain text."""
NARROWEST_WRAP = 50
QUOTE = re.compile(
    r"<blockquote\b|<div[^>]{0,200}(?:gmail_quote|gmail_attr|moz-cite-prefix|divRplyFwdMsg|"
    r"yahoo_quoted|protonmail_quote|appendonsend|zmail_extra|tutanota_quote)|<hr\b",
    re.I,
)
"""Where the quote of an answer begins in HTML, in most mail programs."""


def letter_text(root: Part, limits: Limits) -> str:
    """Return the whole text of a letter, quotes included."""
    return unsigned("\n\n".join(Shown(limits).texts(root)))


def other_text(root: Part, limits: Limits, beginning: bool = False) -> str:
    """Return the whole text of a letter by its HTML where `letter_text` takes the plain form.

    With `beginning`, HTML is read up to its first quote alone: most answers stand above it, and
    reading the quote takes far longer. Return "" where there is no such other form, or where it
    exceeds a cap.
    """
    if all(part.kind != "multipart/alternative" for part in root.walk()):
        return ""
    with suppress(TooMuchError):
        shown = Shown(limits, "text/html", beginning)
        text = "\n\n".join(shown.texts(root))
        if shown.alternatives:
            return text
    return ""


class Shown:
    """Reads what a letter shows; the tags of all its parts count against one cap."""

    def __init__(
        self, limits: Limits, prefers: str = "text/plain", beginning: bool = False
    ) -> None:
        self.limits, self.tags_left, self.prefers = limits, limits.tags, prefers
        self.beginning = beginning
        self.alternatives = 0
        """How many alternatives had both forms, each of which would do."""

    def texts(self, part: Part) -> Iterator[str]:
        """Yield the text of each part that is shown, in order."""
        if part.kind == "multipart/alternative":
            yield self.best(part)
        elif part.kind in ("multipart/signed", "multipart/related", "multipart/report"):
            yield from self.texts(part.parts[0])
        elif part.parts:
            for below in part.parts:
                yield from self.texts(below)
        elif (is_plain(part) or part.kind == "text/html") and not part.attached:
            yield self.part_text(part)

    def best(self, part: Part) -> str:
        """Return the text of alternatives: the plain one, unless it only points at the other."""
        plain = "\n".join(self.leaf_texts(part, "text/plain"))
        suffices = len(plain) > STUB or (plain.strip() and not mentions_html(plain))
        if suffices and self.prefers == "text/plain":
            return plain
        html = "\n".join(self.leaf_texts(part, "text/html")).strip()
        self.alternatives += bool(suffices and html)
        return html or plain

    def leaf_texts(self, part: Part, kind: str) -> Iterator[str]:
        """Yield the texts of all leaves of one kind below a part."""
        leaves = [leaf for leaf in part.walk() if not leaf.attached]
        found = [leaf for leaf in leaves if leaf.kind == kind]
        if not found and kind == "text/plain":
            found = [leaf for leaf in leaves if is_plain(leaf)][:1]
        yield from map(self.part_text, found)

    def part_text(self, part: Part) -> str:
        """Return one part as plain lines."""
        text = part.text()
        if part.kind == "text/html":
            deepest = self.limits.tag_nesting
            quote = QUOTE.search(text) if self.beginning else None
            text = text[: quote.start()] if quote else text
            text, tags = html_text_and_tags(text, self.tags_left, deepest)
            self.tags_left -= tags
        elif part.params.get("format", "").lower() == "flowed":
            text = unflowed(text, part.params.get("delsp", "").lower() == "yes")
        return text


def is_plain(part: Part) -> bool:
    """Return whether a part is read as plain text; unknown kinds of text are (RFC 2046, 4.1.4)."""
    return part.kind.startswith("text/") and part.kind not in NO_WORDS


def mentions_html(plain: str) -> bool:
    """Return whether a short text says that the real letter is elsewhere."""
    said = plain.casefold()
    elsewhere = ("html", "view this email", "view this message", "in your browser", "im browser")
    return any(word in said for word in elsewhere)


def unflowed(text: str, delete_space: bool) -> str:
    """Join the soft-wrapped lines of format=flowed (RFC 3676)."""
    lines: list[list[str]] = []
    open_level, before = -1, ""
    for line in text.split("\n"):
        body = line.lstrip(">")
        level = len(line) - len(body)
        body = body.removeprefix(" ")
        soft = body.endswith(" ") and body != "-- "
        kept = body[:-1] if soft and delete_space else body
        if level == open_level and body != "-- " and wraps(before, body, delete_space):
            lines[-1].append(kept)
        else:
            lines.append([">" * level + " " * bool(level), kept])
        open_level, before = level if soft else -1, body
    return "\n".join(map("".join, lines))


def wraps(line: str, following: str, delete_space: bool) -> bool:
    """Return whether a line is long enough to have been wrapped before what follows."""
    return delete_space or len(line) + len(following.partition(" ")[0]) >= NARROWEST_WRAP


def unsigned(text: str) -> str:
    """Return a text without the armour of an inline PGP signature."""
    found = SIGNED_OPENER.search(text)
    if not found:
        return text
    inner, _, after = text[found.end() :].partition(SIGNED_TAIL)
    # PGP escapes lines that begin with a dash (RFC 4880, 7.1).
    inner = re.sub(r"^- ", "", inner, flags=re.MULTILINE)
    # Text below the signature is the writer's too.
    tail = after.partition("-----END PGP SIGNATURE-----")[2]
    return text[: found.start()] + inner + tail
