"""Tables in plain text."""

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[object]]) -> str:
    """Return rows of cells as lines, each column as wide as its widest cell."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )
    return "\n".join(lines)
