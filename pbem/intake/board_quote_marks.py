"""What a board shows as quoted, as code, hidden or struck, found in a post's source.

Boards differ in these marks and in how they may be nested. Here all of them count everywhere, and
what is in doubt is left out: below an opening mark that nothing closes, above a closing one that
nothing opened.
"""

import re
from collections.abc import Iterator

from pbem.intake.html import DROPPED

GAP, BLOCK = "\ue000", "\ue001"
"""Stand for what was left out of a line, or between lines; no script has these characters."""

_VOID = frozenset("base br hr img input link meta wbr".split())
_NAMES = frozenset("quote blockquote aside details spoiler hide s strike del code pre".split())
"""Elements whose words are not new, in brackets and in HTML."""
_LEFT_OUT = (_NAMES | DROPPED) - _VOID
_BLOCKS = frozenset("quote blockquote aside details".split())
"""Those that no words stand beside."""
_HIDING = re.compile(r"\b(?:class|style|hidden)\b", re.I)
"""Attributes by which any element in HTML may be a quote, be hidden or be struck."""

_ESCAPE = r"(?P<escape>\\[!-/:-@\[-`{-~])"
_SIGNATURE = r"(?P<signature>^--[ \t]*$)"
_FENCE = r"^[ ]{0,3}(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})"
_MARKS = (
    r"(?P<ticks>`+)|(?P<comment><!--)|(?P<pair>\|\||~~+)"
    rf"|\[(?P<shut>/?)(?P<name>{'|'.join(sorted(_NAMES, key=len, reverse=True))})"
    r"(?:\](?!\()|(?=\s?=|\s\w+=))"
    r"|<(?P<end>/?)(?P<element>[a-z][a-z0-9]*)(?P<attributes>\s[^<>\[]*)?/?>"
)
_QUOTED = r"^[ \t]*(?P<quoted>>(?:>>)?)"
_FLAGS = re.M | re.I
_MARKDOWN = re.compile("|".join((_ESCAPE, _SIGNATURE, _FENCE, _MARKS)), _FLAGS)
_BY_LINES = re.compile("|".join((_ESCAPE, _SIGNATURE, _QUOTED, _MARKS)), _FLAGS)

Stretch = tuple[int, int, bool]
"""Where something that is left out begins and ends, and whether it is a block."""


def without_marked(text: str, by_lines: bool) -> str:
    """Return a post's source without what is quoted, code, hidden, struck or a signature.

    A block leaves a paragraph of BLOCK alone, and anything else a GAP in its first and last line.
    `by_lines`: a `>` quotes no more than its line, and code may begin within a line; else
    these are left to a reader of Markdown.
    """
    text = text.replace(GAP, "\ufffd").replace(BLOCK, "\ufffd")
    made, at, blank = list[str](), 0, True
    for start, end, is_block in _merged(_Marks(text, by_lines).found()):
        before = text[at:start]
        line = before[before.rfind("\n") + 1 :]
        blank = not line.strip() and (blank or line != before)
        made.append(before)
        at = end
        if blank and is_block:
            made.append(f"\n\n{BLOCK}\n\n")
            # Far from the margin, what follows would be code.
            while at < len(text) and text[at] in " \t":
                at += 1
        else:
            made.append(f"{GAP}\n{GAP}" if "\n" in text[start:end] else GAP)
            blank = False
    return "".join((*made, text[at:]))


def _merged(stretches: list[Stretch]) -> Iterator[Stretch]:
    """Yield stretches in order, those that overlap as one."""
    at, last = 0, None
    for stretch in sorted(stretches):
        if last is None:
            at, last = stretch[0], stretch
        elif stretch[0] < last[1]:
            last = max(last, stretch, key=lambda each: each[1])
        else:
            yield at, last[1], last[2]
            at, last = stretch[0], stretch
    if last is not None:
        yield at, last[1], last[2]


