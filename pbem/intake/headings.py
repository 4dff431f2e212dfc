"""The header lines above a quoted letter, recognized by their shape in any language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

DATE = re.compile(
    r"(?<!\d)(?:19|20|25)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)"
    r"|[٠-٩۰-۹०-९๐-๙]{4}|\d年|\d월"
)
TIME = re.compile(r"(?<![\d:])\d{1,2}\s?[:.hH時时点點시]\s?\d{2}(?!\d)|\d時|오[전후]\s?\d")
WHO = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}|\[mailto:|<mailto:")
LONGEST = 500
"""The most characters of a line that are searched."""
LABELLED = re.compile(
    r"[\s*_>|]{0,12}(?=[^\W\d_])[^:：<>@\"“„?!.;,\d]{1,32}?[*_\s]{0,3}[:：][*_]{0,2}(?:\s|(?=[^\s/])|$)"
)
"""A line such as ``Saadja: …``, in any language."""
LABEL = 44
STRANGE_LINES = 16
_RULED = re.compile(r"[-–—_=*~]{3,40}(?:\s?[^-–—_=*~].{2,200}?[-–—_=*~]{3,40})?")
OUR_SUBJECT = re.compile(r"\[(?:G\d+-T\d+|PBEM) \w{6,16}\]", re.I)


def strange_block(lines: Sequence[str], at: int) -> int | None:
    """Return where header lines in an unknown language end, by their shape, or None.

    These are three lines or more without a blank one, each with a label, that hold our own subject,
    or an address and a date. Orders may have labels too, so the first line must show more than a
    label, or follow a blank line.
    """
    if not is_labelled(lines[at]):
        return None
    near = "\n".join(lines[at : at + STRANGE_LINES])
    # Rules such as `IF NEAR: FIRE` have labels too. This is quicker than a look at each of them.
    if not any(sign in near for sign in ("@", "[", "<mailto:")):
        return None
    labelled, last = 1, at
    for index in range(at + 1, min(len(lines), at + STRANGE_LINES)):
        if is_labelled(lines[index]):
            labelled += 1
        elif not lines[index].strip() or not runs_on(lines[index]):
            break
        last = index
    if labelled < 3:
        return None
    block = [_held(line[:LONGEST]) for line in lines[at : last + 1]]
    ours = any(held.ours for held in block)
    sure = ours or (any(held.who for held in block) and any(held.dated for held in block))
    alone = ours and at > 0 and not lines[at - 1].strip()
    return last + 1 if sure and (any(block[0]) or alone) else None


def is_labelled(line: str) -> bool:
    """Return whether a line begins like a header line, in any language."""
    start = line[:LABEL]
    # The colon first: in a line without one, the pattern tries everything that may precede it.
    return (":" in start or "：" in start) and LABELLED.match(start) is not None


class Held(NamedTuple):
    """Whether a line holds our own subject, an address, a date or a time."""

    ours: bool
    who: bool
    dated: bool


@lru_cache(maxsize=64)
def _held(line: str) -> Held:
    """Return what a line holds. It is cached because each line is a part of up to 16 blocks."""
    return Held(
        ours=OUR_SUBJECT.search(line) is not None,
        who=WHO.search(line) is not None,
        dated=is_dated(line),
    )


def is_dated(text: str) -> bool:
    """Return whether a text holds a date or a time."""
    plain = text.casefold()
    return bool(DATE.search(plain) or TIME.search(plain))


def runs_on(line: str) -> bool:
    """Return whether a line may continue the header above: it is indented, or a list of people."""
    return line[:1] in " \t" or _held(line[:LONGEST]).who


def drop_heading(segment: list[str]) -> None:
    """Remove the heading of the quote below a segment from its end, in any format.

    The heading is a paragraph of headers with our own subject, or with an address and a date;
    single labelled lines above it; and a last line that is set between rules, with one labelled
    line below it, or is dated and ends in a colon.
    """
    above = segment[-2].strip()[:LONGEST] if len(segment) > 1 else ""
    if _RULED.fullmatch(above) and LABELLED.match(segment[-1][:LABEL]):
        segment.pop()  # a header's first line, which means nothing by itself
    found = False
    while segment:
        first = _paragraph(segment)
        block = "\n".join(line[:LONGEST] for line in segment[first:])
        one = len(segment) - first == 1
        heads = all(map(_is_heading, segment[first:])) and (
            OUR_SUBJECT.search(block) or (WHO.search(block) and is_dated(block))
        )
        if not heads and not (found and one and LABELLED.match(block[:LABEL])):
            break
        found = True
        del segment[first:]
        _drop_blank(segment)
    last = segment[-1].strip()[:LONGEST] if segment else ""
    if _RULED.fullmatch(last) or (last[-1:] in (":", "：") and is_dated(last) and len(last) < 200):
        segment.pop()
        _drop_blank(segment)


def _is_heading(line: str) -> bool:
    """Return whether a line may be a header: it has a label, a date, an address or our subject."""
    text = line[:LONGEST]
    tells = LABELLED.match(line[:LABEL]) or OUR_SUBJECT.search(text) or runs_on(line)
    return bool(tells or is_dated(text) or _RULED.fullmatch(text.strip()))


def _paragraph(segment: Sequence[str]) -> int:
    """Return where the last lines without a blank line between them begin."""
    first = len(segment)
    while first > 0 and len(segment) - first < STRANGE_LINES and segment[first - 1].strip():
        first -= 1
    return first


def _drop_blank(segment: list[str]) -> None:
    while segment and not segment[-1].strip():
        segment.pop()
