"""The office: letters kept, answered and filed, deadlines played, letters handed over."""

import json
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from pathlib import Path

from engine import library
from pbem import bylaws, clock_jump, desk
from pbem.attempts import Attempts
from pbem.case import Case, limits
from pbem.deadlines import reminders_due
from pbem.games import export, guard
from pbem.games.referee import Referee
from pbem.games.reports import Reports
from pbem.games.session import Session
from pbem.league.patrols import meet_house
from pbem.league.verdict import Verdict
from pbem.mail import vouching
from pbem.mail.batches import by_time
from pbem.mail.courier import Courier
from pbem.mail.mailbox import Batch, Cursor, Mailbox
from pbem.mail.porter import Porter, file
from pbem.news.newsletter import Newsletter
from pbem.outgoing import briefing, digest
from pbem.outgoing.dispatch import Dispatch
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.posts import Posts
from pbem.people import persons
from pbem.press import LeagueFacts, Press
from pbem.readahead import ReadAhead, ReadingFailed
from pbem.settings import Settings, SettingsError
from pbem.store import Game, Letter, Store, StoreDown

TEMPLATES = next(
    path
    for path in (Path(__file__).parent.parent / "templates", Path(__file__).parent / "_templates")
    if path.is_dir()
)

BATCH, SECONDS = 100, 0.2
"""At most so many letters are answered in one transaction, and none after so long a time: each
commit waits for the disk, and only what is committed is sent."""

Clock = Callable[[], datetime]
Track = Callable[[list[Letter]], Iterable[Letter]]
"""Something that shows the progress of a list that is gone through."""


