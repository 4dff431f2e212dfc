"""The records of the service: what was done at which moment, and how often."""

from datetime import datetime
from typing import NamedTuple


class Round(NamedTuple):
    """A moment at which the service did something; `ruling` is one made from the shell."""

    id: int
    at: datetime
    last: datetime | None
    letters: str
    ruling: str
    settings: str


class Tally(NamedTuple):
    """How often something was done on a day."""

    id: int
    day: str
    what: str
    so_far: int
