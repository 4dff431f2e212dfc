"""The ends of letters that nobody typed: signatures, mobile footers, legal notices."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from pbem.intake import phrases
from pbem.intake.wording import words

MOBILE = tuple(words(phrases.MOBILE))
LEGAL_OPENERS = tuple(words(phrases.LEGAL_OPENERS))
LEGAL_STEMS = tuple(words(phrases.LEGAL_STEMS))
PLAIN_STEMS = tuple(stem for stem in LEGAL_STEMS if stem.isascii())
RULE = re.compile(r"\s*[-–—_=*~]{5,}\s*")
LIST_RULE = re.compile(r"\s*(?:_{2,}|-{20,})\s*")
LIST_FOOTER = re.compile(r"mailing list|unsubscribe|listinfo|google groups|abmelden|désabonner")
LONGEST_FOOTER = 120
SHORT_SIGNATURE = 400


def without_ending(lines: Sequence[str]) -> list[str]:
    """Return some lines without the footers at their end."""
    kept = list(lines[: blank_from(lines)])
    while True:
        size = len(kept)
        for cut in (signature_at, footer_at, legal_at, list_footer_at):
            del kept[cut(kept) :]
        if len(kept) == size:
            return kept


def blank_from(lines: Sequence[str]) -> int:
    """Return where the blank lines at the end begin."""
    at = len(lines)
    while at and not lines[at - 1].strip():
        at -= 1
    return at


def signature_at(lines: Sequence[str]) -> int:
    """Return where the signature begins: at ``-- ``, or at a single ``--`` with little after it."""
    if "-- " in lines:
        return lines.index("-- ")
    bare = [at for at, line in enumerate(lines) if "--" in line and line.strip() == "--"]
    if len(bare) == 1 and is_short(lines[bare[0] + 1 :]):
        return bare[0]
    return len(lines)


def is_short(lines: Sequence[str]) -> bool:
    """Return whether some lines are few enough for a signature."""
    written = [line for line in lines if line.strip()]
    return len(written) <= 6 and sum(map(len, written)) < SHORT_SIGNATURE


def footer_at(lines: Sequence[str]) -> int:
    """Return where a mobile footer, a rule or blank lines at the end begin."""
    at = len(lines)
    while at and (not lines[at - 1].strip() or is_footer(lines[at - 1])):
        at -= 1
    return at


def is_footer(line: str) -> bool:
    """Return whether a mail program adds such a line at the end."""
    if len(line) > LONGEST_FOOTER:
        return False
    return bool(RULE.fullmatch(line)) or line.strip(" \t*_-–—[](){}<>~\"'").casefold().startswith(
        MOBILE
    )


def legal_at(lines: Sequence[str]) -> int:
    """Return where a legal notice at the end begins."""
    for start, end in paragraphs(lines):
        if is_legal(" ".join(lines[start:end])):
            return start
    return len(lines)


def paragraphs(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return where each paragraph begins and ends."""
    starts = [
        at
        for at, line in enumerate(lines)
        if line.strip() and (not at or not lines[at - 1].strip())
    ]
    return list(itertools.pairwise([*starts, len(lines)]))


def is_legal(paragraph: str) -> bool:
    """Return whether a paragraph is a legal notice or an advertisement for a virus scanner."""
    text = paragraph[:4_000].strip(" \t*_-–—=\n").casefold()
    if text.startswith(LEGAL_OPENERS):
        return True
    stems = PLAIN_STEMS if text.isascii() else LEGAL_STEMS
    return len(text) > 120 and len([stem for stem in stems if stem in text]) > 2


def list_footer_at(lines: Sequence[str]) -> int:
    """Return where the footer of a mailing list begins."""
    for at, line in enumerate(lines):
        ruled = ("__" in line or "--" in line) and LIST_RULE.fullmatch(line[:200])
        if ruled and LIST_FOOTER.search(" ".join(lines[at : at + 20]).casefold()):
            return at
    return len(lines)
