"""An IMAP server in memory that answers honestly, but for what a test makes it lie about."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.support.scripted_server import CLOSE, Script, Talk

OK = b"{tag} OK done\r\n"
DATE = "20-Nov-2026 12:00:00 +0200"


@dataclass
class Kept:
    """A letter on the server; what is not None is what it says of it instead of the truth.

    `given` are all the pieces that it sends where the text is asked for.
    """

    raw: bytes
    date: str | None = DATE
    size: int | None = None
    message_id: bytes | None = None
    given: Script | None = None
    unlisted: bool = False
    """Whether FETCH says nothing of it, though SEARCH finds it."""

    def header(self) -> bytes:
        """Return its Message-ID as a header of its own."""
        found = re.search(rb"^message-id:.*\r\n", self.raw, re.I | re.M)
        return (found[0] if found else b"") if self.message_id is None else self.message_id


@dataclass
class ImapServer:
    """Converses about its letters; `lies` holds what it answers to some verbs instead."""

    capabilities: str = "IMAP4rev1 IDLE MOVE UIDPLUS"
    greeting: bytes = b"* OK ready\r\n"
    uidvalidity: int = 7
    uidnext: int = 1
    letters: dict[int, Kept] = field(default_factory=dict)
    done: list[bytes] = field(default_factory=list)
    lies: dict[str, Script] = field(default_factory=dict)
    at_command: Callable[[str], None] = lambda verb: None
    heard: list[str] = field(default_factory=list)
    logins: int = 0
    named: bool = True
    """Whether it knows HEADER.FIELDS."""

    def add(self, raw: bytes, uid: int = 0, **lies: object) -> Kept:
        """Take a letter, under the next number or another."""
        kept = Kept(raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), **lies)  # type: ignore[arg-type]
        uid = uid or self.uidnext
        self.letters[uid] = kept
        self.uidnext = max(self.uidnext, uid + 1)
        return kept

    def __call__(self, talk: Talk) -> None:
        """Hold one connection."""
        talk.say([self.greeting])
        tag = b""
        while line := talk.hear().decode():
            first, _, rest = line.rstrip().partition(" ")
            verb, _, said = rest.partition(" ")
            if verb == "UID":
                second, _, said = said.partition(" ")
                verb = f"UID {second}"
            verb = verb or first
            if first != "DONE":
                tag = first.encode()
            self.heard.append(verb if verb != "UID FETCH" else f"{verb} {said}")
            self.at_command(verb)
            talk.say(self._answer(verb, said), tag)

    def _answer(self, verb: str, said: str) -> Script:
        self.logins += verb == "LOGIN"
        if verb in self.lies:
            return self.lies[verb]
        match verb:
            case "CAPABILITY":
                return [f"* CAPABILITY {self.capabilities}\r\n".encode() + OK]
            case "SELECT":
                facts = (
                    f"* {len(self.letters)} EXISTS\r\n* OK [UIDVALIDITY {self.uidvalidity}] x\r\n"
                )
                return [facts.encode() + b"* OK [UIDNEXT %d] x\r\n" % self.uidnext + OK]
            case "LIST":
                return [b'* LIST () "/" Processed\r\n' + OK]
            case "IDLE":
                return [b"+ idling\r\n"]
            case "LOGOUT":
                return [b"* BYE bye\r\n" + OK, CLOSE]
            case "UID SEARCH":
                found = "".join(f" {uid}" for uid in self._meant(said.split()[-1]))
                return [f"* SEARCH{found}\r\n".encode() + OK]
            case "UID MOVE":
                for uid in self._meant(said.split()[0]):
                    self.done.append(self.letters.pop(uid).raw)
                return [OK]
            case "UID FETCH":
                return [*self._fetched(said), OK]
        return [OK]

    def _meant(self, numbers: str) -> list[int]:
        top, found = max(self.letters, default=0), list[int]()
        if numbers == "ALL":
            return sorted(self.letters)
        for part in numbers.split(","):
            first, _, last = part.partition(":")
            low = int(first)
            high = top if last == "*" else int(last or first)
            found += [n for n in sorted(self.letters) if min(low, high) <= n <= max(low, high)]
        return found

    def _fetched(self, said: str) -> Script:
        answer: Script = []
        for uid in self._meant(said.split()[0]):
            kept = self.letters[uid]
            if "BODY.PEEK[]" in said or "BODY.PEEK[HEADER]" in said:
                answer += self._text(uid, kept, said) if kept.given is None else kept.given
            elif not kept.unlisted:
                size = len(kept.raw) if kept.size is None else kept.size
                date = f' INTERNALDATE "{kept.date}"' if kept.date else ""
                named = self.named and "HEADER.FIELDS" in said
                head = (
                    literal("HEADER.FIELDS (MESSAGE-ID)", kept.header() + b"\r\n") if named else b""
                )
                line = f"* {uid} FETCH (UID {uid} RFC822.SIZE {size}{date}"
                answer.append(line.encode() + head + b")\r\n")
        return answer

    def _text(self, uid: int, kept: Kept, said: str) -> Script:
        text, asked = kept.raw, re.search(r"<(\d+)\.(\d+)>", said)
        name = "" if "BODY.PEEK[]" in said else "HEADER"
        if name:
            text = text.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
        if asked:
            text = text[int(asked[1]) :][: int(asked[2])]
        return [fetched(uid, text, name)]


def literal(name: str, text: bytes) -> bytes:
    """Return an item of an answer to FETCH."""
    return f" BODY[{name}] {{{len(text)}}}\r\n".encode() + text


def fetched(uid: int, text: bytes, name: str = "") -> bytes:
    """Return a letter's text as an answer to FETCH."""
    return b"* %d FETCH (UID %d" % (uid, uid) + literal(name, text) + b")\r\n"


def endless(octets: int) -> Script:
    """Return a literal so long, in pieces."""
    piece = 1 << 20
    return [b"* 1 FETCH (UID 1 BODY[] {%d}\r\n" % octets, *([b"x" * piece] * (octets // piece))]


def until(done: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)
