"""What may be spent on trials: counted from what is done, never from a clock."""

from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class Budget:
    """Units that are left, of about a microsecond of a slow processor each.

    What something costs depends on the battle's state alone, so that a replay spends the same.
    """

    left: int

    def take(self, units: int) -> bool:
        """Spend units if so many are left, and return whether they were."""
        if units > self.left:
            return False
        self.left -= units
        return True

    def spend(self, units: int) -> None:
        """Spend units that were used already; `left` may become negative."""
        self.left -= units
