"""A letter as the rows of the classification see it: its sender, its text, its files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property

from pbem.intake.addresses import Mailbox, addresses_in, one_mailbox
from pbem.intake.alternatives import Form, Weighed, weighed
from pbem.intake.charsets import one_line
from pbem.intake.html import html_text_and_tags
from pbem.intake.mime import MimePart, decode_words, parameters, read_parts
from pbem.intake.quotes import Own, own_text, own_words
from pbem.intake.reading_result import ANSWERING, Limits, TooMuchError

LISTS = ("list-id", "list-post")
DELIVERED = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "to", "cc")
MOST_FILES = 5
TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
NO_FILES = re.compile(r"application/(?:pgp|(?:x-)?pkcs7)-.*|text/(?:x-)?vcard|message/.*|image/.*")
"""What programs attach by themselves: signatures, cards, and the pictures of a layout."""
STUB = 400
"""A plain form of fewer characters may be nothing but a note that the letter is in HTML."""
SIGNED_OPENER = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Z][\w-]+:[^\n]*\n)*\n?")
SIGNED_TAIL = "-----BEGIN PGP SIGNATURE-----"
TEXT_TYPES = ("text/plain", "text/html")
HTML_BEGINS = re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE)
NO_WORDS = frozenset(
    "text/calendar text/vcard text/x-vcard text/directory text/css text/javascript text/csv "
    "text/xml text/rfc822-headers text/x-amp-html text/x-moz-deleted text/html text/rtf".split()
)
"""Kinds of text that are not words of the writer's. Others that are unknown count as plain text."""
NARROWEST_WRAP = 50
"""No program wraps lines that are narrower, so a space at their end was typed."""
QUOTE = re.compile(
    r"<blockquote\b|<div[^>]{0,200}(?:gmail_quote|gmail_attr|moz-cite-prefix|divRplyFwdMsg|"
    r"yahoo_quoted|protonmail_quote|appendonsend|zmail_extra|tutanota_quote)|<hr\b",
    re.I,
)
"""Where the quote of an answer begins in HTML, in most mail programs."""


def own_parts(root: MimePart) -> frozenset[int]:
    """Return the ids of the parts that are the letter's own text, by where they stand.

    Their names and dispositions say nothing: Exchange makes a file ATT00001.txt of the text below a
    picture, and other programs name the only text there is. A text with a name that stands right
    below other text is a file.
    """
    found, above = set[int](), None
    for part, parent in _leaves(root):
        text = part.kind in TEXT_TYPES
        unnamed = not part.attached and (text or is_plain(part))
        form = parent == "multipart/alternative"
        goes_on = above is not None and above.kind not in TEXT_TYPES
        if not part.reacts and (unnamed or (text and (form or goes_on or not found))):
            found.add(id(part))
        above = part
    return frozenset(found)


def _leaves(part: MimePart, parent: str = "") -> Iterator[tuple[MimePart, str]]:
    """Yield all parts without parts of their own, each with the kind of the one that holds it."""
    if not part.parts:
        yield part, parent
    for below in part.parts:
        yield from _leaves(below, part.kind)


def is_file(part: MimePart) -> bool:
    """Return whether a part is a file that the writer may have put orders into."""
    return part.kind in TNEF or (part.attached and not NO_FILES.fullmatch(part.kind))


def is_unread(part: MimePart) -> bool:
    """Return whether a part is of a kind that nobody reads, and that programs do not add."""
    text = part.kind in TEXT_TYPES or is_plain(part)
    return not text and (part.kind.startswith("image/") or not NO_FILES.fullmatch(part.kind))


def file_name(part: MimePart) -> str:
    """Return the name of an attached file, or else its kind."""
    params = parameters(part.headers.first("content-disposition"))[1]
    name = params.get("filename") or part.params.get("name") or ""
    return one_line(decode_words(name))[:60] or part.kind


def attached_text(raw: bytes, ending: str) -> str:
    """Return the text of a letter's first attached file whose name ends so, or ""."""
    parts = read_parts(raw, Limits()).walk()
    files = (part for part in parts if is_file(part) and not part.parts)
    found = next((part for part in files if file_name(part).lower().endswith(ending)), None)
    return "" if found is None else found.text()


