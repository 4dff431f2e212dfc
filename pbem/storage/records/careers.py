"""The records of careers: entries of the career log, rewards, medals."""

from datetime import datetime
from typing import NamedTuple


class Entry(NamedTuple):
    """An entry in a persona's career log; `points` in tenths, `facts` JSON text for a template."""

    id: int
    persona_id: int
    game_id: int | None
    kind: str
    account: str
    points: int
    news: bool
    facts: str
    at: datetime


class Reward(NamedTuple):
    """A persona's reward, not rolled yet where `rolled` is None; `words` is JSON text."""

    id: int
    persona_id: int
    secret: bytes
    version: int
    order: str
    words: str
    digest: str
    roll: int
    rolled: datetime | None

    def __repr__(self) -> str:
        """Return the name of the reward without its secret, so that no log shows it."""
        return f"Reward(id={self.id}, order={self.order!r})"


class Nomination(NamedTuple):
    """A persona named for a medal; `state` is open, or given since the time `given`."""

    id: int
    game_id: int
    persona_id: int
    player_id: int
    citation: str
    state: str
    made: datetime
    given: datetime | None


class Endorsement(NamedTuple):
    """A player's support for a nomination."""

    id: int
    nomination_id: int
    player_id: int
    made: datetime
