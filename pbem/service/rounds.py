"""One round of work: letters are answered, deadlines played, and reminders sent."""

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Self

from engine.i18n import Said, say
from pbem.games.session import Session
from pbem.handlers.ports import Ports
from pbem.handlers.request import Verdict
from pbem.outgoing.retried_tasks import MOST, Failing, Task, attempt, failing
from pbem.people.scrub import traced
from pbem.routing import failure_notice, router
from pbem.service import boards_read_until, deadline_guard, round_tasks
from pbem.storage import (
    Game,
    Letter,
    StoreDown,
    by_time,
    clock_jumps,
    kept_settings,
    noted_rounds,
    stored_games,
    stored_letters,
)
from pbem.storage.store import NOBODY

log = logging.getLogger("pbem")

BATCH, SECONDS = 100, 0.2
"""The most letters, and seconds, for one transaction.

Each commit waits for the disk, and only what is committed is sent.
"""

SMALL = 128 << 10
"""Up to so many bytes a letter is handled in the daemon: no known bomb of that size takes 0.2 s."""

ENDED = "The process that handled the letter ended, or it took too much time or memory."
"""The error of a letter that ended the second process."""

Track = Callable[[list[Letter]], Iterable[Letter]]
"""Something that shows the progress of a list that is gone through."""


@dataclass(frozen=True, slots=True)
class Done:
    """What one round of work did, in numbers; `kept` are the letters that were fetched."""

    kept: int = 0
    handled: int = 0
    deadlines: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a letter in a second process: settled, failed, or it `ended` the process.

    If none of these, the letter waits no more: somebody dropped or erased it. `counts` are what the
    metrics count.
    """

    settled: bool = False
    failed: bool = False
    ended: bool = False
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)


class Apart:
    """Handles letters that may do harm where they do none; this one handles none.

    The daemon has one that handles them in a second process (pbem.service.letter_sandbox).
    """

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """End."""

    def handle(self, letter: Letter, now: datetime) -> Result | None:
        """Handle a letter and return what became of it, or None if it must be handled here."""
        return None


class Attempts:
    """Counts attempts at letters that failed, and shunts letters that failed too often.

    That letters are in hand is committed before they are handled. Those that are found in hand were
    so when the program died, and one of them may have killed it. Nothing is counted for that: they
    are handled apart, one by one, and so is what failed before, and what is large.
    """

    def __init__(self, ports: Ports) -> None:
        """Count attempts in a league's database, at most as many as its settings allow."""
        self._ports, self._store = ports, ports.store
        self.apart = Apart()

    def may_harm(self, letter: Letter) -> bool:
        """Return whether a letter may kill the process that handles it, and is handled apart."""
        return bool(letter.owner) or letter.tries > 0 or len(letter.content) > SMALL

    def batches(self, letters: Iterable[Letter]) -> Iterator[list[Letter]]:
        """Yield letters in their order: many at a time, but one that may do harm alone."""
        batch: list[Letter] = []
        for letter in letters:
            alone = self.may_harm(letter)
            if batch and (alone or len(batch) == BATCH):
                yield batch
                batch = []
            batch.append(letter)
            if alone:
                yield batch
                batch = []
        if batch:
            yield batch

    def take(self, letters: Sequence[Letter], now: datetime) -> None:
        """Commit that letters are in hand, before anything is done with them."""
        with self._store.transaction():
            stored_letters.take(self._store, letters, now)

    def failed(self, letter: Letter, trace: str, now: datetime, *, tell: bool = True) -> None:
        """Count an attempt that failed. After too many shunt the letter, and `tell` its writer."""
        tries = letter.tries + 1
        shunted = tries >= self._ports.settings.limits.tries
        failed = {"tries": tries, "error": traced(trace), **NOBODY}
        failed |= {"state": "shunted", "handled": now} if shunted else {}
        with self._store.transaction():
            if not stored_letters.change(self._store, letter, **failed):
                return
            self._ports.counts["letters", "shunted"] += shunted
            if shunted and tell:
                failure_notice.tell_writer(self._ports, letter, SMALL, now)


