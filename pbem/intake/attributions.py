"""The line above a quote that says who wrote it and when, in many languages."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import accumulate

from pbem.intake import quote_phrases
from pbem.intake.headings import DATE, LONGEST, TIME, WHO
from pbem.intake.lines import is_quoted, next_written
from pbem.intake.phrase_tables import words

WROTE_WORDS = sorted(words(quote_phrases.WROTE), key=len, reverse=True)
PLAIN_WROTE = [word for word in WROTE_WORDS if word.isascii()]
WROTE = re.compile("|".join(WROTE_WORDS))
STARTERS = re.compile(
    r"(?:on|am|le|el|il|em|op|den|på|pe|dne|dňa|w dniu|în data|a las|in data|in|i|στις|в|у|à|at|"
    r"il giorno|ngày|pada|dana|na|ב|في|在|于|於)\b.{0,12}\d|[*_]?\d{4}[-/年.]",
    re.IGNORECASE,
)
MARKS = {"wrote": WROTE, "date": DATE, "time": TIME, "who": WHO}
BRACKETED = re.compile(r"[<(\[](?:mailto:)?[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}[>)\]]")
WRAPPED = re.compile(r"\s*(?:[<(\[]?\S{1,100}@\S{1,190}?[>)\]]?)?\s?[:：]\s*")
"""What may be wrapped off a sure attribution: an address, or in French the colon alone."""
MOST_NAMES = 8
"""The most words of a bare attribution besides figures: weekday, month, zone, name."""
MOST = 4
"""The most lines that an attribution may have."""
NAMED = re.compile(
    r"(?P<indent>\s{0,8})"
    r"(?:(?P<name>[^\W_][\w.'-]{0,15}(?: [A-Z]{1,3})?|[&%$#~+*:`'])> ?|(?P<bar>\|)(?: |$))"
)
"""What some programs mark a quoted line with: a name, initials, a sign of the user's own, a bar."""
HEADER = re.compile(r"\s*(?:\|\s*)?(?:message-id|date|from|subject):\s", re.IGNORECASE)
PROSE = 50
"""A line of this many columns is no order."""


def plain_marks(lines: Sequence[str]) -> list[str]:
    """Return the lines with ``>`` for marks that begin right below an attribution, and for names.

    Elsewhere such a beginning is the writer's own: a name before an order, the frame of a table.
    """
    found = [NAMED.match(line) if ">" in line[:28] or "|" in line[:9] else None for line in lines]
    marks: set[str] = set()
    above, mark_above = "", ""
    for line, named in zip(lines, found, strict=True):
        mark = (named["name"] or named["bar"]) if named else ""
        said = above.strip()[:LONGEST]
        if mark and ends_in_colon(said) and (has_wrote(said) or (mark != "|" and traits(said))):
            marks.add(mark)
        if mark == "|" and (HEADER.match(above) or HEADER.match(line)):
            marks.add(mark)
        # Some programs set each line in, below a name alone.
        if named and named["indent"] and mark == mark_above and len(above) > PROSE:
            marks.add(mark)
        above, mark_above = (line, mark) if line.strip() else (above, "")
    return [
        f"> {line[named.end() :]}" if named and (named["name"] or named["bar"]) in marks else line
        for line, named in zip(lines, found, strict=True)
    ]


def attribution_hints(lines: Sequence[str], quoted: Sequence[bool]) -> Set[int]:
    """Return the lines that an attribution needs: ending in a colon, or with ``wrote``."""
    marked = zip(lines, quoted, strict=False)
    folded = ["" if is_marked else line.casefold() for line, is_marked in marked]
    written = [(at, line) for at, line in enumerate(folded) if line]
    hints = {at for at, line in written if ends_in_colon(line) or is_bare(line)}
    text = " ".join(folded)
    found = [word for word in (PLAIN_WROTE if text.isascii() else WROTE_WORDS) if word in text]
    starts = list(accumulate([len(line) + 1 for line in folded], initial=0)) if found else []
    for word in found:
        at = text.find(word)
        while at >= 0:
            hints.update((bisect(starts, at) - 1, bisect(starts, at + len(word) - 1) - 1))
            at = text.find(word, at + 1)
    return hints


def is_bare(line: str) -> bool:
    """Return whether a line is nothing but a date, a name and an address, as some programs write.

    The address is in brackets, and with it a date and few words: no sentence is so.
    """
    if "@" not in line or len(line) > LONGEST or not BRACKETED.search(line):
        return False
    rest = BRACKETED.sub(" ", line)
    words_left = [word for word in rest.split() if not any(map(str.isdigit, word))]
    return (
        bool(DATE.search(rest)) and len(words_left) <= MOST_NAMES and rest.strip()[-1:] not in ".!?"
    )


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
        if len(joined) > LONGEST or not (ends or has_wrote(joined)) or not belongs(block):
            continue
        has = traits(joined)
        if is_sure(has, ends):
            goes_on = not ends and end < len(lines) and WRAPPED.fullmatch(lines[end][:LONGEST])
            return end + bool(goes_on)
        if (len(has) > 1 or (ends and has)) and before_quote(lines, end):
            likely = end
    return likely or (at + 1 if is_bare(lines[at]) else None)


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
    gained = traits(first) - traits(rest)
    return bool(gained - {"who"} or STARTERS.match(first)) or ("who" in gained and "<" in first)
