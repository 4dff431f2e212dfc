"""What a player wrote, found by taking away what the league itself has sent them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pbem.intake.quotes import OURS, own_text
from pbem.intake.reading import Reading

TOKEN = re.compile(r"[^\W_]+|[^\w\s>]", re.UNICODE)
RUN = 4


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
        self.starts: dict[tuple[str, ...], int] = {}
        for at in range(len(self.words) - RUN + 1):
            self.starts.setdefault(tuple(self.words[at : at + RUN]), at)
        self.at: int | None = None

    def mark(self, line: str) -> str:
        """A line with our mark before it if it repeats our words."""
        said = list(tokens(line))
        if not said:
            return line
        end = self.follow(said)
        if end is not None:
            self.at = end
            return f"{OURS} {line}"
        return line

    def follow(self, said: Sequence[str]) -> int | None:
        """Where our words go on after a line, if the line repeats them whole."""
        for start in self.places(said):
            if self.words[start : start + len(said)] == list(said):
                return start + len(said)
        return None

    def places(self, said: Sequence[str]) -> Iterator[int]:
        """Where the line may stand in our words: after the last one, or anywhere if long enough."""
        if self.at is not None:
            yield self.at
        if len(said) >= RUN and (found := self.starts.get(tuple(said[:RUN]))) is not None:
            yield found


def tokens(text: str) -> Iterator[str]:
    """The words of a text, without regard to spaces and quote marks."""
    return (found[0].casefold() for found in TOKEN.finditer(text))
