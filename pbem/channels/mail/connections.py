"""What all modules that talk to mail servers share: TLS, sentences for faults, a wake-up bell."""

import os
import re
import select
import socket
import ssl
from contextlib import suppress
from typing import Literal, Protocol

Tls = Literal["tls", "starttls", "none"]


class TokenFault(Exception):
    """No access token is available; `refused` where waiting alone does not help."""

    def __init__(self, sentence: str, *, refused: bool = False) -> None:
        super().__init__(sentence)
        self.refused = refused


class TokenSource(Protocol):
    """Returns access tokens, for logins by OAuth 2."""

    def get(self) -> str:
        """Return a token. Raises TokenFault."""

    def forget(self) -> None:
        """Drop the token, so that the next `get` returns another: the server refused this one."""


def tls_context(ca_file: str | None) -> ssl.SSLContext:
    """Return a verifying context that trusts the system, or only `ca_file`. Raises OSError."""
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        reason = error.strerror or error
        raise OSError(f"the certificates in {ca_file} cannot be read ({reason})") from error


WRONG_LOGIN = "Look at user and at the password's file; many hosts want an app password."
"""What to do when a password is refused."""
UNSURE_LOGIN = "If that names no other reason, compare user and its credentials with the account."
"""What to do when a login is refused, and the server gives no code for the reason."""


def no_delay(sock: socket.socket) -> None:
    """Send every command at once instead of gathering small packets (TCP_NODELAY)."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def fault(error: Exception, host: str, port: int) -> tuple[str, bool]:
    """Return a sentence for a person about a failed connection, and whether waiting may help."""
    where = f"{host}:{port}"
    match error:
        case socket.gaierror():
            return f"No host named {host!r} can be found: is the name right, and is DNS up?", True
        case ConnectionRefusedError():
            return f"Nothing listens at {where}: is the port right, and is the server up?", True
        case TimeoutError():
            return (
                f"{where} did not answer in time: is a firewall between, or is this a port that "
                'wants tls = "tls"?'
            ), True
        case ssl.SSLCertVerificationError():
            return (
                f"The certificate of {where} is not trusted ({error.verify_message}): use the "
                "host name in the certificate, or name its authority as ca_file."
            ), False
        case ssl.SSLError(reason="WRONG_VERSION_NUMBER" | "RECORD_LAYER_FAILURE"):
            return (
                f'{where} does not speak TLS at once: try tls = "starttls" or its TLS port.',
                False,
            )
        case _:
            return f"The link to {where} failed: {str(error).rstrip('. ')}.", True


class Bell:
    """Ends a wait from another thread or a signal handler: a self-pipe."""

    def __init__(self) -> None:
        self._read_end, self._write_end = os.pipe()
        os.set_blocking(self._read_end, False)
        os.set_blocking(self._write_end, False)

    def ring(self) -> None:
        """End the present wait, or else the next one."""
        with suppress(BlockingIOError):
            os.write(self._write_end, b"!")

    def wait(self, seconds: float, *sources: int) -> tuple[bool, bool]:
        """Wait for a ring or for bytes in `sources`; return (rung, readable)."""
        poller = select.poll()
        for source in (self._read_end, *sources):
            poller.register(source, select.POLLIN)
        ready = {source for source, _ in poller.poll(max(0.0, seconds) * 1000)}
        self._drain()
        return self._read_end in ready, bool(ready - {self._read_end})

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            while os.read(self._read_end, 512):
                pass

    def __del__(self) -> None:
        os.close(self._read_end)
        os.close(self._write_end)


def wrong_host(name: str) -> str:
    """Return why no server can have this name, or ""."""
    try:
        # Sockets encode names in this way, and raise for those that they refuse.
        sound = bool(name.encode("idna")) and not re.search(r"[\s\x00]", name)
    except UnicodeError:
        sound = False
    # One colon alone: an IPv6 address has more.
    if re.search(r"/|^[^:]*:\d*$", name):
        return f"is {name!r}; write the name alone, such as mail.host.example, without a port"
    return "" if sound else f"is {name!r}; it must be one name, such as mail.host.example"
