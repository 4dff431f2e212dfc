"""The player's own words in a letter, without what they quote or forward."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from pbem.intake import quote_phrases
from pbem.intake.attributions import (
    MOST,
    WROTE,
    attribution,
    attribution_hints,
    has_wrote,
    plain_marks,
    traits,
)
from pbem.intake.endings import below_dashes, without_ending
from pbem.intake.headings import DATE, LONGEST, TIME, WHO, drop_heading, strange_block
from pbem.intake.lines import (
    HEADED,
    QUOTED,
    is_quoted,
    is_unmarked_start,
    next_written,
    quote_marks,
)
from pbem.intake.phrase_tables import words
from pbem.intake.reading import has_marker

DASHES = "-‐–—_=*~<>"
ENDS = DASHES + ":：" + "".join(c for c in map(chr, range(0x3001)) if c.isspace())
"""The characters that may end a divider."""
LEADING = re.compile(r"[-‐–—_=*~]{2,10}\s?([^-‐–—_=*~\s].{2,60}?)\s?[-‐–—_=*~]{2,10}\s?\w")
RULE = re.compile(r"\s*[-–—_=*~]{5,}\s*")
GREETS = re.compile(
    r"[^\d:]{1,40}[,，]|(?:hi|hello|dear|hey|hallo|liebe[rs]?|bonjour|hola|ciao|привет)\b[^\d:]{0,30}",
    re.IGNORECASE,
)
INDENTED = re.compile(r" {4}|\t| {0,2}\|")
BLANKS = re.compile(r"\n{3,}")
UNENDED = {"wrote", "date", "time"}
"""What an attribution without a colon has, right above the header lines of its quote."""
TAGGED = re.compile(r"^(?:<(?:div|p|br ?/?)>)+")
"""Tags that some phones leave in plain text, where their quote begins."""
PLACED = re.compile(
    r"\s*(?:\[(?:image|cid): ?[^\[\]]{0,300}\]\s*){1,9}|\s*\[extern[^\[\]]{0,30}\]\s*"
    r"|\W{0,6}(?:caution|warning|achtung|vorsicht|attention)\s?[:!].{0,60}"
    r"(?:outside (?:of )?(?:the|your|our)|von (?:außerhalb|extern)|extern).{0,200}",
    re.IGNORECASE,
)
"""What programs put in the place of a picture, and gateways above letters from elsewhere."""
REPLY_ABOVE = re.compile(r"\W{0,6}##-.{5,120}")

LABELS = {
    label: kind
    for kind, table in (
        ("to", quote_phrases.TO_LABELS),
        ("subject", quote_phrases.SUBJECT_LABELS),
        ("date", quote_phrases.DATE_LABELS),
        ("from", quote_phrases.FROM_LABELS),
    )
    for label in words(table)
}
OPENINGS = tuple(words(quote_phrases.ORIGINAL) | words(quote_phrases.FORWARDED))
FORWARDINGS = tuple(words(quote_phrases.FORWARDED))
GREETING = 6
"""The most lines between an attribution and its quote if an answer is above them."""
SET_IN = 3
"""How many lines must be indented to show a quote without other marks."""
FULL_LINE = 60
"""A quoted line of this many columns or more may have been wrapped."""
SHORT_REST = 40
"""The rest of a wrapped line has mostly fewer columns."""
MOST_REST = 20
"""The most lines that the rest of one line may have."""
OURS = "\0>"
"""Marks a line as the league's own; no letter's text contains it."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Where some openers end, what they are, and whether their quote is indented."""

    end: int
    attributions: int
    block: bool
    indented: bool = False

    def nested(self, answered: bool) -> bool:
        """Return whether marks below belong to an older letter's quote; `answered`: text is above.

        Below a header block the quote is seldom marked, especially below an answer.
        """
        return self.attributions + self.block > 1 or (answered and self.block)


class Own(NamedTuple):
    """What a letter's writer added to it, and the lines of `below_dashes`."""

    text: str
    doubtful: tuple[str, ...] = ()


def own_words(text: str) -> Own:
    """Return what a letter's writer added to it."""
    segments = own_segments(plain_marks(text.split("\n")))
    endless = map(without_ending, segments)
    kept = ("\n".join(line.rstrip() for line in segment).strip("\n") for segment in endless)
    doubtful = tuple(line for segment in segments for line in below_dashes(segment))
    return Own(BLANKS.sub("\n\n", apart([each for each in kept if each])), doubtful)


