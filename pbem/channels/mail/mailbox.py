"""Where letters come from: what every mailbox does."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

MAX_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Arrival:
    """A letter as the mailbox keeps it, with CRLF; only its header where it is `truncated`.

    `place` is where it lies there (see Listed).
    """

    place: str
    received: datetime
    size: int
    raw: bytes
    truncated: bool = False


class Batch(list[Arrival]):
    """Letters that came; no letter of a later batch was received before `until` (UTC)."""

    until: datetime | None

    def __init__(self, letters: Iterable[Arrival], until: datetime | None) -> None:
        super().__init__(letters)
        self.until = until


class MailboxDown(Exception):
    """A mailbox cannot be used; its text is a sentence for a person.

    `retry`: it may work again after some time. `refused`: the login was refused, so wait long.
    """

    def __init__(self, sentence: str, *, retry: bool = True, refused: bool = False) -> None:
        super().__init__(sentence)
        self.retry = retry
        self.refused = refused


Known = Callable[[Collection[str]], Collection[str]]
"""Returns which of some places are those of letters that are stored already."""


class Mailbox(Protocol):
    """A source of letters; every method but `wake` and `close` may raise MailboxDown.

    After MailboxDown the connection is closed: `connect` again.
    """

    account: str
    folder: str

    @property
    def withheld(self) -> dict[str, str]:
        """Letters that are listed and can't be had, by their places, with the reason."""

    @property
    def moves(self) -> bool:
        """Whether letters can be moved to the done folder."""

    def connect(self) -> None:
        """Open the folder, for the first time or again."""

    def look_afresh(self) -> None:
        """Let the next `arrivals` look at the whole folder, as after `connect`."""

    def arrivals(self, known: Known) -> Iterator[Batch]:
        """Yield what lies in the folder and is not known, in batches, oldest first.

        Only what has come since the last look is looked at, if that one reached its end.
        """

    def places(self) -> set[str]:
        """Return the places of all letters in the folder."""

    def lists(self, place: str) -> bool:
        """Return whether a letter lay at a place when the folder was last looked at."""

    def file(self, places: Collection[str]) -> None:
        """Move letters to the done folder; skip those that are gone or cannot be moved."""

    def wait(self, seconds: float) -> bool:
        """Return whether something may have come, after at most `seconds`, perhaps sooner.

        False is only a hint: call `arrivals` once a minute in any case.
        """

    def wake(self) -> None:
        """End the present wait, or else the next; safe from threads and signal handlers."""

    def close(self) -> None:
        """Close the connection; `connect` may open it again."""
