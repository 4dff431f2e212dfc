"""Careers: entries of the career log, rewards, medals."""

from datetime import datetime
from typing import Annotated, NamedTuple

from pbem.storage.records.games import Game
from pbem.storage.records.people import Persona, Player
from pbem.storage.schema import INDEX, References, table


@table()
class Entry(NamedTuple):
    """An entry in a persona's career log; points in tenths, `news` if it is newsworthy.

    `facts` is JSON text for a template.
    """

    id: int
    persona_id: Annotated[int, References(Persona)]
    kind: str
    at: Annotated[datetime, INDEX]
    game_id: Annotated[int | None, References(Game, "SET NULL")] = None
    account: str = ""
    points: int = 0
    news: bool = False
    facts: str = "{}"


@table()
class Reward(NamedTuple):
    """A persona's reward: its secret from the day of the commitment, and how it was rolled.

    It is not rolled yet where `rolled` is None; `words` is JSON text.
    """

    id: int
    persona_id: Annotated[int, References(Persona)]
    secret: bytes
    version: int
    order: str = ""
    words: str = "{}"
    digest: str = ""
    roll: int = 0
    rolled: datetime | None = None

    def __repr__(self) -> str:
        """Return the name of the reward without its secret, so that no log shows it."""
        return f"Reward(id={self.id}, order={self.order!r})"


@table()
class Nomination(NamedTuple):
    """A persona named for a medal, for what it did in a game.

    `state` is open, or given since the time `given`.
    """

    id: int
    game_id: Annotated[int, References(Game)]
    persona_id: Annotated[int, References(Persona)]
    player_id: Annotated[int, References(Player)]
    citation: str
    made: datetime
    state: Annotated[str, INDEX] = "open"
    given: datetime | None = None


@table(unique=[("nomination_id", "player_id")])
class Endorsement(NamedTuple):
    """A player's support for a nomination."""

    id: int
    nomination_id: Annotated[int, References(Nomination)]
    player_id: Annotated[int, References(Player)]
    made: datetime
