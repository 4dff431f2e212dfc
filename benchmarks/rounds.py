"""Things measured by turns, so that whatever else the machine does weighs on all of them."""

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


def alternate(
    rounds: int, ours: Callable[[int], float], *others: Callable[[int], float]
) -> list[Pair]:
    """Measure each in every round, another one first each time, and pair ours with each other."""
    things = [ours, *others]
    found: list[list[float]] = [[] for _ in things]
    for n in range(rounds):
        for turn in range(len(things)):
            which = (n + turn) % len(things)
            found[which].append(things[which](n))
    return [Pair(tuple(found[0]), tuple(other)) for other in found[1:]]
