"""IMAPClient made safe for connections that idle for months; the only module that imports it."""

import hashlib
import logging
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic
from typing import Any, TypeVar

from imapclient import DELETED, IMAPClient
from imapclient.exceptions import IMAPClientAbortError as ImapLost
from imapclient.exceptions import IMAPClientError as ImapFault
from imapclient.imap4 import IMAP4WithTimeout
from imapclient.tls import IMAP4_TLS

from pbem.channels.mail.connections import Bell, no_delay
from pbem.channels.mail.fetch_batches import Listed, message_id_of

__all__ = ["IdleRefused", "ImapFault", "ImapLost", "Link", "NotImap", "said"]

_log = logging.getLogger(__name__)
T = TypeVar("T")

ANSWER = 32 * 1024 * 1024
LITERAL = 64 * 1024
"""The most octets of the answer to one command, and of one literal in it, unless more is asked."""
_LISTED = ["RFC822.SIZE", "INTERNALDATE"]
_NAMED = "BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]"
_IDENTITY = {"name": "pbem"}
# What the library raises at answers that are none.
_UNREADABLE = (ImapFault, ValueError, TypeError, LookupError, AttributeError, RecursionError)


class IdleRefused(ImapFault):
    """The server offers IDLE and refuses it; the connection is as it was."""


class NotImap(ImapLost):
    """What listens greets in another way than IMAP does; its words are the error's."""


class _Bounded:
    """Reads what a server sends, and no more than was asked for: the rest would fill the memory."""

    most = LITERAL
    left = ANSWER
    _greeted = False

    def _new_tag(self) -> bytes:
        self.left = ANSWER
        return super()._new_tag()  # type: ignore[misc, no-any-return]

    def read(self, size: int) -> bytes:
        """Read a literal. Raise ImapLost where it is longer than what can be meant."""
        if size > self.most:
            raise ImapLost(f"a text of {size} octets, where at most {self.most} were asked for")
        return self._counted(super().read(size))  # type: ignore[misc]

    def readline(self) -> bytes:
        """Read a line."""
        line = self._counted(super().readline())  # type: ignore[misc]
        if line and not self._greeted and not line.startswith(b"* "):
            raise NotImap(line[:60].decode("ascii", "replace").strip())
        self._greeted = True
        return line

    def _counted(self, octets: bytes) -> bytes:
        self.left -= len(octets)
        if self.left < 0:
            raise ImapLost(f"an answer of more than {ANSWER} octets")
        return octets


class _Plain(_Bounded, IMAP4WithTimeout):
    """A connection without TLS at its start."""


class _Secure(_Bounded, IMAP4_TLS):
    """A connection over TLS."""


