"""Layout of plain text: paragraphs at 72 columns, and tables."""

from collections.abc import Sequence

WIDTH = 72
LONGEST = WIDTH - 6


def wrap(text: str, first: str = "", rest: str = "") -> str:
    """Return a paragraph wrapped, each line filled with as many words as it has room for."""
    left, room = " ".join(_parted(text.split())), WIDTH - len(first)
    if len(left) <= room:
        return first + left
    lines: list[str] = []
    while len(left) > room:
        end = left.rfind(" ", 0, room + 1)
        lines.append(left[:end])
        left, room = left[end + 1 :], WIDTH - len(rest)
    return first + f"\n{rest}".join([*lines, left])


def _parted(words: Sequence[str]) -> Sequence[str]:
    """Return the words, split where they are too long for a line."""
    if max(map(len, words), default=0) < LONGEST:
        return words
    return [word[at : at + LONGEST] for word in words for at in range(0, len(word), LONGEST)]


def columns(rows: Sequence[Sequence[object]]) -> str:
    """Return rows of cells as lines, each column as wide as its widest cell."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )
    return "\n".join(lines)