class ParsedLetter:
    """One letter with what the rows ask for, each thing read once and only when asked."""

    def __init__(self, raw: bytes, limits: Limits) -> None:
        self.limits = limits
        self.root: MimePart = read_parts(raw, limits)
        self.headers = self.root.headers
        self.parts = tuple(self.root.walk())

    @cached_property
    def sender(self) -> Mailbox | None:
        """The one clean mailbox of the one From, or None."""
        values = self.headers.all("from")
        return one_mailbox(values[0]) if len(values) == 1 else None

    @cached_property
    def subject(self) -> str:
        """The subject as one clean line."""
        return decode_words(self.headers.first("subject"))

    @property
    def topic(self) -> str:
        """The subject without its Re: and Fwd:."""
        topic = self.subject
        while found := ANSWERING.match(topic):
            topic = topic[found.end() :]
        return " ".join(topic.split()).casefold()

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The content types of all parts."""
        return frozenset(part.kind for part in self.parts)

    @cached_property
    def shown(self) -> tuple[str, str]:
        """All the text that the letter shows; or "", and the cap that it exceeds."""
        try:
            text = letter_text(self.root, self.limits)
        except TooMuchError as error:
            return "", str(error)
        if text.count("\n") > self.limits.lines:
            return "", f"more than {self.limits.lines} lines"
        return text, ""

    @property
    def whole(self) -> str:
        """All the text that the letter shows."""
        return self.shown[0]

    @cached_property
    def own(self) -> Own:
        """The writer's own new text by its first form, and what may be the writer's too."""
        return own_words(self.whole)

    @property
    def unread(self) -> tuple[str, ...]:
        """The names of attached files, which nobody reads, without signatures and the like.

        Where the letter itself says nothing, even a picture may hold what the writer wanted.
        """
        wordless = not self.own.text.strip()
        own = own_parts(self.root)
        files = (part for part in self.parts if not part.parts and id(part) not in own)
        found = (
            file_name(part) for part in files if is_file(part) or (wordless and is_unread(part))
        )
        return tuple(found)[:MOST_FILES]

    @cached_property
    def weighed(self) -> Weighed:
        """The writer's own new text, and the lines in which its plain and HTML forms differ."""
        plain = Form(self.own.text, self.whole)
        # If the text above the first quote says the same, the rest need not be read.
        for beginning in (True, False):
            other = other_text(self.root, self.limits, beginning)
            found = weighed(plain, Form(own_text(other), other)) if other else Weighed(plain.own)
            if not beginning or found.same:
                return found
        raise AssertionError("the whole HTML is always the last")

    @property
    def text(self) -> str:
        """The writer's own new text."""
        return self.weighed.text

    @property
    def unsure(self) -> tuple[str, ...]:
        """The lines that may be the writer's or not."""
        return (*self.weighed.differing, *self.own.unsure)

    @cached_property
    def recipients(self) -> tuple[str, ...]:
        """The addresses that the letter was sent to."""
        values = (value for name in DELIVERED for value in self.headers.all(name))
        return addresses_in(dict.fromkeys(values))

    @cached_property
    def addressed(self) -> tuple[str, ...]:
        """The addresses in To and Cc."""
        return addresses_in(value for name in ("to", "cc") for value in self.headers.all(name))

    @property
    def null_path(self) -> bool:
        """Whether the letter came with an empty return path, which only machines use."""
        return any(value.strip() == "<>" for value in self.headers.all("return-path"))

    @property
    def precedences(self) -> list[str]:
        """What all Precedence lines say: each program on the way may add one.

        A comment or a parameter behind the word does not count.
        """
        lines = self.headers.all("precedence")
        return [re.split(r"[;(]", value, maxsplit=1)[0].strip().lower() for value in lines]

    @property
    def by_our_list(self) -> bool:
        """Whether it came through a mailing list whose address is the league's own.

        A List-Id names a list like a host (RFC 2919): `<referee.example.net>`.
        """
        said = " ".join(value for name in LISTS for value in self.headers.all(name)).lower()
        names = (name for own in self.limits.ours for name in (own, own.replace("@", ".")))
        return any(re.search(rf"(?<![\w.+-]){re.escape(name)}(?![\w.-])", said) for name in names)

    def report_of(self, kind: str) -> str | None:
        """Return why this is a report of one kind (RFC 6522, RFC 6533), or None."""
        if {f"message/{kind}", f"message/global-{kind}"} & self.kinds:
            return f"it holds a {kind}"
        said = self.root.params.get("report-type", "").lower()
        return f"its report type is {kind}" if said == kind else None


