"""Authentication-Results: what a mail server found out about a letter (RFC 8601)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

LONGEST = 8_000
DEEPEST = 20
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\\.|[();]|[^"\\();]+', re.DOTALL)
WORDS = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
SAID = re.compile(r"([a-z][a-z0-9-]*)(?:/\d+)?=([a-z]+)", re.IGNORECASE)
PROPERTY = re.compile(r"([a-z][a-z0-9-]*\.[a-z][a-z0-9_-]*)=(.+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one method, and what it is about, such as ``header.d``."""

    verdict: str
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Results:
    """One field: the server that wrote it, and its results by method."""

    server: str
    methods: Mapping[str, Sequence[Result]]

    def verdicts(self, method: str) -> frozenset[str]:
        """Return all results of a method."""
        return frozenset(one.verdict for one in self.methods.get(method, ()))


def results(value: str) -> Results | None:
    """Return a field's value parsed; None if it is ambiguous or unreadable."""
    parts = plain_parts(value) if len(value) <= LONGEST else None
    words = WORDS.findall(parts[0]) if parts else []
    if parts is None or not words or len(words) > 2 or "=" in words[0]:
        return None
    methods: dict[str, list[Result]] = {}
    for part in parts[1:]:
        for method, found in method_of(part):
            methods.setdefault(method, []).append(found)
    return Results(unquote(words[0]).lower(), methods)


def plain_parts(value: str) -> list[str] | None:
    """Return the parts between semicolons, without comments; None if a quote or bracket is open."""
    parts, depth, end = [""], 0, 0
    for found in TOKEN.finditer(value):
        if found.start() != end:
            return None
        end, token = found.end(), found[0]
        depth += (token == "(") - (token == ")")
        if not 0 <= depth <= DEEPEST:
            return None
        if depth or token == ")":
            continue
        if token == ";":
            parts.append("")
        else:
            parts[-1] += token
    return parts if not depth and end == len(value) else None


def method_of(part: str) -> Iterator[tuple[str, Result]]:
    """Yield the method of one part and its result; nothing for a part without one."""
    words = WORDS.findall(part)
    said = SAID.fullmatch(words[0]) if words else None
    if said is None:
        return
    about = {m[1].lower(): unquote(m[2]).lower() for m in map(PROPERTY.fullmatch, words[1:]) if m}
    yield said[1].lower(), Result(said[2].lower(), about)


def unquote(text: str) -> str:
    """Return a word without its quotation marks."""
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text[:1] == text[-1:] == '"' else text
