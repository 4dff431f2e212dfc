"""A letter without our own words, where no quote mark shows which these are (decision 0038).

Words are compared squeezed: letters, digits, comparisons and signs alone, in one case. So it does
not matter how a mail program wraps lines, or which signs, links and bullets it puts in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape

from pbem.intake.alternatives import LINK
from pbem.intake.letter import TEXT_TYPES
from pbem.intake.mime import read_parts
from pbem.intake.quote_headers import has_marker
from pbem.intake.quotes import older_letter
from pbem.intake.reading_result import Limits, Reading

LONG_LINE = 20
"""So many letters and digits of ours in one line are ours wherever they stand."""
FEW_LINES = 3
"""So few lines, all of which are ours, may have been copied by hand."""
SHORT = 8
"""A line of ours with columns, which may be copied, has at least so many letters and digits."""
PLACES = 8
"""The most places at which some words are searched."""
MOST = 100_000
"""The most letters and digits of ours that are compared."""
MOST_LINES = 1_000
"""The most lines of a quote that are compared; none of our letters has more."""
MOST_COPIED = 3
"""So many choices, with what explains them, may be copied together; more are a list of ours."""

ALIKE = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "≤": "<=", "≥": ">="})
DROPPED = re.compile(r"[^\w<=+-]|_|(?<=\w)[-+]|[-+](?!\d)")
GAP = re.compile(r"\s{2,}|\t")
PICTURE = re.compile(r"<img\b[^<>]*\salt=\"([^\"]+)\"")
TITLE = re.compile(r"<h1>(.*?)</h1>", re.S)
CITED_PAGE = re.compile(r"<blockquote\b.*?</blockquote>", re.S | re.I)
TAG = re.compile(r"<[^<>]*>")
CITED = re.compile(
    r'"(?:[^"\n]|\n(?!\n)){2,800}"|“[^“”]{2,800}”|„[^„“]{2,800}“|(?:^[|│] .*\n?)+', re.M
)
"""What our letters cite: words in quotation marks, and a story behind bars."""
END = "\0"
"""Stands between our texts, so that no words are found across two of them."""


@dataclass(frozen=True, slots=True)
class NewText:
    """A player's own text, and the lines of which nobody knows whether they are the player's."""

    text: str
    unsure: tuple[str, ...] = ()


def squeezed(text: str) -> str:
    """Return the letters, digits, comparisons and signs of a text, in one case."""
    if "<" in text or "[" in text:
        text = LINK.sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(ALIKE))
    return DROPPED.sub("", text.casefold())


class OurWords:
    """The words of some letters of ours; `said` are those that cite nobody."""

    def __init__(self, letters: Iterable[bytes]) -> None:
        self.lines: list[str] = []
        self.titles = set[str]()
        said, words = list[str](), list[str]()
        for raw in letters:
            for part in read_parts(raw, Limits()).walk():
                text = part.text() if part.kind in TEXT_TYPES else ""
                cites_nobody = text
                if part.kind == "text/html":
                    text = PICTURE.sub(r" \1 ", text.partition("</head>")[2] or text)
                    self.titles |= {squeezed(_shown(title)) for title in TITLE.findall(text)}
                    cites_nobody = _shown(CITED_PAGE.sub(" ", text))
                    text = _shown(text)
                else:
                    self.lines += text.split("\n")
                said += map(squeezed, CITED.split(cites_nobody))
                words.append(squeezed(text))
        self.said, self.words = END.join(said)[:MOST], END.join(words)[:MOST]

    def holds(self, line: str) -> bool:
        """Return whether a line is long, and ours, and not what we cite of the player's."""
        words = squeezed(line)
        return len(words) >= LONG_LINE and words in self.said

    def places(self, words: str) -> list[int]:
        """Return where some words begin, as far as they are searched."""
        found = [self.words.find(words)]
        while found[-1] >= 0 and len(found) <= PLACES:
            found.append(self.words.find(words, found[-1] + 1))
        return found[:-1]

    def others(self, lines: Sequence[str], first: int) -> tuple[list[str], list[str]]:
        """Return the lines that are not ours above and below one that is.

        A line is ours that goes on where the last one ended, or that is long and stands anywhere;
        above, a title of ours too, since what stands below it may look like a quote's heading.
        """
        above, below = list[str](), list[str]()
        found = self.places(squeezed(lines[first]))
        starts, ends = found, [at + len(squeezed(lines[first])) for at in found]
        for line in reversed(lines[:first]):
            words = squeezed(line)
            held = [at for at in starts if self.words.endswith(words, 0, at)]
            starts = [at - len(words) for at in held] or starts
            above += [] if words and (held or words in self.titles) else [line]
        for line in lines[first + 1 :]:
            words = squeezed(line)
            held = [at for at in ends if self.words.startswith(words, at)]
            held = held or (self.places(words) if len(words) >= LONG_LINE else [])
            ends = [at + len(words) for at in held] or ends
            below += [] if held else [line]
        return above[::-1], below

    @cached_property
    def columns(self) -> dict[str, str]:
        """The lines of ours that have columns, such as an order with its chance, by their words."""
        return {squeezed(line): line for line in self.lines if GAP.search(line.strip())}

    def copied(self, line: str, is_order: Callable[[str], bool]) -> str | None:
        """Return what is left of a line that copies an order that we print; None if it does not.

        The words that explain the order are dropped.
        """
        words = squeezed(line)
        if is_order(line):
            return line
        if words in self.columns:
            return next(filter(is_order, GAP.split(self.columns[words].strip())), None)
        for printed in filter(is_order, self.lines if len(words) >= LONG_LINE else ()):
            if words in squeezed(printed):
                return line
        return None


