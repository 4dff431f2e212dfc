"""The soak: `python -m tests.soak.soak 50000` sends letters through Dovecot, pbem and an SMTP sink.

Players of many duels write orders and questions; one letter in a hundred has a fault. The daemon is
killed (SIGKILL) at random every few hundred letters and started again, and now and then Dovecot or
the sink is away. The last fifth is read by one daemon, whose memory is watched. At the end every
letter must have its one answer, every story must be in the database once, and nothing may wait.
"""

import json
import random
import re
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from imapclient import IMAPClient

from benchmarks.sample_league import BEGIN, League, Member, settings
from pbem.storage import Outgoing
from tests.servers.certificates import make_certificates
from tests.servers.daemon import free_address, open_folder
from tests.servers.dovecot import Dovecot
from tests.servers.sink import Sink, smtp_sink
from tests.support.program import Running, pbem, running, write_league

USER = "referee@league.example"
DUELS = 40
BATCH = 100
_PATIENT = {"deadline_hours": 100_000, "outage_hours": 1e6, "token_days": 3_000}
STEADY = 5
"""The last of so many parts of the letters is read without a kill, to watch the memory."""
_ID = re.compile(rb"^Message-ID: (<[^>]+>)", re.M)
_BOUNDARY = re.compile(rb'boundary="([^"]+)"')
_ANSWERS = re.compile(rb"^In-Reply-To: (<[^>]+>)", re.M)


@dataclass
class Found:
    """What a soak found; `bad` must be empty."""

    letters: int = 0
    faults: int = 0
    kills: int = 0
    outages: int = 0
    answers: int = 0
    sent_again: int = 0
    seconds: float = 0
    memory: list[int] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)


class Pen:
    """Writes the letters, and knows how many answers each must have, by its Message-ID."""

    def __init__(self, hall: League, rng: random.Random) -> None:
        self.hall, self.rng = hall, rng
        self.pairs = hall.pair(DUELS)
        hall.challenge(self.pairs)
        self.due: Counter[str] = Counter()
        self.stories: dict[str, list[str]] = {}
        self.faults = 0
        self._last = b""

    def letters(self, count: int) -> Iterator[bytes]:
        """Write so many letters."""
        for number in range(count):
            if number % 100 == 99:
                self.faults += 1
                yield self.rng.choice(_FAULTS)(self, number)
            else:
                yield self._human(number)

    def _human(self, number: int) -> bytes:
        one, other = self.pairs[number % DUELS]
        if number % 5 == 4:
            return self._expect(self.hall.reply(other, f"STATUS\nSHEET {one.pilot}"))
        story = f"This was sortie number {number} of them all."
        self.stories.setdefault(one.pilot, []).append(story)
        orders = self.rng.choice(("TARGET\nFIRE", "SCAN\nDOGFIGHT\nCLOSE", "CLOSE\nECM"))
        return self._expect(self.hall.reply(one, f"{orders}\n{one.standing}\nSTORY\n{story}"))

    def _expect(self, raw: bytes, answers: int = 1) -> bytes:
        self.due[_named(raw)] += answers
        self._last = raw
        return raw

    @property
    def someone(self) -> Member:
        """Return any player."""
        return self.rng.choice(self.pairs)[0]

    def again(self, number: int) -> bytes:
        """Write the letter before once more: it has been answered."""
        return self._last

    def same_name(self, number: int) -> bytes:
        """Write another letter under the Message-ID of the one before: both are answered."""
        raw = self._last.replace(b"sortie number", b"sortie number %d beyond" % number)
        return self._expect(raw)

    def bounce(self, number: int) -> bytes:
        """Write a bounce: nobody is answered."""
        return _head(number, "<>", "Returned mail: User unknown") + b"550 5.1.1\r\n"

    def vacation(self, number: int) -> bytes:
        """Write as a player's robot: it is not answered."""
        raw = self.hall.reply(self.someone, "FIRE")
        return b"Auto-Submitted: auto-replied\r\n" + raw

    def bomb(self, number: int) -> bytes:
        """Write a letter nested too deeply: nobody is answered."""
        part = b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n"
        return _head(number, "a@b.example", "x")[:-2] + b"".join(part % (n, n) for n in range(999))

    def rubbish(self, number: int) -> bytes:
        """Write any bytes at all: nobody is answered."""
        return self.rng.randbytes(3_000).replace(b"\0", b"0") + b"\r\n"

    def stranger(self, number: int) -> bytes:
        """Write as somebody who is not a player: there is one fixed answer."""
        return self._expect(_head(number, f"eve{number}@b.example", "Hello") + b"Hello?\r\n")

    def large(self, number: int) -> bytes:
        """Write a letter that is too large: its player gets an answer."""
        return self._expect(self.hall.reply(self.someone, "FIRE") + b"x\r\n" * 400_000)


