"""The service: single values, what was done at which moment, how often."""

from datetime import datetime
from typing import Annotated, NamedTuple

from pbem.storage.schema import KEY, table


@table()
class Meta(NamedTuple):
    """A single value, such as the league's own secret, the schema, or the last good poll."""

    key: Annotated[str, KEY]
    value: str


@table()
class Round(NamedTuple):
    """A moment at which the service did something, kept so that it can be replayed.

    `last` is when the mailbox had been read before; `letters` are the numbers of those that were
    settled, as JSON text; `ruling` is what the moderator ruled from the shell, '' for a round of
    work. A row with `settings` only records that they are in force from then on. `boards` are the
    times up to which boards had been read, as JSON text.
    """

    id: int
    at: datetime
    last: datetime | None = None
    letters: str = "[]"
    ruling: str = ""
    settings: str = ""
    boards: str = "{}"


@table()
class Cursor(NamedTuple):
    """How far a board has been read: the board's own `cursor`, and when it was `read` last."""

    channel: Annotated[str, KEY]
    cursor: str = ""
    read: datetime | None = None


@table(unique=[("day", "what")])
class Tally(NamedTuple):
    """How often something was done on a day, or in a second, such as answering a stranger."""

    id: int
    day: str
    what: str
    so_far: int = 0
