"""A connection to a news server (RFC 3977), opened when needed."""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import BinaryIO

from pbem.channels.channel import ChannelDown, ChannelFault
from pbem.channels.mail.connections import Tls, fault, no_delay, tls_context

TIMEOUT = 30.0
_LONGEST = 4096
"""More than any status line, which has 512 octets at most."""
_PIECE = 1 << 16
"""How much of a line is read at once: those of an article may be of any length."""

Answer = tuple[int, str]
"""A status code, and the words behind it."""


class Connection:
    """Commands and answers over one connection to a server, with a login where there is one."""

    def __init__(
        self, at: tuple[str, int], tls: Tls, login: tuple[str, str] | None, ca_file: str | None
    ) -> None:
        self._at, self._tls, self._login, self._ca_file = at, tls, login, ca_file
        self._socket: socket.socket | None = None
        self._lines: BinaryIO | None = None

    @property
    def where(self) -> str:
        """Return the server's name and port."""
        return f"{self._at[0]}:{self._at[1]}"

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Close the connection after a fault, and turn those of the network into ChannelDown."""
        try:
            yield
        except ChannelFault:
            # Nobody knows what of an answer is still to come on this connection.
            self.close()
            raise
        except (OSError, EOFError) as error:
            self.close()
            raise ChannelDown(fault(error, *self._at)[0]) from error

    def connect(self) -> None:
        """Connect and log in, unless the last connection still answers."""
        if self._socket and self._is_alive():
            return
        self._take(socket.create_connection(self._at, timeout=TIMEOUT), self._tls == "tls")
        # 201: posting is prohibited, but a login may change that (RFC 3977, 5.1).
        self.need(self.answer(), 200, 201)
        if self._tls == "starttls":
            self.need(self.ask("STARTTLS"), 382)
            assert self._socket
            self._take(self._socket, True)
        # INN starts as a transit server, which knows no POST; others ignore it.
        self.ask("MODE READER")
        if self._login:
            self._log_in(*self._login)

    def close(self) -> None:
        """Send QUIT, without waiting for an answer, and close the connection."""
        if self._socket:
            with suppress(OSError):
                self._socket.sendall(b"QUIT\r\n")
        self.drop()

    def drop(self) -> None:
        """Close the connection without a word."""
        link, self._socket, self._lines = self._socket, None, None
        if link:
            link.close()

    def ask(self, command: str) -> Answer:
        """Send a command and return the answer's first line."""
        return next(self.ask_each([command]))

    def ask_each(self, commands: Sequence[str]) -> Iterator[Answer]:
        """Send commands together (RFC 3977, 3.5) and yield the first line of each answer.

        Where lines follow it, they must be read before the next one.
        """
        # A line end in a user name or password would begin another command.
        if not all(command.isprintable() for command in commands):
            raise ChannelDown(f"{self.where}: user or password holds what can't be sent.")
        self.send("".join(f"{command}\r\n" for command in commands).encode())
        for _ in commands:
            yield self.answer()

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self._socket
        self._socket.sendall(data)

    def answer(self) -> Answer:
        """Return the next line as an answer. Raise EOFError if it is none."""
        assert self._lines
        line = self._lines.readline(_LONGEST).decode("utf-8", "replace")
        if not line[:3].isdigit():
            raise EOFError(f"it said {line.strip()!r}" if line else "it was closed")
        return int(line[:3]), " ".join(line[3:].split())

    def block(self, most: int) -> tuple[bytes, bool]:
        """Return the lines up to a dot alone, with their first dots as they were written.

        Past `most` bytes they are read but not kept; then the second value is True.
        """
        assert self._lines
        kept, size, before = list[bytes](), 0, b"\r\n"
        while piece := self._lines.readline(_PIECE):
            # Behind a bare line feed goes on what was one line when dots were doubled.
            begins, before = before == b"\r\n", (before + piece)[-2:]
            if begins and piece == b".\r\n":
                return b"".join(kept), size > most
            piece = piece[begins and piece.startswith(b".") :]
            size += len(piece)
            if size <= most:
                kept.append(piece)
        raise EOFError("it was closed in the middle of an answer")

    def need(self, answer: Answer, *codes: int) -> None:
        """Raise ChannelDown unless the server answered with one of some codes."""
        code, text = answer
        if code not in codes:
            # 201, 440 and 502: nobody may post from here. 480 to 483: a login or TLS is missing.
            refused = code in (201, 440, 480, 481, 482, 483, 502)
            raise ChannelDown(f"{self.where} does not let us post: {code} {text}.", refused=refused)

    def _is_alive(self) -> bool:
        """Return whether the kept connection still answers; if not, close it."""
        try:
            # It changes nothing, and every server for readers knows it (RFC 3977, 7.1).
            return self.ask("DATE")[0] == 111
        except (OSError, EOFError):
            self.close()
            return False

    def _take(self, link: socket.socket, secure: bool) -> None:
        """Use a connection from now on, over TLS if `secure`."""
        self._socket = link
        no_delay(link)
        if secure:
            context = tls_context(self._ca_file)
            self._socket = context.wrap_socket(link, server_hostname=self._at[0])
        # A new buffer: what came before TLS must not be taken for an answer (RFC 4642).
        self._lines = self._socket.makefile("rb")

    def _log_in(self, user: str, password: str) -> None:
        code, text = self.ask(f"AUTHINFO USER {user}")
        if code == 381:
            code, text = self.ask(f"AUTHINFO PASS {password}")
        if code != 281:
            sentence = f"{self.where} refused the login of {user}: {code} {text}."
            raise ChannelDown(sentence, refused=True)