class Link(IMAPClient):
    """One connection; raises OSError, ImapFault or ValueError, and ImapLost when it is closed.

    The library's `idle` fails on a line before the continuation, its `idle_check` on a split line,
    and it spins on a closed connection: `listen` replaces both.
    """

    def __init__(
        self, host: str, port: int, context: ssl.SSLContext | None, timeout: float
    ) -> None:
        self._patience = timeout
        super().__init__(host, port, ssl=bool(context), ssl_context=context, timeout=timeout)
        # imaplib's debug output would show the password.
        self._imap.debug = 0
        self._count: int | None = None
        # The library would make naive local times of INTERNALDATE.
        self.normalise_times = False
        no_delay(self.socket())

    def _create_IMAP4(self) -> _Bounded:  # noqa: N802
        if self.ssl:
            return _Secure(self.host, self.port, self.ssl_context, self._patience)
        return _Plain(self.host, self.port, self._patience)

    @property
    def news(self) -> bool:
        """Whether the server has announced letters since `newer` last asked.

        Some servers repeat the count in every reply: the same count is news only after an EXPUNGE.
        """
        news = self._imap.untagged_responses
        return "EXISTS" in news and ("EXPUNGE" in news or int(news["EXISTS"][-1]) != self._count)

    @property
    def farewell(self) -> str:
        """What the server said when it closed the connection, or ""."""
        lines = self._imap.untagged_responses.get("BYE", [b""])
        return said(str(lines[-1], "utf-8", "replace"))

    def offers(self, capability: str) -> bool:
        """Return whether a capability was offered before the login.

        The library's own method would cache the answer, which a login may change.
        """
        return capability in self._imap.capabilities

    def token_login(self, user: str, token: str) -> None:
        """Log in by an access token: XOAUTH2, or OAUTHBEARER (RFC 7628) if only that is offered."""
        if self.offers("AUTH=XOAUTH2") or not self.offers("AUTH=OAUTHBEARER"):
            self.oauth2_login(user, token)
        else:
            self.oauthbearer_login(user, token)

    def introduce(self) -> None:
        """Say who we are where ID is offered (RFC 2971): some servers open no folder without it."""
        if self.offers("ID") or self.has_capability("ID"):
            words = " ".join(f'"{word}"' for pair in _IDENTITY.items() for word in pair)
            _unless_refused(lambda: self._imap._simple_command("ID", f"({words})"), None)

    def newer(self, uid: int) -> list[int]:
        """Return the UIDs above `uid`, rising; `n:*` always finds the last one, whatever it is."""
        self.ask()
        self._forget_news()
        found = self.search(["UID", f"{uid + 1}:*"])
        return sorted(each for each in found if each > uid)

    def _forget_news(self) -> None:
        news = self._imap.untagged_responses
        if "EXPUNGE" in news:
            self._count = None
        elif "EXISTS" in news:
            self._count = int(news["EXISTS"][-1])
        news.clear()

    def there(self, uids: Sequence[int]) -> set[int]:
        """Return which of some letters the server still lists."""
        spec = ",".join(map(str, uids))
        return set(self.search(["UID", spec])) & set(uids) if uids else set()

    def listed(self, uids: Sequence[int], uidvalidity: int) -> dict[int, Listed]:
        """Return what the server says of those letters that are still there."""
        answers = self._ask_for(uids, [*_LISTED, _NAMED])
        # Without the Message-ID rather than not at all.
        answers |= self._ask_for([uid for uid in uids if uid not in answers], _LISTED)
        return {
            uid: _listed(f"{uidvalidity} {uid}", answer)
            for uid, answer in answers.items()
            if isinstance(answer.get(b"RFC822.SIZE"), int)
        }

    def texts(self, uids: Sequence[int], section: str, most: int) -> dict[int, bytes]:
        """Return a BODY.PEEK section, of `most` octets or so, of those letters that have one."""
        # Servers that count line ends as one octet send up to twice as much.
        self._imap.most = max(LITERAL, 2 * most)
        try:
            answers = self._ask_for(uids, [section])
        finally:
            self._imap.most = LITERAL
        found = {uid: _text(answer) for uid, answer in answers.items()}
        return {uid: text for uid, text in found.items() if text}

    def goes_on(self, uid: int, octets: int) -> bool:
        """Return whether a letter has more text behind so many octets."""
        return bool(self.texts([uid], f"BODY.PEEK[]<{octets}.1>", octets))

    def _ask_for(self, uids: Sequence[int], items: list[str]) -> dict[int, dict[bytes, Any]]:
        """Return the answers to FETCH; if it fails, ask one by one and skip those that fail."""
        if not uids:
            return {}
        try:
            return dict(self.fetch(uids, items))
        except ImapLost:
            raise
        except _UNREADABLE as error:
            if len(uids) > 1:
                return {k: v for uid in uids for k, v in self._ask_for([uid], items).items()}
            _log.warning("letter with UID %s cannot be fetched: %s", uids[0], error)
            return {}

    def full_name(self, folder: str) -> str:
        """Return a folder's name with the prefix that personal folders have here (RFC 2342)."""
        known = _unless_refused(self.namespace, None) if self.has_capability("NAMESPACE") else None
        prefix = str(known.personal[0][0]) if known and known.personal else ""
        return folder if folder.startswith(prefix) else prefix + folder

    def exists(self, folder: str) -> bool:
        """Return whether there is a folder; where that can't be asked, a move will show it."""
        return _unless_refused(lambda: bool(self.folder_exists(folder)), True)

    def make(self, folder: str) -> None:
        """Make a folder, and subscribe to it, so that mail programs show it."""
        self.create_folder(folder)
        _unless_refused(lambda: self.subscribe_folder(folder), None)

    def put_away(self, uids: Sequence[int], folder: str) -> None:
        """Move letters; leave them where the server can't move them."""
        try:
            try:
                self._shift(uids, folder)
            except ImapFault as error:
                # Somebody has removed the folder while we were connected (RFC 3501, 6.4.7).
                if "TRYCREATE" not in str(error):
                    raise
                self.make(folder)
                self._shift(uids, folder)
        except ImapLost:
            raise
        except ImapFault as error:
            _log.warning("%d letters cannot be moved to %s: %s", len(uids), folder, error)

    @property
    def moves(self) -> bool:
        """Whether letters can be moved, in one way or another."""
        return bool(self.has_capability("MOVE") or self.has_capability("UIDPLUS"))

    def _shift(self, uids: Sequence[int], folder: str) -> None:
        if self.has_capability("MOVE"):
            self.move(uids, folder)
        # A plain EXPUNGE would also remove what others have marked (RFC 4315).
        elif self.has_capability("UIDPLUS"):
            self.copy(uids, folder)
            self.add_flags(uids, [DELETED], silent=True)
            self.uid_expunge(uids)

    def ask(self) -> None:
        """Make the server announce new letters (NOOP); a SEARCH alone may show an older view."""
        self._checkok("NOOP", *self._imap.noop())

    def listen(self, bell: Bell, seconds: float) -> bool:
        """IDLE (RFC 2177) until letters are announced, the bell rings, or the time is over."""
        tag = self._begin_idle()
        end = monotonic() + seconds
        while not self.news and (left := end - monotonic()) > 0:
            if self._has_bytes():
                # What came together with the answer to IDLE is in the buffer, unseen by poll.
                self._imap._get_response()
            elif self._ends(*bell.wait(left, self.socket().fileno())):
                break
        self._imap.send(b"DONE\r\n")
        self._checkok("IDLE", *self._imap._command_complete("IDLE", tag))
        return self.news

    def _ends(self, rung: bool, readable: bool) -> bool:
        """Return whether to end IDLE: rung, or readable without bytes.

        In the second case the connection is closed, or busy with TLS: the answer to DONE shows
        which.
        """
        return rung or (readable and not self._has_bytes())

    def _begin_idle(self) -> str:
        tag: str = self._imap._command("IDLE")
        while self._imap._get_response() is not None:
            if self._imap.tagged_commands[tag]:
                raise IdleRefused(f"IDLE is offered and refused: {self._imap.tagged_commands[tag]}")
        return tag

    def _has_bytes(self) -> bool:
        """Return whether bytes wait in the library's buffer, TLS or the kernel, without waiting."""
        sock = self.socket()
        # With a timeout, peek() would wait for bytes.
        sock.settimeout(0)
        try:
            return bool(self._imap.file.peek(1))
        except ssl.SSLWantReadError:
            return False
        finally:
            self._set_read_timeout()


