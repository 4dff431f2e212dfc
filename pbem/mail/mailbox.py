"""Where letters come from: the protocol of every mailbox, and IMAP."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import Protocol

from pbem.mail.connections import (
    WRONG_LOGIN,
    Bell,
    Tls,
    TokenFault,
    TokenSource,
    fault,
    tls_context,
)
from pbem.mail.fetch_batches import Size, by_count, in_batches
from pbem.mail.imap import ImapFault, ImapLost, Link, said

HEADER_BYTES = 100 * 1024
MAX_BYTES = 1024 * 1024
IDLE_SECONDS = 45.0
_PASSING = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")


@dataclass(frozen=True, slots=True)
class Cursor:
    """What has been read of a folder: all letters up to `uid`."""

    uidvalidity: int
    uid: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """A letter as the server keeps it, with CRLF; only its header where it is `truncated`."""

    uidvalidity: int
    uid: int
    received: datetime
    size: int
    raw: bytes
    truncated: bool = False


class Batch(list[Arrival]):
    """Letters that came; no letter of a later batch was received before `until` (UTC)."""

    until: datetime | None

    def __init__(self, letters: Iterable[Arrival], until: datetime | None) -> None:
        super().__init__(letters)
        self.until = until


class MailboxDown(Exception):
    """A mailbox cannot be used; its text is a sentence for a person.

    `retry`: it may work again after some time. `refused`: the login was refused, so wait long.
    """

    def __init__(self, sentence: str, *, retry: bool = True, refused: bool = False) -> None:
        super().__init__(sentence)
        self.retry = retry
        self.refused = refused


class Mailbox(Protocol):
    """A source of letters; every method but `wake` and `close` may raise MailboxDown.

    After MailboxDown the connection is closed: `connect` again.
    """

    account: str
    folder: str

    def connect(self) -> None:
        """Open the folder, for the first time or again."""

    def arrivals(self, after: Cursor | None) -> Iterator[Batch]:
        """Yield what came after the cursor (or all, if it is invalid) in batches, oldest first."""

    def uids(self) -> tuple[int, set[int]]:
        """Return the UIDVALIDITY and every UID in the folder."""

    def file(self, uidvalidity: int, uids: Sequence[int]) -> None:
        """Move letters to the done folder; skip those that are gone or cannot be moved."""

    def wait(self, seconds: float) -> bool:
        """Return whether something may have come, after at most `seconds`, perhaps sooner.

        False is only a hint: call `arrivals` once a minute in any case.
        """

    def wake(self) -> None:
        """End the present wait, or else the next; safe from threads and signal handlers."""

    def close(self) -> None:
        """Close the connection; `connect` may open it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapAccount:
    """Where an IMAP mailbox is; times in seconds, sizes in bytes."""

    host: str
    port: int
    tls: Tls
    user: str
    password: str = field(default="", repr=False)
    tokens: TokenSource | None = None
    folder: str = "INBOX"
    done_folder: str = "Processed"
    ca_file: str | None = None
    timeout: float = 30
    poll_seconds: float = 15
    max_bytes: int = MAX_BYTES


