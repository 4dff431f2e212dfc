"""The marks of a letter's script: what the templates write once, and each medium lays out.

A script is a row of blocks: a name, and items, which may have cells. Marks are control
characters, which `visible` takes out of every text that comes in; so no player can write one.
"""

from collections.abc import Iterator, Sequence

OPEN, SHUT, ITEM, CELL = "\x01", "\x02", "\x03", "\x04"
"""What a block begins and ends with, and what begins each of its items, and a further cell."""

CODE, STRONG = ("\x05", "\x06"), ("\x07", "\x08")
SAID, TOGETHER = ("\x0e", "\x0f"), ("\x10", "\x11")
"""What stands before and behind words: an order, weight, a quotation, what is not parted."""

LINK = ("\x12", "\x13", "\x14")
"""What stands before an address, between it and its words, and behind them."""

Block = tuple[str, Sequence[str]]


def blocks(script: str) -> Iterator[Block]:
    """Give the blocks of a script, each with its items; words between blocks are paragraphs."""
    first, *rest = script.split(OPEN)
    if first.strip():
        yield "para", [first]
    for part in rest:
        block, _, between = part.partition(SHUT)
        name, *items = block.split(ITEM)
        yield name, items
        if between.strip():
            yield "para", [between]
