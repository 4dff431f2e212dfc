"""How many statements reach the database's driver: `python -m benchmarks statements`.

Counted are all that SQLite is asked to do, reads, writes and the bounds of transactions, from a
letter's being fetched to its answers being committed. The answers are sent later, and apart.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import pbem
from benchmarks.sample_league import BEGIN, League, Member, settings
from benchmarks.sample_players import QUEUES
from pbem.channels.mail.maildir import MaildirMailbox, make_maildir
from pbem.storage import Store

DUELS = 40
"""Enough that STATUS looks at as many rivals as it ever does."""
NOW = BEGIN + timedelta(hours=1)
_ROOT = Path(pbem.__file__).parent
_BOUNDS = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
_BEGINNING = 1000
_ROWS = (
    ("filed", "for a letter that is filed, and comes alone", ""),
    ("fought", "for one that lets a battle run on", "40"),
    ("status", "for STATUS", "30"),
    ("free", "for STATUS of somebody who may challenge others", "30"),
    ("idle", "of an idle round", "15"),
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement's kind, its beginning, and the lines of `pbem` that asked, the nearest first.

    Its kind is `read`, `write`, or `bound` for one that begins or ends a transaction or savepoint.
    """

    kind: str
    text: str
    asked_by: list[str]


@contextmanager
def counted(store: Store) -> Iterator[list[Statement]]:
    """Yield the statements that this thread sends to a SQLite database while the block runs."""
    found = list[Statement]()
    connection = store.database.connection()

    def note(text: str) -> None:
        word = text.split(None, 1)[0].upper()
        kind = "bound" if word in _BOUNDS else "read" if word == "SELECT" else "write"
        # Behind that may be a whole letter.
        found.append(Statement(kind, text[:_BEGINNING], _askers()))

    connection.set_trace_callback(note)
    try:
        yield found
    finally:
        connection.set_trace_callback(None)


def _askers() -> list[str]:
    """Return who asks now, such as `routing/router.py:54`; how storage does it is left out."""
    found = list[str]()
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(_ROOT) and not path.is_relative_to(_ROOT / "storage"):
            found.append(f"{path.relative_to(_ROOT)}:{frame.f_lineno}")
        frame = frame.f_back
    return found


def measure(duels: int = DUELS) -> dict[str, list[Statement]]:
    """Return the statements for a letter that is filed, for two that are filed together, for one
    that lets a battle run on, for a STATUS, and for a round without letters."""
    with TemporaryDirectory() as name, closing(League(settings(Path(name)))) as league:
        pairs = league.pair(duels)
        league.challenge(pairs[:-1])  # the last two are free
        (first, second), (one, reader), (other, _) = pairs[:3]
        a, c, d = (league.reply(each, orders(each)) for each in (first, one, other))
        return {
            "filed": _answered(league, a),
            "fought": _answered(league, league.reply(second, QUEUES[1])),
            "two filed": _answered(league, c, d),
            "status": _answered(league, league.reply(reader, "STATUS")),
            "free": _answered(league, league.reply(pairs[-1][0], "STATUS")),
            "idle": _idle(league, Path(name)),
        }


def orders(writer: Member) -> str:
    """Return the first orders of a battle, which wait for the other side's."""
    return f"{QUEUES[1]}\n{writer.standing}"


def answer(league: League, letters: Sequence[bytes]) -> None:
    """Do what the daemon does with letters that it has fetched, until the answers are committed."""
    league.keep(letters)
    league.service.round(NOW).answer_all()


def _answered(league: League, *letters: bytes) -> list[Statement]:
    """Return the statements for letters that come together."""
    with counted(league.service.ports.store) as found:
        answer(league, letters)
    league.deliver()
    return found


def _idle(league: League, folder: Path) -> list[Statement]:
    """Return the statements for a round without letters, which follows another one."""
    make_maildir(folder / "mail")
    mailbox = MaildirMailbox(folder / "mail")
    mailbox.connect()
    league.service.attend(mailbox, lambda: NOW)
    with counted(league.service.ports.store) as found:
        league.service.attend(mailbox, lambda: NOW)
    return found


def table(found: dict[str, list[dict[str, Any]]]) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield a row for each thing that was done: how many statements, and how many of each kind."""
    for name, told, aim in _ROWS:
        kinds = Counter(one["kind"] for one in found[name])
        parts = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
        yield (f"statements {told}", f"{len(found[name])}", parts, "", aim)
    more = len(found["two filed"]) - len(found["filed"])
    yield ("for each further one of a batch", f"{more}", "", "", "16")
