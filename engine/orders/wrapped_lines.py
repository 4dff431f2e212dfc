"""Wrapped lines: those that mail programs broke are joined to the orders and rules that they were.

Many programs break plain text at 72 to 78 columns. The rest of an order on the next line would be
lost, or would be an order by itself: `IF NEAR AND NEUTRAL:` above `SURRENDER` must not surrender.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine.orders.lines import RULE_LIKE, SENTENCE_ENDS, WHOLE_RULE, is_mark, is_unfinished

NARROWEST = 64
"""The narrowest width, in columns, at which mail programs wrap lines."""
MOST = 5
"""The most lines that one order may have been wrapped into."""
_GOES_ON = (",", ";", ":", "/", "+", "&", "->")
"""What only a line ends with that was broken off."""
_REST = re.compile(r"[^\W_a-z][^a-z]|\W|\d|.*\b[A-Z]{2,}\b")
"""How the rest of an order may begin: with a figure or a sign, or with a word in capitals."""
_BEGINS_LOUD = re.compile(r"[^\W\d_a-z]{2,}\b")
_SEVERAL_FIELDS = 30
"""An order with so many characters may have been broken into narrow lines."""
_MOST_NARROW = 60
"""In so many lines of a letter the rest of an order is looked for below any line, and of a rule in
small letters; further down only below lines that were long enough to be wrapped, because it is
slow."""


class Reader(NamedTuple):
    """How lines are read: each function gets one line, as it was written.

    `english` returns the line cleaned, with the order words of the letter's language in English.
    `is_order` returns whether the line is an order or a rule by itself, `reads` whether nothing is
    missing from it, and `nears` whether it is nearly one, such as a rule without its colon. `tests`
    returns whether a condition that can be read stands in a line with IF. `lacks` returns whether
    the line is an order of which something is wrong or missing; without it, no lines are joined
    that are shorter than programs wrap them.
    """

    english: Callable[[str], str]
    is_order: Callable[[str], bool]
    reads: Callable[[str], bool]
    nears: Callable[[str], bool]
    tests: Callable[[str], bool]
    lacks: Callable[[str], bool] | None = None

    def stands(self, line: str) -> bool:
        """Return whether a line is an order, a rule or a mark such as END by itself."""
        return self.is_order(line) or is_mark(self.english(line))

    def is_lacking(self, line: str) -> bool:
        """Return whether a line is an order that `lacks` something; never without that function."""
        return self.lacks is not None and self.lacks(line)


def may_be_wrapped(line: str, following: str) -> bool:
    """Return whether a line is so long that the next line's first word would not have fitted."""
    words = following.split(maxsplit=1)
    return bool(words) and len(line.rstrip()) + 1 + len(words[0]) > NARROWEST


def is_broken_off(line: str) -> bool:
    """Return whether a line ends with a sign that only a part of an order ends with."""
    return line.rstrip().endswith(_GOES_ON)


def extent(lines: Sequence[str], at: int, reader: Reader, limit: int = MOST) -> int:
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
    best = count = max(count, _rule_extent(lines, at, most, reader))
    while count < most:
        above, below = lines[at + count - 1], lines[at + count]
        wrapped, off = may_be_wrapped(above, below), is_broken_off(above)
        rest = wrapped or off or _may_be_rest(lines[at : at + count + 1], reader)
        if not below.strip() or not rest:
            break
        stands, part = reader.stands(below), joined(lines[at : at + count])
        whole = joined(lines[at : at + count + 1])
        # A line that is an order by itself is never swallowed by one that lacks nothing.
        if stands and not (off or (reader.is_lacking(part) and reader.reads(whole))):
            break
        count += 1
        unnamed = wrapped and stands and ":" not in below
        if reader.reads(whole) or (unnamed and reader.nears(whole)):
            best = count
    return best


