"""A mail host as a program sees it from outside, whatever servers it consists of."""

import smtplib
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from imapclient import IMAPClient

from tests.servers.daemon import Address

Tls = Literal["none", "starttls", "tls"]

USERS = {
    f"{name}@league.example": f"{name}-secret" for name in ("referee", "ann", "bob", "cat", "dan")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailHost:
    """Where mail is read and sent, by whom, and a way to put letters in directly."""

    name: str
    imap: Address
    smtp: Address
    tls: Tls
    ca_file: Path | None
    users: Mapping[str, str]
    back_door: Callable[[bytes, str, str], None]

    def deliver(self, raw: bytes, to: str, sender: str = "stranger@elsewhere.example") -> None:
        """Put a letter into a mailbox at once, without the outer SMTP server."""
        self.back_door(raw, to, sender)

    def inbox(self, user: str, folder: str = "INBOX") -> list[bytes]:
        """Return the letters of a folder, oldest first, and leave them unread."""
        with self.reader(user) as client:
            client.select_folder(folder, readonly=True)
            uids = client.search()
            letters = client.fetch(uids, ["BODY.PEEK[]"])
            return [letters[uid][b"BODY[]"] for uid in uids]

    def wait_for_letters(self, user: str, count: int, seconds: float = 20) -> list[bytes]:
        """Return the letters of an inbox as soon as there are this many."""
        last_moment = time.monotonic() + seconds
        with self.reader(user) as client:
            while client.select_folder("INBOX", readonly=True)[b"EXISTS"] < count:
                if time.monotonic() > last_moment:
                    raise TimeoutError(f"fewer than {count} letters for {user}")
                client.idle()
                client.idle_check(timeout=0.2)
                client.idle_done()
        return self.inbox(user)

    def clear(self) -> None:
        """Empty every mailbox and remove every folder but INBOX."""
        for user in self.users:
            with self.reader(user) as client:
                _clear(client)

    @contextmanager
    def reader(self, user: str) -> Iterator[IMAPClient]:
        """Open an IMAP session, logged in."""
        client = IMAPClient(*self.imap, ssl=self.tls == "tls", ssl_context=self.trust(), timeout=20)
        with client:
            if self.tls == "starttls":
                client.starttls(self.trust())
            client.login(user, self.users[user])
            yield client

    @contextmanager
    def writer(self, user: str) -> Iterator[smtplib.SMTP]:
        """Open an SMTP session, logged in."""
        with self._smtp() as client:
            if self.tls == "starttls":
                client.starttls(context=self.trust())
            client.login(user, self.users[user])
            yield client

    def trust(self) -> ssl.SSLContext | None:
        """Return a TLS context that trusts the certificates of this host."""
        return ssl.create_default_context(cafile=self.ca_file) if self.tls != "none" else None

    def at(self, tls: Tls, imap: Address, smtp: Address) -> "MailHost":
        """Return the same host, reached another way."""
        return replace(self, tls=tls, imap=imap, smtp=smtp)

    def _smtp(self) -> smtplib.SMTP:
        if self.tls == "tls":
            return smtplib.SMTP_SSL(*self.smtp, context=self.trust(), timeout=20)
        return smtplib.SMTP(*self.smtp, timeout=20)


def _clear(client: IMAPClient) -> None:
    for _, _, folder in client.list_folders():
        if folder != "INBOX":
            client.delete_folder(folder)
    client.select_folder("INBOX")
    client.delete_messages(client.search())
    client.expunge()
