"""The player's own words in a letter, without what they quote or forward, and without footers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from itertools import islice, pairwise
from typing import NamedTuple

from pbem.intake.quote_headers import (
    FRAMED,
    LONGEST,
    MOST,
    QUOTED,
    attribution_hints,
    before_quote,
    divider,
    has_marker,
    has_wrote,
    header_block,
    is_quoted,
    next_written,
    opener_end,
)
from pbem.intake.quote_phrases import LEGAL_OPENERS, LEGAL_STEMS, MOBILE

RULE = re.compile(r"\s*[-–—_=*~]{5,}\s*")
GREETS = re.compile(
    r"[^\d:]{1,40}[,，]|(?:hi|hello|dear|hey|hallo|liebe[rs]?|bonjour|hola|ciao|привет)\b[^\d:]{0,30}",
    re.IGNORECASE,
)
BLANKS = re.compile(r"\n{3,}")
PLACED = re.compile(
    r"\s*(?:\[(?:image|cid): ?[^\[\]]{0,300}\]\s*){1,9}|\s*\[extern[^\[\]]{0,30}\]\s*",
    re.IGNORECASE,
)
"""What programs put in the place of a picture, and gateways above letters from elsewhere."""
NEAR = 12
"""The most lines, blank ones too, from the heading of a quote to its first marked line."""
SHORT_REST = 40
"""The rest of a wrapped line has mostly fewer columns."""
FULL_LINE = 60
"""A quoted line of this many columns or more may have been wrapped."""
PLAIN_STEMS = tuple(stem for stem in LEGAL_STEMS if stem.isascii())
LONGEST_FOOTER = 120
OUTLOOK = re.compile(r"(?=.*Outlook).*(?:iOS|Android)")
"""The footer of Outlook on a phone, in any language."""
SENTENCE = re.compile(r"[,;] [a-zà-ÿ]|[?…]\s*$|\.\.\.\s*$")
"""What a sentence has that only begins like a footer: `Sent from my desk, is this a sign?`"""
SHORT_SIGNATURE = 400


class Own(NamedTuple):
    """What a letter's writer added to it, and what may be the writer's too.

    `unsure` are the lines below bare dashes, right below a long quoted line, or marked as quotes
    without a heading where the letter holds no more than a greeting besides. `below` are those of a
    quote without marks.
    """

    text: str
    unsure: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


class Segments(NamedTuple):
    """Runs of lines that the writer added, and what is quoted, or may be.

    `bare` are the marked lines above all that heads a quote, `wrapped` short lines that may belong
    to marked ones above them, and `below` the lines of a quote without marks.
    """

    own: list[list[str]]
    bare: list[str]
    wrapped: list[str]
    below: list[str]


def own_words(text: str) -> Own:
    """Return what a letter's writer added to it."""
    found = own_segments(text.split("\n"))
    endless = map(without_ending, found.own)
    kept = ("\n".join(line.rstrip() for line in segment).strip("\n") for segment in endless)
    # From the segments as they are: without their endings, nothing would stand below the dashes.
    unsure = found.wrapped + [line for segment in found.own for line in below_dashes(segment)]
    # Apart, since what is quoted between them makes each a paragraph of its own.
    own = BLANKS.sub("\n\n", "\n\n".join(filter(None, kept)))
    if not is_answered(own.split("\n")):
        unsure += [QUOTED.sub("", line).strip() for line in found.bare]
    return Own(own, tuple(filter(None, unsure)), tuple(found.below))


def own_text(text: str) -> str:
    """Return the text that a letter's writer added to it."""
    return own_words(text).text


def own_segments(lines: Sequence[str]) -> Segments:
    """Return what the writer added to a letter, and what it quotes."""
    segments: list[list[str]] = [[]]
    # The blank line is for `index` below, which else finds no end of a quote in last place.
    quoted = [is_quoted(line) for line in (*lines, "")]
    wrapped = mark_overflow(lines, quoted)
    hints, at = attribution_hints(lines, quoted), 0
    bare, below, headed = list[str](), list[str](), False
    while at < len(lines):
        # A marked run ends a segment; what follows it is new again.
        if quoted[at]:
            segments += [[]] if segments[-1] else []
            end = quoted.index(False, at + 1)
            headed = headed or any(map(has_marker, lines[at:end]))
            bare += [] if headed else filter(is_quoted, lines[at:end])
            at = end
        elif opener_end(lines, at, hints):
            drop_rules(segments[-1])
            answered = is_answered(line for segment in segments for line in segment)
            end, marked = openers_at(lines, at, hints, answered)
            # Without marks nobody can tell where the quote ends, so all of the rest is quoted.
            below += [] if marked else lines[end:]
            at, headed = end if marked else len(lines), True
            segments.append([])
        else:
            segments[-1] += [] if PLACED.fullmatch(lines[at]) else [lines[at]]
            at += 1
    return Segments(segments, bare, wrapped, below)


def older_letter(lines: Sequence[str]) -> int:
    """Return where the heading of another letter begins among the lines of a quote."""
    hints = attribution_hints(lines, [is_quoted(line) for line in lines])
    heads = (at for at in range(len(lines)) if opener_end(lines, at, hints))
    return next((at for at in heads if not has_marker(lines[at])), len(lines))


