"""Letters in batches: small enough for memory, large enough to be quick."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

LETTERS = 100
OCTETS = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Size:
    """What is known of a letter before its text: octets, and when it was received, in UTC."""

    octets: int
    received: datetime


def by_count(uids: Iterable[int]) -> Iterator[list[int]]:
    """Yield batches of LETTERS; the last may be smaller."""
    rest = iter(uids)
    while batch := list(islice(rest, LETTERS)):
        yield batch


def by_weight(sizes: Mapping[int, Size], most: int) -> Iterator[list[int]]:
    """Yield rising UIDs in batches of at most OCTETS; a letter counts as at most `most` octets."""
    batch: list[int] = []
    room = OCTETS
    for uid in sorted(sizes):
        weight = min(sizes[uid].octets, most)
        if batch and weight > room:
            yield batch
            batch, room = [], OCTETS
        batch.append(uid)
        room -= weight
    if batch:
        yield batch


def in_batches(sizes: Mapping[int, Size], most: int) -> list[tuple[list[int], datetime | None]]:
    """Return rising UIDs in batches of at most LETTERS and OCTETS.

    Each batch comes with the earliest time of receipt of the batches after it.
    """
    batches = [
        batch
        for group in by_count(sorted(sizes))
        for batch in by_weight({uid: sizes[uid] for uid in group}, most)
    ]
    found, until = list[tuple[list[int], datetime | None]](), None
    for batch in reversed(batches):
        found.append((batch, until))
        first = min(sizes[uid].received for uid in batch)
        until = first if until is None else min(first, until)
    return found[::-1]