def wall_clock() -> datetime:
    """Give the time now, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Done:
    """What one round of work did, in numbers."""

    kept: int = 0
    handled: int = 0
    deadlines: int = 0


@dataclass(slots=True)
class Pile:
    """What one round has come to so far: letters settled and failed, and deadlines played."""

    settled: list[int] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    deadlines: int = 0


class Office:
    """One league at work; every act is one transaction with the letters that it causes."""

    def __init__(self, settings: Settings, store: Store, templates: Path = TEMPLATES) -> None:
        self.settings, self.store = settings, store
        self._bylaws = bylaws.written(settings)
        league = settings.league
        credits = {key: rules.credits for key, rules in library.RULESETS.items()}
        facts = LeagueFacts(league.name, league.address, credits, league.systems)
        press = Press(facts, templates)
        if league.language not in press.languages:
            known = ", ".join(press.languages)
            raise SettingsError(
                f"[league] language is {league.language!r}; letters come in {known}"
            )
        self.outbox = Outbox(store, press, settings)
        self.dispatch = Dispatch(store, settings)
        self.posts = Posts(store, press, settings)
        self.reports = Reports(store, self.outbox, self.posts, settings)
        self.ahead = ReadAhead(limits(settings))
        self.counts: Counter[tuple[str, str]] = Counter()
        self.attempts = Attempts(store, settings.limits.tries, self.counts)
        self.progress: Callable[[], None] = lambda: None
        """Called whenever a part of a round is done; a daemon tells systemd that it is alive."""
        self.group: Callable[[datetime], AbstractContextManager[None]] = lambda _: (
            store.transaction()
        )
        """A transaction in which several letters are answered; a daemon does more with it."""
        self.referee = Referee(store, self.reports, league)
        self.newsletter = Newsletter(self.reports)

    def export(self, game: Game) -> str:
        """Give a finished game as the text that `pbem verify` reads."""
        return export.export(self.store, game)

    def keep(self, mailbox: Mailbox, now: datetime) -> Generator[datetime | None]:
        """Keep all letters that came since the last look, raw, a batch at a time.

        After each it gives the receipt up to which all can be answered, for what is still to come
        was received later; None where nothing is. What was answered is moved meanwhile.
        """
        at = self.store.cursor(mailbox.account, mailbox.folder)
        with Porter(mailbox) as porter:
            for batch in porter.arrivals(Cursor(*at) if at else None, self._expect):
                with self.store.transaction():
                    self.store.mark_moved(porter.moved())
                    self.store.keep(mailbox.account, mailbox.folder, now, batch)
                self.look()
                self.progress()
                yield batch.until
                if batch.until is not None:
                    porter.move(self.store.unmoved(mailbox.account, mailbox.folder))

    def _expect(self, batch: Batch) -> None:
        self.ahead.expect([(one.sha256, one.raw) for one in batch])

    def rescan(self, mailbox: Mailbox, now: datetime) -> int:
        """Look for letters below the cursor that were never kept, and keep them."""
        uidvalidity, uids = mailbox.uids()
        at = self.store.cursor(mailbox.account, mailbox.folder)
        if at is None or at[0] != uidvalidity:
            return 0
        known = self.store.known_uids(mailbox.account, mailbox.folder, uidvalidity)
        missing = {uid for uid in uids if uid < at[1]} - known
        if not missing:
            return 0
        kept = 0
        for batch in mailbox.arrivals(Cursor(uidvalidity, min(missing) - 1)):
            kept += self.store.keep(mailbox.account, mailbox.folder, now, batch)
        return kept

    def handle_all(
        self, pile: Pile, now: datetime, track: Track = iter, until: datetime | None = None
    ) -> None:
        """Answer every letter that was kept, or was received up to a time, in order of receipt.

        A deadline that fell before a letter was received is played before it. Those that failed
        in this round are left to the next.
        """
        given = {} if until is None else {"received__lte": until}
        found = self.store.letters.all(state="received", **given)
        waiting = [letter for letter in found if letter.id not in pile.failed]
        letters = track(sorted(waiting, key=lambda one: (one.received, one.id)))
        for batch in self.attempts.groups(letters, BATCH):
            played = batch[0].received  # before it is in hand, for no letter is to blame for those
            pile.deadlines += self.play_due(played - timedelta(seconds=1), now)
            self.attempts.take(batch)
            for group in by_time(iter(batch), BATCH, SECONDS):
                with self.group(now):
                    for letter in group:
                        if letter.received != played:
                            played = letter.received
                            pile.deadlines += self.play_due(played - timedelta(seconds=1), now)
                        settled = self.handle(letter, now)
                        (pile.settled if settled else pile.failed).append(letter.id)
                self.progress()

    def handle(self, letter: Letter, now: datetime) -> bool:
        """Answer one letter and tell whether that went well.

        After three tries it is shunted for a person to see.

        Within a transaction it is one part of it, which fails and is undone alone.
        """
        try:
            with self.store.transaction():
                self.settle(letter, desk.handle(self, letter, now), now)
        except StoreDown:
            raise
        except Exception:
            self.attempts.failed(letter, traceback.format_exc(), now)
            return False
        return True

    def settle(self, letter: Letter, verdict: Verdict, now: datetime) -> None:
        """Write down what became of a letter."""
        self.counts["letters", verdict.klass] += 1
        self.store.letters.change(
            letter.id,
            state=verdict.state,
            klass=verdict.klass,
            reason=verdict.reason,
            player=verdict.player,
            handled=now,
            tries=0,
            in_hand=False,
        )

    def put_away(self, mailbox: Mailbox) -> int:
        """Move handled letters to the folder for people to see, and give how many."""
        moved = 0
        while found := self.store.unmoved(mailbox.account, mailbox.folder):
            file(mailbox, found)
            self.store.mark_moved([entry[0] for entry in found])
            moved += len(found)
        return moved

    def play_due(self, upto: datetime, now: datetime) -> int:
        """Play the deadlines that fell up to a time, and give how many; none after a jump."""
        if clock_jump.waits_until(self.store, now) is not None:
            return 0
        due = guard.playable(self, self.store.due_games(upto), now)
        self.counts["deadlines", "played"] += len(due)
        for game in due:
            guard.safely(self, game, partial(self._miss, game, now), now)
            self.progress()
        return len(due)

    def _miss(self, game: Game, now: datetime) -> None:
        self.referee.missed(Session(self.store, game), now)

    def remind(self, now: datetime) -> int:
        """Remind those who are asked and have not answered, each time once; give how many games."""
        hours = self.settings.league.reminder_hours
        soon = now + timedelta(hours=max(hours, default=0))
        reminded = 0
        for game in self.store.due_games(soon):
            if game.deadline is None or game.opened is None:
                continue
            found = reminders_due(now, game.deadline, game.opened, hours)
            if found and (game.reminded is None or found[-1] < game.reminded):
                act = partial(self._remind, game, found[-1], now)
                reminded += guard.safely(self, game, act, now)
        return reminded

    def _remind(self, game: Game, hours: float, now: datetime) -> None:
        self.reports.reminder(Session(self.store, game), hours, now)
        self.store.games.change(game.id, reminded=hours)

    def send(self, courier: Courier, now: datetime) -> int:
        """Hand over what is due, and give how many letters; raises CourierDown."""
        self.newsletter.feed()
        return self.dispatch.flush(courier, now)

    def attend(self, mailbox: Mailbox, clock: Clock, track: Track = iter) -> Done:
        """Read all that waits, answer it, and play and remind of what is due."""
        began = clock()
        before = self.store.letters.highest()
        self.attempts.begin(began)
        with self.ahead, closing(self.keep(mailbox, began)) as batches:
            first = next(batches, None)  # or else the mailbox is down, and the round has not begun
            done = self.work(began, track, chain([first], batches))
        persons.clean(self.store, self.settings.privacy, began)
        briefing.send_due(self.outbox, began)
        return replace(done, kept=self.store.letters.highest() - before)

    def look(self) -> None:
        """Check the signatures of new letters under players' addresses, if the league wants it.

        What they say is kept, since DNS may say something else when a league is replayed.
        """
        if not self.settings.authentication.check_dkim:
            return
        lookup = vouching.patient(self.settings.authentication.lookup())
        unchecked = self.store.letters.all(state="received", checked="")
        for group in self.attempts.groups(unchecked, BATCH):
            self.attempts.take(group)
            for letter in group:
                with suppress(ReadingFailed):  # which is told when the letter is handled
                    sender = Case(self, letter, letter.received).known
                    raw, received = letter.content, letter.received
                    said = vouching.look(raw, lookup, received) if sender else "none"
                    self.store.letters.change(letter.id, checked=said)
            self.attempts.put_back(group)
            self.progress()

    def note_settings(self, now: datetime) -> None:
        """Note under which settings all is done from now on, if they are others than before."""
        if self.store.meta(bylaws.NOTED) != self._bylaws:
            with self.store.transaction():
                self.store.set_meta(bylaws.NOTED, self._bylaws)
                self.store.rounds.insert(at=now, settings=self._bylaws)

    def work(
        self, now: datetime, track: Track = iter, batches: Iterable[datetime | None] = ()
    ) -> Done:
        """Answer what was kept, play and remind of what is due; note it if anything was done.

        All that a round does hangs on the letters kept and on the time, so that it can be done
        again (pbem.upkeep.rebuild); whether they come in `batches` or at once makes no difference.
        """
        self.note_settings(now)
        self.attempts.begin(now)
        before, known = self.store.writes, self.store.meta(clock_jump.LAST_POLL)
        last = datetime.fromisoformat(known) if known else None
        guard.watch(self, last, now)
        pile = Pile()
        for until in batches:
            if until is not None:
                self.handle_all(pile, now, track, until)
        self.handle_all(pile, now, track)
        pile.deadlines += self.play_due(now, now)
        if clock_jump.waits_until(self.store, now) is None:
            self._go_by_the_clock(now)
        with self.store.transaction():
            if self.store.writes > before:
                self.store.rounds.insert(at=now, last=last, letters=json.dumps(pile.settled))
            self.store.set_meta(clock_jump.LAST_POLL, now.isoformat())
        return Done(handled=len(pile.settled), deadlines=pile.deadlines)

    def _go_by_the_clock(self, now: datetime) -> None:
        """Do what is due by the clock alone, which none of it may be after a jump."""
        self.remind(now)
        meet_house(self, now)
        digest.send_due(self.outbox, now)
        self.newsletter.publish(now)
        persons.tidy(self.store, self.settings.privacy, now)
