"""The service: letters are stored, answered and moved, deadlines played, and letters sent."""

import json
import logging
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from pathlib import Path

from engine import library
from engine.i18n import Said, say
from pbem import acts, clock_jump, deadline_guard, inbox, kept_settings
from pbem.games import export
from pbem.games.referee import Referee
from pbem.games.reports import Reports
from pbem.games.session import Session
from pbem.in_hand import InHand
from pbem.mail.batches import by_time
from pbem.mail.mailbox import Mailbox, MailboxDown
from pbem.mail.transport import Transport
from pbem.news.newsletter import Newsletter
from pbem.outgoing.attempts import MOST, Act, attempt, failed, failing
from pbem.outgoing.delivery import Delivery
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.posts import Posts
from pbem.ports import Ports
from pbem.reading_process import ReadingProcess
from pbem.rendering import TEMPLATES, LeagueFacts, Renderer
from pbem.routing import router
from pbem.routing.incoming import limits
from pbem.settings import Settings, SettingsError
from pbem.storage import Game, Letter, Store, StoreDown

log = logging.getLogger("pbem")

BATCH, SECONDS = 100, 0.2
"""The most letters, and seconds, for one transaction.

Each commit waits for the disk, and only what is committed is sent.
"""

Clock = Callable[[], datetime]
Track = Callable[[list[Letter]], Iterable[Letter]]
"""Something that shows the progress of a list that is gone through."""


def wall_clock() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Done:
    """What one round of work did, in numbers."""

    kept: int = 0
    handled: int = 0
    deadlines: int = 0


@dataclass(slots=True)
class Pile:
    """What one round has done so far: letters settled and failed, and deadlines played."""

    settled: list[int] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    deadlines: int = 0


