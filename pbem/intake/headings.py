"""The header lines above a quoted letter, known by their shape in any language."""

from __future__ import annotations

import re
from collections.abc import Sequence

DATE = re.compile(
    r"(?<!\d)(?:19|20|25)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)"
    r"|[٠-٩۰-۹०-९๐-๙]{4}|\d年|\d월"
)
TIME = re.compile(r"(?<![\d:])\d{1,2}\s?[:.hH時时点點시]\s?\d{2}(?!\d)|\d時|오[전후]\s?\d")
WHO = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}|\[mailto:|<mailto:")
LONGEST = 500
"""The most of a line that is looked at."""
LABELLED = re.compile(
    r"[\s*_>|]{0,4}(?=[^\W\d_])[^:：<>@\"“„?!.;,\d]{1,32}?[*_\s]{0,3}[:：][*_]{0,2}(?:\s|(?=[^\s/])|$)"
)
"""A line such as ``Saadja: …``, in whatever language."""
LABEL = 44
STRANGE_LINES = 16
OUR_SUBJECT = re.compile(r"\[(?:G\d+-T\d+|PBEM) \w{6,16}\]", re.I)


def strange_block(lines: Sequence[str], at: int) -> int | None:
    """Where header lines in a language that we do not know end, by their shape.

    These are three lines or more without a blank one, each with a label, that hold our own
    subject, or an address and a date. Orders may have labels too, so the first of the lines must
    tell more than a label, or stand below a blank one.
    """
    if not LABELLED.match(lines[at][:LABEL]):
        return None
    labelled, last = 1, at
    for index in range(at + 1, min(len(lines), at + STRANGE_LINES)):
        if LABELLED.match(lines[index][:LABEL]):
            labelled += 1
        elif not lines[index].strip() or not runs_on(lines[index]):
            break
        last = index
    block = "\n".join(line[:LONGEST] for line in lines[at : last + 1])
    ours, first = OUR_SUBJECT.search(block), lines[at][:LONGEST]
    sure = ours or (WHO.search(block) and is_dated(block))
    alone = ours and at > 0 and not lines[at - 1].strip()
    begins = WHO.search(first) or OUR_SUBJECT.search(first) or is_dated(first) or alone
    return last + 1 if labelled > 2 and sure and begins else None


def is_dated(text: str) -> bool:
    """Whether a text holds a date or a time."""
    plain = text.casefold()
    return bool(DATE.search(plain) or TIME.search(plain))


def runs_on(line: str) -> bool:
    """Whether a line may go on with the header line above it: it is set in, or a list of people."""
    return line[:1] in " \t" or bool(WHO.search(line[:LONGEST]))
