"""Letters in batches: small enough for memory, large enough to be quick."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

HEADER_BYTES = 100 * 1024
LETTERS = 100
OCTETS = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Listed:
    """What a mailbox says of a letter before its text: octets, and when it was received, in UTC.

    `place` is all of that as one text, with its number or its file's name. A number alone is no
    more than a promise of the server's, and a mailbox that was restored from a copy gives it again.
    So no other letter has a place that is `sure`, which has the letter's Message-ID in it, too.
    `message_id` is "" where it is not known.
    """

    octets: int
    received: datetime
    place: str = ""
    sure: bool = False
    message_id: str = ""


def message_id_of(header: bytes) -> str:
    """Return the Message-ID in a header as it stands there, or ""."""
    found = re.search(rb"^message-id:\s*([^\s][^\r\n]{0,900})", header, re.I | re.M)
    return found[1].strip().decode("ascii", "replace") if found else ""


def header_of(text: bytes, most: int = HEADER_BYTES) -> bytes:
    """Return the header of a letter, with the blank line after it, or its first `most` octets."""
    end = re.search(rb"\n\r?\n", text)
    return text[: min(end.end() if end else most, most)]


def by_count(numbers: Iterable[int], most: int = LETTERS) -> Iterator[list[int]]:
    """Yield batches of `most`; the last may be smaller."""
    rest = iter(numbers)
    while batch := list(islice(rest, most)):
        yield batch


def by_weight(sizes: Mapping[int, Listed], most: int) -> Iterator[list[int]]:
    """Yield rising numbers in batches of at most OCTETS; a letter counts as at most `most`."""
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


def in_batches(sizes: Mapping[int, Listed], most: int) -> list[tuple[list[int], datetime | None]]:
    """Return rising numbers in batches of at most LETTERS and OCTETS.

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
