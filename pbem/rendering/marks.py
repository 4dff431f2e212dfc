"""The marks of a letter's script: what templates write once, and each medium lays out.

A script is a row of blocks: a name, and items, which may have cells. Marks are control characters,
which `visible` removes from every text that comes in, so no player can write one.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

OPEN, SHUT, ITEM, CELL = "\x01", "\x02", "\x03", "\x04"
"""What begins and ends a block, what begins each of its items, and each further cell."""

CODE, STRONG = ("\x05", "\x06"), ("\x07", "\x08")
SAID, TOGETHER = ("\x0e", "\x0f"), ("\x10", "\x11")
"""What is put before and after words: an order, bold, a quotation, what stays on one line."""

LINK = ("\x12", "\x13", "\x14")
"""What is put before an address, between it and its words, and after them."""

Block = tuple[str, Sequence[str]]


KEPT = 512
"""How many laid-out blocks are cached; most parts of a letter have been in others."""
_LONGEST = 1_000
"""The longest block that is cached, in characters."""


def blocks(script: str) -> Iterator[Block]:
    """Yield the blocks of a script, each with its items; words between blocks are paragraphs."""
    return map(_block, _written(script))


def layout(lay: Callable[[str, Sequence[str]], str]) -> Callable[[str], list[str]]:
    """Return a function that lays out scripts, made from one that lays out a block.

    It returns a list of the blocks that are not empty.
    """
    kept = lru_cache(maxsize=KEPT)(lambda written: lay(*_block(written)))

    def laid(script: str) -> list[str]:
        written = _written(script)
        made = (kept(w) if len(w) <= _LONGEST else lay(*_block(w)) for w in written)
        return [block for block in made if block]

    return laid


def _written(script: str) -> Iterator[str]:
    first, *rest = script.split(OPEN)
    if first.strip():
        yield f"para{ITEM}{first}"
    for part in rest:
        block, _, between = part.partition(SHUT)
        yield block
        if between.strip():
            yield f"para{ITEM}{between}"


def _block(written: str) -> Block:
    name, *items = written.split(ITEM)
    return name, items
