"""A letter as a tree of MIME parts and their header fields, read tolerant of damage and bounded."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from urllib.parse import unquote_to_bytes

from pbem.intake.charsets import clean, decode, one_line
from pbem.intake.reading_result import Limits, TooMuchError

# RFC 5322: a name is printable ASCII (2.2); old programs put spaces before the colon (4.5).
FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:(.*)$", re.MULTILINE)
FOLD = re.compile(rb"\n[ \t]+")
MBOX_LINE = re.compile(rb">?From (?![ \t]*:)[^\n]*\n")
WORD = re.compile(r"=\?([^?\s]{1,40})\?([bq])\?([^?]*)\?=", re.IGNORECASE)
PARAMETER = re.compile(r';\s*([\w*.-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)')
MESSAGE_ID = re.compile(r"<([!-;=?-~]{1,900})>")
LONGEST_VALUE = 4_000
LIKE_BOUNDARY = re.compile(rb"^--([^\s-][^\n]*+)", re.MULTILINE)
LONGEST_BOUNDARY = 200
KIND = re.compile(r"[\w.+-]+/[\w.+-]+")
_WRITERS = re.compile(
    rb"(?:from|sender|reply-to|to|cc|date|subject|message-id|in-reply-to|references|auto-submitted"
    rb"|mime-version|content-.*)",
    re.IGNORECASE,
)
"""The fields that a letter's writer sets; servers add others, such as Received."""
_LONGEST_HEADER = 100 << 10
"""A longer header is compared as it is, because looking at each of its fields would take long."""


class Headers:
    """The fields of one header, by lower-case name, in their order."""

    def __init__(self, block: bytes) -> None:
        self._lines = list(fields(block))
        self._fields: dict[str, list[str]] = {}
        for name, value in self._lines:
            self._fields.setdefault(name, []).append(value)
        self.names = frozenset(self._fields)

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of a field, as written, from the top."""
        return tuple(self._fields.get(name, ()))

    def above(self, name: str, mark: str) -> tuple[str, ...]:
        """Return every value of a field above the first field called `mark`, from the top."""
        names = [each for each, _ in self._lines]
        upper = self._lines[: names.index(mark)] if mark in names else self._lines
        return tuple(value for each, value in upper if each == name)

    def first(self, name: str) -> str:
        """Return the first value of a field, or ""."""
        return self._fields.get(name, [""])[0]

    def __contains__(self, name: str) -> bool:
        return name in self._fields


def split_header(raw: bytes) -> tuple[bytes, bytes]:
    """Split a letter with plain line ends into its header block and its body."""
    if found := MBOX_LINE.match(raw):
        # Some programs leave the separator line of an mbox above the header.
        raw = raw[found.end() :]
    if raw.startswith(b"\n"):
        return b"", raw[1:]
    head, _, body = raw.partition(b"\n\n")
    # Without a field at its beginning a letter has no header, and all of it is text.
    return (head, body) if FIELD.match(head) else (b"", raw)


def fields(block: bytes) -> Iterator[tuple[str, str]]:
    """Yield the fields of a header block, without lines that are not fields."""
    for name, value in FIELD.findall(FOLD.sub(b" ", block)):
        yield name.decode("ascii").lower(), decode(value).strip()


def decode_words(value: str) -> str:
    """Return a header value with its encoded words decoded, cleaned to one line."""
    out: list[str] = []
    waiting: tuple[str, bytes] | None = None
    end = 0
    for found in WORD.finditer(value):
        between = value[end : found.start()]
        charset = found[1].partition("*")[0].lower()
        coded = found[3].encode("utf-8", "replace")
        data = unbase64(coded) if found[2] in "bB" else binascii.a2b_qp(coded, header=True)
        end = found.end()
        # Some programs split a character between two words, so their bytes are joined first.
        if waiting and waiting[0] == charset and not between.strip():
            waiting = (charset, waiting[1] + data)
            continue
        out += [decode(waiting[1], waiting[0])] if waiting else []
        out += [between] if between.strip() or not waiting else []
        waiting = (charset, data)
    out += [decode(waiting[1], waiting[0])] if waiting else []
    return one_line("".join(out) + value[end:])


def subject_of(raw: bytes) -> str:
    """Return the subject of a letter as one line, from its header alone."""
    return decode_words(Headers(split_header(raw[:_LONGEST_HEADER])[0]).first("subject"))


def unbase64(raw: bytes) -> bytes:
    """Decode base64, as far as it can be read."""
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", raw)
    # One character left over holds only 6 bits, which is not a byte; Python would refuse it.
    kept = kept[: len(kept) - (len(kept) % 4 == 1)]
    return base64.b64decode(kept + b"=" * (-len(kept) % 4))


def parameters(value: str) -> tuple[str, Mapping[str, str]]:
    """Split a value such as ``text/plain; charset=utf-8`` into its head and its parameters."""
    # Cut before it is cached, so that a hostile letter can't fill the cache.
    return _parameters(value[:LONGEST_VALUE])


@lru_cache(maxsize=64)
def _parameters(value: str) -> tuple[str, Mapping[str, str]]:
    head, _, _ = value.partition(";")
    found = {name.lower(): unquote(raw) for name, raw in PARAMETER.findall(value)}
    return head.strip().lower(), MappingProxyType(join_continued(found))


def unquote(raw: str) -> str:
    """Return a parameter's value without its quotation marks."""
    raw = raw.strip()
    if raw[:1] == raw[-1:] == '"' and len(raw) > 1:
        return re.sub(r"\\(.)", r"\1", raw[1:-1])
    return raw


