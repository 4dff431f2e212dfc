"""The words of our own letters, and the orders that they print for players to copy.

Words are compared squeezed: letters, digits, comparisons and signs alone, in one case. So it does
not matter how a mail program wraps lines, or which signs, links and bullets it puts in.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, cached_property
from html import unescape
from typing import NamedTuple

from pbem.intake.alternatives import LINK
from pbem.intake.letter import TEXT_TYPES, Shown
from pbem.intake.mime import read_parts
from pbem.intake.reading import Limits, TooMuchError

PLACES = 20
"""The most places at which some words are searched."""
MOST = 400_000
"""The most letters and digits of ours that are remembered."""
MOST_SEARCHED = 100_000_000
"""How many letters and digits are searched through for one letter."""

ALIKE = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "≤": "<=", "≥": ">="})
DROPPED = re.compile(r"[^\w<=+-]|_|(?<=\w)[-+]|[-+](?!\d)")
GAP = re.compile(r"\s{2,}|\t")
INDENT = "  "
BEGINNING = 5
"""By so many letters and digits the beginning of a printed order is known that was changed."""
PICTURED = re.compile(r"<img\b[^<>]*\salt=\"([^\"]+)\"")
CITED = re.compile(
    r'"(?:[^"\n]|\n(?!\n)){2,800}"|“[^“”]{2,800}”|„[^„“]{2,800}“|(?:^\| .*\n?)+', re.M
)
"""What our letters cite: words in quotation marks, and a story behind bars."""
END = "\0"
"""Stands between our texts, so that no words are found across two of them."""


def our_texts(raw: bytes) -> list[str]:
    """Return the texts of one of our letters that may be quoted: plain, HTML, and of pictures."""
    texts: list[str] = []
    with suppress(TooMuchError):
        root = read_parts(raw, Limits())
        for kind in TEXT_TYPES:
            texts += Shown(root, Limits()).leaf_texts(root, kind)
        pages = (part.text() for part in root.walk() if part.kind == "text/html")
        # In plain text, what a picture shows stands in its place.
        texts += [unescape(alt) for page in pages for alt in PICTURED.findall(page)]
    return texts


def squeezed(text: str) -> str:
    """Return the letters, digits, comparisons and signs of a text, in one case."""
    if "<" in text or "[" in text:
        text = LINK.sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(ALIKE))
    return DROPPED.sub("", text.casefold())


class Copied(NamedTuple):
    """A printed order, where it ends in our words, and whether all of it is repeated.

    `explained` is true if its chance or other words stand behind it, as in a list of choices.
    """

    end: int
    text: str
    whole: bool
    explained: bool


class _Line(NamedTuple):
    """A line of ours that has words, and where they are; `above` is the line right above it."""

    text: str
    start: int
    end: int
    above: int | None


class OurWords:
    """The words of some of our letters.

    `is_order` returns whether a line is an order by itself. Printed orders stand on lines of their
    own, bare, or with what explains them in another column.
    """

    def __init__(self, texts: Sequence[str], is_order: Callable[[str], bool]) -> None:
        self.is_order = cache(is_order)
        self._texts = texts
        self._lines: list[_Line] = []
        self.words = "".join(self._squeezed(texts))
        self._starts = [line.start for line in self._lines]
        self._ends = frozenset(line.end for line in self._lines)
        self.explained = frozenset(
            squeezed(line.text) for line in self._lines if GAP.search(line.text.strip())
        )
        """The lines of ours that have columns, such as an order with its chance."""
        self._left = MOST_SEARCHED
        self._printed = cache(self._find_printed)

    def _squeezed(self, texts: Sequence[str]) -> Iterator[str]:
        """Yield our words line by line, and note where each line is."""
        at = 0
        for text in texts:
            above = None
            for line in text.split("\n"):
                words = squeezed(line)
                if words and at + len(words) <= MOST:
                    self._lines.append(_Line(line, at, at + len(words), above))
                    above, at = len(self._lines) - 1, at + len(words)
                    yield words
                elif not line.strip():
                    above = None
            at += 1
            yield END

    def places(self, words: str) -> list[int]:
        """Return where some words begin, as far as they are searched."""
        found: list[int] = []
        at = 0
        while len(found) < PLACES and self._left > 0:
            place = self.words.find(words, at)
            self._left -= (place if place >= 0 else len(self.words)) - at
            if place < 0:
                break
            found.append(place)
            at = place + 1
        return found

    def begins_line(self, at: int) -> bool:
        """Return whether one of our lines begins at a place."""
        found = bisect_right(self._starts, at) - 1
        return found >= 0 and self._starts[found] == at

    def ends_line(self, at: int) -> bool:
        """Return whether one of our lines ends at a place."""
        return at in self._ends

    def is_begun(self, lines: Sequence[str], end: int) -> bool:
        """Return whether lines hold a printed order up to a place, all of it or changed.

        Each is given by its words.
        """
        number = bisect_right(self._starts, end - 1) - 1
        start = self._lines[number].start
        begun = lines[-1].endswith(self.words[start:end])
        beginning = self.words[start : min(start + BEGINNING, end)]
        changed = any(words.startswith(beginning) for words in lines)
        return (begun or changed) and self._printed(number) is not None

    def in_one_line(self, start: int, end: int) -> bool:
        """Return whether one of our lines holds all between two places."""
        return end <= self._lines[bisect_right(self._starts, start) - 1].end

    def cites(self, start: int, end: int) -> bool:
        """Return whether our letters cite all between two places: these are not our own words."""
        return any(self.words[start:end] in cited for cited in self._cited)

    @cached_property
    def _cited(self) -> list[str]:
        return [squeezed(found) for text in self._texts for found in CITED.findall(text)]

    def copies(self, start: int, end: int) -> list[Copied] | None:
        """Return the printed orders between two places; None if anything else of ours is there."""
        found: list[Copied] = []
        for number in range(bisect_right(self._starts, start) - 1, len(self._lines)):
            if self._lines[number].start >= end:
                break
            printed = self._printed(number)
            if printed is None:
                return None
            first, last, text = printed
            if max(start, first) < min(end, last):
                whole, explained = start <= first and last <= end, last < self._lines[number].end
                found.append(Copied(last, text, whole, explained))
        return found

    def _find_printed(self, number: int) -> tuple[int, int, str] | None:
        """Return the order that one of our lines prints, and where it is; None if there is none."""
        line, at = self._lines[number], self._lines[number].start
        columns = GAP.split(line.text.strip())
        for text in columns:
            end = at + len(squeezed(text))
            if self.is_order(text):
                return at, end, text
            at = end
        text = line.text.strip()
        if (len(columns) > 1 and self.is_order(text)) or self._in_block(number):
            return line.start, line.end, text
        return None

    def _in_block(self, number: int) -> bool:
        """Return whether a line belongs to indented lines of which the first is an order."""
        above = self._lines[number].above
        if above is None or not self._lines[number].text.startswith(INDENT):
            return False
        if not self._lines[above].text.startswith(INDENT):
            return False
        return self._printed(above) is not None
