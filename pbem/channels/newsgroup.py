"""A newsgroup (RFC 3977): posts as articles, each at most once."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO

from pbem.channels.channel import (
    LOOPBACK,
    Channel,
    ChannelDown,
    ChannelFault,
    ChannelSettings,
    Home,
    Post,
    PostDeferred,
)
from pbem.channels.mail.connections import Tls, fault, no_delay, tls_context
from pbem.mime_writer import Envelope, article
from pbem.text.markup import PostFormat

TIMEOUT = 30.0
_GROUP = re.compile(r"[a-z0-9][a-z0-9+_-]*(?:\.[a-z0-9+_-]+)+")
_LONGEST = 4096
"""More than any status line, which has 512 octets at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NntpSettings(ChannelSettings):
    """The news server and its group."""

    editable = False

    host: str
    group: str
    port: int = 563
    tls: Tls = "tls"
    user: str = ""
    password_file: str = ""
    ca_file: str = ""

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts: plain text."""
        return PostFormat()

    def wrong(self) -> str | None:
        """Return what is wrong with server or group, or None."""
        if not _GROUP.fullmatch(self.group):
            return f"group is {self.group!r}; it must be a newsgroup, such as rec.games.pbm"
        if not 1 <= self.port <= 65535:
            return f"port must be from 1 to 65535, not {self.port}"
        if self.user and not self.password_file:
            return "password_file is missing, which user needs"
        # Without TLS the password could be read on the way.
        if self.tls == "none" and self.host not in LOOPBACK:
            return f'tls = "none" is for this machine only; use "tls" for {self.host}'
        return None

    def open(self, home: Home) -> Channel:
        """Return the channel, not yet connected."""
        return Newsgroup(
            self,
            home.sender,
            home.secret(self.password_file) if self.user else "",
            str(home.path(self.ca_file)) if self.ca_file else None,
        )


class Newsgroup:
    """Posts over one connection, opened when needed.

    Before each post it asks whether the server has it already.
    """

    def __init__(
        self, at: NntpSettings, sender: tuple[str, str], password: str, ca_file: str | None
    ) -> None:
        self._at, self._password, self._ca_file = at, password, ca_file
        self._league, self._address = sender
        self._socket: socket.socket | None = None
        self._lines: BinaryIO | None = None

    def publish(self, post: Post) -> str:
        """Post an article unless the server has it. Raises ChannelFault."""
        with self._faults():
            self._connect()
            if self._ask(f"STAT {post.message_id}")[0] != 223:
                self._post(post)
        return post.message_id

    def check(self) -> str:
        """Ask whether the group is there and may be posted to, and post nothing."""
        group = self._at.group
        with self._faults():
            self._connect()
            code, text = self._ask(f"GROUP {group}")
            if code != 211:
                raise ChannelDown(f"{self._where} has no {group}: {code} {text}.", refused=True)
            self._need(self._ask("POST"), 340)
        # Without its end, what was begun is no article (RFC 3977, 3.1.1).
        self._drop()
        return f"{self._where} has {group}, and lets us post"

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Close the connection after a fault, and turn those of the network into ChannelDown."""
        try:
            yield
        except ChannelFault:
            # Nobody knows what of an answer is still to come on this connection.
            self.close()
            raise
        except (OSError, EOFError) as error:
            self.close()
            raise ChannelDown(self._explain(error)) from error

    def close(self) -> None:
        """Send QUIT, without waiting for an answer, and close the connection."""
        if self._socket:
            with suppress(OSError):
                self._socket.sendall(b"QUIT\r\n")
        self._drop()

    def _drop(self) -> None:
        link, self._socket, self._lines = self._socket, None, None
        if link:
            link.close()

    def _connect(self) -> None:
        if self._socket and self._is_alive():
            return
        at = self._at
        self._take(socket.create_connection((at.host, at.port), timeout=TIMEOUT), at.tls == "tls")
        # 201: posting is prohibited, but a login may change that (RFC 3977, 5.1).
        self._need(self._answer(), 200, 201)
        if at.tls == "starttls":
            self._need(self._ask("STARTTLS"), 382)
            assert self._socket
            self._take(self._socket, True)
        # INN starts as a transit server, which knows no POST; others ignore it.
        self._ask("MODE READER")
        if at.user:
            self._log_in()

    def _is_alive(self) -> bool:
        """Return whether the kept connection still answers; if not, close it."""
        try:
            # It changes nothing, and every server for readers knows it (RFC 3977, 7.1).
            return self._ask("DATE")[0] == 111
        except (OSError, EOFError):
            self.close()
            return False

    def _take(self, link: socket.socket, secure: bool) -> None:
        """Use a connection from now on, over TLS if `secure`."""
        self._socket = link
        no_delay(link)
        if secure:
            context = tls_context(self._ca_file)
            self._socket = context.wrap_socket(link, server_hostname=self._at.host)
        # A new buffer: what came before TLS must not be taken for an answer (RFC 4642).
        self._lines = self._socket.makefile("rb")

    def _log_in(self) -> None:
        code, text = self._ask(f"AUTHINFO USER {self._at.user}")
        if code == 381:
            code, text = self._ask(f"AUTHINFO PASS {self._password}")
        if code != 281:
            sentence = f"{self._where} refused the login of {self._at.user}: {code} {text}."
            raise ChannelDown(sentence, refused=True)

    def _post(self, post: Post) -> None:
        self._need(self._ask("POST"), 340)
        lines = self._article(post).split(b"\r\n")
        # A line that is a dot ends the article, so a first dot is doubled (RFC 3977, 3.1.1).
        stuffed = b"\r\n".join(b"." + line if line.startswith(b".") else line for line in lines)
        self._send(stuffed.removesuffix(b"\r\n") + b"\r\n.\r\n")
        code, text = self._answer()
        # A server may refuse an article because it has it already.
        if code == 240 or self._ask(f"STAT {post.message_id}")[0] == 223:
            return
        sentence = f"{self._where} did not take the article: {code} {text}."
        # 441 is said of a bad article, and also of a group that is not there, or of a quota.
        raise PostDeferred(sentence) if code == 441 else ChannelDown(sentence)

    def _article(self, post: Post) -> bytes:
        envelope = Envelope(
            league=self._league,
            address=self._address,
            date=post.date,
            message_id=post.message_id,
            thread=[post.root],
            automatic="auto-generated",
        )
        title = ("Re: " if post.root else "") + post.title
        return article(envelope, title, post.body, newsgroups=self._at.group)

    def _ask(self, command: str) -> tuple[int, str]:
        # A line end in a user name or password would begin another command.
        if not command.isprintable():
            raise ChannelDown(f"{self._where}: user or password holds what can't be sent.")
        self._send(command.encode() + b"\r\n")
        return self._answer()

    def _send(self, data: bytes) -> None:
        assert self._socket
        self._socket.sendall(data)

    def _answer(self) -> tuple[int, str]:
        assert self._lines
        line = self._lines.readline(_LONGEST).decode("utf-8", "replace")
        if not line[:3].isdigit():
            raise EOFError(f"it said {line.strip()!r}" if line else "it was closed")
        return int(line[:3]), " ".join(line[3:].split())

    def _need(self, answer: tuple[int, str], *codes: int) -> None:
        code, text = answer
        if code not in codes:
            # 201, 440 and 502: nobody may post from here. 480 to 483: a login or TLS is missing.
            refused = code in (201, 440, 480, 481, 482, 483, 502)
            raise ChannelDown(
                f"{self._where} does not let us post: {code} {text}.", refused=refused
            )

    @property
    def _where(self) -> str:
        return f"{self._at.host}:{self._at.port}"

    def _explain(self, error: Exception) -> str:
        return fault(error, self._at.host, self._at.port)[0]
