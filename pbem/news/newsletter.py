"""The newsletter: printed once for everybody, kept as it was, and sent in small batches."""

import json
import logging
import re
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import quote

from engine.i18n import say
from engine.pictures import Picture
from pbem.games.reports.battle_pictures import Viewer, film
from pbem.games.reports.reports import Reports
from pbem.host.clock import next_ring
from pbem.i18n.message_catalogue import SOURCE
from pbem.intake import tokens_and_keys
from pbem.news import feed, stored_issues
from pbem.news.personal import owed
from pbem.news.recent_news import MOST, IssueFacts, News
from pbem.outgoing.outbox import facts_of
from pbem.outgoing.retried_tasks import Task, attempt
from pbem.people import players, readers
from pbem.rendering import Page
from pbem.storage import Issue, Player, Subscription
from pbem.storage.queues import BULK

log = logging.getLogger("pbem")

_NOT_SENT = "reader %d does not get newsletter %d"

KIND = BULK
BATCH = 20
"""The most letters in one transaction."""
FOUNDED, WANTED = "newsletter_founded", "newsletter_wanted"
"""The keys in the database: since when there is a newsletter, and that one is wanted at once."""
MINUTE = timedelta(minutes=1)
LARGEST = 28 * 1024
"""The most bytes of an issue, as text and HTML: with the reader's own part a letter has 40 KiB."""
SHOWN = (MOST, 12, 8, 5, 3, 2, 1)
"""How many of each kind of news are tried, until an issue is small enough."""


class NumberedIssue(IssueFacts):
    """The news of a period, as the issue of this number."""

    number: int


