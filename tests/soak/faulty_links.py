"""An SMTP server that fails now and then, and a link to a server that is cut now and then."""

import random
import re
import select
import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256

from tests.servers.daemon import LOOPBACK, Address

_ID = re.compile(rb"^Message-ID: (<[^>]+>)", re.M)
_RECIPIENT = re.compile(r"<([^>]+)>")


class FaultySmtp(socketserver.ThreadingTCPServer):
    """Takes letters; while it is `faulty`, one command in eight fails in one of many ways.

    All faults pass: a letter is refused for now, or the connection ends, before, within or after
    the letter. In the last case the letter was taken, and the client can't know.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, seed: int) -> None:
        super().__init__((LOOPBACK, 0), _Session)
        self.faulty, self.faults = False, 0
        self.forms: dict[str, set[str]] = {}
        """A hash of each form in which a letter was taken, by Message-ID."""
        self.taken: list[tuple[str, bytes]] = []
        """The first copy of each letter, with its recipient."""
        self.copies = 0
        self._rng, self._lock = random.Random(seed), threading.Lock()

    def fails(self) -> bool:
        """Return whether the next thing is to fail."""
        with self._lock:
            failed = self.faulty and self._rng.random() < 1 / 8
            self.faults += failed
            return failed

    def cuts(self) -> bool:
        """Return whether a fault ends the connection, or is only told."""
        return self._rng.random() < 1 / 2

    def take(self, recipient: str, raw: bytes) -> None:
        """Keep a letter."""
        found = _ID.search(raw)
        assert found is not None
        with self._lock:
            forms = self.forms.setdefault(found[1].decode(), set())
            if not forms:
                self.taken.append((recipient, raw))
            forms.add(sha256(raw).hexdigest())
            self.copies += 1

    @property
    def address(self) -> Address:
        """Where it listens."""
        return LOOPBACK, self.server_address[1]

    @contextmanager
    def running(self) -> Iterator[None]:
        """Serve until the end of the block."""
        thread = threading.Thread(target=self.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield
        finally:
            self.shutdown()
            thread.join()
            self.server_close()


class _Cut(Exception):
    """The connection ends here."""


class _Session(socketserver.StreamRequestHandler):
    """One connection to a FaultySmtp."""

    server: FaultySmtp

    def handle(self) -> None:
        """Talk until the client goes, or a fault ends the connection."""
        with suppress(_Cut, OSError):
            self._say(b"421 4.3.2 come back later" if self.server.fails() else b"220 sink")
            while line := self.rfile.readline():
                self._obey(line.decode("latin-1").rstrip())

    def _obey(self, line: str) -> None:
        command = line[:4].upper()
        if command == "DATA":
            self._data()
        elif command == "QUIT":
            self._say(b"221 bye")
            raise _Cut
        elif command in ("MAIL", "RCPT") and self.server.fails():
            self._fault(b"451 4.3.0 try again later")
        else:
            if command == "RCPT":
                self._to = _RECIPIENT.findall(line)[0]
            self._say(b"250 fine")

    def _data(self) -> None:
        if self.server.fails():
            self._fault(b"452 4.3.1 no room at present")
            return
        self._say(b"354 go on")
        lines, cut_at = [], 10 if self.server.fails() else 0
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line[1:] if line.startswith(b".") else line)
            if not line or len(lines) == cut_at:
                raise _Cut
        if self.server.fails() and not self.server.cuts():
            self._say(b"451 4.3.0 not this time")
            return
        self.server.take(self._to, b"".join(lines))
        if self.server.fails():
            raise _Cut
        self._say(b"250 taken")

    def _fault(self, reply: bytes) -> None:
        if self.server.cuts():
            raise _Cut
        self._say(reply)

    def _say(self, reply: bytes) -> None:
        self.wfile.write(reply + b"\r\n")


class CutLink:
    """A link to a server; while it is `faulty`, it is cut every second or two, at any byte.

    One cut in four leaves the link down for a moment, and one in four lets it hang before.
    """

    def __init__(self, to: Address, seed: int) -> None:
        self.faulty, self.cuts = False, 0
        self._to, self._rng = to, random.Random(seed)
        self._ears = socket.create_server((LOOPBACK, 0))
        self.address: Address = (LOOPBACK, self._ears.getsockname()[1])
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._over = False

    @contextmanager
    def running(self) -> Iterator[None]:
        """Serve until the end of the block."""
        thread = threading.Thread(target=self._serve)
        thread.start()
        try:
            yield
        finally:
            self._over = True
            thread.join()
            self._cut()
            self._ears.close()

    def _serve(self) -> None:
        next_cut = time.monotonic()
        while not self._over:
            ready, _, _ = select.select([self._ears, *self._pairs], [], [], 0.02)
            for one in ready:
                if one is self._ears:
                    self._open()
                elif one in self._pairs:
                    self._pass_on(one)
            if time.monotonic() > next_cut:
                next_cut = time.monotonic() + self._rng.expovariate(0.7)
                if self.faulty and self._pairs:
                    self._cut_somehow()

    def _open(self) -> None:
        near, _ = self._ears.accept()
        try:
            far = socket.create_connection(self._to, timeout=5)
        except OSError:
            near.close()
            return
        self._pairs |= {near: far, far: near}

    def _pass_on(self, one: socket.socket) -> None:
        try:
            # Small pieces, so that a cut falls within letters too.
            data = one.recv(4096)
            self._pairs[one].sendall(data)
        except OSError:
            data = b""
        if not data:
            self._close(one)

    def _close(self, one: socket.socket) -> None:
        other = self._pairs.pop(one)
        self._pairs.pop(other, None)
        one.close()
        other.close()

    def _cut_somehow(self) -> None:
        self.cuts += 1
        kind = self._rng.randrange(4)
        if kind == 0:
            time.sleep(0.3)  # it hangs first
        self._cut()
        if kind == 1:
            time.sleep(0.3)  # it stays down

    def _cut(self) -> None:
        for one in list(self._pairs):
            if one in self._pairs:
                self._close(one)