def mark_overflow(lines: Sequence[str], quoted: list[bool]) -> list[str]:
    """Mark as quoted the rests of long quoted lines, which a program has wrapped, and return them.

    A rest is short, and begins with a small letter or stands above another quoted line; below it,
    the paragraph is no clearer. Where another quoted line is so wide that the next word would have
    fitted, none was wrapped.
    """
    marked = [line for line, mark in zip(lines, quoted, strict=False) if mark]
    # The widest first: one without a space, such as a link, could not have been wrapped.
    by_width = sorted(marked, key=len, reverse=True)
    widest = next((len(line) for line in by_width if " " in line.lstrip("> ")), 0)
    unsure: dict[int, str] = {}
    for at, (above, line) in enumerate(pairwise(lines), 1):
        if quoted[at] or not quoted[at - 1] or not 0 < len(line.strip()) < SHORT_REST:
            continue
        full = max(FULL_LINE, widest - len(line.split(" ", 1)[0]))
        long = len(above.rstrip()) >= full and above.rstrip()[-1] not in ".!?:;"
        if (long and (quoted[at + 1] or line[:1].islower())) or at - 1 in unsure:
            quoted[at] = True
            unsure[at] = line
    return list(unsure.values())


def openers_at(lines: Sequence[str], at: int, hints: Set[int], answered: bool) -> tuple[int, bool]:
    """Return where the openers end of which the first begins at a line, and if marks follow."""
    attributions, block = 0, False
    end = after = at
    while after < len(lines) and not is_quoted(lines[after]):
        found = opener_end(lines, after, hints)
        if found is None:
            break
        is_block = header_block(lines, after) is not None
        block = block or is_block
        named = divider(lines[after].strip(), after) is None or has_wrote(lines[after])
        attributions += named and not is_block
        end, after = found, next_written(lines, found)
    # Below a header block the quote is seldom marked, especially below an answer. So marks there
    # belong to an older letter's quote, as they do below two openers.
    older = attributions + block > 1 or (answered and block)
    if older or block or attributions != 1:
        return end, not older and before_quote(lines, end)
    # An answer may stand between a heading and its quote, but so may an older letter.
    below = range(next_written(lines, end), min(len(lines), end + NEAR))
    first = next((n for n in below if is_quoted(lines[n]) or opener_end(lines, n, hints)), end)
    inner = [QUOTED.sub("", line) for line in lines[first : first + MOST]]
    nested = first > next_written(lines, end) and opener_end(inner, 0, frozenset({0}))
    return end, first < len(lines) and is_quoted(lines[first]) and not nested


def is_answered(lines: Iterable[str]) -> bool:
    """Return whether some lines hold more than a greeting."""
    said = list(islice((line.strip() for line in lines if line.strip()), 2))
    return len(said) > 1 or (bool(said) and not GREETS.fullmatch(said[0][:LONGEST]))


def drop_rules(segment: list[str]) -> None:
    """Remove rules, blank lines and a framed heading of a quote from the end of a segment."""
    while segment and (not segment[-1].strip() or RULE.fullmatch(segment[-1][:LONGEST])):
        segment.pop()
    if segment and FRAMED.fullmatch(segment[-1][:LONGEST]):
        segment.pop()


def without_ending(lines: Sequence[str]) -> list[str]:
    """Return some lines without the footers at their end."""
    kept = list(lines)
    # Footers stand in any order, and each may hide the one above it.
    while True:
        size = len(kept)
        for cut in (signature_at, footer_at, legal_at):
            del kept[cut(kept) :]
        if len(kept) == size:
            return kept


def signature_at(lines: Sequence[str]) -> int:
    """Return where the signature begins: at ``-- `` or at bare dashes."""
    # RFC 3676, 4.3: the space belongs to it.
    return lines.index("-- ") if "-- " in lines else dashes_at(lines)


def dashes_at(lines: Sequence[str]) -> int:
    """Return where a ``--`` without its space stands after a blank line or above little text.

    Nobody can know whether that begins a signature: programs lose the space, and people draw lines.
    """
    bare = [at for at, line in enumerate(lines) if "--" in line and line.strip() == "--"]
    for at in bare:
        if at and not lines[at - 1].strip():
            return at
    if len(bare) == 1:
        below = [line for line in lines[bare[0] + 1 :] if line.strip()]
        if len(below) <= 6 and sum(map(len, below)) < SHORT_SIGNATURE:
            return bare[0]
    return len(lines)


def below_dashes(lines: Sequence[str]) -> list[str]:
    """Return the lines that may be a signature or not, because only bare dashes are above them."""
    found = [] if "-- " in lines else lines[dashes_at(lines) + 1 :]
    return [line for line in found if line.strip()]


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
    said = line.strip(" \t*_-–—[](){}<>~\"'")
    names_program = OUTLOOK.match(said) or said.casefold().startswith(MOBILE)
    return bool(RULE.fullmatch(line) or names_program)


def legal_at(lines: Sequence[str]) -> int:
    """Return where a legal notice at the end begins."""
    starts = [
        at
        for at, line in enumerate(lines)
        if line.strip() and (not at or not lines[at - 1].strip())
    ]
    paragraphs = pairwise([*starts, len(lines)])
    legal = (start for start, end in paragraphs if is_legal(" ".join(lines[start:end])))
    return next(legal, len(lines))


def is_legal(paragraph: str) -> bool:
    """Return whether a paragraph is a legal notice or an advertisement for a virus scanner."""
    text = paragraph[:4_000].strip(" \t*_-–—=\n").casefold()
    if text.startswith(LEGAL_OPENERS):
        return True
    # A text in ASCII can't hold the others, so they need not be searched.
    stems = PLAIN_STEMS if text.isascii() else LEGAL_STEMS
    # Anybody may write one or two of these words in a long sentence; notices have many.
    return len(text) > 120 and len([stem for stem in stems if stem in text]) > 2