def apart(runs: Sequence[str]) -> str:
    """Join runs of lines, so that no long line at the end of one seems to go on in the next."""
    ends = ["\n\n" if len(run) - run.rfind("\n") > FULL_LINE else "\n" for run in runs]
    return "".join(run + end for run, end in zip(runs, ends, strict=True)).rstrip("\n")


def own_text(text: str) -> str:
    """Return the text that a letter's writer added to it."""
    return own_words(text).text


def own_segments(lines: Sequence[str]) -> list[list[str]]:
    """Return the runs of lines that the writer added, between what they quote."""
    segments: list[list[str]] = [[]]
    quoted = quote_marks((*lines, ""))
    mark_overflow(lines, quoted)
    hints, at, indented = attribution_hints(lines, quoted), 0, False
    while at < len(lines):
        # A marked run ends a segment; what follows it is new again.
        if quoted[at] or (indented and INDENTED.match(lines[at])):
            if lines[at].startswith(OURS) and has_marker(lines[at]):
                drop_rules(segments[-1])
            segments += [[]] if segments[-1] else []
            at = quoted.index(False, at + 1)
        elif opener_end(lines, at, hints):
            drop_rules(segments[-1])
            opening = openers_at(lines, at, hints)
            answered = is_answered(line for segment in segments for line in segment)
            indented = indented or opening.indented
            # Without marks nobody can tell where the quote ends, so all of the rest is quoted.
            goes_on = indented or marks_follow(lines, opening, hints, answered)
            at = opening.end if goes_on else len(lines)
            segments.append([])
        else:
            segments[-1] += [] if PLACED.fullmatch(lines[at]) else [lines[at]]
            at += 1
    return segments


def mark_overflow(lines: Sequence[str], quoted: list[bool]) -> None:
    """Mark as quoted the lines into which a program has wrapped a long quoted line.

    Where another quoted line is so wide that the next word would have fitted, none was wrapped.
    """
    marked = (line for line, mark in zip(lines, quoted, strict=False) if mark)
    widest = max((len(line) for line in marked if " " in line.lstrip("> ")), default=0)
    for at in range(1, len(lines)):
        quoted[at - 1] = quoted[at - 1] or is_unmarked_start(lines, quoted, at - 1)
        # A person's answer below a quote begins a sentence; the rest of a wrapped line does not.
        if quoted[at] or not quoted[at - 1] or not lines[at][:1].islower():
            continue
        above = lines[at - 1].rstrip()
        long = len(above) >= FULL_LINE and above[-1] not in ".!?:;"
        long = long and len(above) + len(lines[at].split(" ", 1)[0]) >= widest
        quoted[at] = long and is_rest(lines, quoted, at)


def is_rest(lines: Sequence[str], quoted: Sequence[bool], at: int) -> bool:
    """Return whether a line below a quote is short, or goes on until another line of the quote.

    Somebody's answer may begin with a small letter too, but it has a paragraph of its own.
    """
    if len(lines[at]) < SHORT_REST:
        return True
    near = range(at, min(len(lines), at + MOST_REST))
    ends = (below for below in near if quoted[below] or not lines[below].strip())
    return quoted[next(ends, at)]


def openers_at(lines: Sequence[str], at: int, hints: Set[int]) -> Opening:
    """Return the openers that follow one another from a line on, the first beginning there."""
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
        if attributions == 1 and not block and is_indented(lines, end):
            return Opening(end, attributions, block, indented=True)
    return Opening(end, attributions, block)


def is_answered(lines: Iterable[str]) -> bool:
    """Return whether some lines hold more than a greeting."""
    said = list(islice((line.strip() for line in lines if line.strip()), 2))
    return len(said) > 1 or (bool(said) and not GREETS.fullmatch(said[0][:LONGEST]))


def is_indented(lines: Sequence[str], at: int) -> bool:
    """Return whether the next lines are all indented or barred, as some programs mark a quote."""
    barred = 0
    for _ in range(SET_IN):
        at = next_written(lines, at)
        if at == len(lines):
            return barred > 0
        if not INDENTED.match(lines[at]):
            return False
        barred += lines[at].lstrip(" ").startswith("|")
        at += 1
    return True


