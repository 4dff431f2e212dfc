"""What a player wrote, found by taking away what the league itself has sent them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pbem.intake.body import HOUSE_TYPES, Shown
from pbem.intake.mime import read_parts
from pbem.intake.quotes import OURS, own_text
from pbem.intake.reading import Limits, Reading, TooMuchError, has_marker

TOKEN = re.compile(r"[^\W_]+|[^\w\s>]", re.UNICODE)
ALIKE = str.maketrans("‘’‚´`“”„«»–—−‐‑*•·▪◦", "'''''\"\"\"\"\"----------")
"""Signs that mail programs put for one another: quotation marks, dashes, bullets."""
RUN = 4
PLACES = 20
"""The places at most that one run of our words is looked for."""


def our_texts(raw: bytes) -> list[str]:
    """The texts that one of our own letters may be quoted by: of its plain part and its HTML."""
    texts: list[str] = []
    with suppress(TooMuchError):
        root = read_parts(raw, Limits())
        for kind in HOUSE_TYPES:
            texts += Shown(Limits()).leaf_texts(root, kind)
    return texts


def new_text(reading: Reading, ours: Sequence[str]) -> str:
    """The player's own text, with our own words marked as quotes before quotes are taken out."""
    if not ours or (not reading.text and not reading.whole):
        return reading.text
    memory = Memory(ours)
    return own_text("\n".join(memory.mark(line) for line in reading.whole.split("\n")))


class Memory:
    """The words that we sent, and how far a letter has been seen to repeat them."""

    def __init__(self, ours: Sequence[str]) -> None:
        self.words = [word for text in ours for word in tokens(text)]
        self.starts: dict[tuple[str, ...], list[int]] = {}
        for at in range(len(self.words) - RUN + 1):
            places = self.starts.setdefault(tuple(self.words[at : at + RUN]), [])
            if len(places) < PLACES:
                places.append(at)
        self.ends: list[int] = []

    def mark(self, line: str) -> str:
        """A line with our mark before it if it repeats our words; a marker stays an opener."""
        said = [] if has_marker(line) else list(tokens(line))
        ends = [at + len(said) for at in self.places(said) if self.says(said, at)] if said else []
        if not ends:
            return line
        self.ends = ends
        return f"{OURS} {line}"

    def says(self, said: Sequence[str], at: int) -> bool:
        """Whether our words from a place on are these."""
        return self.words[at : at + len(said)] == said

    def places(self, said: Sequence[str]) -> set[int]:
        """Where a line may stand in our words: after the last one, or anywhere if long enough."""
        anywhere = self.starts.get(tuple(said[:RUN]), ()) if len(said) >= RUN else ()
        return {*self.ends, *anywhere}


def tokens(text: str) -> Iterator[str]:
    """The words of a text, without regard to spaces, quote marks, and one sign for another."""
    return (found[0] for found in TOKEN.finditer(text.translate(ALIKE).casefold()))
