"""Draining 1,000 order letters, against bare loops that know no rules and render no words.

All read the same letters from a real Dovecot, commit a row for each, hand as many letters of the
same size to an SMTP sink, and move what they have read. They take turns, each time with a fresh
mailbox and database. One loop handles one letter after the other; a faster one fetches and moves a
hundred at a time.
"""

import cProfile
import pstats
import shutil
import smtplib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import count, islice
from pathlib import Path
from time import perf_counter
from typing import Any

from imapclient import IMAPClient
from peewee import fn

from benchmarks.interleaved import Pair, alternate
from benchmarks.sample_league import ADDRESS, BEGIN, League, Member, settings
from benchmarks.sample_players import QUEUES
from pbem.channels.mail.imap_mailbox import ImapAccount, ImapMailbox
from pbem.channels.mail.transport import SmtpAccount, SmtpTransport
from pbem.service.service import Service
from pbem.storage import Letter, Outgoing, Store
from tests.servers.certificates import make_certificates
from tests.servers.daemon import Address, open_folder
from tests.servers.dovecot import Dovecot
from tests.servers.sink import smtp_sink
from tests.support.daemon_until_idle import work

LETTERS = 1000
BATCH = 100
NOW = BEGIN + timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Case:
    """Letters to be drained, the league that they were written to, and the answers to them."""

    home: Path
    letters: list[bytes]
    answers: list[bytes]


@dataclass(frozen=True, slots=True)
class Servers:
    """A Dovecot with an empty mailbox for each run, and an SMTP sink."""

    dovecot: Dovecot
    smtp: Address
    users: Iterator[str]

    def fresh(self, letters: Sequence[bytes]) -> str:
        """Fill a mailbox that was never used, and return its user."""
        user = next(self.users)
        with IMAPClient(*self.dovecot.imap, ssl=False) as client:
            client.login(user, "secret")
            for start in range(0, len(letters), BATCH):
                client.multiappend("INBOX", letters[start : start + BATCH])
        return user

    def mailbox(self, user: str) -> ImapMailbox:
        """Return a user's mailbox, not yet connected."""
        host, port = self.dovecot.imap
        account = ImapAccount(host=host, port=port, tls="none", user=user, password="secret")
        return ImapMailbox(account)

    def transport(self) -> SmtpTransport:
        """Return a transport to the sink, not yet connected."""
        host, port = self.smtp
        return SmtpTransport(SmtpAccount(host=host, port=port, tls="none"))


@contextmanager
def servers(mailboxes: int) -> Iterator[Servers]:
    """Run Dovecot and the sink until the block ends."""
    users = [f"round{n}@league.example" for n in range(mailboxes)]
    with open_folder() as folder, smtp_sink(keep=False) as sink:
        dovecot = Dovecot(folder, make_certificates(folder), dict.fromkeys(users, "secret"))
        with dovecot.running():
            yield Servers(dovecot, sink.address, iter(users))