class Newsletter:
    """Prints issues when they are due, and sends each to all its readers."""

    def __init__(self, reports: Reports) -> None:
        self.reports, self.store = reports, reports.store
        self.league, self.settings = reports.settings.league, reports.settings.newsletter
        self._fed = 0

    def next_issue(self, now: datetime) -> datetime | None:
        """Return when the next issue is due, from the database alone; None for never."""
        if self.store.meta(WANTED):
            return now
        if not self.settings.when:
            return None
        return next_ring(self.settings.when, self.league.zone, self._waited_since(now))

    def next_due(self, now: datetime) -> datetime | None:
        """Return when there is something to do next."""
        under_way = stored_issues.under_way(self.store)
        moments = (self.next_issue(now), under_way.due if under_way else None)
        return min((moment for moment in moments if moment), default=None)

    def _since(self, now: datetime) -> datetime:
        """Return when the last issue was printed, or else when the league began."""
        last = self._printed(now)
        if last is not None:
            return last
        began = players.first_joined(self.store)
        # News is what happened after this moment, and the first player's arrival is news, too.
        return min(began or now, now) - timedelta(microseconds=1)

    def _waited_since(self, now: datetime) -> datetime:
        """Return since when the plan has waited for an issue: the last one, or its own beginning.

        A league that has long been going and gets a plan does not print at once.
        """
        last = self._printed(now)
        if last is not None:
            return last
        founded = self.store.meta(FOUNDED)
        if founded is None:
            founded = (now - timedelta(microseconds=1)).isoformat()
            self.store.set_meta(FOUNDED, founded)
        return datetime.fromisoformat(founded)

    def _printed(self, now: datetime) -> datetime | None:
        """Return when the last issue was printed."""
        last = next(iter(stored_issues.latest(self.store)), None)
        # Later than now where the clock went ahead and back.
        return None if last is None else min(last.until, now)

    def publish(self, now: datetime) -> None:
        """Print the issue that is due, if one is, and queue the letters whose time has come.

        If several issues were missed in an outage, only one is printed.
        """
        outbox = self.reports.outbox
        due = self.next_issue(now)
        if due is not None and due <= now:
            label = say("printing the newsletter")
            attempt(outbox, Task("newsletter print", label, partial(self._print, now)), now)
        while self._fill(now):
            pass

    def want(self) -> None:
        """Ask for an issue, which is printed in the service's next round.

        Only then is everything in the database that belongs to the time which the issue covers.
        """
        self.store.set_meta(WANTED, "yes")

    def _print(self, now: datetime) -> None:
        """Print an issue of everything that happened since the last one, and begin to send it."""
        with self.store.transaction():
            since = self._since(now)
            # With the issue in one transaction, so that one wish prints one issue.
            self.store.set_meta(WANTED, "")
            made = stored_issues.add(self.store, since, now)
            news = News(self.store, since, now, self.league)
            # In each, since it is asked only when a letter is queued which one its reader wants.
            facts, pages = self._fitting(news, made.id, self.reports.outbox.renderer.languages)
            printed = {language: asdict(page) for language, page in pages.items()}
            stored_issues.change(self.store, made.id, page=json.dumps(printed))
            shown = [one["number"] for one in facts["editorials"]]
            stored_issues.change_editorials(self.store, shown, "printed")
            name = f"{KIND}-{made.id}"
            drawn = self._pictures(news, self.league.language)
            self.reports.posts.write(
                KIND, now, ident=name, thread=name, pictures=drawn, drawn=[], **facts
            )

    def preview(self, now: datetime) -> Page:
        """Return the issue that would be printed now, in the league's language, and print none."""
        news = News(self.store, self._since(now), now, self.league)
        language = self.league.language
        return self._fitting(news, 1 + self.store.size(Issue), [language])[1][language]

    def _fitting(
        self, news: News, number: int, languages: Iterable[str]
    ) -> tuple[NumberedIssue, dict[str, Page]]:
        """Return an issue with as many of its news as a letter may hold, in some languages."""
        for most in SHOWN:
            facts: NumberedIssue = {"number": number, **news.facts(most)}
            pages = {language: self._page(news, facts, language) for language in languages}
            if all(len((page.text + page.html).encode()) <= LARGEST for page in pages.values()):
                break
        return facts, pages

    def _page(self, news: News, facts: NumberedIssue, language: str) -> Page:
        """Return an issue in a language, with the picture of its duel."""
        pictures = self._pictures(news, language)
        drawn = list(map(facts_of, pictures))
        page = self.reports.outbox.renderer.section(KIND, language, drawn=drawn, **facts)
        return replace(page, svgs=[one.svg for one in pictures])

    def _pictures(self, news: News, language: str) -> tuple[Picture, ...]:
        if news.best is None or not self.reports.settings.reports.pictures:
            return ()
        return film(Viewer(self.reports.outbox.renderer, language), news.best)

    def feed(self) -> None:
        """Write the feed if an issue came out since the last time."""
        newest = stored_issues.latest(self.store)
        if not self.settings.feed or not newest or newest[0].id == self._fed:
            return
        file, secret = self.reports.settings.path(self.settings.feed), self.store.secret
        entries = [
            feed.Entry(tokens_and_keys.urn(secret, KIND, one.id), one.until, self.page(one))
            for one in stored_issues.latest(self.store, feed.ENTRIES)
            if one.page
        ]
        try:
            if not entries:
                file.unlink(missing_ok=True)
            else:
                feed.write(
                    file, feed.atom(tokens_and_keys.urn(secret, KIND), self.league.name, entries)
                )
        # The letters go out all the same; the feed is tried again with the next issue.
        except OSError as error:
            log.error("[newsletter] feed: %s can't be written (%s)", file, error.strerror)
        self._fed = newest[0].id

    def page(self, printed: Issue) -> Page:
        """Return an issue as it was printed in the league's language, or else in English.

        Raises KeyError if its words were dropped together with those of somebody who was erased.
        """
        pages = pages_of(printed)
        return pages.get(self.league.language) or pages[SOURCE]

    def _fill(self, now: datetime) -> int:
        """Queue the next batch of the oldest issue that is not out; return how many letters.

        A batch and its position are saved in one transaction: nobody is left out or gets it twice.
        """
        issue = stored_issues.under_way(self.store)
        if issue is None or issue.due > now:
            return 0
        with self.store.transaction():
            batch = readers.active(self.store, issue.cursor, self._batch)
            pages = pages_of(self.store.get(Issue, issue.id))
            for reader in batch:
                # If a reader's letter can't be written, the others still get theirs.
                with self.store.alone(log, _NOT_SENT, reader.id, issue.id):
                    self._send(issue, pages, reader, now)
            stored_issues.change(
                self.store,
                issue.id,
                cursor=batch[-1].id if batch else issue.cursor,
                due=self._next_batch(issue, now),
                done=len(batch) < self._batch,
            )
        return len(batch)

    @property
    def _batch(self) -> int:
        """Return the size of a batch, so that one goes every ten seconds or more often."""
        return max(1, min(BATCH, self.settings.letters_a_minute // 6))

    def _next_batch(self, issue: Issue, now: datetime) -> datetime:
        """Return when the next batch may go; at most a minute of delay is made up for."""
        share = self._batch / self.settings.letters_a_minute
        return max(issue.due, now - MINUTE) + MINUTE * share

    def _send(
        self, issue: Issue, pages: dict[str, Page], reader: Subscription, now: datetime
    ) -> None:
        """Queue a reader's letter: the part that all get, and the reader's own."""
        outbox = self.reports.outbox
        player = self.store.get(Player, reader.player_id) if reader.player_id else None
        # A language may have been added since the issue was printed.
        page = pages.get(outbox.language(player)) or pages[SOURCE]
        stop = outbox.reply_address(reader.token)
        subject = readers.STOP
        # Without plus addresses the token travels in the subject.
        if stop == self.league.address:
            subject += f" [PBEM {reader.token}]"
        outbox.circulate(
            page,
            KIND,
            player.address if player else reader.address or "",
            player,
            now,
            ident=(issue.id,),
            fields=self._fields(stop, subject, reader.token),
            title=page.subject,
            own=owed(self.reports, player, now) if player else None,
            stop={"address": stop, "subject": subject},
        )

    def _fields(self, stop: str, subject: str, token: str) -> dict[str, str]:
        """Return the fields with the list's name and how to leave it (RFC 2919, 2369, 8058)."""
        name = re.sub("[^A-Za-z0-9.-]", "-", self.league.address.replace("@", "."))
        ways = [f"<mailto:{quote(stop, safe='@+')}?subject={quote(subject)}>"]
        # With "bulk" most programs send no notes of absence.
        fields = {"List-Id": f"<newsletter.{name}>", "Precedence": "bulk"}
        if self.settings.unsubscribe_url:
            ways.append(f"<{self.settings.unsubscribe_url.rstrip('/')}/{token}>")
            # RFC 8058: one click is a POST to an https URL, so the field needs one.
            fields["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return fields | {"List-Unsubscribe": ", ".join(ways)}


def pages_of(printed: Issue) -> dict[str, Page]:
    """Return the pages of a printed issue, by language."""
    pages = json.loads(printed.page) if printed.page else {}
    return {language: Page(**page) for language, page in pages.items()}
