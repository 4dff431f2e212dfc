"""Paragraphs: which orders of a letter are sure, by the form of the letter alone (decision 0037).

An order is sure where its paragraph holds nothing but orders, and where no other words stand
between the letter's orders. What words mean does not matter.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

Kind = Literal["order", "rule", "rest", "near", "plain", "text", "words", ""]
"""What a line of a letter is: an order; a rule, such as an IF line or what heads other orders; the
rest of the order or rule above it; nearly an order; plain, which is a greeting, a farewell or a
name; text for others; other words; or blank."""
ORDERS = ("order", "rule", "rest", "near")
_LISTED = ("order", "rule", "near")

_COMMAS, _COLONS = (",", "，", "、", "،"), (":", "：", ";", "؛", "-", "–", "—")
"""What words end with that lead to the paragraph below them."""
_SALUTATION = 3
"""So many words before a comma, first in a letter and alone, are a salutation in any language."""
_MARK = re.compile(r"\s*(?P<mark>[^\w\s\"'(]*)\s*(?:(?P<number>\d{1,3})\s*[.):])?")
_TICKED = re.compile(r"\W*(?:\[[xX✓✔]\]|\([xX]\)|[☑✅✔☒])|.*[✅✔]\W*$")
_EMPTY = re.compile(r"\W{0,3}(?:\[ ?\]|\( ?\)|[☐⬜□❏❑○])")
_CROSSED = re.compile(r"^\W*(?:[❌✖✗✘❎🚫⛔!])|[❌✖✗✘❎🚫⛔]\W*$")


def left_out(lines: Sequence[str], kinds: Sequence[Kind]) -> set[int]:
    """Return the orders that are crossed out, and those without a tick where others have one."""
    orders = [n for n, kind in enumerate(kinds) if kind in ORDERS]
    ticked = any(_TICKED.match(lines[n]) for n in orders)
    found = set[int]()
    for n in orders:
        empty = ticked and _EMPTY.match(lines[n])
        if (n - 1 in found and kinds[n] == "rest") or empty or _CROSSED.search(lines[n]):
            found.add(n)
    return found


def sure_orders(lines: Sequence[str], kinds: Sequence[Kind]) -> set[int]:
    """Return which lines are sure to be orders."""
    orders = [n for n, kind in enumerate(kinds) if kind in ORDERS]
    words = [n for n, kind in enumerate(kinds) if kind == "words"]
    if not orders or any(orders[0] < n < orders[-1] for n in words):
        return set()
    sure = set[int]()
    for paragraph in _paragraphs(lines, kinds):
        alone = not any(kinds[n] == "words" or _lacks(lines, kinds, n) for n in paragraph)
        listed = [(kinds[n], lines[n]) for n in paragraph if kinds[n] in _LISTED]
        if alone and _are_alike(listed):
            sure.update(n for n in paragraph if kinds[n] in ("order", "rule", "rest"))
    return sure


def _lacks(lines: Sequence[str], kinds: Sequence[Kind], n: int) -> bool:
    """Return whether a line is nearly an order, and the order below it may be the rest of it."""
    unended = kinds[n] == "near" and lines[n].rstrip().endswith((*_COMMAS, *_COLONS))
    return unended and "order" in kinds[n + 1 : n + 2]


def _paragraphs(lines: Sequence[str], kinds: Sequence[Kind]) -> Iterator[list[int]]:
    """Yield the lines of each paragraph.

    Words that end in a colon, a comma or a dash lead to all orders below them, but a salutation
    does not. Rules are one paragraph, and so are orders whose numbers go on.
    """
    paragraph: list[int] = []
    parted = leads = False
    first = next((n for n, kind in enumerate(kinds) if kind), 0)
    for n, kind in enumerate(kinds):
        if not kind:
            parted = bool(paragraph)
            continue
        joins = (leads and kind != "plain") or (parted and kinds[paragraph[-1]] == kind == "rule")
        if parted and not (joins or _goes_on([lines[m] for m in paragraph], lines[n])):
            yield paragraph
            paragraph = []
        if kind not in ORDERS:
            line = lines[n].rstrip()
            salutes = n == first and len(line.split()) <= _SALUTATION and line.endswith(_COMMAS)
            leads = kind == "words" and line.endswith((*_COMMAS, *_COLONS)) and not salutes
        paragraph.append(n)
        parted = False
    if paragraph:
        yield paragraph


def _goes_on(above: Sequence[str], below: str) -> bool:
    """Return whether a line has the number that follows the last one above it."""
    numbers = [int(one["number"]) for line in above if (one := _MARK.match(line)) and one["number"]]
    following = _MARK.match(below)
    return bool(numbers and following and following["number"] == str(numbers[-1] + 1))


def _are_alike(listed: Sequence[tuple[Kind, str]]) -> bool:
    """Return whether some orders have the same mark before them, or numbers that count up from 1.

    So `-FIRE` above `+SCAN` is no list, and `*SCAN` below `FIRE` may correct it. A rule or a near
    miss may be without them, but is counted.
    """
    found = [(kind, one) for kind, line in listed if (one := _MARK.match(line))]
    orders = [one for kind, one in found if kind == "order"]
    numbers = [int(one["number"]) for _, one in found if one["number"]]
    if len({one["mark"] for one in orders}) > 1:
        return False
    if numbers and not all(one["number"] for one in orders):
        return False
    counts = all(above + 1 == below for above, below in pairwise(numbers))
    return not numbers or (counts and (numbers[0] == 1 or numbers[:2] == [0, 1]))
