"""How long to wait before trying again."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Backoff:
    """Doubling pauses of `first` to `most` seconds. Jitter keeps clients from retrying together."""

    first: float
    most: float

    def next(self, attempt: int, rng: Random) -> float:
        """Return the seconds to wait after failure number `attempt`, counted from 0."""
        ceiling = min(self.most, self.first * 2.0 ** min(attempt, 32))
        return rng.uniform(max(self.first, ceiling / 2), ceiling)


LINK = Backoff(first=1, most=300)
REFUSED = Backoff(first=300, most=3600)
