"""The season's world: Dovecot, Postfix, INN, a clock, and a daemon that knows of no test."""

import re
import smtplib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from random import Random
from typing import Any

from imapclient import IMAPClient

from pbem.channels.mail.mailbox import Arrival, Batch, Known, Mailbox
from pbem.channels.mail.transport import Transport
from pbem.outgoing import link_faults
from pbem.service.daemon import Daemon
from pbem.service.service import Service
from pbem.settings.load import parse
from pbem.storage import Cursor, Outgoing, Post, Store
from pbem.storage.stored_letters import message_id
from tests.season.articles import Newsreader
from tests.season.plan import MODERATOR, SYSTEMS
from tests.servers.certificates import make_certificates
from tests.servers.daemon import open_folder
from tests.servers.dovecot import Dovecot
from tests.servers.inn import GROUP, PASSWORD, USER, Inn
from tests.servers.postfix import Postfix
from tests.support.played_newsgroup import PlayedNewsgroup
from tests.support.players import REFEREE, address_of, parsed, plain

BEGIN = datetime(2025, 1, 6, 12, tzinfo=UTC)
"""The season lies in the past, since no news server takes posts of the future."""
STEP, SOON = timedelta(hours=8), timedelta(minutes=30)
BOARD = "news"
"""What the league calls the newsgroup."""


class Timepiece:
    """The season's clock."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> datetime:
        """Return the season's time."""
        return self.now


class Letterbox:
    """The league's mailbox, whose letters are received by the season's clock.

    While the service rests, the world goes on; that is all that it has of a test.
    """

    def __init__(self, real: Mailbox, clock: Timepiece, meanwhile: Callable[[], None]) -> None:
        self.account, self.folder = real.account, real.folder
        self.connect, self.places, self.file = real.connect, real.places, real.file
        self.lists, self.look_afresh = real.lists, real.look_afresh
        self.wake, self.close = real.wake, real.close
        self._real, self._clock, self._meanwhile = real, clock, meanwhile

    @property
    def moves(self) -> bool:
        """Return whether letters can be moved."""
        return self._real.moves

    @property
    def withheld(self) -> dict[str, str]:
        """Return what can't be had."""
        return self._real.withheld

    def arrivals(self, known: Known) -> Iterator[Batch]:
        """Yield what came; all of it came since the clock was moved last."""
        for batch in self._real.arrivals(known):
            # Postfix delivers what came together in any order, and a season is to be repeated.
            found = [replace(one, received=self._clock()) for one in sorted(batch, key=_number)]
            yield Batch(found, self._clock())

    def wait(self, seconds: float) -> bool:
        """Take the world one step further."""
        self._meanwhile()
        return True


def _number(letter: Arrival) -> tuple[int, str]:
    """Return by what players' letters are sorted: each counts its own in their Message-IDs."""
    name = message_id(letter.raw)
    return len(name), name


