"""The player's own words in a letter, without what they quote or forward."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence, Set
from itertools import accumulate

from pbem.intake import phrases
from pbem.intake.endings import without_ending
from pbem.intake.reading import has_marker
from pbem.intake.wording import words

WROTE_WORDS = sorted(words(phrases.WROTE), key=len, reverse=True)
WROTE = re.compile("|".join(WROTE_WORDS))
DATE = re.compile(
    r"(?<!\d)(?:19|20|25)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)"
    r"|[٠-٩۰-۹०-९๐-๙]{4}|\d年|\d월"
)
TIME = re.compile(r"(?<![\d:])\d{1,2}\s?[:.hH時时点點시]\s?\d{2}(?!\d)|\d時|오[전후]\s?\d")
WHO = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}|\[mailto:|<mailto:")
STARTERS = re.compile(
    r"(?:on|am|le|el|il|em|op|den|på|pe|dne|dňa|w dniu|în data|a las|in data|in|i|στις|в|у|à|at|"
    r"il giorno|ngày|pada|dana|na|ב|في|在|于|於)\b.{0,12}\d|[*_]?\d{4}[-/年.]",
    re.IGNORECASE,
)
DIVIDER = re.compile(r"[-–—_=*~<>]{2,}(.{3,200}?)[-–—_=*~<>\s:：]*")
RULE = re.compile(r"\s*[-–—_=*~]{5,}\s*")
QUOTED = re.compile(r"\s{0,4}(?:[>＞]|&gt;|[A-Z]{1,3}>(?:\s|$))")
BLANKS = re.compile(r"\n{3,}")
REPLY_ABOVE = re.compile(r"\W{0,6}##-.{5,120}")

LABELS = {
    label: kind
    for kind, table in (
        ("to", phrases.TO_LABELS),
        ("subject", phrases.SUBJECT_LABELS),
        ("date", phrases.DATE_LABELS),
        ("from", phrases.FROM_LABELS),
    )
    for label in words(table)
}
OPENINGS = tuple(words(phrases.ORIGINAL) | words(phrases.FORWARDED))
FORWARDINGS = tuple(words(phrases.FORWARDED))
MARKS = {"wrote": WROTE, "date": DATE, "time": TIME, "who": WHO}
LONGEST = 500
MOST = 4
"""The lines that an attribution may run over."""


def own_text(text: str) -> str:
    """The text that a letter's writer added to it."""
    segments = (without_ending(segment) for segment in own_segments(text.split("\n")))
    kept = ("\n".join(line.rstrip() for line in segment).strip("\n") for segment in segments)
    return BLANKS.sub("\n\n", "\n".join(each for each in kept if each))


def own_segments(lines: Sequence[str]) -> list[list[str]]:
    """The runs of unquoted lines; after an opener that no quoted lines follow, nothing counts."""
    segments: list[list[str]] = [[]]
    hints, at = attribution_hints(lines), 0
    while at < len(lines):
        if is_quoted(lines[at]):
            if segments[-1]:
                segments.append([])
        elif opener := opener_end(lines, at, hints):
            drop_rules(segments[-1])
            segments.append([])
            opener = past_openers(lines, opener, hints)
            at = opener if before_quote(lines, opener) else len(lines)
            continue
        else:
            segments[-1].append(lines[at])
        at += 1
    return segments


def is_quoted(line: str) -> bool:
    """Whether a line is marked as quoted."""
    return line.startswith(">") or bool(QUOTED.match(line))


def next_written(lines: Sequence[str], at: int) -> int:
    """The next line from here on that is not blank."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def past_openers(lines: Sequence[str], at: int, hints: Set[int]) -> int:
    """Where the openers that follow one another from here on end."""
    while (after := next_written(lines, at)) < len(lines):
        end = opener_end(lines, after, hints)
        if end is None:
            break
        at = end
    return at


def drop_rules(segment: list[str]) -> None:
    """Takes rules and blank lines from the end of a segment."""
    while segment and (not segment[-1].strip() or RULE.fullmatch(segment[-1][:LONGEST])):
        segment.pop()


def opener_end(lines: Sequence[str], at: int, hints: Set[int]) -> int | None:
    """Where an opener that begins at a line ends, if one begins there; `hints` are the letter's."""
    line = lines[at].strip()
    if not line:
        return None
    if has_marker(line) or REPLY_ABOVE.fullmatch(line):
        return at + 1
    found = divider(line, at) or header_block(lines, at)
    if found or hints.isdisjoint(range(at, at + MOST)):
        return found
    return attribution(lines, at)