class Service:
    """One league at work; every act is one transaction with the letters that it causes."""

    def __init__(self, settings: Settings, store: Store, templates: Path = TEMPLATES) -> None:
        league = settings.league
        credits = {key: rules.credits for key, rules in library.RULESETS.items()}
        facts = LeagueFacts(league.name, league.address, credits, league.systems)
        renderer = Renderer(facts, templates)
        if league.language not in renderer.languages:
            known = ", ".join(renderer.languages)
            raise SettingsError(
                f"[league] language is {league.language!r}; letters come in {known}"
            )
        outbox = Outbox(store, renderer, settings)
        posts = Posts(store, renderer, settings)
        reports = Reports(store, outbox, posts, settings)
        self.ports = Ports(
            settings=settings,
            store=store,
            outbox=outbox,
            posts=posts,
            reports=reports,
            referee=Referee(store, reports, league),
            newsletter=Newsletter(reports),
            reader=ReadingProcess(limits(settings)),
            handle=self.handle,
        )
        self.delivery = Delivery(store, settings)
        self.in_hand = InHand(store, settings.limits.tries, self.ports.counts)
        self.progress: Callable[[], None] = lambda: None
        """Called whenever a part of a round is done; a daemon then notifies systemd."""
        self.group: Callable[[datetime], AbstractContextManager[None]] = lambda _: (
            store.transaction()
        )
        """A transaction in which several letters are answered; a daemon does more with it."""
        self._unwatched = False

    def export(self, game: Game) -> str:
        """Return a finished game as the text that `pbem verify` reads."""
        return export.export(self.ports.store, game)

    def keep(self, mailbox: Mailbox, now: datetime) -> Iterator[datetime | None]:
        """Store all letters that came, as `inbox.keep` does, and check their signatures."""
        for until in inbox.keep(self.ports.store, mailbox, now):
            acts.check_signatures(self.ports, self.in_hand, self.progress)
            self.progress()
            yield until

    def handle_all(
        self, pile: Pile, now: datetime, track: Track = iter, until: datetime | None = None
    ) -> None:
        """Answer every stored letter, or those received up to a time, in order of receipt.

        A deadline that fell before a letter was received is played before it. Letters that failed
        in this round are left to the next.
        """
        given = {} if until is None else {"received__lte": until}
        found = self.ports.store.letters.all(state="received", **given)
        waiting = [letter for letter in found if letter.id not in pile.failed]
        letters = track(sorted(waiting, key=lambda one: (one.received, one.id)))
        for batch in self.in_hand.groups(letters, BATCH):
            played = batch[0].received  # no letter is in hand yet, to be blamed for a fault
            pile.deadlines += self.play_due(played - timedelta(seconds=1), now)
            self.in_hand.take(batch)
            if not self.in_hand.harmless(batch[0], now):  # which then is in hand alone
                pile.failed.append(batch[0].id)
                self.progress()
                continue
            for group in by_time(iter(batch), BATCH, SECONDS):
                with self.group(now):
                    for letter in filter(self.in_hand.waits, group):
                        if letter.received != played:
                            played = letter.received
                            pile.deadlines += self.play_due(played - timedelta(seconds=1), now)
                        settled = self.handle(letter, now)
                        (pile.settled if settled else pile.failed).append(letter.id)
                self.progress()

    def handle(self, letter: Letter, now: datetime) -> bool:
        """Answer one letter and return whether that went well.

        After three failures it is shunted for a person to see. Within a transaction this is a part
        of it, which fails and is undone alone.
        """
        try:
            with self.ports.store.transaction():
                router.settle(self.ports, letter, router.handle(self.ports, letter, now), now)
        except StoreDown:
            raise
        except Exception:
            self.in_hand.failed(letter, traceback.format_exc(), now)
            return False
        return True

    def play_due(self, upto: datetime, now: datetime) -> int:
        """Play the deadlines that fell up to a time, and return how many; none after a jump."""
        due: list[Game] = []
        if clock_jump.waits_until(self.ports.store, now) is not None:
            return 0
        if self._unwatched or not self._attempt(
            "deadlines",
            say("finding the deadlines that fell"),
            lambda: due.extend(
                deadline_guard.playable(self.ports, self.ports.store.due_games(upto), now)
            ),
            now,
        ):
            return 0
        self.ports.counts["deadlines", "played"] += len(due)
        for game in due:
            deadline_guard.safely(self.ports, game, partial(self._miss, game, now), now)
            self.progress()
        return len(due)

    def _miss(self, game: Game, now: datetime) -> None:
        self.ports.referee.missed(Session(self.ports.store, game), now)

    def send(self, transport: Transport, now: datetime) -> int:
        """Send what is due, and return how many letters. Raises TransportDown."""
        self.feed(now)
        return self.delivery.flush(transport, now)

    def feed(self, now: datetime) -> None:
        """Write what is new to the feed."""
        attempt(self.ports.outbox, Act("feed", say("the feed"), self.ports.newsletter.feed), now)

    def attend(self, mailbox: Mailbox, clock: Clock, track: Track = iter) -> Done:
        """Read all that waits, answer it, play deadlines, and send reminders."""
        began = clock()
        before = self.ports.store.letters.highest()
        self.in_hand.begin(began)
        with (
            self.ports.reader,
            self.in_hand.trials,
            closing(self._kept(mailbox, began)) as batches,
        ):
            first = next(batches, None)  # raises if the mailbox is down, before the round has begun
            done = self.work(began, track, chain([first], batches))
        acts.do_all(self.ports, acts.after_round(self.ports, began), began)
        return replace(done, kept=self.ports.store.letters.highest() - before)

    def _kept(self, mailbox: Mailbox, now: datetime) -> Generator[datetime | None]:
        """Store all letters that came. If that fails, those already stored are still answered.

        Raises MailboxDown and StoreDown.
        """
        act = Act("fetching", say("reading the mailbox"), lambda: None, vital=True)
        try:
            yield from self.keep(mailbox, now)
        except (MailboxDown, StoreDown):
            raise
        except Exception:
            log.exception("the mailbox can't be read; it is tried again")
            failed(self.ports.outbox, act, now)
        else:
            attempt(self.ports.outbox, act, now)

    def work(
        self, now: datetime, track: Track = iter, batches: Iterable[datetime | None] = ()
    ) -> Done:
        """Answer stored letters, play deadlines, send reminders; note the round if it did anything.

        All that a round does depends only on the stored letters and the time, so that it can be
        replayed (pbem.maintenance.rebuild); whether letters come in `batches` or at once makes no
        difference.
        """
        self._attempt(
            "settings",
            say("the note of its settings"),
            partial(kept_settings.note, self.ports.store, self.ports.settings, now),
            now,
        )
        self.in_hand.begin(now)
        before, known = self.ports.store.writes, self.ports.store.meta(clock_jump.LAST_POLL)
        last = datetime.fromisoformat(known) if known else None
        watched = self._watch(last, now)
        pile = Pile()
        for until in batches:
            if until is not None:
                self._answer(pile, now, track, until)
        self._answer(pile, now, track)
        pile.deadlines += self.play_due(now, now)
        acts.do_all(self.ports, acts.of_letters(self.ports, now), now)
        # After a jump, nothing is due by the clock alone.
        if clock_jump.waits_until(self.ports.store, now) is None:
            acts.do_all(self.ports, acts.of_round(self.ports, now), now)
        with self.ports.store.transaction():
            # A round that changed nothing need not be replayed.
            if self.ports.store.writes > before:
                self.ports.store.rounds.insert(at=now, last=last, letters=json.dumps(pile.settled))
            # If that failed, the next round must still see the outage.
            if watched:
                self.ports.store.set_meta(clock_jump.LAST_POLL, now.isoformat())
        return Done(handled=len(pile.settled), deadlines=pile.deadlines)

    def _attempt(self, name: str, label: Said, do: Callable[[], object], now: datetime) -> bool:
        """Do something that depends on nothing else. Return whether it went well."""

        def done() -> bool:
            do()
            return True

        return attempt(self.ports.outbox, Act(name, label, done, vital=True), now) is True

    def _watch(self, last: datetime | None, now: datetime) -> bool:
        """Move deadlines after an outage. If that fails, none is played until it is given up."""
        label = say("the deadlines that an outage moves")
        fine = self._attempt(
            "watch", label, lambda: deadline_guard.watch(self.ports, last, now), now
        )
        self._unwatched = not fine and failing(self.ports.store)["watch"].tries < MOST
        return not self._unwatched

    def _answer(
        self, pile: Pile, now: datetime, track: Track, until: datetime | None = None
    ) -> None:
        """Answer letters. If that fails as a whole, committed ones still count as settled."""
        first = len(pile.settled)
        label = say("answering the letters of a round")
        if not self._attempt(
            "letters", label, lambda: self.handle_all(pile, now, track, until), now
        ):
            state = {
                number: self.ports.store.letters.get(number).state
                for number in pile.settled[first:]
            }
            # Letters that were rolled back are "received" again, and must not be noted as settled.
            pile.settled[first:] = [number for number in state if state[number] != "received"]
