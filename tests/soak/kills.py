"""Kills of the daemon at random moments: `python -m tests.soak.kills 200` tries 200.

Players join by mail, fight duels and practice battles, and write to each other; strangers, large
letters and second deliveries come in between. The daemon reads a real Dovecot over a link that is
cut now and then, sends to an SMTP server that fails now and then, and is killed (SIGKILL) again and
again, every second time together with its second process. At the end each letter must have been
answered once, none may be blamed or set aside, and `pbem rebuild` must find the same league, there
and every few kills before.
"""

import json
import os
import random
import re
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from imapclient import IMAPClient

from benchmarks.sample_players import BEAMS, Player, Received
from pbem.intake import tokens_and_keys
from pbem.maintenance.rebuild import rebuild
from pbem.settings.load import load
from pbem.storage import Outgoing, Store
from pbem.storage import Player as PlayerRow
from tests.servers.certificates import make_certificates
from tests.servers.daemon import open_folder
from tests.servers.dovecot import Dovecot
from tests.soak.faulty_links import CutLink, FaultySmtp
from tests.support.program import Running, pbem, started, write_league

USER = "referee@league.example"
PAIRS = 5
_ANSWERED = re.compile(rb"^In-Reply-To: (<[^>]+>)", re.M)
_ID = re.compile(rb"^Message-ID: (<[^>]+>)", re.M)
_PATIENT = {"deadline_hours": 10_000, "token_days": 3_000}


@dataclass
class Found:
    """What was done and found; `bad` must be empty."""

    letters: int = 0
    kills: int = 0
    kills_of_both: int = 0
    cuts: int = 0
    smtp_faults: int = 0
    answers: int = 0
    copies: int = 0
    handled_before_kills: int = 0
    most_in_hand: int = 0
    rebuilds: int = 0
    states: dict[str, int] = field(default_factory=dict)
    seconds: float = 0
    bad: list[str] = field(default_factory=list)


