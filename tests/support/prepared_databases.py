"""Databases that are prepared once and copied: most tests begin with the same league."""

import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pbem.storage import Store
from pbem.storage.migrations import newest

if TYPE_CHECKING:
    from tests.support.harness import League, Person

People = TypeVar("People", bound="tuple[Person, ...]")


def opened(url: str, entropy: Callable[[int], bytes]) -> Store:
    """Open a league's database. SQLite doesn't wait for the disk, since no test cuts the power."""
    store = Store(url, entropy)
    if url.startswith("sqlite:"):
        store.execute_sql("PRAGMA synchronous = off")
    return store


def content(file: Path) -> bytes:
    """Return a SQLite database as bytes, with what its journal holds."""
    with sqlite3.connect(file) as connection:
        found = connection.serialize()
    connection.close()
    return found


def put(file: Path, database: bytes) -> None:
    """Put a database where one was, or where none is yet."""
    for old in file.parent.glob(f"{file.name}*"):
        old.unlink()
    file.write_bytes(database)


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return the files of a folder by their names, each with the time of its last change."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


@dataclass(frozen=True)
class _Copy:
    """All that a prepared league is: its database, its Maildir, and what went out."""

    database: bytes
    maildir: dict[str, tuple[bytes, int]]
    random: Any
    now: datetime
    dropped: int
    letters: list[tuple[str, bytes]]
    people: list[tuple[str, list[EmailMessage], int]]
    kind: Callable[..., Any]


_empty: dict[tuple[str, str], tuple[bytes, Any]] = {}
_copies: dict[tuple[str, ...], _Copy] = {}


class Copies:
    """What copies a league may be made from; only one on SQLite is, and with known dice."""

    def __init__(self, league: "League", entropy: str) -> None:
        self.league = league
        self.file = league.folder / "league.db"
        self.kind = entropy, str(newest())
        usual = league.settings.store_url() == f"sqlite:///{self.file}"
        plain = type(league).__name__ == "League"  # others note what is done to them
        known = entropy.startswith("random ") or entropy == "fixed_entropy"
        self.possible = usual and plain and known and not self.file.exists()

    def begin(self) -> None:
        """Open a league, whose tables are copied from an earlier one."""
        league = self.league
        if self.possible and self.kind in _empty:
            database, random = _empty[self.kind]
            put(self.file, database)
            league.random.setstate(random)
        elif self.possible:
            opened(league.settings.store_url(), league.entropy).close()
            _empty[self.kind] = content(self.file), league.random.getstate()
        league.open()
        self.as_it_was = self._state()

    def prepare(self, how: tuple[str, ...], build: Callable[[], People]) -> People:
        """Prepare a league, or copy one that was prepared so under the same settings."""
        if not self.possible or self._state() != self.as_it_was:
            return build()
        key = (*how, *self.kind, repr(self.league.settings).replace(str(self.league.folder), ""))
        if key in _copies:
            return self._restore(_copies[key])  # type: ignore[return-value]
        people = build()
        _copies[key] = self._copy(people)
        return people

    def _state(self) -> list[Any]:
        """Return what differs once anything was done to a league, or a part of it was replaced."""
        if not self.possible:
            return []
        league = self.league
        ports = league.service.ports
        parts = [
            league.service,
            league.mailbox,
            *(getattr(ports, one.name) for one in fields(ports)),
        ]
        inside = [
            (name, id(value))
            for part in parts
            for name, value in sorted(getattr(part, "__dict__", {}).items())
        ]
        written = league.store.database.connection().total_changes
        return [written, league.now, id(league.transport), league._dropped, type(league), inside]

    def _copy(self, people: tuple["Person", ...]) -> _Copy:
        league = self.league
        return _Copy(
            content(self.file),
            files(league.maildir),
            league.random.getstate(),
            league.now,
            league._dropped,
            list(league.post.letters),
            [(person.name, list(person.sent), person.read) for person in people],
            getattr(people, "_make", tuple),
        )

    def _restore(self, copy: _Copy) -> tuple["Person", ...]:
        league = self.league
        league.close()
        put(self.file, copy.database)
        for name, (raw, changed) in copy.maildir.items():
            path = league.maildir / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
            os.utime(path, ns=(changed, changed))
        league.random.setstate(copy.random)
        league.now, league._dropped = copy.now, copy.dropped
        league.post.letters[:] = copy.letters
        league.open()
        people = [league.person(name) for name, _, _ in copy.people]
        for person, (_, sent, read) in zip(people, copy.people, strict=True):
            person.sent[:], person.read = sent, read
        return copy.kind(people)  # type: ignore[no-any-return]
