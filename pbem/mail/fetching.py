"""Fetches and moves letters in a thread of its own, while others are answered."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self

from pbem.mail.mailbox import Batch, Cursor, Mailbox

Kept = tuple[int, int, int]
"""A letter in the database: its number, UIDVALIDITY and UID."""


class Fetcher:
    """Works in one mailbox, used by nothing else meanwhile. All methods may raise MailboxDown."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._executor = ThreadPoolExecutor(1, "fetcher")
        self._moving = deque[tuple[Sequence[Kept], Future[None]]]()
        self._started = set[int]()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for the task that runs, and cancel those that wait."""
        self._executor.shutdown(cancel_futures=True)

    def arrivals(self, after: Cursor | None, expect: Callable[[Batch], None]) -> Iterator[Batch]:
        """Yield what came after the cursor, and fetch the next batch while one is handled.

        `expect` gets each batch but the first as soon as it is here.
        """
        batches = self._mailbox.arrivals(after)

        def fetch() -> Batch | None:
            batch = next(batches, None)
            if batch is not None:
                expect(batch)
            return batch

        coming = self._executor.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = self._executor.submit(fetch)
            yield batch

    def move(self, letters: Sequence[Kept]) -> None:
        """Start to move letters to the done folder, except those that it has moved already."""
        fresh = [one for one in letters if one[0] not in self._started]
        self._started.update(one[0] for one in fresh)
        if fresh:
            self._moving.append((fresh, self._executor.submit(file, self._mailbox, fresh)))

    def moved(self) -> list[int]:
        """Return the numbers of the letters that were moved since the last call."""
        numbers = list[int]()
        while self._moving and self._moving[0][1].done():
            letters, done = self._moving.popleft()
            done.result()
            numbers += [one[0] for one in letters]
        return numbers


def file(mailbox: Mailbox, letters: Sequence[Kept]) -> None:
    """Move letters to the done folder. Raises MailboxDown."""
    for uidvalidity in {one[1] for one in letters}:
        mailbox.file(uidvalidity, [uid for _, validity, uid in letters if validity == uidvalidity])