class ImapMailbox:
    """A folder on an IMAP server (RFC 3501, IDLE, MOVE, UIDPLUS). It neither reads nor sets \\Seen.

    Without MOVE letters are copied and expunged by UID; without UIDPLUS as well they stay where
    they are, since a plain EXPUNGE would remove what others have marked.
    """

    def __init__(self, account: ImapAccount) -> None:
        self.account = f"{account.user}@{account.host}"
        self.folder = account.folder
        self._at = account
        self._bell = Bell()
        self._client: Link | None = None
        self._uidvalidity = 0
        self._done = account.done_folder

    def connect(self) -> None:
        """Log in, open the folder, and make the done folder if there is none."""
        self.close()
        with self._faults():
            self._dial()
            self._log_in()
            self._select()
            self._done = self._make_done()

    def arrivals(self, after: Cursor | None) -> Iterator[Batch]:
        """Yield batches of at most 100 letters and about 8 MiB, by rising UID."""
        # Under another UIDVALIDITY all UIDs are new (RFC 3501, 2.3.1.1), so all is read again.
        usable = after is not None and after.uidvalidity == self._uidvalidity
        with self._faults():
            # Sizes first: without them a batch might not fit into memory.
            uids = self._link.newer(after.uid if after and usable else 0)
            sizes = {u: size for group in by_count(uids) for u, size in self._sizes(group)}
        for portion, until in in_batches(sizes, self._at.max_bytes):
            with self._faults():
                self._link.ask()  # without this, the UID of a removed letter may mean another one
                batch = self._fetch(portion, sizes)
            if batch:
                yield Batch(batch, until)

    def uids(self) -> tuple[int, set[int]]:
        """Return the UIDVALIDITY and every UID in the folder."""
        with self._faults():
            self._link.ask()
            return self._uidvalidity, set(self._link.search())

    def file(self, uidvalidity: int, uids: Sequence[int]) -> None:
        """Move letters to the done folder in batches; UIDs of another UIDVALIDITY mean nothing."""
        if uidvalidity != self._uidvalidity:
            return
        with self._faults():
            for batch in by_count(sorted(uids)):
                self._link.put_away(batch, self._done)

    def wait(self, seconds: float) -> bool:
        """IDLE for at most 45 s, or NOOP every `poll_seconds` where there is no IDLE."""
        with self._faults():
            if self._link.news:
                return True
            if self._link.has_capability("IDLE"):
                return self._link.listen(self._bell, min(seconds, IDLE_SECONDS))
            return self._poll(seconds)

    def wake(self) -> None:
        """End the present wait, or else the next."""
        self._bell.ring()

    def close(self) -> None:
        """Log out, without waiting long for an answer."""
        if self._client:
            with suppress(OSError, ImapFault, ValueError):
                self._client.socket().settimeout(2)
                self._client.logout()
        self._drop()

    @property
    def _link(self) -> Link:
        if self._client is None:
            raise MailboxDown(f"The mailbox {self.account} is not connected.")
        return self._client

    def _drop(self) -> None:
        if self._client:
            with suppress(OSError):
                self._client.shutdown()
        self._client = None

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except MailboxDown:
            self._drop()
            raise
        except (OSError, ImapFault, ValueError) as error:
            sentence, retry = self._explain(error)
            self._drop()
            raise MailboxDown(sentence, retry=retry) from error

    def _explain(self, error: Exception) -> tuple[str, bool]:
        farewell = self._client.farewell if self._client else ""
        if farewell:
            return f"{self._at.host}:{self._at.port} closed the link: {farewell}.", True
        if str(error).startswith("unexpected response: "):
            says = str(error).removeprefix("unexpected response: ").removeprefix("b")[:60]
            where = f"{self._at.host}:{self._at.port}"
            return f"{where} speaks no IMAP, but says {says}: is the port right?", True
        return fault(error, self._at.host, self._at.port)

    def _refuse(self, what: str, error: object, *, login: bool = False) -> MailboxDown:
        reason = said(error).replace(self._at.password or "\0", "***")
        passing = isinstance(error, ImapLost) or any(code in reason for code in _PASSING)
        where = f"{self._at.host}:{self._at.port}"
        return MailboxDown(
            f"{where} {what}: {reason}.", retry=passing, refused=login and not passing
        )

    def _dial(self) -> None:
        at = self._at
        context = None if at.tls == "none" else tls_context(at.ca_file)
        self._client = Link(at.host, at.port, context if at.tls == "tls" else None, at.timeout)
        if at.tls == "starttls":
            if not self._link.offers("STARTTLS"):
                raise self._refuse("does not offer STARTTLS", 'try tls = "tls" and its port')
            self._link.starttls(context)

    def _log_in(self) -> None:
        if self._link.offers("LOGINDISABLED"):
            raise self._refuse("takes no login without TLS", 'set tls = "starttls" or "tls"')
        # imaplib's LOGIN takes ASCII alone; PLAIN takes UTF-8 (RFC 4616).
        plain = (self._at.user + self._at.password).isascii()
        log_in = self._link.login if plain else self._link.plain_login
        try:
            if self._at.tokens is None:
                log_in(self._at.user, self._at.password)
            else:
                self._link.token_login(self._at.user, self._at.tokens.get())
        except TokenFault as error:
            raise MailboxDown(str(error), refused=error.refused) from None
        except ImapLost:
            raise
        except ImapFault as error:
            if self._at.tokens is not None:
                self._at.tokens.forget()
            down = self._refuse(f"refused the login of {self._at.user}", error, login=True)
            if down.refused and self._at.tokens is None:
                down = MailboxDown(f"{down} {WRONG_LOGIN}", retry=False, refused=True)
            raise down from None

    def _select(self) -> None:
        try:
            self._uidvalidity = int(self._link.select_folder(self.folder)[b"UIDVALIDITY"])
        except ImapFault as error:
            raise self._refuse(
                f"cannot open the folder {self.folder} ([imap] folder)", error
            ) from error
        except KeyError as error:
            raise self._refuse(f"gives no lasting numbers to {self.folder}", error) from error

    def _make_done(self) -> str:
        name = self._link.full_name(self._at.done_folder)
        try:
            if not self._link.folder_exists(name):
                self._link.create_folder(name)
                self._link.subscribe_folder(name)
        except ImapFault as error:
            raise self._refuse(f"cannot make the folder {name}", error) from error
        return name

    def _sizes(self, uids: Sequence[int]) -> Iterable[tuple[int, Size]]:
        return self._link.sizes(uids).items()

    def _fetch(self, uids: list[int], sizes: dict[int, Size]) -> list[Arrival]:
        # Of letters that are too large only the header is fetched, enough to answer them.
        large = [uid for uid in uids if sizes[uid].octets > self._at.max_bytes]
        whole = self._link.texts([uid for uid in uids if uid not in large], "BODY.PEEK[]")
        heads = self._link.texts(large, f"BODY.PEEK[HEADER]<0.{HEADER_BYTES}>")
        found = whole | heads
        return [
            Arrival(
                self._uidvalidity,
                uid,
                sizes[uid].received,
                sizes[uid].octets,
                found[uid],
                uid in heads,
            )
            for uid in sorted(found)
        ]

    def _poll(self, seconds: float) -> bool:
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            rung, _ = self._bell.wait(min(left, self._at.poll_seconds))
            self._link.ask()
            if rung or self._link.news:
                break
        return self._link.news