def filed(home: Path) -> Case:
    """Return letters whose orders are filed and acknowledged, since the other side has
    not ordered."""

    def write(hall: League, pairs: Sequence[tuple[Member, Member]]) -> list[bytes]:
        writers = [one for one, _ in pairs]
        return [
            hall.reply(one, f"{QUEUES[n % 3]}\n{one.standing}")
            for n in range(LETTERS // len(writers))
            for one in writers
        ]

    return _case(home, 25, write)


def fought(home: Path) -> Case:
    """Return letters of both sides: every second one runs a battle on, with a report to
    each side."""

    def write(hall: League, pairs: Sequence[tuple[Member, Member]]) -> list[bytes]:
        return [hall.reply(m, f"{QUEUES[1]}\n{m.standing}") for pair in pairs for m in pair]

    return _case(home, LETTERS // 2, write)


Pens = Callable[[League, Sequence[tuple[Member, Member]]], list[bytes]]


def _case(home: Path, duels: int, write: Pens) -> Case:
    """Return a case: start duels, have letters written, and learn the answers from a rehearsal."""
    home.mkdir()
    hall = League(settings(home))
    with closing(hall):
        pairs = hall.pair(duels)
        hall.challenge(pairs)
        letters = write(hall, pairs)
        last = hall.service.ports.store.all(Outgoing.select().order_by(Outgoing.id))[-1].id
        hall.service.ports.store.run(Outgoing.update(state="sent"))
    return Case(home, letters, _rehearsed(home, letters, last))


def _rehearsed(home: Path, letters: Sequence[bytes], last: int) -> list[bytes]:
    """Answer letters in a copy of the league, and return the answers."""
    stage = home.with_name(f"{home.name}-rehearsal")
    shutil.copytree(home, stage)
    hall = League(settings(stage))
    with closing(hall):
        hall.keep(letters)
        hall.service.round(NOW).answer_all()
        return [
            row.content
            for row in hall.service.ports.store.all(
                Outgoing.select().where(Outgoing.id > last).order_by(Outgoing.id)
            )
        ]


def ours(case: Case, at: Servers, folder: Path) -> float:
    """Run a daemon until all letters are drained, and return the seconds that it took."""
    shutil.copytree(case.home, folder)
    user = at.fresh(case.letters)
    made = settings(folder)
    service = Service(made, Store(made.store_url()))
    last = service.ports.store.scalar(Outgoing.select(fn.MAX(Outgoing.id))) or 0
    with closing(service.ports.store):
        began = perf_counter()
        work(service, at.mailbox(user), at.transport(), NOW)
        spent = perf_counter() - began
        sent = service.ports.store.count(
            Outgoing.select().where(Outgoing.id > last, Outgoing.state == "sent")
        )
        moved = service.ports.store.count(Letter.select().where(Letter.moved == True))
    if (sent, moved) != (len(case.answers), len(case.letters)):
        raise RuntimeError(f"{sent} answers sent, {moved} letters moved")
    return spent


def bare(case: Case, at: Servers, folder: Path, batch: int) -> float:
    """Drain the letters without rules, `batch` at a time, and return the seconds that it took."""
    folder.mkdir()
    answers = iter(case.answers)
    share = len(case.answers) / len(case.letters)
    user = at.fresh(case.letters)
    with closing(_database(folder / "bare.db")) as database:
        began = perf_counter()
        with IMAPClient(*at.dovecot.imap, ssl=False) as client, smtplib.SMTP(*at.smtp) as smtp:
            client.login(user, "secret")
            client.select_folder("INBOX")
            client.create_folder("Processed")
            uids = client.search()
            for start in range(0, len(uids), batch):
                portion = uids[start : start + batch]
                for uid, letter in client.fetch(portion, ["BODY.PEEK[]"]).items():
                    database.execute("INSERT INTO letter VALUES (?, ?)", (uid, letter[b"BODY[]"]))
                    database.commit()
                due = round((start + len(portion)) * share) - round(start * share)
                for answer in islice(answers, due):
                    smtp.sendmail(ADDRESS, ["player@players.example"], answer)
                client.move(portion, "Processed")
        spent = perf_counter() - began
    if next(answers, None) is not None:
        raise RuntimeError("answers were left over")
    return spent


def _database(file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(file)
    database.execute("PRAGMA journal_mode = wal")
    database.execute("PRAGMA synchronous = full")
    database.execute("CREATE TABLE letter (uid INTEGER PRIMARY KEY, content BLOB)")
    database.commit()
    return database


RUNS = 6
"""How many mailboxes a round takes: two kinds of letters, drained by us and by two loops."""


def measure(folder: Path, at: Servers, rounds: int) -> dict[str, list[Pair]]:
    """Measure both kinds of letters in turns; return seconds of ours and of each loop."""
    names = (folder / f"run{n}" for n in count())
    return {
        make.__name__: _compare(make(folder / make.__name__), at, names, rounds)
        for make in (filed, fought)
    }


def _compare(case: Case, at: Servers, names: Iterator[Path], rounds: int) -> list[Pair]:
    return alternate(
        rounds,
        lambda _: ours(case, at, next(names)),
        lambda _: bare(case, at, next(names), 1),
        lambda _: bare(case, at, next(names), BATCH),
    )


def profile() -> None:
    """Print where the time goes while the program drains each kind of letters."""
    with open_folder() as folder, servers(2) as at:
        for make in (filed, fought):
            case, watch = make(folder / make.__name__), cProfile.Profile()
            watch.runcall(ours, case, at, folder / f"profiled-{make.__name__}")
            print(f"\n{make.__name__}: {len(case.letters)} letters, {len(case.answers)} answers")
            print("\n".join(_shares(pstats.Stats(watch))))


_PARTS = {
    "reading letters": ("classification.py", "read_letter"),
    "keeping them": ("store.py", "keep"),
    "templates": ("__init__.py", "page"),
    "compose": ("mime_writer.py", "compose"),
    "SQL statements": ("~", "<method 'execute' of 'sqlite3.Cursor' objects>"),
    "commits": ("~", "<method 'commit' of 'sqlite3.Connection' objects>"),
    "the router, with all but SMTP and IMAP": ("router.py", "handle"),
    "SMTP": ("transport.py", "send"),
    "IMAP": ("imap.py", "_ask_for"),
}


def _shares(stats: Any) -> Iterator[str]:
    """Yield the seconds spent in some functions, each with all that it calls."""
    for told, (file, name) in _PARTS.items():
        for (path, _, function), figures in stats.stats.items():
            if Path(path).name == file and function == name:
                yield f"  {figures[3]:6.2f} s  {told}"