def letter_text(root: MimePart, limits: Limits) -> str:
    """Return the whole text of a letter, quotes included."""
    return unsigned("\n\n".join(Shown(root, limits).texts(root)))


def other_text(root: MimePart, limits: Limits, beginning: bool = False) -> str:
    """Return the whole text of a letter by its HTML where `letter_text` takes the plain form.

    With `beginning`, HTML is read up to its first quote alone: most answers stand above it, and
    reading the quote takes far longer. Return "" where there is no such other form, or where it
    exceeds a cap.
    """
    if all(part.kind != "multipart/alternative" for part in root.walk()):
        return ""
    # The letter counts by its plain form then, so a cap is no reason to refuse it.
    with suppress(TooMuchError):
        shown = Shown(root, limits, "text/html", beginning)
        text = "\n\n".join(shown.texts(root))
        if shown.alternatives:
            return text
    return ""


class Shown:
    """Reads what a letter shows; the tags of all its parts count against one cap."""

    def __init__(
        self, root: MimePart, limits: Limits, prefers: str = "text/plain", beginning: bool = False
    ) -> None:
        self.limits, self.tags_left, self.prefers = limits, limits.tags, prefers
        self.beginning = beginning
        self.own = own_parts(root)
        self.alternatives = 0
        """How many alternatives had both forms, each of which would do."""

    def texts(self, part: MimePart) -> Iterator[str]:
        """Yield the text of each part that is shown below one, in order."""
        if part.kind == "multipart/alternative":
            # The forms of a reaction say what it is in words, for programs that know none.
            if not any(below.reacts for below in part.walk()):
                yield self.best(part)
        # The first part is the text. Others are its signature (RFC 1847), its pictures (RFC 2387)
        # or a report for programs (RFC 6522).
        elif part.kind in ("multipart/signed", "multipart/related", "multipart/report"):
            yield from self.texts(part.parts[0])
        elif part.parts:
            for below in part.parts:
                yield from self.texts(below)
        elif id(part) in self.own:
            yield self.part_text(part)

    def best(self, part: MimePart) -> str:
        """Return the text of alternatives: the plain one, unless it only points at the other."""
        plain = "\n".join(self.leaf_texts(part, "text/plain"))
        suffices = len(plain) > STUB or (plain.strip() and not mentions_html(plain))
        if suffices and self.prefers == "text/plain":
            return plain
        html = "\n".join(self.leaf_texts(part, "text/html")).strip()
        self.alternatives += bool(suffices and html)
        return html or plain

    def leaf_texts(self, part: MimePart, kind: str) -> Iterator[str]:
        """Yield the texts of all leaves of one kind below a part."""
        leaves = [leaf for leaf in part.walk() if id(leaf) in self.own]
        found = [leaf for leaf in leaves if leaf.kind == kind]
        # Alternatives of unknown kinds say the same, so one of them is enough.
        if not found and kind == "text/plain":
            found = [leaf for leaf in leaves if is_plain(leaf)][:1]
        yield from map(self.part_text, found)

    def part_text(self, part: MimePart) -> str:
        """Return one part as plain lines."""
        text = part.text()
        if part.kind == "text/html" or HTML_BEGINS.match(text):
            deepest = self.limits.tag_nesting
            quote = QUOTE.search(text) if self.beginning else None
            text = text[: quote.start()] if quote else text
            text, tags = html_text_and_tags(text, self.tags_left, deepest)
            self.tags_left -= tags
        elif part.params.get("format", "").lower() == "flowed":
            text = unflowed(text, part.params.get("delsp", "").lower() == "yes")
        return text


def is_plain(part: MimePart) -> bool:
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
        # Some programs leave a space at the end of lines that they did not wrap.
        wrapped = delete_space or len(before) + len(body.partition(" ")[0]) >= NARROWEST_WRAP
        if level == open_level and body != "-- " and wrapped:
            lines[-1].append(kept)
        else:
            lines.append([">" * level + " " * bool(level), kept])
        open_level, before = level if soft else -1, body
    return "\n".join(map("".join, lines))


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