def marks_follow(lines: Sequence[str], opening: Opening, hints: Set[int], answered: bool) -> bool:
    """Return whether the quote below some openers is marked line by line (then the rest is new)."""
    at = next_written(lines, opening.end)
    if at == len(lines) or ours_follow(lines, at, hints):
        return at < len(lines)
    if opening.nested(answered):
        return False
    if is_quoted(lines[at]) or opening.block or opening.attributions != 1:
        return is_quoted(lines[at])
    greeting = 0
    while at < len(lines) and not is_quoted(lines[at]):
        greeting += bool(lines[at].strip())
        if opener_end(lines, at, hints) or (answered and greeting > GREETING):
            return False
        at += 1
    return at < len(lines) and not (answered and is_attributed(lines, at))


def ours_follow(lines: Sequence[str], at: int, hints: Set[int]) -> bool:
    """Return whether a quote that is known as ours begins here, or below a few lines of answer.

    Words with another opener below them are an older letter's.
    """
    written = (place for place in range(at, len(lines)) if lines[place].strip())
    for place in islice(written, GREETING + 1):
        if lines[place].startswith(OURS):
            return True
        if opener_end(lines, place, hints):
            return False
    return False


def is_attributed(lines: Sequence[str], at: int) -> bool:
    """Return whether the quoted lines from here on begin with an opener of their own."""
    inner = [QUOTED.sub("", line) for line in lines[at : at + MOST]]
    return opener_end(inner, 0, frozenset({0})) is not None


def drop_rules(segment: list[str]) -> None:
    """Remove rules, blank lines and other headings of a quote from the end of a segment."""
    while segment and (not segment[-1].strip() or RULE.fullmatch(segment[-1][:LONGEST])):
        segment.pop()
    drop_heading(segment)
    if segment and len(segment[-1]) < LONGEST and traits(segment[-1]) >= UNENDED:
        segment.pop()


def opener_end(lines: Sequence[str], at: int, hints: Set[int]) -> int | None:
    """Return where an opener that begins at a line ends, or None; `hints` are the letter's."""
    line = TAGGED.sub("", lines[at]).strip()
    if not line:
        return None
    if "##-" in line and (has_marker(line) or REPLY_ABOVE.fullmatch(line)):
        return at + 1
    found = divider(line, at) or header_block(lines, at)
    if found or hints.isdisjoint(range(at, at + MOST)):
        return found
    return attribution(lines, at)


def divider(line: str, at: int) -> int | None:
    """Return where a line such as ``-----Original Message-----`` ends, or None."""
    if HEADED.fullmatch(line):
        return at + 1
    if line[0] not in DASHES:
        begins = line[-1] in ":：" and len(line) < 80
        return at + 1 if begins and line.casefold().startswith(FORWARDINGS) else None
    if found := LEADING.match(line):
        return at + 1 if found[1].casefold().startswith(OPENINGS) else None
    if len(line) > LONGEST:
        return None
    inner = between_dashes(line.replace("&nbsp;", " "))
    if inner is None:
        return None
    known = (
        inner == "original"
        or inner.startswith(OPENINGS)
        or (bool(WROTE.search(inner)) and bool(WHO.search(inner)))
    )
    return at + 1 if known else None


def between_dashes(line: str) -> str | None:
    """Return the case-folded text of a line between dashes and its ending, or None.

    There are two dashes or more at the beginning, or one there and at the end.
    """
    body = line.lstrip(DASHES)
    text = body.rstrip(ENDS)
    dashes = len(line) - len(body)
    framed = dashes > 1 or (dashes and line[-1] == line[0])
    if not framed or len(text) > 200:
        return None
    return text.strip().casefold()


def header_block(lines: Sequence[str], at: int) -> int | None:
    """Return where the header lines above a quote in Outlook and similar programs end, or None."""
    if label_of(lines[at]) is None:
        return strange_block(lines, at)
    kinds: set[str] = set()
    last = at
    near = range(at, min(len(lines), at + 14))
    for index in near:
        kind = label_of(lines[index])
        if kind:
            kinds.add(kind)
            last = index
        elif lines[index].strip() and index > last + 3:
            break
    block = "\n".join(line[:LONGEST] for line in lines[at : last + 1])
    telling = TIME.search(block) or WHO.search(block) or DATE.search(block)
    sure = len(kinds) > 2 and "from" in kinds and bool(telling)
    return last + 1 if sure else strange_block(lines, at)


def label_of(line: str) -> str | None:
    """Return which header field a line shows, if it begins like one."""
    if ":" not in line and "：" not in line:
        return None
    label, colon, _ = line[:60].replace("：", ":").partition(":")
    return LABELS.get(label.strip(" \t*_>").casefold()) if colon else None
