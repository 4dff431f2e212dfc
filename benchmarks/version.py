"""How long `pbem --version` takes, beside a Python that does nothing."""

import subprocess
import sys
from time import perf_counter

from benchmarks.interleaved import Pair, alternate

_ROUNDS = 15


def _seconds(*words: str) -> float:
    began = perf_counter()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - began


def measure() -> Pair:
    """Return the seconds of both, measured in turns."""
    program, nothing = ("-m", "pbem", "--version"), ("-c", "pass")
    [pair] = alternate(_ROUNDS, lambda _: _seconds(*program), lambda _: _seconds(*nothing))
    return pair
