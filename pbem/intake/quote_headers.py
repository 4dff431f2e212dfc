"""What stands above a quote: attributions, dividers and header lines, in many languages."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from pbem.intake import quote_phrases

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
MOST_HEADERS = 16
"""So many lines the header lines above a quote may have."""
OUR_SUBJECT = re.compile(r"\[(?:G\d+-T\d+|PBEM) \w{6,16}\]", re.I)

WROTE_WORDS = sorted(quote_phrases.WROTE, key=len, reverse=True)
PLAIN_WROTE = [word for word in WROTE_WORDS if word.isascii()]
WROTE = re.compile("|".join(WROTE_WORDS))
STARTERS = re.compile(
    r"(?:on|am|le|el|il|em|op|den|på|pe|dne|dňa|w dniu|în data|a las|in data|in|i|στις|в|у|à|at|"
    r"il giorno|ngày|pada|dana|na|ב|في|在|于|於)\b.{0,12}\d|[*_]?\d{4}[-/年.]",
    re.IGNORECASE,
)
MARKS = {"wrote": WROTE, "date": DATE, "time": TIME, "who": WHO}
WRAPPED = re.compile(r"\s*(?:[<(\[]?\S{1,100}@\S{1,190}?[>)\]]?)?\s?[:：]\s*")
"""What may be wrapped off a sure attribution: an address, or in French the colon alone."""
MOST = 4
"""The most lines that an attribution may have."""
DASHES = "-‐–—_=*~"
TAGGED = re.compile(r"^(?:</?(?:div|p|br ?/?)>)+")
"""Tags that some phones leave in plain text, where their quote begins."""
_MARKER = re.compile(r"##-.{5,120}?-##")
"""The line at the top of our letters, in any language."""
FRAMED = re.compile(r"\s*[-‐–—_=*~]{3,40}\s?[^-‐–—_=*~].{2,200}?[-‐–—_=*~]{3,40}\s*")
"""Words between rules, such as ``-----Original Message-----`` in any language."""
REPLY_ABOVE = re.compile(r"\W{0,6}##-.{5,120}")

QUOTED = re.compile(r"\s{0,4}(?:[>＞](?!=\s?-?\d)|&gt;|[A-Z]{1,3}>(?:\s|$))")
HEADED = re.compile(r">>> [^>]{0,80}<[^<>\s]{3,80}> [^>]{4,40} >>>\s*")
"""A heading of GroupWise: who and when, between three marks; below it nothing is marked."""


def has_marker(line: str) -> bool:
    """Return whether a line holds the marker at the top of our letters, in any language."""
    return bool(_MARKER.search(line))


def is_quoted(line: str) -> bool:
    """Return whether a line is marked as quoted.

    One that begins with a comparison is the rest of a condition such as `TURN >= 10`.
    """
    if line.startswith("> "):
        return True
    return bool(QUOTED.match(line)) and not HEADED.fullmatch(line)


def next_written(lines: Sequence[str], at: int) -> int:
    """Return the next line from here on that is not blank."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def opener_end(lines: Sequence[str], at: int, hints: Set[int]) -> int | None:
    """Return where an opener that begins at a line ends, or None; `hints` are the letter's."""
    line = TAGGED.sub("", lines[at]).strip()
    if not line:
        return None
    if "##-" in line and (has_marker(line) or REPLY_ABOVE.fullmatch(line)):
        return at + 1
    found = divider(line, at) or header_block(lines, at)
    # An attribution is tried near a hint alone: its patterns take long, and most lines have none.
    if found or hints.isdisjoint(range(at, at + MOST)):
        return found
    return attribution(lines, at)


def divider(line: str, at: int) -> int | None:
    """Return where a line ends that heads a quote by itself, or None.

    It holds rules and what an attribution holds, or a header line right behind words between rules.
    """
    if HEADED.fullmatch(line):
        return at + 1
    if line[0] not in DASHES or not (found := FRAMED.match(line[:LONGEST])):
        return None
    wrote = WROTE.search(found[0].casefold()) and WHO.search(found[0])
    rest = TAGGED.sub("", line[found.end() :])
    return at + 1 if wrote or (is_labelled(rest) and _held(rest[:LONGEST]).who) else None


def header_block(lines: Sequence[str], at: int) -> int | None:
    """Return where the header lines above a quote in Outlook and similar programs end, or None.

    They are known by their shape, in any language: three lines or more, each with a label, that
    hold our own subject, or a date and a sender; fewer below words between rules. Orders may have
    labels too, so the first line must show more than a label, or follow a blank line.
    """
    if not is_labelled(lines[at]):
        return None
    # Some programs leave a blank line below each of them.
    step = 1 if "".join(lines[at + 1 : at + 2]).strip() else 2
    labelled, last = 1, at
    for index in range(at + step, min(len(lines), at + MOST_HEADERS), step):
        if is_labelled(lines[index]):
            labelled += 1
        elif not lines[index].strip() or not runs_on(lines[index]):
            break
        if step > 1 and lines[index - 1].strip():
            break
        last = index
    is_framed = FRAMED.fullmatch("".join(lines[max(at - 2, 0) : at])[:LONGEST]) is not None
    if labelled < (2 if is_framed else 3):
        return None
    block = [_held(line[:LONGEST]) for line in lines[at : last + 1]]
    ours = any(held.ours for held in block)
    sure = ours or (any(held.who for held in block) and any(held.dated for held in block))
    apart = at == 0 or not any(map(str.isalnum, lines[at - 1]))
    begins = is_framed or any(block[0]) or (ours and apart)
    return last + 1 if sure and begins else None