class Bell:
    """A transport that counts what it has brought to whom."""

    def __init__(self, real: Transport) -> None:
        self.brought = Counter[str]()
        self.close = real.close
        self._real = real

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send one letter."""
        self._real.send(sender, recipient, raw)
        self.brought[recipient] += 1


class World:
    """The servers, the league, and the mail that goes between them.

    `soon` is set by who waits for an answer that is good for an hour.
    """

    def __init__(self, folder: Path, names: Sequence[str], seed: int, stack: ExitStack) -> None:
        users = {REFEREE: "hush"} | {address_of(name): "mine" for name in names}
        self._stack = stack
        self.dovecot = self._server("dovecot", lambda at: Dovecot(at, make_certificates(at), users))
        self.postfix = self._server("postfix", lambda at: Postfix(at, self.dovecot))
        accounts = [name.lower() for name in names]
        self.inn = self._server("inn", lambda at: Inn(at, make_certificates(at), players=accounts))
        self.newsgroup = PlayedNewsgroup(self.inn)
        self.clock = Timepiece()
        self.newsreader = Newsreader(self.inn, self.clock)
        self.soon = False
        self.settings = parse(self._toml(folder), folder)
        self.store = Store(self.settings.store_url(), Random(seed).randbytes)
        stack.callback(self.store.close)
        self.service = Service(self.settings, self.store)
        self.bell = Bell(self.settings.transport())
        self.tomorrow: Callable[[], bool] = lambda: False
        box = Letterbox(self.settings.mailbox(), self.clock, self._go_on)
        self.daemon = Daemon(self.service, box, self.bell, self.clock)
        self.seconds = dict.fromkeys(("service", "post", "players"), 0.0)
        self._since = time.monotonic()
        self._fault: Exception | None = None

    def _server(self, name: str, make: Callable[[Path], Any]) -> Any:
        return self._stack.enter_context(make(self._stack.enter_context(open_folder())).running())

    def _toml(self, folder: Path) -> dict[str, Any]:
        """Write the league's settings, and its passwords next to them."""
        (folder / "mail-password").write_text("hush")
        (folder / "news-password").write_text(PASSWORD)
        ca = str(self.dovecot.certificates.ca_file)
        login = {"user": REFEREE, "password_file": "mail-password", "tls": "starttls"}
        (imap, imap_port), (smtp, smtp_port) = self.dovecot.imap, self.postfix.submission
        host, port = self.inn.nntp
        news = {"kind": "nntp", "host": host, "port": port, "tls": "none", "group": GROUP}
        return {
            "league": {
                "name": "Avalon League",
                "address": REFEREE,
                "timezone": "Europe/Oslo",
                "systems": ["starpilot", *SYSTEMS],
                "moderator": address_of(MODERATOR),
                "outage_hours": 12,
            },
            "imap": {"host": imap, "port": imap_port, "ca_file": ca, **login},
            "smtp": {"host": smtp, "port": smtp_port, "ca_file": ca, **login},
            "reports": {"pdf": False, "pictures": False},
            "newsletter": {"when": "0 18 1 3,5 *"},
            "channels": {
                BOARD: {**news, "user": USER, "password_file": "news-password", "play": True}
            },
        }

    def play(self, tomorrow: Callable[[], bool]) -> None:
        """Run the daemon; `tomorrow` is called at each step until it returns False.

        Raises what a step raises: the daemon goes on after any fault, and the season would be
        another one with what its players left undone.
        """
        self.tomorrow = tomorrow
        self._since = time.monotonic()
        self.daemon.run()
        if self._fault is not None:
            raise self._fault

    def _go_on(self) -> None:
        try:
            self._step()
        except Exception as error:
            self._fault = error
            self.daemon.stop()

    def _step(self) -> None:
        """Wait for the post, move the clock, and let all live on whom it has brought something."""
        self._rest()
        self._charge("service")
        self.postfix.settle()
        self.clock.now += SOON if self.soon else STEP
        self.soon = False
        self._charge("post")
        if not self.tomorrow():
            # From now on no job is done, so there is nothing to wait for.
            self.daemon.stop()
            return
        self._charge("players")
        self.postfix.settle()
        self._charge("post")
        # Else the newsgroup would be read before or after the next round, as it happens.
        self.daemon.jobs.wake(f"board {BOARD}")
        while not self._is_read():
            time.sleep(0.002)
        self._rest()
        self._charge("service")

    def _rest(self) -> None:
        """Wait until all letters and posts are out that are due, or can't be."""
        while self._has_due(Outgoing) or (self._has_due(Post) and not self._is_down()):
            time.sleep(0.002)

    def _has_due(self, model: type[Outgoing | Post]) -> bool:
        due = (model.state == "queued") & (model.due <= self.clock.now)
        return self.store.exists(model.select().where((model.state == "sending") | due))

    def _is_down(self) -> bool:
        """Return whether the newsgroup takes no posts before the clock moves on."""
        fault = link_faults.failing(self.store).get(link_faults.board(BOARD))
        return fault is not None and fault.until is not None and fault.until > self.clock.now

    def _is_read(self) -> bool:
        """Return whether the newsgroup was read at this moment, or can't be."""
        if any(board.next_look() is not None for board in self.daemon.boards):
            return True
        read = Cursor.channel == BOARD, Cursor.read == self.clock.now
        return self.store.exists(Cursor.select().where(*read))

    def _charge(self, whom: str) -> None:
        now = time.monotonic()
        self.seconds[whom] += now - self._since
        self._since = now

    def mail(self, letters: Sequence[EmailMessage]) -> None:
        """Send players' letters."""
        if letters:
            with smtplib.SMTP(*self.postfix.mx, timeout=20) as smtp:
                for letter in letters:
                    smtp.send_message(letter)


def _place(letter: EmailMessage) -> tuple[datetime, str, str, str]:
    """Return by what letters are sorted, oldest first.

    Those of one step come in any order, and their Message-IDs depend on Postfix, so neither is the
    same when a season is repeated.
    """
    sent = parsedate_to_datetime(letter["Date"])
    subject = re.sub(r"\[[^]]*\]", "", " ".join(str(letter["Subject"]).split()))
    return sent, str(letter["In-Reply-To"]), subject, plain(letter)


class Inbox:
    """A player's mailbox, opened by IMAP and kept open."""

    def __init__(self, world: World, name: str, stack: ExitStack) -> None:
        self.address = address_of(name)
        self._brought = world.bell.brought
        self._client = stack.enter_context(IMAPClient(*world.dovecot.imap, ssl=False, timeout=20))
        self._client.login(self.address, "mine")
        self._client.select_folder("INBOX", readonly=True)
        self._seen = self._count = 0

    def new(self) -> list[EmailMessage]:
        """Return the letters that came since the last look, oldest first."""
        fresh = self._fresh()
        if not fresh:
            return []
        found = self._client.fetch(fresh, ["BODY.PEEK[]"])
        self._seen = max([self._seen, *fresh])
        came = [parsed(found[uid][b"BODY[]"]) for uid in fresh]
        return sorted(came, key=_place)

    def _fresh(self) -> list[int]:
        """Return the UIDs of the letters that came, once all are there that were sent."""
        fresh: list[int] = []
        last_moment = time.monotonic() + 60
        # Else a letter that Postfix brings a moment later would lie there unread.
        while self._count + len(fresh) < self._brought[self.address]:
            if time.monotonic() > last_moment:
                raise TimeoutError(f"letters to {self.address} were sent and did not come")
            self._client.noop()
            uids = self._client.search(["UID", f"{self._seen + 1}:*"])
            fresh = [uid for uid in uids if uid > self._seen]
        self._count += len(fresh)
        return fresh


@contextmanager
def open_world(folder: Path, names: Sequence[str], seed: int) -> Iterator[World]:
    """Start the servers and found the league, whose secrets follow from a seed."""
    with ExitStack() as stack:
        yield World(folder, names, seed, stack)
