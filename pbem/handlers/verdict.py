"""The verdict on a letter."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was done with a letter, as the database keeps it: state, class, reason and player."""

    state: str
    klass: str
    reason: str
    player: int | None = None
