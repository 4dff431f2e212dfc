"""How long to wait before trying again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
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


class Rest:
    """A rest after faults of a server, longer after each one in a row."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock, self._rng = clock, Random()
        self._faults, self._pause = 0, timedelta()
        self._until: datetime | None = None

    def begin(self, refused: bool, least: float = 0) -> float:
        """Rest after a fault, for `least` seconds or more, and return the seconds."""
        # Longer after a refused login: servers lock accounts out after several (fault 8).
        seconds = max(least, (REFUSED if refused else LINK).next(self._faults, self._rng))
        self._faults += 1
        self._pause = timedelta(seconds=seconds)
        self._until = self._clock() + self._pause
        return seconds

    def over(self) -> None:
        """Begin with the shortest rest again."""
        self._faults, self._until = 0, None

    @property
    def until(self) -> datetime | None:
        """When the rest ends; None if there is none, or if the clock was set back meanwhile."""
        left = self._until - self._clock() if self._until is not None else timedelta()
        return self._until if timedelta() < left <= self._pause else None
