"""A letter as a tree of parts, read within bounds and tolerant of damage."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pbem.intake.charsets import clean, decode
from pbem.intake.headers import Headers, parameters, split_header, unbase64
from pbem.intake.reading import Limits, TooMuchError

LIKE_BOUNDARY = re.compile(rb"^--([^\s-][^\n]*+)", re.MULTILINE)
LONGEST_BOUNDARY = 200
KIND = re.compile(r"[\w.+-]+/[\w.+-]+")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a letter: a leaf with a body, or a branch with parts."""

    headers: Headers
    kind: str
    params: Mapping[str, str]
    body: bytes
    parts: tuple[Part, ...] = ()

    def walk(self) -> Iterator[Part]:
        """Yield this part and all below it, in reading order."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def content(self) -> bytes:
        """Return the body with its transfer encoding undone as far as possible."""
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


class Reader:
    """Reads parts and counts them against the caps."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.count = 0

    def read(self, raw: bytes, depth: int = 0) -> Part:
        """Return one part and all that it contains."""
        self.count += 1
        self.check(depth)
        head, body = split_header(raw)
        if len(head) > self.limits.header:
            raise TooMuchError(f"a header of more than {self.limits.header} bytes")
        headers = Headers(head)
        kind, params = parameters(headers.first("content-type"))
        kind = kind if KIND.fullmatch(kind) else "text/plain"
        if kind.startswith("multipart/"):
            parts = tuple(self.read(each, depth + 1) for each in pieces(body, params))
            kind, body = (kind, b"") if parts else ("text/plain", body)
            return Part(headers, kind, params, body, parts)
        return Part(headers, kind, params, body)

    def check(self, depth: int) -> None:
        """Raise TooMuchError at the caps on parts and on nesting."""
        if self.count > self.limits.parts:
            raise TooMuchError(f"more than {self.limits.parts} parts")
        if depth > self.limits.nesting:
            raise TooMuchError(f"parts nested deeper than {self.limits.nesting}")


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
        if not at or body[at - 1 : at] == b"\n":
            end = body.find(b"\n", at)
            end = len(body) if end < 0 else end
            rest = body[at + len(mark) : end].rstrip(b" \t")
            if rest in (b"", b"--"):
                yield at, min(end + 1, len(body)), rest == b"--"
        at = body.find(mark, at + len(mark))


def plain_line_ends(raw: bytes) -> bytes:
    """Return bytes with every line end, a stray CR too, as a bare LF."""
    plain = b"\n".join(raw.split(b"\r\n"))
    if b"\r" in plain:
        plain = raw.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return plain.lstrip(b"\n")


def read_parts(raw: bytes, limits: Limits) -> Part:
    """Return the tree of a letter's parts. Raise TooMuchError at a cap."""
    return Reader(limits).read(plain_line_ends(raw))
