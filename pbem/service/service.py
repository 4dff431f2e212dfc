"""The service: one league at work, put together from its parts."""

import logging
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path

from engine import registry
from engine.i18n import say
from pbem.channels.mail.mailbox import Mailbox, MailboxDown
from pbem.games import export
from pbem.games.referee import Referee
from pbem.games.reports.reports import Reports
from pbem.handlers.ports import Ports
from pbem.host.clock import Clock
from pbem.host.package_data import TEMPLATES
from pbem.news.newsletter import Newsletter
from pbem.outgoing.delivery import Delivery
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.posts import Posts
from pbem.outgoing.retried_tasks import Task, failed, succeeded
from pbem.rendering import LeagueFacts, Renderer
from pbem.routing import router
from pbem.service import inbox
from pbem.service.rounds import Attempts, Done, Round, Track
from pbem.settings import Settings
from pbem.storage import Game, Letter, Store, StoreDown

log = logging.getLogger("pbem")


def renderer_of(settings: Settings, templates: Path = TEMPLATES) -> Renderer:
    """Return what writes a league's letters."""
    league = settings.league
    credits = {key: rules.credits for key, rules in registry.RULESETS.items()}
    titles = tuple(registry.rules_of(key).title for key in league.systems)
    facts = LeagueFacts(league.name, league.address, credits, league.systems, titles, league.heals)
    return Renderer(facts, templates)


class Service:
    """One league at work. Only here its parts are wired."""

    def __init__(self, settings: Settings, store: Store, templates: Path = TEMPLATES) -> None:
        league = settings.league
        for key, why in registry.FAULTS.items():
            log.warning("the system %s is left out: %s", key, why)
        renderer = renderer_of(settings, templates)
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
            handle=self.handle,
        )
        self.delivery = Delivery(store, settings)
        self.attempts = Attempts(self.ports)
        self.progress: Callable[[], None] = lambda: None
        """Called whenever a part of a round is done; a daemon then notifies systemd."""

    def export(self, game: Game) -> str:
        """Return a finished game as the text that `pbem verify` reads."""
        return export.export(self.ports.store, game)

    def keep(self, mailbox: Mailbox, now: datetime) -> Iterator[datetime | None]:
        """Store all letters that came, as `inbox.keep` does."""
        for until in inbox.keep(self.ports.store, mailbox, now):
            self.progress()
            yield until

    def handle(self, letter: Letter, now: datetime) -> bool:
        """Answer one letter and return whether that went well.

        After three failures it is shunted for a person to see. Within a transaction this is a part
        of it, which fails and is undone alone.
        """
        try:
            with self.ports.store.transaction():
                verdict = router.answer(self.ports, letter, now)
        except StoreDown:
            raise
        except Exception:
            self.attempts.failed(letter, traceback.format_exc(), now)
            return False
        self.ports.counts["letters", verdict.klass] += 1
        return True

    def attend(self, mailbox: Mailbox, clock: Clock, track: Track = iter) -> Done:
        """Read all that waits, answer it, play deadlines, and send reminders."""
        began = clock()
        before = self.ports.store.newest(Letter)
        with (
            self.ports.store.values_read_once(),
            self.attempts.apart,
            closing(self._kept(mailbox, began)) as arrivals,
        ):
            # Before the round begins, since this raises if the mailbox is down.
            first = next(arrivals, None)
            done = self.work(began, track, chain([first], arrivals))
        return replace(done, kept=self.ports.store.newest(Letter) - before)

    def work(
        self,
        now: datetime,
        track: Track = iter,
        arrivals: Iterable[datetime | None] = (),
        *,
        mail_down: bool = False,
    ) -> Done:
        """Do one round with stored letters, and with those that come in `arrivals`."""
        return self.round(now, track, mail_down).work(arrivals)

    def round(self, now: datetime, track: Track = iter, mail_down: bool = False) -> Round:
        """Return a round of work at a moment."""
        return Round(self.ports, self.attempts, now, self.progress, track, mail_down)

    def _kept(self, mailbox: Mailbox, now: datetime) -> Generator[datetime | None]:
        """Store all letters that came. If that fails, those already stored are still answered.

        Raises MailboxDown and StoreDown.
        """
        task = Task("fetching", say("reading the mailbox"), lambda: None, vital=True)
        try:
            yield from self.keep(mailbox, now)
        except (MailboxDown, StoreDown):
            raise
        except Exception:
            log.exception("the mailbox can't be read; it is tried again")
            failed(self.ports.outbox, task, now)
        else:
            succeeded(self.ports.outbox, task)
