"""How reading hostile letters grows with their size; `python -m benchmarks.bombs`."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from tests.hostile.bomb_meter import Cost, costs
from tests.hostile.bombs import BOMBS

SHARES = 4, 2, 1
"""What part of its full size a bomb is measured at."""
_NOISE = 0.02
"""Measured times below this many seconds say nothing about growth."""


class Growth(NamedTuple):
    """What one kind of bomb costs at each size, and the power of the size that this grows by."""

    name: str
    found: Sequence[Cost]
    power: float | None


def measure(names: Sequence[str] = ()) -> list[Growth]:
    """Read each kind of bomb at each size, in a process of its own."""
    return [_growth(name) for name in names or BOMBS]


def _growth(name: str) -> Growth:
    found = [cost for share in SHARES for cost in costs("read", BOMBS[name].most // share, [name])]
    least, most = found[0], found[-1]
    grown = most.size > 1.5 * least.size and least.seconds > _NOISE
    power = math.log(most.seconds / least.seconds, most.size / least.size) if grown else None
    return Growth(name, found, power)


def table(found: Sequence[Growth]) -> list[str]:
    """Write what was measured as a table in Markdown."""
    rows = ["| bomb | KiB | s | KiB | s | KiB | s | MiB | grows with |", "| --- |" + " ---: |" * 8]
    for name, at, power in found:
        cells = [f"{one.size // 1024} | {one.seconds:.2f}" for one in at]
        grows = "" if power is None else f"n^{power:.1f}"
        most = max(one.mebibytes for one in at)
        rows.append(f"| {name} | {' | '.join(cells)} | {most:.0f} | {grows} |")
    return rows


if __name__ == "__main__":
    print("\n".join(table(measure())))
