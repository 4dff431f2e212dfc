"""Things measured in turns, so that other work on the machine slows all of them alike."""

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
        """The median of ours divided by the other's of the same round."""
        return median(a / b for a, b in zip(self.ours, self.other, strict=True))


def alternate(
    rounds: int, ours: Callable[[int], float], *others: Callable[[int], float]
) -> list[Pair]:
    """Measure each in every round, in changing order, and return ours paired with each other."""
    things = [ours, *others]
    found: list[list[float]] = [[] for _ in things]
    for n in range(rounds):
        for turn in range(len(things)):
            which = (n + turn) % len(things)
            found[which].append(things[which](n))
    return [Pair(tuple(found[0]), tuple(other)) for other in found[1:]]