def divider(line: str, at: int) -> int | None:
    """A line such as ``-----Original Message-----`` or ``Begin forwarded message:``."""
    if len(line) > LONGEST:
        return None
    if line[-1] in ":：" and len(line) < 80 and line.casefold().startswith(FORWARDINGS):
        return at + 1
    found = DIVIDER.fullmatch(line.replace("&nbsp;", " "))
    if not found:
        return None
    inner = found[1].strip().casefold()
    known = inner.startswith(OPENINGS) or (bool(WROTE.search(inner)) and bool(WHO.search(inner)))
    return at + 1 if known else None


def header_block(lines: Sequence[str], at: int) -> int | None:
    """The header lines that Outlook and its kin print above a quoted letter."""
    if label_of(lines[at]) is None:
        return None
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
    sure = len(kinds) > 2 and "from" in kinds and bool(TIME.search(block) or WHO.search(block))
    return last + 1 if sure else None


def label_of(line: str) -> str | None:
    """Which header field a line shows, if it begins like one."""
    label, colon, _ = line[:60].replace("：", ":").partition(":")
    return LABELS.get(label.strip(" \t*_>").casefold()) if colon else None


def attribution_hints(lines: Sequence[str]) -> Set[int]:
    """The lines without one of which there is no attribution: with a colon last, or ``wrote``."""
    folded = ["" if is_quoted(line) else line.casefold() for line in lines]
    hints = {at for at, line in enumerate(folded) if line and ends_in_colon(line)}
    starts = [0, *accumulate(len(line) + 1 for line in folded)]
    text = " ".join(folded)
    for word in WROTE_WORDS:
        at = text.find(word)
        while at >= 0:
            hints.update((bisect(starts, at) - 1, bisect(starts, at + len(word) - 1) - 1))
            at = text.find(word, at + 1)
    return hints


def ends_in_colon(text: str) -> bool:
    """Whether a text ends with a colon, whatever marks stand behind it."""
    return text.rstrip(" *_\t>").endswith((":", "："))


def attribution(lines: Sequence[str], at: int) -> int | None:
    """A line such as ``On Friday, Kestrel wrote:``, which may run over four."""
    likely = None
    for end in range(at + 1, at + MOST + 1):
        block = lines[at:end]
        if end > len(lines) or not block[-1].strip() or is_quoted(block[-1]):
            break
        joined = " ".join(block)
        ends = ends_in_colon(joined)
        if len(joined) > LONGEST or not (ends or has_wrote(joined)) or not belongs(block):
            continue
        has = traits(joined)
        if is_sure(has, ends):
            return end
        if (len(has) > 1 or (ends and has)) and before_quote(lines, end):
            likely = end
    return likely


def before_quote(lines: Sequence[str], at: int) -> bool:
    """Whether the next thing written from a line on is quoted."""
    after = next_written(lines, at)
    return after < len(lines) and is_quoted(lines[after])


def traits(text: str) -> frozenset[str]:
    """Which of the marks of an attribution a text has."""
    plain = text[:LONGEST].casefold()
    return frozenset(name for name, mark in MARKS.items() if mark.search(plain))


def has_wrote(text: str) -> bool:
    """Whether a text has a word such as ``wrote`` in one of many languages."""
    return bool(WROTE.search(text[:LONGEST].casefold()))


def is_sure(has: frozenset[str], ends: bool) -> bool:
    """Whether what has these marks is an attribution, whatever follows it."""
    if not ends:
        return len(has) == len(MARKS)
    by_address = "who" in has and bool(has & {"wrote", "date", "time"})
    return by_address or {"wrote", "date"} <= has


def belongs(block: Sequence[str]) -> bool:
    """Whether the first line of a block adds to the attribution that its other lines make."""
    if len(block) == 1:
        return True
    first, rest = block[0].strip(), " ".join(block[1:])
    gained = traits(first) - traits(rest)
    return bool(gained - {"who"} or STARTERS.match(first)) or ("who" in gained and "<" in first)
