"""People who have only a mail program: it reads an inbox, and writes letters and replies."""

import email
import email.policy
import functools
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from smtplib import SMTP

from imapclient import IMAPClient

from tests.servers.host import MailHost

REFEREE = "referee@league.example"

HAWK = "ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B"
KESTREL = "ENLIST Kestrel FOR alliance WEAPONS 14 PILOTING 10 SENSORS 12 SHIP Rus 133-B"
PATIENT = "STANDING\nELSE: SCAN\nEND"
STANDING = """STANDING
IF BEAMS <= 0: SURRENDER
IF UNDETECTED: SCAN
IF LOCKED: FIRE
IF TURN >= 1: TARGET
ELSE: SURRENDER
END
"""
"""Rules under which a duel always ends, and soon."""


def address_of(name: str) -> str:
    """Return the address under which the test servers know a person."""
    return f"{name.lower()}@league.example"


def letter(
    name: str, text: str, number: int, to: str = REFEREE, subject: str = "Hello"
) -> EmailMessage:
    """Write a person's letter of that number as a mail program does."""
    written = EmailMessage(policy=email.policy.SMTP)
    written["From"] = f"{name} Example <{address_of(name)}>"
    written["To"] = to
    written["Subject"] = subject
    written["Date"] = "Mon, 02 Nov 2026 12:00:00 +0000"
    written["Message-ID"] = f"<{number}.{name.lower()}@home.example>"
    written.set_content(text)
    return written


def reply(name: str, to: EmailMessage, text: str, number: int) -> EmailMessage:
    """Reply to a letter: to its Reply-To, under its subject, with all of it quoted below."""
    subject = to["Subject"] if to["Subject"].lower().startswith("re:") else f"Re: {to['Subject']}"
    quoted = "".join(f"> {line}\n" for line in plain(to).splitlines())
    attribution = f"On {to['Date']}, {to['From']} wrote:"
    body = f"{text}\n\n{attribution}\n{quoted}"
    written = letter(name, body, number, to["Reply-To"] or to["From"], subject)
    written["In-Reply-To"] = to["Message-ID"]
    written["References"] = f"{to['References'] or ''} {to['Message-ID']}".strip()
    return written


@functools.lru_cache(1000)  # a test asks for the same letters many times, and changes none
def parsed(raw: bytes) -> EmailMessage:
    """Read a letter's bytes."""
    return email.message_from_bytes(raw, policy=email.policy.default)  # type: ignore[return-value]


@functools.lru_cache(1000)
def plain(received: EmailMessage) -> str:
    """Return a letter's plain text."""
    body = received.get_body(("plain",))
    return body.get_content() if body else ""


def words(received: EmailMessage) -> str:
    """Return a letter's plain text as one line, however it was wrapped."""
    return " ".join(plain(received).split())


def turn_of(received: EmailMessage) -> str:
    """Return the game and turn that a letter's subject names, such as G1-T2."""
    match = re.match(r"\[(G\d+-T\d+) ", received["Subject"])
    return match[1] if match else ""


def is_last_report(received: EmailMessage) -> bool:
    """Return whether a letter is a battle's last report, which reveals the secret."""
    return "the secret" in words(received).lower() and bool(
        re.search(r"is over\b", received["Subject"])
    )


@dataclass
class MailProgram:
    """One person's mail program, with the inbox open."""

    name: str
    inbox: IMAPClient
    smtp: SMTP
    seen: int = 0
    letters: list[EmailMessage] = field(default_factory=list)
    sent: list[EmailMessage] = field(default_factory=list)

    @property
    def last(self) -> EmailMessage:
        """Return the letter that came last."""
        return self.letters[-1]

    @property
    def _number(self) -> int:
        return len(self.sent) + 1

    def write(self, text: str, subject: str = "Hello") -> EmailMessage:
        """Send a new letter to the referee."""
        return self.send(letter(self.name, text, self._number, subject=subject))

    def reply(self, text: str, to: EmailMessage | None = None) -> EmailMessage:
        """Reply to a letter, or to the one that came last."""
        return self.send(reply(self.name, to or self.last, text, self._number))

    def send(self, written: EmailMessage) -> EmailMessage:
        """Send a letter."""
        self.smtp.send_message(written, address_of(self.name), [written["To"]])
        self.sent.append(written)
        return written

    def next(self, seconds: float = 20) -> EmailMessage:
        """Wait for the next letter."""
        last_moment = time.monotonic() + seconds
        while not (uids := self._unseen()):
            if time.monotonic() > last_moment:
                subjects = [each["Subject"] for each in self.letters]
                raise TimeoutError(f"no letter for {self.name}, who has {subjects}")
            self.inbox.idle()
            self.inbox.idle_check(timeout=0.05)
            self.inbox.idle_done()
        self.seen = uids[0]
        self.letters.append(
            parsed(self.inbox.fetch(self.seen, ["BODY.PEEK[]"])[self.seen][b"BODY[]"])
        )
        return self.last

    def ask(self, text: str, to: EmailMessage | None = None) -> EmailMessage:
        """Reply, and wait for what comes of it."""
        self.reply(text, to)
        return self.next()

    def unread(self) -> int:
        """Count the letters that have come and were not read."""
        return len(self._unseen())

    def _unseen(self) -> Sequence[int]:
        self.inbox.noop()
        return sorted(uid for uid in self.inbox.search() if uid > self.seen)


@contextmanager
def mail_program(host: MailHost, name: str) -> Iterator[MailProgram]:
    """Open a person's mail program."""
    address = address_of(name)
    with host.reader(address) as inbox, host.writer(address) as smtp:
        inbox.select_folder("INBOX", readonly=True)
        yield MailProgram(name, inbox, smtp)


def join_the_league(person: MailProgram) -> None:
    """Join and confirm; the last letter is then the welcome."""
    person.write(f"JOIN {person.name} Example")
    person.next()
    person.ask("Yes, that was me.")


def attached(received: EmailMessage) -> dict[str, bytes]:
    """Return the files that came with a letter."""
    return {
        str(part.get_filename()): bytes(part.get_payload(decode=True))  # type: ignore[arg-type]
        for part in received.iter_attachments()
    }


def steps_told(texts: Iterable[str]) -> list[int]:
    """Return the steps in reports, in order in each, each as often as it is reported."""
    found = []
    for text in texts:
        runs = re.findall(r"Steps? ((?:\d+(?:, | and )?)+)(?= \(|\.)", " ".join(text.split()))
        found += sorted(int(n) for run in runs for n in re.findall(r"\d+", run))
    return found
