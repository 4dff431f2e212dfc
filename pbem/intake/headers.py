"""A letter's header fields, unfolded, and the small grammars inside them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from urllib.parse import unquote_to_bytes

from pbem.intake.charsets import decode, one_line

FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:(.*)$", re.MULTILINE)
FOLD = re.compile(rb"\n[ \t]+")
MBOX_LINE = re.compile(rb">?From (?![ \t]*:)[^\n]*\n")
WORD = re.compile(r"=\?([^?\s]{1,40})\?([bq])\?([^?]*)\?=", re.IGNORECASE)
PARAMETER = re.compile(r';\s*([\w*.-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)')
MESSAGE_ID = re.compile(r"<([!-;=?-~]{1,900})>")
LONGEST_VALUE = 4_000


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
        data = word_bytes(found[2], found[3])
        end = found.end()
        if waiting and waiting[0] == charset and not between.strip():
            waiting = (charset, waiting[1] + data)
            continue
        out += [decode(waiting[1], waiting[0])] if waiting else []
        out += [between] if between.strip() or not waiting else []
        waiting = (charset, data)
    out += [decode(waiting[1], waiting[0])] if waiting else []
    return one_line("".join(out) + value[end:])


def word_bytes(how: str, data: str) -> bytes:
    """Return the bytes of one encoded word."""
    raw = data.encode("utf-8", "replace")
    if how in "bB":
        return unbase64(raw)
    return binascii.a2b_qp(raw, header=True)


def unbase64(raw: bytes) -> bytes:
    """Decode base64, as far as it can be read."""
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", raw)
    # One character left over holds only 6 bits, which is no byte; Python would refuse it.
    kept = kept[: len(kept) - (len(kept) % 4 == 1)]
    return base64.b64decode(kept + b"=" * (-len(kept) % 4))


def parameters(value: str) -> tuple[str, Mapping[str, str]]:
    """Split a value such as ``text/plain; charset=utf-8`` into its head and its parameters."""
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
    for name in sorted(found, key=lambda each: (len(each), each)):
        base, star, _ = name.partition("*")
        joined[base] = joined.get(base, "") * bool(star) + plain_value(name, found[name])
    return joined


def plain_value(name: str, value: str) -> str:
    """Return one parameter's value; decode it if its name ends in ``*``."""
    if not name.endswith("*"):
        return value
    return decode(unquote_to_bytes(value.rpartition("'")[2]))


def message_ids(value: str) -> tuple[str, ...]:
    """Return the message ids of a header value, with their brackets."""
    return tuple(f"<{each}>" for each in MESSAGE_ID.findall(value))
