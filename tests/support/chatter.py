"""Somebody on IRC, by a program as simple as can be."""

import base64
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self

SECONDS = 60.0


class Chatter:
    """A connection of its own; `lines` are all that came, and `said` what others said."""

    def __init__(self, at: tuple[str, int], nick: str, account: str, password: str) -> None:
        self.nick, self.lines, self._rooms = nick, list[str](), list[str]()
        self._socket = _connected(at)
        self._rest = b""
        if account:
            self.send("CAP REQ :sasl")
        self.send(f"NICK {nick}", f"USER {nick} 0 * :{nick}")
        if account:
            self.wait_for("ACK")
            secret = base64.b64encode(f"{account}\0{account}\0{password}".encode()).decode()
            self.send("AUTHENTICATE PLAIN")
            self.wait_for("AUTHENTICATE")
            self.send(f"AUTHENTICATE {secret}")
            self.wait_for(" 903 ")
            self.send("CAP END")
        self.wait_for(" 422 ", " 376 ")

    def __enter__(self) -> Self:
        """Return it, already connected."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave."""
        self.leave()

    @property
    def said(self) -> list[str]:
        """Return what others said in its rooms, or to it, oldest first."""
        self._look()
        return [one.split(" :", 1)[1] for one in self.lines if " PRIVMSG " in one.split(" :")[0]]

    def send(self, *lines: str | bytes) -> None:
        """Send lines."""
        for line in lines:
            data = line.encode() if isinstance(line, str) else line
            self._socket.sendall(data + b"\r\n")

    def join(self, room: str) -> Self:
        """Enter a room."""
        self.send(f"JOIN {room}")
        self.wait_for(" 366 ")
        self._rooms.append(room)
        return self

    def call(self, nick: str) -> None:
        """Take another nick."""
        self.send(f"NICK {nick}")
        self.wait_for(f"NICK :{nick}", f"NICK {nick}")

    def start_afresh(self) -> Self:
        """Leave all rooms, take the first nick again, and forget what was said."""
        for room in self._rooms:
            self.send(f"PART {room}")
        self._rooms.clear()
        self.send(f"NICK {self.nick}")
        self.asked("PING afresh", "afresh")
        self.lines.clear()
        self._seen = 0
        return self

    def say(self, to: str, text: str | bytes) -> None:
        """Say something in a room, or to somebody alone."""
        data = text.encode() if isinstance(text, str) else text
        self.send(f"PRIVMSG {to} :".encode() + data)

    def news(self, *words: str) -> list[str]:
        """Return the lines with one of these words that came since the last wait, if any."""
        self._look()
        return [one for one in self.lines[self._seen :] if any(word in one for word in words)]

    def asked(self, line: str, *answers: str) -> str:
        """Send a line, and return the first line that holds one of these from then on."""
        self.send(line)
        return self.wait_for(*answers)

    def wait_for(self, *words: str) -> str:
        """Return the next line that holds one of these words; what came before is past."""
        while True:
            while self._seen < len(self.lines):
                line = self.lines[self._seen]
                self._seen += 1
                if any(word in line for word in words):
                    return line
            self._more(SECONDS)

    def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds."""
        last = time.monotonic() + SECONDS
        while not holds():
            assert time.monotonic() < last, self.lines[-20:]
            time.sleep(0.05)

    def leave(self, *, why: str = "bye") -> None:
        """Quit."""
        with suppress(OSError):
            self.send(f"QUIT :{why}")
        self._socket.close()

    _seen = 0

    def _look(self) -> None:
        """Take what has come, without waiting."""
        with suppress(BlockingIOError, TimeoutError):
            while True:
                self._more(0.01)

    def _more(self, seconds: float) -> None:
        self._socket.settimeout(seconds)
        data = self._socket.recv(65536)
        self._socket.settimeout(SECONDS)
        if not data:
            raise EOFError(f"the server hung up: {self.lines[-5:]}")
        *whole, self._rest = (self._rest + data).split(b"\r\n")
        for line in whole:
            text = line.decode("utf-8", "replace")
            if text.startswith("PING"):
                self.send(f"PONG{text[4:]}")
            else:
                self.lines.append(text)


def _connected(at: tuple[str, int]) -> socket.socket:
    """Return a connection to a server that may have just been started."""
    last = time.monotonic() + SECONDS
    while True:
        try:
            return socket.create_connection(at, timeout=SECONDS)
        except ConnectionRefusedError:
            if time.monotonic() > last:
                raise
            time.sleep(0.02)
