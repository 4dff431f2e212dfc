"""Texts for a terminal or a log: what it would obey is shown instead.

Servers, letters and files may hold escape sequences. So this is done where text leaves the program,
for all of it, and not where it comes in.
"""

import re
from typing import Any, TextIO, cast

# Controls but for tab and line end, line ends of Unicode, and what changes the direction of text.
_OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """Return a text with escapes for what a terminal obeys."""
    return _OBEYED.sub(lambda sign: ascii(sign[0])[1:-1], text)


class Harmless:
    """A stream that shows what a terminal would obey; `bare` is the one below it."""

    def __init__(self, bare: TextIO) -> None:
        self.bare = bare

    def write(self, text: str) -> int:
        """Write a text."""
        return self.bare.write(harmless(text))

    def __getattr__(self, name: str) -> Any:
        """Be like the stream below in all else."""
        return getattr(self.bare, name)


def harmless_stream(stream: TextIO) -> TextIO:
    """Return a stream that writes to another one what no terminal obeys."""
    return cast(TextIO, Harmless(stream))


def bare_stream(stream: TextIO) -> TextIO:
    """Return the stream below, for a progress bar, which moves the cursor."""
    return stream.bare if isinstance(stream, Harmless) else stream