class Kills:
    """One run: the servers, the league's folder, the players, and what is found."""

    def __init__(self, home: Path, dovecot: Dovecot, smtp: FaultySmtp, link: CutLink) -> None:
        self.home, self.dovecot, self.smtp, self.link = home, dovecot, smtp, link
        self.rng, self.found = random.Random(), Found()
        names = [f"{side}{n}" for n in range(PAIRS) for side in "AB"]
        self.players = {
            f"{name.lower()}@p{n}.example": Player(f"Player {name}", f"{name.lower()}@p{n}.example")
            for n, name in enumerate(names)
        }
        self.last: dict[str, Received] = {}
        self.keys: dict[str, str] = {}
        self.due: list[str] = []
        """The Message-IDs of letters that must have one answer; orders may lead to a report."""
        self.written = 0
        self.stories: list[str] = []
        self.words: list[bytes] = []
        """What was written to one player, and must have come once."""
        self.config = self._write_config()
        self._seen = 0

    def _write_config(self) -> Path:
        login = {"user": USER, "password_file": "password", "tls": "none"}
        (imap, imap_port), (smtp, smtp_port) = self.link.address, self.smtp.address
        return write_league(
            self.home,
            {
                "league": {"name": "Kill League", "address": USER, **_PATIENT},
                "store": {"url": f"sqlite:///{self.home}/league.db"},
                "imap": login | {"host": imap, "port": imap_port},
                "smtp": {"host": smtp, "port": smtp_port, "tls": "none"},
                "limits": {
                    "letters_a_day": 10**6,
                    "refusals_a_day": 10**6,
                    "tells_a_day": 10**6,
                    "stranger_letters_a_day": 10**6,
                    "duels_a_day": 0,
                },
            },
            "secret",
        )

    def run(self, kills: int, seed: int, each: int) -> Found:
        """Found the league, kill the daemon so often, and look what is left.

        The league is rebuilt after `each` kills.
        """
        self.rng, began = random.Random(seed), time.monotonic()
        self._begin_duels()
        self.smtp.faulty = self.link.faulty = True
        for number in range(kills):
            self._until_killed(both=number % 2 == 1)
            if number % each == each - 1:
                self._rebuild(f"after kill {number + 1}")
        self.smtp.faulty = self.link.faulty = False
        self._to_the_end([])
        self.found.seconds = round(time.monotonic() - began, 1)
        self._judge()
        return self.found

    def _begin_duels(self) -> None:
        """Let the players join, enlist, challenge and accept, without a fault."""
        now = datetime.now(UTC)
        everyone = self.players.values()
        self._to_the_end([one.write(USER, f"JOIN {one.name}", now) for one in everyone])
        self._to_the_end([self._reply(one, "Here I am.") for one in everyone])
        self._to_the_end([self._reply(one, _enlisting(one)) for one in everyone])
        pairs = self._pairs()
        self._to_the_end(
            [self._reply(a, f"CHALLENGE {_pilot(b)} WITH {_pilot(a)}") for a, b in pairs]
        )
        self._to_the_end([self._reply(b, "ACCEPT") for _, b in pairs])
        with closing(Store(f"sqlite:///{self.home}/league.db")) as store:
            for one in store.all(PlayerRow.select().order_by(PlayerRow.id)):
                key = tokens_and_keys.key(store.secret, one.id, one.key_serial)
                self.keys[one.address] = key

    def _pairs(self) -> list[tuple[Player, Player]]:
        everyone = list(self.players.values())
        return list(zip(everyone[::2], everyone[1::2], strict=True))

    def _reply(self, one: Player, text: str) -> bytes:
        return one.reply(self.last[one.address], text, datetime.now(UTC))

    def _letter(self) -> list[bytes]:
        """Write a letter, or one and its second delivery."""
        one, other = self.rng.choice(self._pairs())[:: self.rng.choice((1, -1))]
        kind, self.written = self.rng.randrange(10), self.written + 1
        if kind == 0:
            eve = Player(f"Eve {self.written}", f"eve@e{self.written}.example")
            return [self._expect(eve.write(USER, f"JOIN {eve.name}", datetime.now(UTC)))]
        if kind == 1:
            large = b"> And much more was said before.\r\n" * 4000
            return [self._expect(self._reply(one, f"STATUS\nSHEET {_pilot(other)}") + large)]
        if kind == 2:
            words = f"Word number {self.written} for you alone."
            self.words.append(words.encode())
            # With the key, since the letter may answer a turn that is over.
            text = f"KEY {self.keys[one.address]}\nTELL {_pilot(other)}\n{words}"
            return [self._expect(self._reply(one, text))]
        if kind == 3:
            raw = self._expect(self._reply(one, "STATUS"))
            return [raw, raw]
        if kind == 4:
            return [self._reply(one, f"PRACTICE WITH {_pilot(one)} AGAINST easy")]
        story = f"This was sortie number {self.written} of them all."
        self.stories.append(story)
        orders = self.rng.choice(("TARGET\nFIRE", "SCAN\nDOGFIGHT\nCLOSE", "CLOSE\nECM"))
        return [self._reply(one, f"{orders}\n{BEAMS}\n{story}")]

    def _expect(self, raw: bytes) -> bytes:
        """Note that a letter must have one answer."""
        found = _ID.search(raw)
        assert found is not None
        self.due.append(found[1].decode().strip())
        return raw

    def _until_killed(self, both: bool) -> None:
        """Deliver letters, start the daemon, and kill it at any moment."""
        rng = self.rng
        self._feed([raw for _ in range(rng.randint(2, 12)) for raw in self._letter()])
        self._make_due()
        # One kill in five comes at any time after the start, and all others at any letter.
        early = rng.random() < 0.2
        before, wanted = self._handled(), rng.randint(1, 9)
        with started(self.config) as daemon:
            last_moment = time.monotonic() + (rng.random() * 2 if early else 30)
            if rng.random() < 0.2:
                self._feed(self._letter())
            while time.monotonic() < last_moment and self._handled() < before + wanted:
                time.sleep(0.01)
            time.sleep(rng.random() * 0.2)
            if both:
                self.found.kills_of_both += _kill_second(daemon)
            daemon.process.kill()
        self.found.kills += 1
        self.found.handled_before_kills = self._handled()
        in_hand = self._count("letter", "owner <> ''")
        self.found.most_in_hand = max(self.found.most_in_hand, in_hand)
        self._collect()

    def _make_due(self) -> None:
        """Let the time pass for which letters that were deferred wait."""
        with closing(Store(f"sqlite:///{self.home}/league.db")) as store:
            store.run(Outgoing.update(due=datetime.now(UTC)).where(Outgoing.state == "queued"))

    def _to_the_end(self, letters: list[bytes], patience: float = 120) -> None:
        """Deliver letters, and run the daemon until nothing waits any more."""
        self._feed(letters)
        if self.found.kills:
            self._make_due()
        with started(self.config) as daemon:
            daemon.wait_until_ready()
            last_moment = time.monotonic() + patience
            while waiting := self._waiting():
                if daemon.process.poll() is not None or time.monotonic() > last_moment:
                    raise TimeoutError(f"still there: {waiting}")
                time.sleep(0.1)
            daemon.stop()
        self._collect()

    def _feed(self, letters: list[bytes]) -> None:
        if letters:
            with IMAPClient(*self.dovecot.imap, ssl=False) as client:
                client.login(USER, "secret")
                client.multiappend("INBOX", letters)
        self.found.letters += len(letters)

    def _collect(self) -> None:
        """Note the letters that came out, as the latest of their recipients."""
        taken = self.smtp.taken
        for recipient, raw in taken[self._seen :]:
            if recipient in self.players:
                self.last[recipient] = Received(raw)
        self._seen = len(taken)

    def _rows(self, sql: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.home / "league.db", timeout=20)) as books:
            return books.execute(sql).fetchall()

    def _count(self, table: str, where: str = "1") -> int:
        with suppress(sqlite3.OperationalError):  # no table yet
            [(count,)] = self._rows(f"SELECT COUNT(*) FROM {table} WHERE {where}")
            assert isinstance(count, int)
            return count
        return 0

    def _handled(self) -> int:
        return self._count("letter", "state <> 'received'")

    def _waiting(self) -> dict[str, int]:
        with IMAPClient(*self.dovecot.imap, ssl=False) as client:
            client.login(USER, "secret")
            inbox = int(client.select_folder("INBOX", readonly=True)[b"EXISTS"])
        rows = {
            "letters not handled": self._count("letter", "state = 'received'"),
            "letters not sent": self._count("outgoing", "state IN ('queued', 'sending')"),
            "letters in the inbox": inbox,
            "letters not stored": self.found.letters - self._count("letter"),
        }
        return {name: count for name, count in rows.items() if count}

    def _rebuild(self, when: str) -> None:
        """Rebuild the league as it is now, and note what differs."""
        new = self.home / "rebuilt.db"
        for text in rebuild(load(self.config), new):
            self.found.bad.append(f"rebuild {when}: {text}")
        new.unlink()
        self.found.rebuilds += 1

    def _judge(self) -> None:
        """Look whether each letter has its answer, once, and nothing was blamed or lost."""
        found, smtp = self.found, self.smtp
        found.cuts, found.smtp_faults, found.copies = self.link.cuts, smtp.faults, smtp.copies
        found.answers = len(smtp.taken)
        found.bad += [*self._wrong_answers(), *self._lost_or_doubled(), *self._blamed()]
        checked = pbem("--config", self.config, "fsck")
        if checked.returncode:
            found.bad.append(checked.stdout.decode() + checked.stderr.decode())
        self._rebuild("at the end")

    def _wrong_answers(self) -> Iterator[str]:
        answers = Counter(
            answered[1].decode()
            for _, raw in self.smtp.taken
            if (answered := _ANSWERED.search(raw))
        )
        for name in self.due:
            if answers[name] != 1:
                yield f"{name}: {answers[name]} answers"
        told = Counter(text for (text,) in self._rows("SELECT text FROM story"))
        for story in self.stories:
            # None where its battle was over.
            if told[story] > 1:
                yield f"{told[story]} times: {story}"
        for words in self.words:
            # To whom they are for, and in the answer that says so to their writer.
            told_to = Counter(to for to, raw in self.smtp.taken if words in raw)
            if sorted(told_to.values()) != [1, 1]:
                yield f"{told_to.total()} times: {words.decode()}"

    def _lost_or_doubled(self) -> Iterator[str]:
        """Compare what the database says was sent with what came, and each letter's forms."""
        came = self.smtp.forms
        for name, forms in came.items():
            if len(forms) > 1:
                yield f"{name} came in {len(forms)} forms"
        sent = {
            str(name) for (name,) in self._rows("SELECT message_id FROM outgoing WHERE sent > 0")
        }
        yield from (f"{name} came, and was never sent" for name in came.keys() - sent)
        yield from (f"{name} was sent, and never came" for name in sent - came.keys())
        states = "SELECT state, COUNT(*) FROM outgoing GROUP BY 1"
        for state, count in self._rows(states):
            if state not in ("sent", "replaced"):
                yield f"letters to send that are {state}: {count}"

    def _blamed(self) -> Iterator[str]:
        """Look for letters that count an attempt, were set aside, or were handled twice."""
        states = self._rows("SELECT state, COUNT(*) FROM letter GROUP BY 1")
        self.found.states = {str(state): int(str(count)) for state, count in states}
        blamed = "tries > 0 OR error <> '' OR owner <> '' OR state = 'shunted'"
        for row in self._rows(f"SELECT id, state, tries, error FROM letter WHERE {blamed}"):
            yield f"blamed: {row}"
        once = "klass <> 'duplicate' GROUP BY message_id HAVING COUNT(*) > 1"
        for (name,) in self._rows(f"SELECT message_id FROM letter WHERE {once}"):
            yield f"{name} was handled twice"