def _shown(page: str) -> str:
    return unescape(TAG.sub(" ", page))


def new_text(
    reading: Reading, letters: Iterable[bytes], is_order: Callable[[str], bool]
) -> NewText:
    """Return what a player wrote in a letter that may hold words of the given letters of ours.

    What stands below the first long line of ours is said back, not done: other lines there may be
    the player's, or the rest of a quote. A line that only copies an order that we print is no such
    line. Nor is a quote's line said back that stands below the heading of an older letter.
    """
    ours = OurWords(letters)
    above, unsure = _parted(reading.text.split("\n"), ours, is_order)
    unsure += [line for line in reading.unsure if not ours.holds(line)]
    below = reading.below[:MOST_LINES]
    if amid := _amid(below, ours):
        amid = _amid(below[: older_letter(below)], ours)
    found = tuple(line for line in (*unsure, *amid) if line.strip())
    text = "\n".join(above).strip("\n")
    written = [line for line in reading.text.split("\n") if line.strip()]
    if not (text or found) and len(written) <= FEW_LINES:
        # So few lines are no quote of a letter: the player may have copied an order out of it.
        found = tuple(written)
    return NewText(text, found)


def _parted(
    lines: Sequence[str], ours: OurWords, is_order: Callable[[str], bool]
) -> tuple[list[str], list[str]]:
    """Return the player's lines above and below the first long line of ours.

    A list of choices begins with such a line.
    """
    copies, choices = dict[str, str](), list[int]()
    above, below = list(lines), list[str]()
    for at, line in enumerate(lines):
        words = squeezed(line)
        if len(words) < SHORT or words not in ours.said:
            continue
        copied = ours.copied(line, is_order)
        if copied is not None:
            copies[line] = copied
            choices += [at] if words in ours.columns else []
        if (copied is None and len(words) >= LONG_LINE) or len(choices) > MOST_COPIED:
            above, below = ours.others(lines, at if copied is None else choices[0])
            break
    return [copies.get(line, line) for line in above], below


def _amid(lines: Sequence[str], ours: OurWords) -> list[str]:
    """Return the lines of a quote that are not ours, if it is a quote of ours at all."""
    # A marker alone shows nothing: HTML has one where any quote begins.
    found = (at for at, line in enumerate(lines) if ours.holds(line) and not has_marker(line))
    first = next(found, -1)
    above, below = ours.others(lines, first) if first >= 0 else ([], [])
    return above + below
