"""Attempts at letters: counted before they begin, so that one that kills the program counts too.

That a letter is in hand is committed before it is handled. A letter that is found in hand when the
program starts was in hand when it died, so one more attempt is counted. Such letters are handled
one by one, each in a separate process first. So only those that really kill reach three attempts,
and the program does not die of them again.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Self

from pbem.scrub import traced
from pbem.storage import Letter, Store

log = logging.getLogger("pbem")

_DIED = "The program died while it had this letter in hand."
_DIED_AGAIN = f"{_DIED} So it was tried in a process apart, which ended too."


class Trials:
    """Tries letters where they do no harm. This class tries none, and accepts all."""

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """End."""

    def survives(self, letter: Letter, now: datetime) -> bool:
        """Return whether a letter leaves the program that handles it alive."""
        return True


class InHand:
    """Knows which letters are in hand, and shunts those that failed too often."""

    def __init__(self, store: Store, most: int, counts: Counter[tuple[str, str]]) -> None:
        """Record attempts in a league's database, at most `most` for each letter."""
        self._store, self._most, self._counts = store, most, counts
        self._begun = False
        self.trials = Trials()

    def begin(self, now: datetime) -> None:
        """At a start, count an attempt for each letter that was in hand when the program died."""
        if self._begun:
            return
        with self._store.transaction():
            for letter in self._store.letters.all(state="received", in_hand=True):
                log.warning("letter %d was being handled when the program died", letter.id)
                self.failed(letter, _DIED, now)
        self._begun = True

    def groups(self, letters: Iterable[Letter], most: int) -> Iterator[list[Letter]]:
        """Yield letters in their order: many at a time, but one that has failed before alone."""
        group: list[Letter] = []
        for letter in letters:
            # A letter that has failed before must not harm others in its transaction.
            if group and (letter.tries or len(group) == most):
                yield group
                group = []
            group.append(letter)
            if letter.tries:
                yield group
                group = []
        if group:
            yield group

    def take(self, letters: Sequence[Letter]) -> None:
        """Commit that letters are in hand, before anything is done with them."""
        with self._store.transaction():
            waiting = {"id__in": [letter.id for letter in letters], "state": "received"}
            self._store.letters.change_all(waiting, in_hand=True)

    def waits(self, letter: Letter) -> bool:
        """Return whether a letter still waits, as it was read: received, or held and released.

        It may be dropped or erased while it is in hand; not within a transaction, because nobody
        else writes meanwhile.
        """
        # Without its content, which may be large.
        return self._store.letters.count(id=letter.id, state=letter.state) > 0

    def harmless(self, letter: Letter, now: datetime) -> bool:
        """Return whether a letter may be handled here; try one that killed the program apart first.

        If it ends that process too, another attempt is counted.
        """
        if not letter.error.startswith(_DIED) or self.trials.survives(letter, now):
            return True
        self.failed(letter, _DIED_AGAIN, now)
        return False

    def put_back(self, letters: Sequence[Letter]) -> None:
        """Note that letters wait again, and have done no harm."""
        with self._store.transaction():
            self._store.letters.change_each([letter.id for letter in letters], in_hand=False)

    def failed(self, letter: Letter, trace: str, now: datetime) -> None:
        """Count an attempt that failed, and shunt the letter after too many."""
        tries = letter.tries + 1
        shunted = tries >= self._most
        with self._store.transaction():
            if not self.waits(letter):
                return
            self._counts["letters", "shunted"] += shunted
            self._store.letters.change(
                letter.id,
                tries=tries,
                in_hand=False,
                error=traced(trace),
                **({"state": "shunted", "handled": now} if shunted else {}),
            )
