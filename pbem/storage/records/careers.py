"""The rows of what befell personas: lines of a career, rewards, medals."""

from datetime import datetime
from typing import NamedTuple


class Entry(NamedTuple):
    """A line of a persona's career; `points` in tenths, `facts` JSON text for a template."""

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
        """Name the reward without its secret."""
        return f"Reward(id={self.id}, order={self.order!r})"


class Nomination(NamedTuple):
    """A persona named for a medal; `state` is open or given, from that time on."""

    id: int
    game_id: int
    persona_id: int
    player_id: int
    citation: str
    state: str
    made: datetime
    given: datetime | None


class Endorsement(NamedTuple):
    """A player's word for a nomination."""

    id: int
    nomination_id: int
    player_id: int
    made: datetime
