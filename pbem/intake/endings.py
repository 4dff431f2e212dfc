"""The ends of letters that nobody typed: signatures, mobile footers, legal notices."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from pbem.intake import quote_phrases
from pbem.intake.phrase_tables import words

MOBILE = tuple(words(quote_phrases.MOBILE))
LEGAL_OPENERS = tuple(words(quote_phrases.LEGAL_OPENERS))
LEGAL_STEMS = tuple(words(quote_phrases.LEGAL_STEMS))
PLAIN_STEMS = tuple(stem for stem in LEGAL_STEMS if stem.isascii())
RULE = re.compile(r"\s*[-–—_=*~]{5,}\s*")
LIST_RULE = re.compile(r"\s*(?:_{2,}|-{20,})\s*")
LIST_FOOTER = re.compile(r"mailing list|unsubscribe|listinfo|google groups|abmelden|désabonner")
LONGEST_FOOTER = 120
SENTENCE = re.compile(r"[,;] [a-zà-ÿ]|[?…]\s*$|\.\.\.\s*$")
"""What a sentence has that only begins like a footer: `Sent from my desk, is this a sign?`"""
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
    """Return where the signature begins: at ``-- `` or at bare dashes."""
    return lines.index("-- ") if "-- " in lines else dashes_at(lines)


def dashes_at(lines: Sequence[str]) -> int:
    """Return where a ``--`` without its space stands after a blank line or above little text.

    Nobody can know whether that begins a signature: programs lose the space, and people draw lines.
    """
    bare = [at for at, line in enumerate(lines) if "--" in line and line.strip() == "--"]
    for at in bare:
        if (at and not lines[at - 1].strip()) or (len(bare) == 1 and is_short(lines[at + 1 :])):
            return at
    return len(lines)


def below_dashes(lines: Sequence[str]) -> list[str]:
    """Return the lines that may be a signature or not, because only bare dashes are above them."""
    found = [] if "-- " in lines else lines[dashes_at(lines) + 1 :]
    return [line for line in found if line.strip()]


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
    if len(line) > LONGEST_FOOTER or SENTENCE.search(line):
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
