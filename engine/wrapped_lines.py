"""Lines that a mail program wrapped, put together again before they are read as orders.

Many programs break plain text at 72 to 78 columns. The rest of an order on the next line would be
lost, or would be an order by itself: `IF NEAR AND NEUTRAL:` above `SURRENDER` must not surrender.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.words import is_unfilled

NARROWEST = 64
"""The narrowest width, in columns, at which mail programs wrap lines."""
MOST = 5
"""The most lines that one order may have been wrapped into."""

_RULE_LIKE = re.compile(r"(?:IF|WHEN|WHENEVER|UNLESS|ELSE|OTHERWISE)\b.*", re.I)
_WHOLE_RULE = re.compile(
    r"(?:IF|WHEN|WHENEVER|UNLESS)\b.+?(?::|\bTHEN\b|-{1,9}>)\s*\S.*"
    r"|(?:ELSE|OTHERWISE)(?:\s+|\s*:\s*)[^\s:].*",
    re.I,
)
_CUT_SHORT = re.compile(r".*(?::|\bTHEN|-{1,9}>|[<>=])", re.I)
_CUT_AT_AND = re.compile(r"IF .*\b(?:AND|NOT)")
_MARK = re.compile(r"STANDING\b.*|END", re.I)
_SENTENCE_ENDS = tuple(".!?…\"'”)")


class Reader(NamedTuple):
    """How lines are read: each function gets one line, as it was written.

    `english` returns the line cleaned, with the order words of the letter's language in English.
    `is_order` returns whether the line is an order or a rule by itself, `reads` whether nothing is
    missing from it, and `nears` whether it is nearly one, such as a rule without its colon.
    """

    english: Callable[[str], str]
    is_order: Callable[[str], bool]
    reads: Callable[[str], bool]
    nears: Callable[[str], bool]

    def stands(self, line: str) -> bool:
        """Return whether a line is an order, a rule or a mark such as END by itself."""
        return self.is_order(line) or is_mark(self.english(line))


def is_mark(text: str) -> bool:
    """Return whether a cleaned English line begins or ends standing orders, or ends a text."""
    return _MARK.fullmatch(text) is not None


def is_unfinished(line: str, text: str) -> bool:
    """Return whether a rule's order is missing; `text` is the line in cleaned English.

    A sentence that only begins with "if" is not unfinished, because it ends like a sentence.
    """
    if not _RULE_LIKE.fullmatch(text) or _WHOLE_RULE.fullmatch(text) or is_unfilled(line):
        return False
    if text.upper() in ("ELSE", "OTHERWISE") or _CUT_SHORT.fullmatch(text):
        return True
    loud = line.strip().split()[0].isupper() or _CUT_AT_AND.fullmatch(text) is not None
    return loud and not line.rstrip().endswith(_SENTENCE_ENDS)


def may_be_wrapped(line: str, following: str) -> bool:
    """Return whether a line is so long that the next line's first word would not have fitted."""
    words = following.split(maxsplit=1)
    return bool(words) and len(line.rstrip()) + 1 + len(words[0]) > NARROWEST


def extent(lines: Sequence[str], at: int, reader: Reader, limit: int = MOST) -> int:
    """Return how many lines, from this one on, are one order or rule: 1 where nothing is joined.

    No more than `limit` are looked at.

    An unfinished rule takes the lines below it, even if the rule can't be read then: what stands
    below it is never an order by itself. Any order or rule takes further lines only where each line
    above was long enough to be wrapped, and where it is read whole with them.
    """
    count, most = 1, min(limit, len(lines) - at)
    while count < most and _goes_on(joined(lines[at : at + count]), lines[at + count], reader):
        count += 1
    best = count
    while count < most and may_be_wrapped(lines[at + count - 1], lines[at + count]):
        if reader.stands(lines[at + count]):
            break
        count += 1
        if reader.reads(joined(lines[at : at + count])):
            best = count
    return best


def _goes_on(rule: str, following: str, reader: Reader) -> bool:
    """Return whether a line below belongs to an unfinished rule above it."""
    if not following.strip() or not is_unfinished(rule, reader.english(rule)):
        return False
    below = reader.english(following)
    if _RULE_LIKE.fullmatch(below) or is_mark(below):
        return False
    return not reader.reads(rule) and not reader.nears(rule)


def unwrapped(lines: Sequence[str], reader: Reader) -> list[str]:
    """Return some lines with those joined that are one order or rule."""
    found: list[str] = []
    at = 0
    while at < len(lines):
        count = extent(lines, at, reader)
        found.append(lines[at] if count == 1 else joined(lines[at : at + count]))
        at += count
    return found


def joined(lines: Sequence[str]) -> str:
    """Return some lines as one."""
    return " ".join(line.strip() for line in lines)