def _kill_second(daemon: Running) -> bool:
    """Kill the daemon's second process, as who kills all of them does. Return if it had one."""
    children = Path(f"/proc/{daemon.process.pid}/task/{daemon.process.pid}/children")
    try:
        pids = children.read_text().split()
        for pid in pids:
            os.kill(int(pid), signal.SIGKILL)
    except OSError:  # one of them has just ended
        return False
    return bool(pids)


def _pilot(one: Player) -> str:
    return one.name.replace("Player", "Pilot")


def _enlisting(one: Player) -> str:
    side, ship = ("cartel", "Angela 313B") if "A" in one.name else ("alliance", "Rus 133-B")
    return f"ENLIST {_pilot(one)} FOR {side} WEAPONS 14 PILOTING 12 SENSORS 10 SHIP {ship}"


@contextmanager
def open_kills(seed: int = 1) -> Iterator[Kills]:
    """Run the servers, with a folder for the league."""
    with open_folder() as folder:
        dovecot = Dovecot(folder, make_certificates(folder), {USER: "secret"})
        smtp, link = FaultySmtp(seed), CutLink(dovecot.imap, seed)
        home = folder / "league"
        home.mkdir()
        with dovecot.running(), smtp.running(), link.running():
            yield Kills(home, dovecot, smtp, link)


def main() -> int:
    """Try so many kills, and print what was found as JSON."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with open_kills(seed) as tried:
        found = tried.run(kills, seed, each=20)
    print(json.dumps(asdict(found), indent=1))
    return 1 if found.bad else 0


if __name__ == "__main__":
    sys.exit(main())
