"""A league in one folder whose clock the test moves; letters come by Maildir."""

import functools
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

from engine.names import fold
from engine.registry import RULESETS
from pbem.channels.mail.maildir import MaildirMailbox, make_maildir
from pbem.channels.mail.sender_authentication import AuthenticationSettings
from pbem.channels.mail.transport import Transport
from pbem.games.referee import Entrant
from pbem.handlers.moderator.ruling_table import rule
from pbem.people import personas
from pbem.rendering import Renderer
from pbem.service import inbox, round_tasks
from pbem.service.rounds import Done
from pbem.service.service import Service
from pbem.settings import Settings
from pbem.settings.sections import LeagueSettings, LimitSettings, NewsletterSettings, StoreSettings
from pbem.storage import Game, Letter, Player, Step
from tests.support.players import HAWK, KESTREL, REFEREE, address_of, letter, parsed, reply, words
from tests.support.prepared_databases import Copies, People, opened

START = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)

_warm: dict[tuple[str, ...], Renderer] = {}  # templates are read once for all harnesses


def fixed_entropy(count: int) -> bytes:
    """Return the same secret each time."""
    return hashlib.sha256(b"secret 13").digest()[:count]


def settings_for(
    folder: Path,
    limits: dict[str, int] | None = None,
    newsletter: dict[str, Any] | None = None,
    authentication: dict[str, Any] | None = None,
    url: str = "",
    **league: Any,
) -> Settings:
    """Return the settings of a league in a folder, or with a database elsewhere."""
    # Scripted battles order each move themselves; tests of forced moves switch these on.
    league = {"outage_hours": 1e6, "forced_moves": False} | league
    return Settings(
        league=LeagueSettings(name="Avalon League", address=REFEREE, **league),
        store=StoreSettings(url=url or f"sqlite:///{folder / 'league.db'}"),
        limits=LimitSettings(**(limits or {})),
        newsletter=NewsletterSettings(**(newsletter or {})),
        authentication=AuthenticationSettings(**(authentication or {})),
        home=folder,
    )


def drop(maildir: Path, name: str, raw: bytes, at: datetime) -> None:
    """Put a letter into a Maildir, with its time of receipt."""
    draft = maildir / "tmp" / name
    draft.write_bytes(raw)
    os.utime(draft, (at.timestamp(), at.timestamp()))
    draft.rename(maildir / "new" / name)