def join_continued(found: Mapping[str, str]) -> dict[str, str]:
    """Join the continued and percent-coded parameters of RFC 2231."""
    joined: dict[str, str] = {}
    # By length first, so that part 10 of a value comes after part 9.
    for name in sorted(found, key=lambda each: (len(each), each)):
        value = found[name]
        if name.endswith("*"):
            value = decode(unquote_to_bytes(value.rpartition("'")[2]))
        base, star, _ = name.partition("*")
        joined[base] = joined.get(base, "") * bool(star) + value
    return joined


def message_ids(value: str) -> tuple[str, ...]:
    """Return the message ids of a header value, with their brackets."""
    return tuple(f"<{each}>" for each in MESSAGE_ID.findall(value))


@dataclass(frozen=True, slots=True)
class MimePart:
    """One part of a letter: a leaf with a body, or a branch with parts."""

    headers: Headers
    kind: str
    params: Mapping[str, str]
    body: bytes
    parts: tuple[MimePart, ...] = ()

    def walk(self) -> Iterator[MimePart]:
        """Yield this part and all below it, in reading order."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def content(self) -> bytes:
        """Return the body with its transfer encoding undone as far as possible."""
        # Searched for, not compared, because programs add spaces, comments and parameters.
        how = self.headers.first("content-transfer-encoding").lower()
        if "base64" in how:
            return unbase64(self.body)
        return binascii.a2b_qp(self.body) if "quoted" in how else self.body

    def text(self) -> str:
        """Return the content as clean text."""
        return clean(decode(self.content(), self.params.get("charset", "")))

    @property
    def attached(self) -> bool:
        """Whether the part is an attached file, not text of the letter."""
        how, params = parameters(self.headers.first("content-disposition"))
        return how == "attachment" or "filename" in params or "name" in self.params

    @property
    def reacts(self) -> bool:
        """Whether the part is a reaction, such as a thumb (RFC 9078, or Google's own form)."""
        how, _ = parameters(self.headers.first("content-disposition"))
        return how == "reaction" or self.kind == "text/vnd.google.email-reaction+json"


class MimeReader:
    """Reads parts and counts them against the caps."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.count = 0

    def read(self, raw: bytes, depth: int = 0) -> MimePart:
        """Return one part and all that it contains."""
        self.count += 1
        if self.count > self.limits.parts:
            raise TooMuchError(f"more than {self.limits.parts} parts")
        if depth > self.limits.nesting:
            raise TooMuchError(f"parts nested deeper than {self.limits.nesting}")
        head, body = split_header(raw)
        if len(head) > self.limits.header:
            raise TooMuchError(f"a header of more than {self.limits.header} bytes")
        headers = Headers(head)
        kind, params = parameters(headers.first("content-type"))
        kind = kind if KIND.fullmatch(kind) else "text/plain"
        if kind.startswith("multipart/"):
            parts = tuple(self.read(each, depth + 1) for each in pieces(body, params))
            # Without any boundary, what should have been parts is read as one text.
            kind, body = (kind, b"") if parts else ("text/plain", body)
            return MimePart(headers, kind, params, body, parts)
        return MimePart(headers, kind, params, body)


def pieces(body: bytes, params: Mapping[str, str]) -> Iterator[bytes]:
    """Yield the raw parts between the boundaries of a multipart body."""
    boundary = params.get("boundary", "").encode("utf-8", "replace").rstrip()
    if not boundary or b"--" + boundary not in body:
        boundary = guessed_boundary(body)
    if not boundary:
        return
    start = None
    for at, end, last in _boundary_lines(body, b"--" + boundary):
        if start is not None:
            yield body[start : max(start, at - 1)]
        start = None if last else end
        if last:
            break
    # The last boundary is missing if a letter was cut off on its way.
    if start is not None and start < len(body):
        yield body[start:]


def guessed_boundary(body: bytes) -> bytes:
    """Return the first line that looks like a boundary, or b""."""
    lines = (found[1].rstrip(b" \t") for found in LIKE_BOUNDARY.finditer(body))
    return next((line for line in lines if len(line) <= LONGEST_BOUNDARY), b"")


def _boundary_lines(body: bytes, mark: bytes) -> Iterator[tuple[int, int, bool]]:
    """Yield where each boundary line begins and ends, and whether it is the last one."""
    at = body.find(mark)
    while at >= 0:
        # RFC 2046, 5.1.1: it begins a line, and nothing but spaces may be behind it.
        if not at or body[at - 1 : at] == b"\n":
            end = body.find(b"\n", at)
            end = len(body) if end < 0 else end
            rest = body[at + len(mark) : end].rstrip(b" \t")
            if rest in (b"", b"--"):
                yield at, min(end + 1, len(body)), rest == b"--"
        at = body.find(mark, at + len(mark))


def plain_line_ends(raw: bytes) -> bytes:
    """Return bytes with every line end, a stray CR too, as a bare LF."""
    # Nearly all letters need only this, which is quicker than `replace`.
    plain = b"\n".join(raw.split(b"\r\n"))
    if b"\r" in plain:
        plain = raw.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return plain.lstrip(b"\n")


def read_parts(raw: bytes, limits: Limits) -> MimePart:
    """Return the tree of a letter's parts. Raise TooMuchError at a cap."""
    return MimeReader(limits).read(plain_line_ends(raw))


def digest(raw: bytes) -> str:
    """Return a digest that is the same for each delivery of one letter, and differs for another."""
    plain = plain_line_ends(raw)
    head, body = split_header(plain)
    if len(head) > _LONGEST_HEADER:
        return sha256(plain).hexdigest()
    found = FIELD.findall(FOLD.sub(b" ", head))
    # Unfolded and stripped: servers fold fields anew and change spaces.
    own = [name.lower() + b":" + value.strip() for name, value in found if _WRITERS.fullmatch(name)]
    return sha256(b"\n".join([*own, b"", body.rstrip()])).hexdigest()