def _rule_extent(lines: Sequence[str], at: int, most: int, reader: Reader) -> int:
    """Return how many lines hold the rule that begins in the first of them, 1 where none does."""
    if RULE_LIKE.fullmatch(reader.english(lines[at])):
        for count in range(2, most + 1):
            below = lines[at + count - 1]
            # No rest of a rule begins another one.
            if not below.strip() or RULE_LIKE.fullmatch(reader.english(below)):
                break
            whole = joined(lines[at : at + count])
            # The form first: to read a line takes far longer.
            whole_rule = WHOLE_RULE.fullmatch(reader.english(whole))
            if whole_rule and not reader.reads(lines[at]) and reader.reads(whole):
                return count
    return 1


def _may_be_rest(lines: Sequence[str], reader: Reader) -> bool:
    """Return whether the last of some lines may be the rest of the order above it."""
    if reader.lacks is None:
        return False
    rest = _REST.match(lines[-1]) is not None and not reader.nears(lines[-1])
    # In small letters it is one only where all can be read together.
    return rest or reader.lacks(joined(lines[:-1])) or reader.reads(joined(lines))


def may_be_cut(lines: Sequence[str], at: int, count: int, reader: Reader) -> bool:
    """Return whether the line below an order may be the rest of it, though it can't be read so.

    The order has `count` lines.
    """
    end = at + count
    line, below = lines[end - 1].rstrip(), lines[end].strip() if end < len(lines) else ""
    if not below or line.endswith(SENTENCE_ENDS):
        return False
    wrapped = may_be_wrapped(line, below)
    loud = len(line) >= _SEVERAL_FIELDS and _BEGINS_LOUD.match(below) is not None
    if not (wrapped or loud) or reader.stands(below):
        return False
    if not wrapped:
        whole = joined(lines[at : end + 1])
        return reader.is_lacking(whole) and reader.reads(line)
    rest = _REST.match(below) is not None and not reader.nears(below)
    return (rest or is_broken_off(line)) and reader.reads(joined(lines[at:end]))


def ends_a_sentence(lines: Sequence[str], at: int, reader: Reader) -> bool:
    """Return whether the order below a line may be the wrapped end of the line's sentence.

    Orders in capitals with another order below them are a list.
    """
    line, below = lines[at].rstrip(), lines[at + 1].strip() if at + 1 < len(lines) else ""
    # Some people break lines themselves: only a full stop shows that a sentence ends below.
    ends = line[-1:].islower() and below[:1].islower() and below.endswith(".")
    if not (may_be_wrapped(line, below) or ends) or line.endswith((*SENTENCE_ENDS, ":")):
        return False
    if not reader.is_order(below) or reader.stands(line) or reader.nears(line):
        return False
    return not (below.isupper() and at + 2 < len(lines) and reader.stands(lines[at + 2]))


def _goes_on(rule: str, following: str, reader: Reader) -> bool:
    """Return whether a line below belongs to an unfinished rule above it."""
    if not following.strip() or not is_unfinished(rule, reader.english(rule), reader.tests):
        return False
    below = reader.english(following)
    # The line below begins something of its own, so the rule was left without an order.
    if RULE_LIKE.fullmatch(below) or is_mark(below):
        return False
    # With nothing but the name of a piece in it, a rule might be read.
    return rule.rstrip().endswith(":") or not (reader.reads(rule) or reader.nears(rule))


def unwrapped(lines: Sequence[str], reader: Reader) -> Iterator[tuple[str, int, bool]]:
    """Yield some lines, with those joined that are one order or rule, and how many they were.

    The last value is whether they can't be read together: the rest of an order may be on the next
    line, but can't be read with it.
    """
    at = 0
    while at < len(lines):
        if at >= _MOST_NARROW:
            reader = reader._replace(tests=lambda _: False, lacks=None)
        count = extent(lines, at, reader)
        cut = may_be_cut(lines, at, count, reader)
        count += cut
        yield lines[at] if count == 1 else joined(lines[at : at + count]), count, cut
        at += count


def joined(lines: Sequence[str]) -> str:
    """Return some lines as one."""
    return " ".join(line.strip() for line in lines)
