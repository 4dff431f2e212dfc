"""A server that does what a test scripts, for the faults that real servers seldom show."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

CLOSE = None
Piece = bytes | float | None
Script = list[Piece]


class Hangup(Exception):
    """The script closes the connection."""


class Talk:
    """One connection: send pieces (bytes, pauses in seconds, CLOSE), receive lines."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._file = link.makefile("rb")

    def say(self, pieces: Script, tag: bytes = b"") -> None:
        for piece in pieces:
            if piece is None:
                raise Hangup
            if isinstance(piece, float):
                time.sleep(piece)
            else:
                self._link.sendall(piece.replace(b"{tag}", tag))

    def hear(self) -> bytes:
        return self._file.readline()

    def close(self) -> None:
        self._file.close()
        with suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)
        self._link.close()


class Scripted:
    """A listening socket whose connections are held by `converse`, one after another."""

    def __init__(self, converse: Callable[[Talk], None]) -> None:
        self._converse = converse
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.host, self.port = self._listener.getsockname()
        self.connections = 0
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                link, _ = self._listener.accept()
                link.settimeout(20)
                self.connections += 1
                self._hold(Talk(link))

    def _hold(self, talk: Talk) -> None:
        try:
            self._converse(talk)
        except (Hangup, OSError):
            pass
        finally:
            talk.close()

    def stop(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


@contextmanager
def scripted(converse: Callable[[Talk], None]) -> Iterator[Scripted]:
    server = Scripted(converse)
    try:
        yield server
    finally:
        server.stop()


CAPABILITIES = b"IMAP4rev1 IDLE MOVE UIDPLUS"


@dataclass
class ImapDialect:
    """Answers IMAP commands from a table; `heard` keeps every line."""

    answers: Mapping[str, Script]
    capabilities: bytes = CAPABILITIES
    greeting: bytes = b"* OK ready\r\n"
    heard: list[str] = field(default_factory=list)

    def __call__(self, talk: Talk) -> None:
        talk.say([self.greeting])
        tag = b""
        while line := talk.hear().decode():
            self.heard.append(line.strip().partition(" ")[2] or line.strip())
            if line.strip() != "DONE":
                tag = line.split(" ", 1)[0].encode()
            talk.say(self._answer(line.split()), tag)

    def _answer(self, words: list[str]) -> Script:
        verb = " ".join(words[1:3] if words[1:2] == ["UID"] else words[1:2]) or words[0]
        ok = b"{tag} OK done\r\n"
        usual: dict[str, Script] = {
            "CAPABILITY": [b"* CAPABILITY " + self.capabilities + b"\r\n" + ok],
            "SELECT": [b"* 0 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n" + ok],
            "LIST": [b'* LIST () "/" Processed\r\n' + ok],
            "IDLE": [b"+ idling\r\n"],
            "LOGOUT": [b"* BYE bye\r\n" + ok, CLOSE],
        }
        return self.answers.get(verb) or usual.get(verb) or [ok]


@dataclass
class SmtpDialect:
    """Answers SMTP commands from a table; `heard` keeps every line, `letters` what was sent."""

    answers: Mapping[str, Script]
    features: tuple[str, ...] = ("localhost",)
    greeting: Script = field(default_factory=lambda: [b"220 ready\r\n"])
    heard: list[str] = field(default_factory=list)
    letters: list[bytes] = field(default_factory=list)

    def __call__(self, talk: Talk) -> None:
        talk.say(self.greeting)
        while line := talk.hear().decode():
            verb = line.split()[0].upper()
            self.heard.append(verb + line.rstrip()[len(verb) :])
            answer = self.answers.get(verb) or self._usual(verb)
            talk.say(answer)
            if verb == "DATA" and (answer[0] or b"").startswith(b"354"):  # type: ignore[union-attr]
                self.letters.append(self._letter(talk))
                talk.say(self.answers.get("END") or [b"250 taken\r\n"])

    def _usual(self, verb: str) -> Script:
        if verb == "EHLO":
            *first, last = self.features
            lines = [f"250-{line}\r\n" for line in first] + [f"250 {last}\r\n"]
            return ["".join(lines).encode()]
        usual: dict[str, Script] = {"DATA": [b"354 go on\r\n"], "QUIT": [b"221 bye\r\n", CLOSE]}
        return usual.get(verb, [b"250 ok\r\n"])

    def _letter(self, talk: Talk) -> bytes:
        lines = []
        while (line := talk.hear()) and line != b".\r\n":
            lines.append(line)
        return b"".join(lines)
