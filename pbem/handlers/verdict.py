"""What becomes of a letter."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a letter, for the ledger: answered or discarded, as what, and why."""

    state: str
    klass: str
    reason: str
    player: int | None = None
