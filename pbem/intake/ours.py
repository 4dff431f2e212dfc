"""What a player wrote, found by removing what the league itself has sent them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pbem.intake.body import TEXT_TYPES, Shown
from pbem.intake.mime import read_parts
from pbem.intake.quotes import OURS, own_text
from pbem.intake.reading import Limits, Reading, TooMuchError, has_marker

TOKEN = re.compile(r"[^\W_]+|[^\w\s>]", re.UNICODE)
ALIKE = str.maketrans("‘’‚´`“”„«»–—−‐‑*•·▪◦", "'''''\"\"\"\"\"----------")
"""Signs that mail programs exchange for one another: quotation marks, dashes, bullets."""
RUN = 4
PLACES = 20
"""The most places at which one run of our words is searched."""


def our_texts(raw: bytes) -> list[str]:
    """Return the texts of one of our letters that may be quoted: its plain part and its HTML."""
    texts: list[str] = []
    with suppress(TooMuchError):
        root = read_parts(raw, Limits())
        for kind in TEXT_TYPES:
            texts += Shown(Limits()).leaf_texts(root, kind)
    return texts


def new_text(reading: Reading, ours: Sequence[str]) -> str:
    """Return the player's own text: our own words are marked as quotes, then quotes are removed."""
    if not ours or (not reading.text and not reading.whole):
        return reading.text
    memory = Memory(ours)
    return own_text("\n".join(memory.mark(line) for line in reading.whole.split("\n")))


class Memory:
    """The words that we sent, and how far a letter has repeated them so far."""

    def __init__(self, ours: Sequence[str]) -> None:
        self.words = [word for text in ours for word in tokens(text)]
        self.starts: dict[tuple[str, ...], list[int]] = {}
        for at in range(len(self.words) - RUN + 1):
            places = self.starts.setdefault(tuple(self.words[at : at + RUN]), [])
            if len(places) < PLACES:
                places.append(at)
        self.ends: list[int] = []

    def mark(self, line: str) -> str:
        """Return a line, with our mark before it if it repeats our words.

        A line with the marker at the top of our letters stays as it is, because it opens a quote.
        """
        said = [] if has_marker(line) else list(tokens(line))
        ends = [at + len(said) for at in self.places(said) if self.says(said, at)] if said else []
        if not ends:
            return line
        self.ends = ends
        return f"{OURS} {line}"

    def says(self, said: Sequence[str], at: int) -> bool:
        """Return whether these are our words from a place on."""
        return self.words[at : at + len(said)] == said

    def places(self, said: Sequence[str]) -> set[int]:
        """Return where a line may be in our words: after the last, or anywhere if long enough."""
        anywhere = self.starts.get(tuple(said[:RUN]), ()) if len(said) >= RUN else ()
        return {*self.ends, *anywhere}


def tokens(text: str) -> Iterator[str]:
    """Yield the words of a text, ignoring spaces, quote marks, and signs that look alike."""
    return (found[0] for found in TOKEN.finditer(text.translate(ALIKE).casefold()))