class _Marks:
    """One look from the beginning of a text to its end.

    `open` is the element in which nothing but its own tags counts, with its depth and where it
    began. `pairs` are marks that the same mark closes, and `bottom` is the end of the last element.
    """

    def __init__(self, text: str, by_lines: bool) -> None:
        self.text, self.by_lines = text, by_lines
        self.stretches: list[Stretch] = []
        self.open, self.depth, self.began = "", 0, 0
        self.pairs: dict[str, int] = {}
        self.bottom = 0
        self.closing = _closing_ticks(text)

    def found(self) -> list[Stretch]:
        """Return what is to be left out, in any order."""
        tokens, at = (_BY_LINES if self.by_lines else _MARKDOWN), 0
        while mark := tokens.search(self.text, at):
            at = self._element(mark) if self.open else self._mark(mark)
        if self.open:
            self._leave_out(self.began, len(self.text))
        return self.stretches

    def _leave_out(self, start: int, end: int, is_block: bool = False) -> int:
        self.stretches.append((start, end, is_block))
        return end

    def _mark(self, mark: re.Match[str]) -> int:
        """Take a mark outside of elements, and return where to go on."""
        text, (start, end) = self.text, mark.span()
        match mark.lastgroup:
            case "escape":
                return end
            case "signature":
                return self._leave_out(start, len(text))
            case "quoted":
                last = -1 if mark["quoted"] == ">>>" else text.find("\n", end)
                return self._leave_out(start, len(text) if last < 0 else last, True)
            case "fence":
                return self._leave_out(start, self._fence_end(mark["fence"], end), True)
            case "comment":
                return self._leave_out(start, self._after("-->", end))
            case "ticks":
                return self._code(start, end)
            case "pair":
                self._pair(mark["pair"][:2], start, end)
                return end
        return self._element(mark)

    def _after(self, words: str, at: int) -> int:
        """Return where some words end that stand below; without any, the end of the text."""
        found = self.text.find(words, at)
        return len(self.text) if found < 0 else found + len(words)

    def _fence_end(self, fence: str, at: int) -> int:
        """Return where the last line of fenced code ends."""
        shut = re.compile(rf"^[ ]{{0,3}}{fence[0]}+[ \t]*$", re.M)
        for last in shut.finditer(self.text, at):
            if len(last[0].strip()) >= len(fence):
                return last.end()
        return len(self.text)

    def _code(self, start: int, end: int) -> int:
        """Leave out code in a line, where the same number of marks closes it."""
        if self.by_lines and end - start >= 3:
            return self._leave_out(start, self._after("```", end), True)
        shut = self.closing.get(start, -1)
        return end if shut < 0 else self._leave_out(start, shut + end - start)

    def _pair(self, sign: str, start: int, end: int) -> None:
        """Take a mark that opens or closes; one between a space and a word only opens."""
        above, below = self.text[start - 1 : start], self.text[end : end + 1]
        only_opens = not above.strip() and below.strip()
        if sign in self.pairs and not only_opens:
            self._leave_out(self.pairs.pop(sign), end)
        else:
            self.pairs.setdefault(sign, start)

    def _element(self, mark: re.Match[str]) -> int:
        """Take a tag, and return where to go on."""
        name = (mark["name"] or mark["element"] or "").lower()
        shut = bool(mark["shut"] or mark["end"])
        if self.open:
            if name == self.open:
                self.depth += -1 if shut else 1
            if not self.depth:
                self._leave_out(self.began, mark.end(), name in _BLOCKS)
                self.open, self.bottom = "", mark.end()
        elif shut and name in _LEFT_OUT:
            # What opened it is not known, so it may have stood anywhere above.
            self._leave_out(self.bottom, mark.end(), name in _BLOCKS)
            self.bottom = mark.end()
        elif not shut and (name in _LEFT_OUT or self._hides(mark, name)):
            self.open, self.depth, self.began = name, 1, mark.start()
        return mark.end()

    def _hides(self, mark: re.Match[str], name: str) -> bool:
        attributes = mark["attributes"]
        return bool(attributes and name not in _VOID and _HIDING.search(attributes))


def _closing_ticks(text: str) -> dict[int, int]:
    """Return where the next run of as many backticks stands on the same line, by run."""
    closing, last = dict[int, int](), dict[int, int]()
    for run in re.finditer(r"`+|\n", text):
        if run[0] == "\n":
            last.clear()
            continue
        size = len(run[0])
        if size in last:
            closing[last[size]] = run.start()
        last[size] = run.start()
    return closing
