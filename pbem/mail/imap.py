"""IMAPClient made safe for connections that idle for months; the only module that imports it."""

import logging
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from imapclient import DELETED, IMAPClient
from imapclient.exceptions import IMAPClientAbortError as ImapLost
from imapclient.exceptions import IMAPClientError as ImapFault

from pbem.mail.connections import Bell, no_delay
from pbem.mail.fetch_batches import Size

__all__ = ["ImapFault", "ImapLost", "Link", "said"]

_log = logging.getLogger(__name__)


class Link(IMAPClient):  # type: ignore[misc]
    """One connection; raises OSError, ImapFault or ValueError, and ImapLost when it is closed.

    The library's `idle` fails on a line before the continuation, its `idle_check` on a split line,
    and it spins on a closed connection: `listen` replaces both.
    """

    def __init__(
        self, host: str, port: int, context: ssl.SSLContext | None, timeout: float
    ) -> None:
        super().__init__(host, port, ssl=bool(context), ssl_context=context, timeout=timeout)
        # imaplib's debug output would show the password.
        self._imap.debug = 0
        self._count: int | None = None
        # The library would make naive local times of INTERNALDATE.
        self.normalise_times = False
        no_delay(self.socket())

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

    def sizes(self, uids: Sequence[int]) -> dict[int, Size]:
        """Return the sizes of those letters that are still there."""
        answers = self._ask_for(uids, ["RFC822.SIZE", "INTERNALDATE"])
        return {
            uid: Size(answer[b"RFC822.SIZE"], _utc(answer.get(b"INTERNALDATE")))
            for uid, answer in answers.items()
            if b"RFC822.SIZE" in answer
        }

    def texts(self, uids: Sequence[int], section: str) -> dict[int, bytes]:
        """Return a BODY.PEEK section of those letters that are still there."""
        found = {
            uid: next((value for key, value in answer.items() if key.startswith(b"BODY[")), None)
            for uid, answer in self._ask_for(uids, [section]).items()
        }
        return {uid: text for uid, text in found.items() if text is not None}

    def _ask_for(self, uids: Sequence[int], items: list[str]) -> dict[int, dict[bytes, Any]]:
        """Return the answers to FETCH; if it fails, ask one by one and skip those that fail."""
        try:
            return dict(self.fetch(uids, items))
        except ImapLost:
            raise
        except ImapFault as error:
            if len(uids) > 1:
                return {k: v for uid in uids for k, v in self._ask_for([uid], items).items()}
            _log.warning("letter with UID %s cannot be fetched: %s", uids[0], error)
            return {}

    def full_name(self, folder: str) -> str:
        """Return a folder's name with the prefix that personal folders have here (RFC 2342)."""
        personal = self.namespace().personal if self.has_capability("NAMESPACE") else None
        prefix = str(personal[0][0]) if personal else ""
        return folder if folder.startswith(prefix) else prefix + folder

    def put_away(self, uids: Sequence[int], folder: str) -> None:
        """Move letters; leave them where the server can't move them."""
        try:
            try:
                self._shift(uids, folder)
            except ImapFault as error:
                # Somebody has removed the folder while we were connected (RFC 3501, 6.4.7).
                if "TRYCREATE" not in str(error):
                    raise
                self.create_folder(folder)
                self._shift(uids, folder)
        except ImapLost:
            raise
        except ImapFault as error:
            _log.warning("%d letters cannot be moved to %s: %s", len(uids), folder, error)

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
                raise ImapFault(f"IDLE is offered and refused: {self._imap.tagged_commands[tag]}")
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


def _utc(internal_date: datetime | None) -> datetime:
    """Return the date in UTC; a server without a readable date has just shown the letter: now."""
    return internal_date.astimezone(UTC) if internal_date else datetime.now(UTC)


def said(error: object) -> str:
    """Return the server's words in an error, which the library passes on in several wrappings."""
    return str(error).removeprefix("b'").removesuffix("'").rstrip(". ")
