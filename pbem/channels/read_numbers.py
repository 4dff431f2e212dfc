"""Which of a board's numbers were read, so that none is skipped that shows up late."""

from collections.abc import Iterable
from typing import Any


class ReadNumbers:
    """All numbers up to `floor` count as read, and above it those in `seen`.

    A board gives a number first and shows it a moment later, perhaps after a higher one.
    """

    def __init__(self, floor: int, seen: Iterable[int] = ()) -> None:
        self.floor, self.seen = floor, set(seen)

    def __contains__(self, number: int) -> bool:
        return number <= self.floor or number in self.seen

    def add(self, number: int) -> None:
        """Take a number as read."""
        self.seen.add(number)

    def settle(self, slack: int) -> None:
        """Wait no longer for what is more than `slack` below the newest."""
        self.floor = max(self.floor, max(self.seen, default=0) - slack)
        self.seen = {number for number in self.seen if number > self.floor}

    def written(self) -> dict[str, Any]:
        """Return it as JSON, for a cursor."""
        return {"floor": self.floor, "seen": sorted(self.seen)}

    @classmethod
    def read(cls, written: dict[str, Any]) -> "ReadNumbers":
        """Return what `written` wrote. Raises LookupError, TypeError or ValueError."""
        return cls(int(written["floor"]), map(int, written["seen"]))
