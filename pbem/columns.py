"""Plain text laid out: paragraphs at 72 columns, and tables."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

WIDTH = 72
FEWEST = 6
HEADS = frozenset(
    "standings subscribe unsubscribe editorial"
    " if else otherwise unless when whenever standing salt private key preview battle game join"
    " help rules status games sheet enlist challenge accept decline withdraw report draw no ready"
    " history script gm spend choose nominate endorse resign practice language"
    " tell press block unblock watch unwatch address mail format"
    " away back timezone".split()
)
"""The words that begin the office's own orders, or a rule."""


def wrap(text: str, first: str = "", rest: str = "") -> Markup:
    """Wrap a paragraph so that no line of it but the first can be read as an order.

    Continued lines have six words or more, and begin with no word in capitals and none of HEADS.
    """
    lines: list[list[str]] = [[]]
    room = WIDTH - len(first)
    for word in _words(text):
        if len(word) > room and lines[-1]:
            lines.append(_taken_down(lines[-1], word))
            room = WIDTH - len(rest) - sum(len(taken) + 1 for taken in lines[-1])
        lines[-1].append(word)
        room -= len(word) + 1
    if len(lines) > 1:
        _fill(lines[-2], lines[-1], rest)
    return Markup("\n").join(
        Markup((rest if n else first) + " ".join(line)) for n, line in enumerate(lines)
    )


def _words(text: str) -> Iterator[str]:
    for word in str(text).split():
        for start in range(0, len(word), WIDTH - 6):
            yield word[start : start + WIDTH - 6]


def _fits(words: list[str], prefix: str) -> bool:
    return len(prefix) + sum(map(len, words)) + len(words) - 1 <= WIDTH


def _taken_down(line: list[str], word: str) -> list[str]:
    """Take words from a full line for as long as the next one would begin like an order."""
    taken: list[str] = []
    while len(line) > FEWEST and _like_order(taken[0] if taken else word):
        taken.insert(0, line.pop())
    return taken


def _fill(before: list[str], last: list[str], prefix: str) -> None:
    """Let the last line have words enough not to be read as an order."""
    while len(before) > 1 and (len(last) < FEWEST or _like_order(last[0])):
        if not _fits([before[-1], *last], prefix):
            return
        last.insert(0, before.pop())


def _like_order(word: str) -> bool:
    return word.isupper() or word.strip(",.;:!?()").lower() in HEADS


def columns(rows: Sequence[Sequence[object]]) -> Markup:
    """Lay out rows of cells as lines, each column as wide as its widest cell."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )
    return Markup("\n").join(map(Markup, lines))
