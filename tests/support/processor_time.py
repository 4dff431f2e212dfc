"""Processor time as it would be on a quiet machine of the kind that the issue's bounds are for."""

import re
import time

REFERENCE = 0.020
"""Seconds that the work below takes on such a machine (2 cores at 2.6 GHz, Python 3.11)."""


def quiet(seconds: float) -> float:
    """Return processor seconds that were measured just now, without what this machine is slower.

    Slow and busy machines are slower at any work: so the same work is measured here and now.
    """
    return seconds / max(1.0, min(_work() for _ in range(3)) / REFERENCE)


def within(seconds: float, bound: float) -> bool:
    """Return whether processor seconds that were measured just now are under a quiet machine's."""
    return seconds < bound or quiet(seconds) < bound


def _work() -> float:
    """Return the processor seconds of some work with texts, tables and numbers."""
    began = time.process_time()
    counts: dict[str, int] = {}
    for number in range(30_000):
        word = f"word{number % 997}"
        counts[word] = counts.get(word, 0) + len(word)
    text = " ".join(sorted(counts)) * 20
    re.findall(r"w\w+?(\d)\b", text)
    return time.process_time() - began