class Pigeonholes:
    """A transport that keeps what it is handed."""

    def __init__(self) -> None:
        self.letters: list[tuple[str, bytes]] = []

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Keep a letter."""
        self.letters.append((recipient, raw))

    def close(self) -> None:
        """Nothing is held open."""


class League:
    """The service at work on its own clock, which only the test moves."""

    def __init__(
        self,
        folder: Path,
        entropy: Callable[[int], bytes] | None = None,
        limits: dict[str, int] | None = None,
        newsletter: dict[str, Any] | None = None,
        authentication: dict[str, Any] | None = None,
        url: str = "",
        seed: int = 13,
        **league: Any,
    ) -> None:
        self.now = START
        self.folder, self.maildir = folder, folder / "in"
        make_maildir(self.maildir)
        self.settings = settings_for(folder, limits, newsletter, authentication, url, **league)
        # Dice depend on it: a test that passes today passes tomorrow.
        self.random = Random(seed)
        self.entropy = entropy or self.random.randbytes
        self.post = Pigeonholes()
        self.transport: Transport = self.post
        self._dropped = 0
        self.copies = Copies(self, f"random {seed}" if entropy is None else entropy.__name__)
        self.copies.begin()

    def open(self) -> None:
        """Open the database and the mailbox, and start the service."""
        self.store = opened(self.settings.store_url(), self.entropy)
        self.service = Service(self.settings, self.store)
        self.service.ports.outbox.renderer = _warm.setdefault(
            self.settings.league.systems, self.service.ports.outbox.renderer
        )
        self.mailbox = MaildirMailbox(self.maildir)
        self.mailbox.account = "maildir:in"  # the same in each folder that a league is copied to
        self.mailbox.connect()

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    def person(self, name: str) -> "Person":
        """Return a person with a mail program."""
        return Person(self, name)

    def drop(self, raw: bytes, at: datetime | None = None) -> None:
        """Receive a letter, now or at another time."""
        self._dropped += 1
        drop(self.maildir, f"{self._dropped:06}", raw, at or self.now)

    def later(self, hours: float) -> None:
        """Move the clock."""
        self.now += timedelta(hours=hours)

    def work(self) -> Done:
        """Read all that waits, answer it, play what is due, and send it all."""
        done = self.service.attend(self.mailbox, lambda: self.now)
        ports = self.service.ports
        round_tasks.do_all(ports, round_tasks.upkeep(ports, lambda: self.now), self.now)
        self.send()
        inbox.move_handled(self.store, self.mailbox)
        return done

    def send(self) -> int:
        """Send all that is due, and return how many letters."""
        return self.service.delivery.flush(self.transport, lambda: self.now)

    @property
    def game(self) -> Game:
        """Return the game that was begun last."""
        return self.store.all(Game.select().order_by(Game.id))[-1]

    def orders(self) -> list[tuple[str, str]]:
        """Return the steps so far, as text of orders and source."""
        return [
            (step.orders, step.source)
            for step in self.store.all(
                Step.select().where(Step.game == self.game.id).order_by(Step.id)
            )
        ]

    def rule(self, text: str) -> str:
        """Make a ruling as the program does."""
        with self.store.transaction():
            return rule(self.service.ports, text, self.now)

    def last_letter(self) -> Letter:
        """Return the letter that was kept last, with its result."""
        return self.store.all(Letter.select().order_by(Letter.id))[-1]


@dataclass
class Person:
    """A person who writes to the service and reads its answers."""

    league: League
    name: str
    sent: list[EmailMessage] = field(default_factory=list)
    read: int = 0

    @property
    def address(self) -> str:
        """Return the person's address."""
        return address_of(self.name)

    @property
    def letters(self) -> list[EmailMessage]:
        """Return all letters that came."""
        return [parsed(raw) for to, raw in self.league.post.letters if to == self.address]

    @property
    def last(self) -> EmailMessage:
        """Return the letter that came last."""
        return self.letters[-1]

    def last_about(self, words: str) -> EmailMessage:
        """Return the last letter with these words in its subject."""
        return next(each for each in reversed(self.letters) if words in each["Subject"])

    @property
    def key(self) -> str:
        """Return the key that the person was sent in the welcome."""
        return words(self.last_about("Welcome")).partition("Your key is ")[2][:11]

    def send(self, written: EmailMessage, at: datetime | None = None) -> EmailMessage:
        """Send a letter."""
        self.sent.append(written)
        self.league.drop(written.as_bytes(), at)
        return written

    def write(self, text: str, to: str = REFEREE, subject: str = "Hello") -> EmailMessage:
        """Send a new letter."""
        return self.send(letter(self.name, text, len(self.sent) + 1, to, subject))

    def reply(
        self, text: str, to: EmailMessage | None = None, at: datetime | None = None
    ) -> EmailMessage:
        """Reply to a letter, or to the one that came last."""
        return self.send(reply(self.name, to or self.last, text, len(self.sent) + 1), at)

    def new(self) -> list[EmailMessage]:
        """Run a round of the service, and return the letters that were not read."""
        self.league.work()
        found = self.letters[self.read :]
        self.read += len(found)
        return found

    def ask(self, text: str, to: EmailMessage | None = None) -> EmailMessage:
        """Reply, and return the one letter that answers."""
        self.new()
        self.reply(text, to)
        [answer] = self.new()
        return answer

    def join(self) -> None:
        """Join and confirm."""
        self.write(f"JOIN {self.name} Example")
        self.new()
        self.ask("Yes, that was me.")


def prepared(build: Callable[..., People]) -> Callable[..., People]:
    """Let a preparation be done once, and copied to each later league that is like it."""

    @functools.wraps(build)
    def copied(league: League, *more: str) -> People:
        return league.copies.prepare((build.__name__, *more), lambda: build(league, *more))

    return copied


@prepared
def duel(league: League) -> tuple[Person, Person]:
    """Bring two people to the first report of their duel."""
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, pilot in ((ann, HAWK), (bob, KESTREL)):
        person.join()
        person.ask(pilot)
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me")
    bob.new()
    bob.ask("ACCEPT 1")
    ann.new()
    return ann, bob


def play_on(league: League, *people: Person, watching: Person | None = None) -> list[EmailMessage]:
    """Let people write READY until their battle is over; return what a spectator got."""
    seen: list[EmailMessage] = []
    while league.game.running:
        for person in people:
            person.reply("READY", person.last_about(f"[G{league.game.id}-"))
        league.work()
        seen += watching.new() if watching else []
    return seen


@prepared
def skies(league: League, *squadrons: str) -> tuple[Person, Person]:
    """Bring two people to the first report of a battle of Black Skies, the first to move first."""
    people = ann, bob = league.person("Ann"), league.person("Bob")
    for person in people:
        person.join()
    campaign = RULESETS["blackskies"].campaign
    assert campaign is not None
    entrants = []
    with league.store.transaction():
        for player, muster in zip(
            league.store.all(Player.select().order_by(Player.id)), squadrons, strict=True
        ):
            piece = campaign.enlist(muster)
            row = personas.add(
                league.store,
                player=player.id,
                system="blackskies",
                name=piece.name,
                folded=fold(piece.name),
                side=piece.side,
                record=json.dumps(piece.record),
                joined=league.now,
            )
            entrants.append(Entrant(row, piece))
        one, other = (entrant.piece for entrant in entrants)
        setup = campaign.melee((one,), (other,), one.name)
        league.service.ports.referee.begin("blackskies", setup, entrants, league.now)
    league.work()
    for person in people:
        person.new()
    return ann, bob


@contextmanager
def open_league(folder: Path, **options: Any) -> Iterator[League]:
    """Keep a harness open for a test."""
    league = League(folder, **options)
    try:
        yield league
    finally:
        league.close()
