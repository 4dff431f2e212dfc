"""Two things measured by turns, so that whatever else the machine does weighs on both."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Pair:
    """Measurements of ours and of the other, taken side by side."""

    ours: tuple[float, ...]
    other: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Give the median of ours over the other's of the same round."""
        return median(a / b for a, b in zip(self.ours, self.other, strict=True))


def alternate(rounds: int, ours: Callable[[int], float], other: Callable[[int], float]) -> Pair:
    """Measure each in every round, ours first in every second one."""
    found: tuple[list[float], list[float]] = ([], [])
    for n in range(rounds):
        for which in (0, 1) if n % 2 else (1, 0):
            found[which].append((ours, other)[which](n))
    return Pair(tuple(found[0]), tuple(found[1]))
