"""Wrapped lines: those that mail programs broke are joined to the orders and rules that they were.

Many programs break plain text at 72 to 78 columns. The rest of an order on the next line would be
lost, or would be an order by itself: `IF NEAR AND NEUTRAL:` above `SURRENDER` must not surrender.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine.orders.line_shapes import RULE_LIKE, is_mark, is_unfinished

NARROWEST = 64
"""The narrowest width, in columns, at which mail programs wrap lines."""
MOST = 5
"""The most lines that one order may have been wrapped into."""
_GOES_ON = (",", ";", ":", "/", "+", "&", "->")
"""What only a line ends with that was broken off."""


class WrapTests(NamedTuple):
    """How lines are read: each function gets one line, as it was written.

    `english` returns the line cleaned, with the order words of the letter's language in English.
    `is_order` returns whether the line is an order or a rule by itself, `reads` whether nothing is
    missing from it, and `nears` whether it is nearly one, such as a rule without its colon. `tests`
    returns whether a condition that can be read stands in a line with IF.
    """

    english: Callable[[str], str]
    is_order: Callable[[str], bool]
    reads: Callable[[str], bool]
    nears: Callable[[str], bool]
    tests: Callable[[str], bool]

    def stands(self, line: str) -> bool:
        """Return whether a line is an order, a rule or a mark such as END by itself."""
        return self.is_order(line) or is_mark(self.english(line))


def may_be_wrapped(line: str, following: str) -> bool:
    """Return whether a line is so long that the next line's first word would not have fitted."""
    words = following.split(maxsplit=1)
    return bool(words) and len(line.rstrip()) + 1 + len(words[0]) > NARROWEST


def is_broken_off(line: str) -> bool:
    """Return whether a line ends with a sign that only a part of an order ends with."""
    return line.rstrip().endswith(_GOES_ON)


def extent(lines: Sequence[str], at: int, reader: WrapTests, limit: int = MOST) -> int:
    """Return how many lines, from this one on, are one order or rule: 1 where nothing is joined.

    No more than `limit` are looked at.

    An unfinished rule takes the lines below it, even if it can't be read with them: the line below
    it is never an order by itself. The same holds for a line that was broken off, unless the line
    below names a piece. Any other order or rule takes further lines only where each line above was
    long enough to be wrapped, and where it is read whole with them.
    """
    count, most = 1, min(limit, len(lines) - at)
    while count < most and _goes_on(joined(lines[at : at + count]), lines[at + count], reader):
        count += 1
    best = count
    while count < most:
        above, below = lines[at + count - 1], lines[at + count]
        wrapped, off = may_be_wrapped(above, below), is_broken_off(above)
        stands = reader.stands(below)
        # A line that is an order by itself is only swallowed by one that was broken off.
        if not below.strip() or not (wrapped or off) or (stands and not off):
            break
        count += 1
        whole = joined(lines[at : at + count])
        unnamed = wrapped and stands and ":" not in below
        if reader.reads(whole) or (unnamed and reader.nears(whole)):
            best = count
    return best


def _goes_on(rule: str, following: str, reader: WrapTests) -> bool:
    """Return whether a line below belongs to an unfinished rule above it."""
    if not following.strip() or not is_unfinished(rule, reader.english(rule), reader.tests):
        return False
    below = reader.english(following)
    # The line below begins something of its own, so the rule was left without an order.
    if RULE_LIKE.fullmatch(below) or is_mark(below):
        return False
    # With nothing but the name of a piece in it, a rule might be read.
    return rule.rstrip().endswith(":") or not (reader.reads(rule) or reader.nears(rule))


def unwrapped(lines: Sequence[str], reader: WrapTests) -> Iterator[tuple[str, int]]:
    """Yield some lines, with those joined that are one order or rule, and how many they were."""
    at = 0
    while at < len(lines):
        count = extent(lines, at, reader)
        yield lines[at] if count == 1 else joined(lines[at : at + count]), count
        at += count


def joined(lines: Sequence[str]) -> str:
    """Return some lines as one."""
    return " ".join(line.strip() for line in lines)
