"""The plain and the HTML form of one text, weighed against each other.

A mail program that sends both often wraps the plain form, or loses its line breaks. The HTML form
then has the lines as they were typed. Where the two say different things, nobody can know which
of them the writer saw.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

LEAD = re.compile(r"\s*(?:[-*+•·‣▪]{1,2}\s+|\(?\d{1,3}[.)]\s+)?")
LINK = re.compile(
    r"\s?<(?:https?|mailto):[^<>\s]*>|\s?\[(?:https?|mailto):[^\[\]\s]*\]"
    r"|\[(?:image|cid): ?[^\[\]]*\]"
)
_NO_PART = re.compile(r"[^\w<=>]|_")
MOST = 12
"""The most plain lines that one line of HTML is wrapped into."""
LONG = 20
"""So many letters and digits in a row are found in a text only if it holds the line."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A text with its lines as they were typed, and the lines that only one of its forms holds."""

    text: str
    differing: tuple[str, ...] = ()
    same: bool = False
    """Whether both forms have the same words."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a letter: what its writer added, and all that it shows."""

    own: str
    whole: str


def weighed(plain: Form, html: Form) -> Weighed:
    """Return what the writer added, by both forms.

    Where both have the same words, the lines of the HTML count. Otherwise those of the plain form
    count that the HTML holds too, joined where they stand on one line of it. Quoted words do not
    count as a difference: a line counts as one only if the other form holds it nowhere.
    """
    if not html.own.strip() or not plain.own.strip():
        return Weighed(plain.own or html.own)
    lines, shown = plain.own.split("\n"), html.own.split("\n")
    if key("\n".join(lines)) == key("\n".join(shown)):
        return Weighed(html.own, same=True)
    lines = restored(lines, {key(line) for line in shown})
    only_plain = differing(lines, shown, html.whole)
    only_html = differing(shown, lines, plain.whole)
    sure = (line for line in lines if line not in only_plain)
    return Weighed("\n".join(sure), (*only_plain, *only_html))


def key(text: str) -> str:
    """Return the letters, digits and comparisons of a text: what an order consists of."""
    bare = LINK.sub(" ", text)
    if not bare.isascii():
        bare = unicodedata.normalize("NFKC", bare).replace("≤", "<=").replace("≥", ">=")
    bare = "".join(LEAD.sub("", line, count=1) for line in bare.split("\n"))
    return _NO_PART.sub("", bare.casefold())


def restored(lines: Sequence[str], whole: Set[str]) -> list[str]:
    """Return plain lines with those joined that are one line together, by the other form's keys."""
    found: list[str] = []
    at = 0
    while at < len(lines):
        count = run(lines, at, whole)
        found.append(" ".join(line.strip() for line in lines[at : at + count]))
        if count == 1:
            found[-1] = lines[at]
        at += count
    return found


def run(lines: Sequence[str], at: int, whole: Set[str]) -> int:
    """Return how many lines from here on make one line of the other form: 1 if none do."""
    together = key(lines[at])
    if not together or together in whole:
        return 1
    for count in range(2, MOST + 1):
        last = at + count - 1
        if last == len(lines) or not lines[last].strip():
            return 1
        together += key(lines[last])
        if together in whole:
            return count
    return 1


def differing(lines: Iterable[str], others: Sequence[str], other_whole: str) -> list[str]:
    """Return the lines whose words the other form does not hold, neither as new nor as quoted."""
    known = {key(line.lstrip("> ")) for line in (*others, *other_whole.split("\n"))}
    everything = key("\n".join(line.lstrip("> ") for line in other_whole.split("\n")))
    return [
        line
        for line in lines
        if (one := key(line)) and one not in known and not (len(one) > LONG and one in everything)
    ]
