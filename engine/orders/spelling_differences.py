"""Whether a hint differs from the line that it answers by spelling alone."""

import re
from collections.abc import Iterable

from engine.names import fold
from engine.orders.line_shapes import clean

_WORD = re.compile(r"[^\W_]+")
_SHORT = 3
"""A word of so many letters is not taken for a mistyped other one."""


def other_word(line: str, hint: Iterable[str]) -> str | None:
    """Return the first word of a line that none of a hint's words was meant by, or None."""
    known = [fold(part) for word in hint for part in _WORD.findall(word)]
    written = _WORD.findall(clean(line))
    return next((w for w in written if not any(_is_spelled(fold(w), one) for one in known)), None)


def _is_spelled(word: str, other: str) -> bool:
    """Return whether a word is another one, mistyped or shortened, or a part of it.

    >>> [_is_spelled(word, "target") for word in ("tagret", "targets", "tar", "get", "never")]
    [True, True, True, False, False]
    """
    if len(word) <= _SHORT:
        return other.startswith(word)
    from rapidfuzz.distance import OSA  # 2 MB of memory, for mistyped words alone

    return word in other or OSA.distance(word, other) <= min(2, len(other) // 3)