_FAULTS: tuple[Callable[[Pen, int], bytes], ...] = (
    Pen.again, Pen.same_name, Pen.bounce, Pen.vacation, Pen.bomb, Pen.rubbish, Pen.stranger,
    Pen.large,
)  # fmt: skip


def _named(raw: bytes) -> str:
    found = _ID.search(raw)
    assert found is not None
    return found[1].decode()


def _head(number: int, sender: str, subject: str) -> bytes:
    name = f"Message-ID: <soak{number}@b.example>"
    return f"From: {sender}\r\nTo: {USER}\r\nSubject: {subject}\r\n{name}\r\n\r\n".encode()


class Sinkful:
    """What has come out, read from the sink's folder and dropped there: a hash for each id."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.letters: dict[str, str] = {}
        self.answers: Counter[str] = Counter()
        self.again, self.bad = 0, list[str]()

    def read(self) -> None:
        """Read all that is whole; a letter that was cut off by a kill was never taken."""
        for file in self.folder.iterdir():
            try:
                raw = file.read_bytes()
            except FileNotFoundError:  # the sink drops what was cut off
                continue
            boundary = _BOUNDARY.search(raw)
            if boundary and raw.rstrip().endswith(b"--%s--" % boundary[1]):
                self._take(raw)
                file.unlink()

    def _take(self, raw: bytes) -> None:
        name, answered = _named(raw), _ANSWERS.search(raw)
        body = sha256(raw[raw.index(b"\nFrom: ") :]).hexdigest()
        if name in self.letters:
            self.again += 1
            if self.letters[name] != body:
                self.bad.append(f"{name} went out in two forms")
            return
        self.letters[name] = body
        if answered is not None:
            self.answers[answered[1].decode()] += 1


class Soak:
    """One run: the servers, the league's folder, and what is found."""

    def __init__(self, home: Path, dovecot: Dovecot, sink: Sink, count: int, seed: int) -> None:
        self.home, self.dovecot, self.sink = home, dovecot, sink
        self.rng, self.found = random.Random(seed), Found(letters=count)
        with closing(League(settings(home, **_PATIENT))) as hall:
            self.pen = Pen(hall, self.rng)
            hall.service.ports.store.run(Outgoing.update(state="sent", sent=BEGIN))
            self.letters = list(self.pen.letters(count))
            self.found.faults = self.pen.faults
        self.before = self._count("letter")
        self.out = Sinkful(sink.folder)
        self.config = self._write_config()

    def _write_config(self) -> Path:
        (imap, imap_port), (smtp, smtp_port) = self.dovecot.imap, self.sink.address
        login = {"user": USER, "password_file": "password", "tls": "none"}
        return write_league(
            self.home,
            {
                "league": {"name": "Bench League", "address": USER, **_PATIENT},
                "store": {"url": f"sqlite:///{self.home}/league.db"},
                "imap": login | {"host": imap, "port": imap_port},
                "smtp": {"host": smtp, "port": smtp_port, "tls": "none"},
                "limits": {
                    "letters_a_day": 10**6,
                    "refusals_a_day": 10**6,
                    "stranger_letters_a_day": 10**6,
                    "stranger_bytes_a_day": 2**31 - 1,
                },
            },
            "secret",
        )

    def run(self) -> Found:
        """Deliver all letters, kill and start the daemon, and check the result."""
        began, steady = time.monotonic(), len(self.letters) // STEADY
        rest = self.letters
        while len(rest) > steady:
            size = min(self.rng.randint(150, 450), len(rest) - steady)
            self._until_killed(rest[:size])
            rest = rest[size:]
        self._to_the_end(rest)
        self.found.seconds = round(time.monotonic() - began, 1)
        self._judge()
        return self.found

    def _until_killed(self, letters: list[bytes]) -> None:
        """Deliver letters, and kill the daemon when it has handled some of them."""
        handled = self._handled()
        with running(self.config) as daemon:
            self._feed(letters)
            if self.rng.random() < 0.2:
                self._outage()
            self._wait(daemon, handled + self.rng.randint(1, len(letters)))
            time.sleep(self.rng.random() * 0.4)
        self.found.kills += 1
        self.out.read()

    def _outage(self) -> None:
        """Stop Dovecot for a moment, at any point of its work."""
        self.found.outages += 1
        with self.dovecot.stopped():
            time.sleep(0.2)

    def _to_the_end(self, letters: list[bytes]) -> None:
        """Deliver the last letters by parts, and watch the memory of the daemon that reads them."""
        with running(self.config) as daemon:
            for at in range(0, len(letters), BATCH):
                self._feed(letters[at : at + BATCH])
                self._wait(daemon, self._count("letter") - self.before)
                self.found.memory.append(_memory(daemon))
                self.out.read()
            self._wait(daemon, len(self.letters))
            self._wait_for_nothing(daemon)
            daemon.stop()
        self.out.read()

    def _feed(self, letters: list[bytes]) -> None:
        with IMAPClient(*self.dovecot.imap, ssl=False) as client:
            client.login(USER, "secret")
            for at in range(0, len(letters), BATCH):
                client.multiappend("INBOX", letters[at : at + BATCH])

    def _ask(self, sql: str) -> int:
        with closing(sqlite3.connect(self.home / "league.db", timeout=20)) as books:
            return int(books.execute(sql).fetchone()[0])

    def _count(self, table: str, where: str = "1") -> int:
        return self._ask(f"SELECT COUNT(*) FROM {table} WHERE {where}")

    def _handled(self) -> int:
        return self._count("letter", "state <> 'received'") - self.before

    def _wait(self, daemon: Running, handled: int) -> None:
        """Wait until so many are handled."""
        self._wait_for(daemon, lambda: self._handled() >= handled, f"{handled} to be handled")

    def _wait_for_nothing(self, daemon: Running) -> None:
        """Wait until nothing is to be sent and nothing lies in the mailbox."""
        self._wait_for(daemon, lambda: not self._waiting(), "nothing to wait any more")

    def _wait_for(
        self, daemon: Running, reached: Callable[[], bool], what: str, patience: float = 120
    ) -> None:
        """Wait while letters are handled, sent or moved. Raise TimeoutError after that."""
        before, last_moment = "", 0.0
        while not reached():
            if (now := self._progress()) != before:
                before, last_moment = now, time.monotonic() + patience
            if daemon.process.poll() is not None or time.monotonic() > last_moment:
                raise TimeoutError(f"waited for {what}: {now}")
            time.sleep(0.1)

    def _progress(self) -> str:
        sent, put_away = self._count("outgoing", "state = 'sent'"), self._count("letter", "moved")
        return f"{self._handled()} handled, {sent} answers sent, {put_away} put away"

    def _waiting(self) -> dict[str, int]:
        with IMAPClient(*self.dovecot.imap, ssl=False) as client:
            client.login(USER, "secret")
            inbox = client.select_folder("INBOX", readonly=True)[b"EXISTS"]
        rows = {
            "letters not handled": self._count("letter", "state = 'received'"),
            "letters shunted": self._count("letter", "state = 'shunted'"),
            "letters not sent": self._count("outgoing", "state IN ('queued', 'sending', 'failed')"),
            "letters in the inbox": int(inbox),
        }
        return {name: count for name, count in rows.items() if count}

    def _judge(self) -> None:
        found, out, due = self.found, self.out, self.pen.due
        found.answers, found.sent_again = len(out.letters), out.again
        wrong = {name for name in due | out.answers if due[name] != out.answers[name]}
        found.bad += [f"{name}: {out.answers[name]}, not {due[name]}" for name in sorted(wrong)]
        found.bad += [f"{count} {name}" for name, count in self._waiting().items()]
        found.bad += out.bad
        with closing(sqlite3.connect(self.home / "league.db")) as books:
            told = Counter(text for (text,) in books.execute("SELECT text FROM story"))
        # A later letter for the same turn takes the place of an earlier one's story.
        latest = {told_by[-1] for told_by in self.pen.stories.values()}
        written = [one for told_by in self.pen.stories.values() for one in told_by]
        found.bad += [
            f"{told[one]} times: {one}"
            for one in written
            if told[one] > 1 or one in latest - told.keys()
        ]
        checked = pbem("--config", self.config, "fsck")
        if checked.returncode:
            found.bad.append(checked.stdout.decode() + checked.stderr.decode())


def _memory(daemon: Running) -> int:
    """Return a process's resident memory in KiB."""
    status = Path(f"/proc/{daemon.process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) if found else 0


@contextmanager
def open_soak(count: int, seed: int = 1) -> Iterator[Soak]:
    """Run the servers, and make a league with letters to be sent."""
    with open_folder() as folder, smtp_sink(port=free_address()[1]) as sink:
        dovecot = Dovecot(folder, make_certificates(folder), {USER: "secret"})
        home = folder / "league"
        home.mkdir()
        with dovecot.running():
            yield Soak(home, dovecot, sink, count, seed)


def main() -> int:
    """Run a soak of so many letters, and print what it found as JSON."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with open_soak(count, seed) as soak:
        found = soak.run()
    print(json.dumps(asdict(found), indent=1))
    return 1 if found.bad else 0


if __name__ == "__main__":
    sys.exit(main())