def _unless_refused(do: Callable[[], T], otherwise: T) -> T:
    """Do what we can do without; where the server refuses it, return something else."""
    try:
        return do()
    except ImapLost:
        raise
    except _UNREADABLE as error:
        _log.info("the server refuses what we can do without: %s", error)
        return otherwise


def _listed(number: str, answer: dict[bytes, Any]) -> Listed:
    """Return what a letter's answer to FETCH says of it."""
    octets, date, received = answer[b"RFC822.SIZE"], answer.get(b"INTERNALDATE"), None
    with suppress(OverflowError):  # by a time zone, at either end of the calendar
        received = date.astimezone(UTC) if isinstance(date, datetime) else None
    message_id = message_id_of(_text(answer))
    # Message-IDs name people's machines, so that only a mark of it is kept.
    mark = hashlib.sha256(message_id.encode()).hexdigest()[:16] if message_id else "-"
    place = f"{number} {octets} {received.isoformat() if received else '-'} {mark}"
    # A server without a readable date has just shown the letter: now.
    return Listed(octets, received or datetime.now(UTC), place, bool(message_id), message_id)


def _text(answer: dict[bytes, Any]) -> bytes:
    """Return the section of the text in an answer to FETCH; b"" where there is none."""
    found = (value for key, value in answer.items() if key.startswith(b"BODY["))
    text = next(found, None)
    return text if isinstance(text, bytes) else b""


def said(error: object) -> str:
    """Return the server's words in an error, which the library passes on in several wrappings."""
    return str(error).removeprefix("b'").removesuffix("'").rstrip(". ")
