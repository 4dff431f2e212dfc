"""The line grammar that all systems share: how people write orders, and what nearly is one."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

_QUOTES = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "′": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
    | {"。": ".", "、": ","}
    | {"‐": "-", "‑": "-", "–": "-", "—": "--", "−": "-", "≤": "<=", "≥": ">=", "→": "->"}
)
_BULLET = re.compile(
    r"^(?:[-*+•·‣▪・●○◦]{1,2}\s*(?=[\w\"'(\[])|o\s+|\(?\d{1,3}(?:[.):]|,(?!\d))\s*|\[[ xX]?\]\s*"
    r"|(?i:order|befehl|line|zeile)\s*(?:\d{1,3}\s*[:.)]|:)\s*|(?i:write|schreib):\s*){1,3}"
)
_CHANCE = r"(?:\d{1,3} (?:in|von) 100|no roll|a roll|ohne Wurf|mit Wurf)"
_CHANCES = re.compile(rf"^{_CHANCE}\s+(?=\S)|(?<=[^\s.,;:])\s+{_CHANCE}(?=\s|$).*", re.I)
"""The chance that our letters print beside an order, and what stands behind it."""
_CIRCLED = re.compile(r"^\s*[\u2460-\u249b\u3220-\u3229\u3280-\u3289]")
"""A number in a circle or in brackets, as lists in East Asia have them."""
_FORM = re.compile(r"(?:IF|AND|THEN|ELSE|SALT|WENN|UND|DANN|SONST|:|->|\s)*", re.I)
_LABEL = re.compile(r"[-*•]?\s*[^\s:_][^:_]{0,40}:\s*_{4,}")
"""A form's line for one of a player's pieces, such as `Red: ____`, with nothing on it."""
_RULED = re.compile(r"_{2,}")
_BLANK = re.compile(r"__|\border\b", re.I)
_POLITE = re.compile(
    r"^(?:please|pls|bitte)[\s,:]+|[\s,]+(?:please|pls|bitte|thanks|thank you)$", re.I
)
_END = " \t.,;!*_"

LONGEST = 400
"""The most characters of an order; a longer line is not even examined."""
LONGEST_BUILD = 800
"""The most characters of an order that describes a persona or a design."""


def clean(line: str, most: int = LONGEST) -> str:
    """Return a line reduced to what an order is read from.

    Full-width letters, curly quotes, odd spaces and dashes become plain ones; invisible characters,
    leading bullets and numbers, a form's `Order 1:` and `____`, chances as our letters print them,
    "please" and end punctuation are removed. A line of more than `most` characters becomes empty.
    """
    return _cleaned(line, most) if len(line) <= most else ""


@lru_cache(maxsize=1024)
def _cleaned(line: str, most: int) -> str:
    if not (line.isascii() and line.isprintable()):
        line = _CIRCLED.sub("- ", line)
        line = unicodedata.normalize("NFKC", line).translate(_QUOTES)
        if len(line) > most:  # some letters are eighteen, once they are plain
            return ""
        if not line.isprintable():
            hidden = ("Cf", "Cc")
            line = "".join(c for c in line if unicodedata.category(c) not in hidden or c == "\t")
    line = " ".join(_RULED.sub(" ", line).split())
    line = _CHANCES.sub("", _BULLET.sub("", line)).strip(_END)
    return _POLITE.sub("", line).strip(_END)


def is_unfilled(line: str) -> bool:
    """Return whether a line belongs to a form and nobody filled it in, such as `Order 1: ____`."""
    if _LABEL.fullmatch(line.strip()):
        return True
    return _BLANK.search(line) is not None and _FORM.fullmatch(clean(line)) is not None


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """Return a name reduced to what makes it unique: no case, accents or spacing (SP-2)."""
    if name.isascii():
        return "".join(name.casefold().split())
    # Folding case may leave letters that are not decomposed: Unicode normalizes once more.
    bare = (c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return "".join(unicodedata.normalize("NFKD", "".join(bare).casefold()).split())


def unquote(name: str) -> str:
    """Return a name without one pair of quotes around it."""
    if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'":
        return name[1:-1].strip()
    return name


def distance(one: str, other: str) -> int:
    """Return how many letters to insert, drop, change or swap to turn one word into the other.

    No letter is changed twice (optimal string alignment).
    """
    # What both begin or end with costs nothing: names of a league often share a start or an end.
    start, ends = 0, 0
    least = min(len(one), len(other))
    while start < least and one[start] == other[start]:
        start += 1
    while ends < least - start and one[-1 - ends] == other[-1 - ends]:
        ends += 1
    one, other = one[start : len(one) - ends], other[start : len(other) - ends]
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


_MOST_ALIKE = 20


def closest(word: str, words: Iterable[str]) -> str | None:
    """Return the one word that a mistyped one is near to, or None.

    Near is one slip in a word of four letters, and two in a longer one; shorter words are never
    near anything.
    """
    folded = fold(word)
    if not 4 <= len(folded) <= 40:
        return None
    allowed = 1 if len(folded) == 4 else 2
    near, letters, least = list[str](), frozenset(folded), allowed
    # A cheap test of length and letters comes first: `distance` costs the product of both lengths.
    for known in words:
        other = fold(known)
        most = min(least, len(other) // 3)
        if abs(len(other) - len(folded)) <= most and len(letters ^ _letters(other)) <= 2 * most:
            slips = distance(folded, other)
            if slips < least:
                near, least = [known], slips
            elif slips <= most:
                near.append(known)
    # Many names may be as near as each other; the first of them are compared further.
    return min(((-_likeness(folded, one), one) for one in near[:_MOST_ALIKE]), default=(0, None))[1]


@lru_cache(maxsize=4096)
def _letters(folded: str) -> frozenset[str]:
    """Return the set of letters of a word; a slip adds or takes two of them at most."""
    return frozenset(folded)


def _likeness(folded: str, word: str) -> float:
    return SequenceMatcher(None, folded, fold(word)).ratio()


def match_name(written: str, names: Sequence[str]) -> str | None:
    """Return the name that was written, in any case, accents, spacing or quotes, or None."""
    wanted = (fold(written), fold(unquote(written)))
    return next((name for name in names if fold(name) in wanted), None)


def is_prose(words: Sequence[str], most: int = 4) -> bool:
    """Return whether the words after a keyword read like a sentence rather than an order."""
    return len(words) > most or any(word[-1] in ",.;:!?" for word in words)
