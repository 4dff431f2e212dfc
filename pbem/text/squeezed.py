"""A text as only its letters and digits, so that a secret is found however it is split."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from pbem.text.lookalikes import skeleton

_OTHER = re.compile(r"[^a-z0-9]+")
_ALIKE = str.maketrans("01i", "oll")
"""Signs that are mistaken for each other in print."""


class Squeezed:
    """The letters and digits of consecutive lines; it knows which line each one is from."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Squeeze lines together."""
        parts = [squeeze(line) for line in lines]
        self.text = "".join(parts)
        self._ends = list(accumulate(map(len, parts)))

    def holding(self, secret: str) -> set[int]:
        """Return the numbers of the lines that contain a secret; it must be squeezed too."""
        found = set[int]()
        at = self.text.find(secret)
        while at >= 0:
            first = bisect_right(self._ends, at)
            found.update(range(first, bisect_right(self._ends, at + len(secret) - 1) + 1))
            at = self.text.find(secret, at + 1)
        return found


def squeeze(text: str) -> str:
    """Return a text's letters and digits in lower case, with one form for look-alikes."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(sign if sign.isascii() else skeleton(sign) for sign in text)
    return _OTHER.sub("", text.casefold()).translate(_ALIKE)