def is_labelled(line: str) -> bool:
    """Return whether a line begins like a header line, in any language."""
    start = line[:LABEL]
    # The colon first: in a line without one, the pattern tries everything that may precede it.
    return (":" in start or "：" in start) and LABELLED.match(start) is not None


class Held(NamedTuple):
    """Whether a line holds our own subject, a sender or an address, a date or a time."""

    ours: bool
    who: bool
    dated: bool


@lru_cache(maxsize=64)
def _held(line: str) -> Held:
    """Return what a line holds. It is cached because each line is a part of up to 16 blocks."""
    return Held(
        ours=OUR_SUBJECT.search(line) is not None,
        who=WHO.search(line) is not None or names_sender(line),
        dated=is_dated(line),
    )


def names_sender(line: str) -> bool:
    """Return whether a line begins like ``From:``, in a known language."""
    # Chinese and Japanese programs write a colon of full width.
    label, colon, _ = line[:LABEL].replace("：", ":").partition(":")
    return bool(colon) and label.strip(" \t*_>").casefold() in quote_phrases.FROM_LABELS


def is_dated(text: str) -> bool:
    """Return whether a text holds a date or a time."""
    plain = text.casefold()
    return bool(DATE.search(plain) or TIME.search(plain))


def runs_on(line: str) -> bool:
    """Return whether a line may continue the header above: it is indented, or a list of people."""
    return line[:1] in " \t" or _held(line[:LONGEST]).who


def attribution_hints(lines: Sequence[str], quoted: Sequence[bool]) -> Set[int]:
    """Return the lines that an attribution needs: ending in a colon, or with ``wrote``."""
    marked = zip(lines, quoted, strict=False)
    folded = ["" if is_marked else line.casefold() for line, is_marked in marked]
    written = [(at, line) for at, line in enumerate(folded) if line]
    # Only unmarked lines: an attribution inside a quote opens nothing.
    hints = {at for at, line in written if ends_in_colon(line)}
    # In the joined text, because a phrase such as `ha scritto` may be wrapped between its words.
    text = " ".join(folded)
    found = [word for word in (PLAIN_WROTE if text.isascii() else WROTE_WORDS) if word in text]
    starts = list(accumulate([len(line) + 1 for line in folded], initial=0)) if found else []
    for word in found:
        at = text.find(word)
        while at >= 0:
            # The line in which the word begins, and the one in which it ends.
            hints.update((bisect(starts, at) - 1, bisect(starts, at + len(word) - 1) - 1))
            at = text.find(word, at + 1)
    return hints


def ends_in_colon(text: str) -> bool:
    """Return whether a text ends with a colon, ignoring marks after it."""
    return text.rstrip(" *_\t>").endswith((":", "："))


def attribution(lines: Sequence[str], at: int) -> int | None:
    """Return where a text such as ``On Friday, Kestrel wrote:`` ends (it may be long), or None."""
    likely = None
    for end in range(at + 1, at + MOST + 1):
        block = lines[at:end]
        if end > len(lines) or not block[-1].strip() or is_quoted(block[-1]):
            break
        joined = " ".join(block)
        ends = ends_in_colon(joined)
        # A line may be not an attribution by itself, and one with the line below.
        if len(joined) > LONGEST or not (ends or has_wrote(joined)) or not belongs(block):
            continue
        has = traits(joined)
        # Sure by its own words, whether what follows is marked or not.
        if is_sure(has, ends):
            goes_on = not ends and end < len(lines) and WRAPPED.fullmatch(lines[end][:LONGEST])
            return end + bool(goes_on)
        # A sentence may have some of the marks too, so they count only right above a quote.
        if (len(has) > 1 or (ends and has)) and before_quote(lines, end):
            likely = end
    return likely


def before_quote(lines: Sequence[str], at: int) -> bool:
    """Return whether the next text from a line on is quoted."""
    after = next_written(lines, at)
    return after < len(lines) and is_quoted(lines[after])


@lru_cache(maxsize=64)  # lines that lie together are looked at ten times, in turns
def traits(text: str) -> frozenset[str]:
    """Return which marks of an attribution a text has."""
    plain = text[:LONGEST].casefold()
    return frozenset(name for name, mark in MARKS.items() if mark.search(plain))


def has_wrote(text: str) -> bool:
    """Return whether a text has a word such as ``wrote`` in one of many languages."""
    return bool(WROTE.search(text[:LONGEST].casefold()))


def is_sure(has: frozenset[str], ends: bool) -> bool:
    """Return whether a text with these marks is an attribution, whatever follows it."""
    if not ends:
        return len(has) == len(MARKS)
    by_address = "who" in has and bool(has & {"wrote", "date", "time"})
    return by_address or {"wrote", "date"} <= has


def belongs(block: Sequence[str]) -> bool:
    """Return whether the first line of a block adds to the attribution in its other lines."""
    if len(block) == 1:
        return True
    first, rest = block[0].strip(), " ".join(block[1:])
    # Otherwise the last line of an answer would be taken for the first of the attribution below it.
    gained = traits(first) - traits(rest)
    return bool(gained - {"who"} or STARTERS.match(first)) or ("who" in gained and "<" in first)
