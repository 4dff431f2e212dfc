"""A connection to a server that two threads use: one reads, and others send."""

import select
import socket
import ssl
import time
from threading import Lock

from pbem.channels.channel import ChannelDown
from pbem.channels.mail.connections import Bell, fault, no_delay, tls_context

TIMEOUT = 15.0
"""Seconds that connecting, and each answer while we log in, may take."""
_PIECE = 1 << 16
_NOT_YET = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Connection:
    """A socket, with TLS if `secure`. Raises ChannelDown where there is no such server."""

    def __init__(self, at: tuple[str, int], secure: bool, ca_file: str | None) -> None:
        self._at = at
        # OpenSSL must not read and write at the same time, and nobody may wait in either.
        self._using, self._sending = Lock(), Lock()
        self._bell = Bell()
        try:
            context = tls_context(ca_file) if secure else None
        except OSError as error:
            raise ChannelDown(str(error), refused=True) from error
        try:
            self._socket = socket.create_connection(at, timeout=TIMEOUT)
            no_delay(self._socket)
            if context:
                self._socket = context.wrap_socket(self._socket, server_hostname=at[0])
            self._socket.setblocking(False)
        except OSError as error:
            if hasattr(self, "_socket"):
                self._socket.close()
            raise self.down(error) from error

    def down(self, error: Exception) -> ChannelDown:
        """Return a fault of the network as one of the channel."""
        sentence, passes = fault(error, *self._at)
        return ChannelDown(sentence, refused=not passes)

    def receive(self, seconds: float) -> bytes | None:
        """Return what came, b"" if nothing did in that time, None after `close`.

        Raises OSError and EOFError.
        """
        if data := self._received():
            return data
        rung, _ = self._bell.wait(seconds, self._socket.fileno())
        return None if rung else self._received()

    def send(self, data: bytes) -> None:
        """Send bytes, whole. Raises OSError."""
        with self._sending:
            last = time.monotonic() + TIMEOUT
            while data:
                with self._using:
                    try:
                        data = data[self._socket.send(data) :]
                        continue
                    except _NOT_YET:
                        pass
                poller = select.poll()
                poller.register(self._socket.fileno(), select.POLLOUT)
                if not poller.poll(max(0.0, last - time.monotonic()) * 1000):
                    raise TimeoutError

    def hang_up(self) -> None:
        """Let whoever reads end."""
        self._bell.ring()

    def close(self) -> None:
        """Close the socket; nobody may be reading."""
        self._socket.close()

    def _received(self) -> bytes:
        with self._using:
            try:
                data = self._socket.recv(_PIECE)
            except _NOT_YET:
                return b""
        if not data:
            raise EOFError("it was closed")
        return data