class Round:
    """One round, at one moment; every task is one transaction with the letters that it causes.

    All that it does depends only on the stored letters and the time, so that it can be replayed
    (pbem.maintenance.rebuild).
    """

    def __init__(
        self,
        ports: Ports,
        attempts: Attempts,
        now: datetime,
        progress: Callable[[], None] = lambda: None,
        track: Track = iter,
        mail_down: bool = False,
    ) -> None:
        """Prepare a round; `progress` is called whenever a part of it is done.

        While `mail_down`, nobody knows what letters there are: what came on boards is answered, and
        deadlines are played that no letter could have met.
        """
        self._mail_down = mail_down
        self._ports, self._attempts, self._now = ports, attempts, now
        self._progress, self._track = progress, track
        self._settled: list[int] = []
        self._failed: set[int] = set()
        self._deadlines = 0
        self._outage_unhandled = False
        """Whether the deadlines that an outage moves could not be moved; then none is played."""
        self._boards = dict[str, boards_read_until.BoardTimes]()
        if ports.settings.channels or mail_down:
            self._boards = boards_read_until.board_times(ports.store, ports.settings, mail_down)

    def work(self, arrivals: Iterable[datetime | None] = ()) -> Done:
        """Do the round, and note it in the database if it changed anything.

        Whether letters come in several `arrivals` (see `inbox.keep`) or at once, the result is the
        same.
        """
        store, now = self._ports.store, self._now
        note_settings = partial(kept_settings.note, store, self._ports.settings, now)
        self._attempt("settings", say("the note of its settings"), note_settings)
        before, known = store.writes, store.meta(clock_jumps.LAST_POLL)
        last = datetime.fromisoformat(known) if known else None
        if not self._mail_down:
            self._watch(last)
        if self._boards:
            self._watch_boards()
        self._pause_unloaded()
        for until in arrivals:
            if until is not None:
                self._answer(until)
        self._answer()
        self.play_due(now)
        round_tasks.do_all(
            self._ports, round_tasks.of_letters(self._ports, now), now, self._failures
        )
        # After a jump, nothing is due by the clock alone.
        if not (self._clock_jumped or self._mail_down):
            round_tasks.do_all(
                self._ports, round_tasks.of_round(self._ports, now), now, self._failures
            )
        with store.transaction():
            # A round that changed nothing need not be replayed.
            if self._settled or store.writes > before:
                boards = {"boards": boards_read_until.written(self._boards)} if self._boards else {}
                letters = json.dumps(self._settled)
                noted_rounds.note(store, now, last=last, letters=letters, **boards)
            # Otherwise the next round must still see the outage.
            if self._boards and not self._outage_unhandled:
                boards_read_until.note(store, self._boards)
            if not (self._outage_unhandled or self._mail_down):
                store.set_meta(clock_jumps.LAST_POLL, now.isoformat())
        return Done(handled=len(self._settled), deadlines=self._deadlines)

    def answer_all(self, until: datetime | None = None) -> None:
        """Answer every stored letter, or those received up to a time, in order of receipt.

        A deadline that fell before a letter was received is played before it. Letters that failed
        in this round are left to the next.
        """
        found = stored_letters.waiting(self._ports.store, self._now, until)
        waiting = [letter for letter in found if letter.id not in self._failed]
        for batch in self._attempts.batches(self._track(waiting)):
            # Before letters are in hand, so that no letter is blamed for what a deadline does.
            played_to = batch[0].received
            self._play_before(played_to)
            if self._attempts.may_harm(batch[0]) and self._handled_apart(batch[0]):
                self._progress()
                continue
            self._attempts.take(batch, self._now)
            for group in by_time(iter(batch), BATCH, SECONDS):
                self._answer_together(group, played_to)
                self._progress()

    def _answer_together(self, group: Iterator[Letter], played_to: datetime) -> None:
        """Answer letters in one transaction; if one of them fails, each in one of its own.

        The deadlines up to `played_to` are played already.
        """
        ports, taken, verdicts, deadlines = self._ports, [], list[Verdict](), self._deadlines
        try:
            with ports.store.transaction():
                for letter in group:
                    taken.append(letter)
                    if letter.received != played_to:
                        played_to = letter.received
                        self._play_before(played_to)
                    verdicts.append(router.answer(ports, letter, self._now))
        except StoreDown:
            raise
        except Exception:
            log.info("one of %d letters failed; each is answered alone", len(taken))
            ports.counts["deadlines", "played"] -= self._deadlines - deadlines
            self._deadlines = deadlines
            self._answer_each([*taken, *group])
        else:
            self._settled += [letter.id for letter in taken]
            ports.counts.update(("letters", one.klass) for one in verdicts)

    def _answer_each(self, letters: Iterable[Letter]) -> None:
        """Answer letters one by one, so that one which fails undoes no other."""
        for letter in letters:
            self._play_before(letter.received)
            if self._ports.handle(letter, self._now):
                self._settled.append(letter.id)
            else:
                self._failed.add(letter.id)

    def _handled_apart(self, letter: Letter) -> bool:
        """Have a letter handled in a second process. Return False if it must be handled here."""
        result = self._attempts.apart.handle(letter, self._now)
        if result is None:
            return False
        self._ports.counts.update(result.counts)
        if result.ended:
            # It has ended the process that read it for a notice, too.
            self._attempts.failed(letter, ENDED, self._now, tell=False)
        if result.settled:
            self._settled.append(letter.id)
        else:
            self._failed.add(letter.id)
        return True

    def _play_before(self, received: datetime) -> None:
        """Play the deadlines that fell before a letter was received; mostly there are none."""
        upto = received - timedelta(seconds=1)
        # Only counted: a damaged row of a game must fail in `play_due`, and stop no letter.
        if stored_games.count(self._ports.store, running=True, deadline__lte=upto):
            self.play_due(upto)

    def play_due(self, upto: datetime) -> None:
        """Play the deadlines that fell up to a time; none after a jump of the clock."""
        ports, now, due = self._ports, self._now, list[Game]()
        if self._outage_unhandled:
            return

        def find() -> None:
            fallen = [
                game
                for game in stored_games.due(ports.store, upto)
                if not deadline_guard.waits_for_board(ports, game, self._boards)
            ]
            if self._clock_jumped:
                # In a chat room the clock has stood still meanwhile (SP-41).
                fallen = [game for game in fallen if game.is_live]
            if fallen:
                due.extend(deadline_guard.playable(ports, fallen, now))

        if self._attempt("deadlines", say("finding the deadlines that fell"), find):
            for game in due:
                miss = partial(self._miss, game, upto)
                deadline_guard.safely(ports, game, miss, now)
                self._progress()
            ports.counts["deadlines", "played"] += len(due)
            self._deadlines += len(due)

    @property
    def _clock_jumped(self) -> bool:
        """Return whether no deadline is played for now: after a jump of the clock."""
        return clock_jumps.waits_until(self._ports.store, self._now) is not None

    def _pause_unloaded(self) -> None:
        if not self._outage_unhandled and not self._clock_jumped:
            pause = partial(deadline_guard.pause_unloaded, self._ports, self._now)
            self._attempt("systems", say("the games whose rules can't be loaded"), pause)

    def _miss(self, found: Game, upto: datetime) -> None:
        """Play a game's deadline, unless a ruling from the shell has just moved it."""
        due = {"id": found.id, "running": True, "deadline__lte": upto}
        for game in stored_games.games(self._ports.store, **due):
            self._ports.referee.missed(Session(self._ports.store, game), self._now)

    def _attempt(self, name: str, label: Said, do: Callable[[], object]) -> bool:
        task = Task(name, label, do, vital=True)
        return attempt(self._ports.outbox, task, self._now, self._failures)

    @cached_property
    def _failures(self) -> dict[str, Failing]:
        """The tasks that fail, by name; read once a round."""
        return failing(self._ports.store)

    def _watch(self, last: datetime | None) -> None:
        """Move deadlines after an outage. While that fails and is tried again, none is played."""
        watch = partial(deadline_guard.watch, self._ports, last, self._now)
        if not self._attempt("watch", say("the deadlines that an outage moves"), watch):
            self._outage_unhandled = failing(self._ports.store)["watch"].tries < MOST

    def _watch_boards(self) -> None:
        """Move deadlines after the outage of a board; as for the mailbox."""
        watch = partial(deadline_guard.watch_boards, self._ports, self._boards, self._now)
        if not self._attempt("boards", say("the deadlines that a board's outage moves"), watch):
            self._outage_unhandled |= failing(self._ports.store)["boards"].tries < MOST

    def _answer(self, until: datetime | None = None) -> None:
        """Answer letters. If that fails as a whole, committed ones still count as settled."""
        first = len(self._settled)
        answer = partial(self.answer_all, until)
        if not self._attempt("letters", say("answering the letters of a round"), answer):
            # Letters that were rolled back are "received" again, and must not be noted as settled.
            state = {n: self._ports.store.get(Letter, n).state for n in self._settled[first:]}
            self._settled[first:] = [n for n in state if state[n] != "received"]
