"""Layout of plain text: paragraphs at 72 columns, and tables."""

from collections.abc import Sequence

from engine.library import RULESETS

WIDTH = 72
LONGEST = WIDTH - 6
FEWEST = 6
_OWN = (
    *(rules.career.enlisting for rules in RULESETS.values() if rules.career),
    *(rules.workshop.word for rules in RULESETS.values() if rules.workshop),
    *(f"{rules.workshop.word}s" for rules in RULESETS.values() if rules.workshop),
)
HEADS = frozenset(
    "standings subscribe unsubscribe editorial"
    " if else otherwise unless when whenever standing salt private key preview battle game join"
    " help rules status games sheet enlist challenge accept decline withdraw report draw no ready"
    " history script gm spend choose nominate endorse resign practice language"
    " tell press block unblock watch unwatch address mail format leave receipts map"
    " rematch away back timezone takeover patrol wait team formation new".split()
) | {word.lower() for word in _OWN if word}
"""The words that begin the program's own orders, or a rule."""


def wrap(text: str, first: str = "", rest: str = "") -> str:
    """Return a paragraph wrapped; only its first line can be read as an order.

    Continued lines have six words or more, and begin with no word in capitals and none of HEADS.
    """
    left, room = " ".join(_parted(text.split())), WIDTH - len(first)
    if len(left) <= room:
        return first + left
    lines: list[str] = []
    while len(left) > room:
        end = _raised(left, left.rfind(" ", 0, room + 1))
        lines.append(left[:end])
        left, room = left[end + 1 :], WIDTH - len(rest)
    lines[-1], left = _filled(lines[-1], left, room)
    return first + f"\n{rest}".join([*lines, left])


def _parted(words: Sequence[str]) -> Sequence[str]:
    """Return the words, split where they are too long for a line."""
    if max(map(len, words), default=0) < LONGEST:
        return words
    return [word[at : at + LONGEST] for word in words for at in range(0, len(word), LONGEST)]


def _raised(text: str, end: int) -> int:
    """Return an earlier end for a full line, so that the next line does not begin like an order."""
    words = text.count(" ", 0, end) + 1
    while words > FEWEST and _like_order(text, end + 1):
        end, words = text.rfind(" ", 0, end), words - 1
    return end


def _filled(before: str, last: str, room: int) -> tuple[str, str]:
    """Return the last two lines, with enough words in the last not to be read as an order."""
    while last.count(" ") + 1 < FEWEST or _like_order(last, 0):
        head, _, word = before.rpartition(" ")
        if not head or len(word) + 1 + len(last) > room:
            break
        before, last = head, f"{word} {last}"
    return before, last


def _like_order(text: str, at: int) -> bool:
    """Return whether the word that begins here is in capitals, or one of HEADS."""
    word = text[at : at + LONGEST].partition(" ")[0]
    return word.isupper() or word.strip(",.;:!?()").lower() in HEADS


def columns(rows: Sequence[Sequence[object]]) -> str:
    """Return rows of cells as lines, each column as wide as its widest cell."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )
    return "\n".join(lines)
