"""The rows of the office: what was done at which moment, and how often."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Round:
    """A moment at which the office did something; `ruling` is one made from the shell."""

    id: int
    at: datetime
    last: datetime | None
    letters: str
    ruling: str
    settings: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something was done on a day."""

    id: int
    day: str
    what: str
    count: int
