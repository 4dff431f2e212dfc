"""Courtesies around orders: greetings, farewells and a writer's name, which are no story."""

import re
from collections.abc import Collection, Sequence

from engine.names import fold
from pbem.intake.courtesy_words import NAMES, begins_letter, greets, parts

_SIGNED = re.compile(rf"[-–—/~|\s]*{NAMES}[^\w!?]{{0,5}}")
_BARE = re.compile(NAMES)


def without(
    lines: Sequence[str],
    writer: str,
    figures: Collection[str],
    parted: bool = False,
    anybody: bool = False,
) -> tuple[str, ...]:
    """Return a story without the courtesies around it: () where it is nothing else.

    `writer` is the player's name, and `figures` are those of the battle, to whom a greeting is a
    part of the story. With `parted`, a farewell stood above its last line. With `anybody`, any name
    in a paragraph of its own at the end signs the letter: not all write under the name that they
    play by.
    """
    kept = [n for n, line in enumerate(lines) if line.strip()]
    bare = [line.strip() for line in lines]
    first = bool(kept) and _greets(bare[kept[0]], figures)
    greeting = kept[:1] if first else []
    rest = kept[len(greeting) :]
    apart = bool(rest) and (len(rest) == 1 or not bare[rest[-1] - 1])
    parted = parted or (anybody and apart and not _names(bare[rest[-1]], figures))
    closing = _closing([bare[n] for n in rest], writer, parted)
    rest = rest[: len(rest) - closing]
    if greeting and rest and begins_letter(bare[greeting[0]]):
        rest = [*greeting, *rest]
    # A name alone beside orders: who wrote, or whom they greet.
    if not rest or (len(rest) == 1 and len(kept) > 1 and _BARE.fullmatch(bare[rest[0]])):
        return ()
    return tuple(lines[rest[0] : rest[-1] + 1])


def _greets(line: str, figures: Collection[str]) -> bool:
    """Return whether a line greets somebody who is no figure of the battle."""
    return greets(line) and not _names(line, figures)


def _names(line: str, figures: Collection[str]) -> bool:
    """Return whether a line holds a word of a figure's name."""
    words = {fold(word) for word in re.split(r"\W+", line)}
    return not words.isdisjoint(fold(one) for name in figures for one in name.split())


def _closing(lines: Sequence[str], writer: str, parted: bool) -> int:
    """Return how many lines at the end are a farewell, with a name below it, or a name."""
    if not lines:
        return 0
    last = lines[-1]
    if _SIGNED.fullmatch(last):
        if len(lines) > 1 and parts(lines[-2]):
            return 2
        own = {fold(word) for word in writer.split()}
        words = [fold(word) for word in re.findall(r"\w+", last)]
        initial = len(words) == 1 and len(words[0]) == 1 and words[0] in {one[:1] for one in own}
        if parted or initial or own.issuperset(words):
            return 1
    return int(parts(last))
