"""A league's old database next to the new one that its letters are replayed into (SQLite only)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from heapq import merge
from pathlib import Path
from typing import Any, NamedTuple

from pbem.storage import records
from pbem.storage.repository import Repository, to_utc
from pbem.storage.schema import TABLES, R, Table
from pbem.storage.store import DROPPED, HANDLED, Store

KEPT = "secret", "newsletter_founded"
"""Single values that everything else depends on."""
SHOWN = 5
"""How many differences of one table are shown."""

_UNHANDLED: dict[str, Any] = {
    "state": "received",
    "klass": "",
    "reason": "",
    "player_id": None,
    "tries": 0,
    "in_hand": False,
    "error": "",
    "handled": None,
}
"""What a letter is like that has just come."""
_REPLAYED = f"state IN {HANDLED} AND klass <> '{DROPPED}'"
_TRANSPORT: tuple[tuple[type[Any], str, tuple[str, ...]], ...] = (
    (records.Letter, "id", ("tries", "in_hand", "error", "moved")),
    (records.Outgoing, "ident", ("state", "tries", "due", "sent", "error")),
    (
        records.Post,
        "channel, ident",
        ("state", "unsure", "stands", "topic", "tries", "due", "sent", "error"),
    ),
    (records.Issue, "id", ("page",)),
)
"""What sending, moving and printing changed (table, key, columns), which no replay can know."""

_KEYS: dict[type[Any], str] = {records.Outgoing: "ident"}
"""What identifies a row, where it is not its number."""

_UNCOMPARED: dict[type[Any], tuple[str, ...]] = {
    records.Meta: ("value",),
    records.Outgoing: ("id", "content"),
    records.Round: ("id", "at", "last", "letters", "ruling", "settings", "boards"),
}
"""Columns that may differ: a later version of the program may word letters differently."""


class Moment(NamedTuple):
    """When the service worked (UTC), and on what: letters, or a ruling from the shell.

    `last` is when it had read the mailbox before. One with `settings` only records that they are in
    force from then on.
    """

    at: datetime
    last: datetime | None = None
    letters: tuple[int, ...] = ()
    ruling: str = ""
    settings: str = ""
    boards: str = "{}"


class RebuildStore(Store):
    """A new database with the old one attached; it takes its secrets from there, not new ones."""

    def __init__(self, new: Path, old: Path) -> None:
        super().__init__(f"sqlite:///{new}")
        self.run("ATTACH ? AS old", (str(old),))
        for kept in self._old(records.Meta).all(key__in=KEPT):
            self.set_meta(kept.key, kept.value)
        self.secret = bytes.fromhex(self.meta("secret") or "")

    def _old(self, record: type[R]) -> Repository[R]:
        """Return a table of the old database."""
        return Repository(self, record, "old")

    def fresh_secret(self, repository: Repository[Any]) -> bytes:
        """Return the secret that the old database has for the row that comes next."""
        old = self._old(repository.table.record)
        for (secret,) in old.values("secret", id=repository.highest() + 1):
            return bytes(secret)
        return super().fresh_secret(repository)

    def message_id(self, ident: str, fresh: str) -> str:
        """Return the Message-ID that a letter had, even if its words are different now."""
        for (known,) in self._old(records.Outgoing).values("message_id", ident=ident):
            return str(known)
        return fresh

    def dropped(self) -> int:
        """Count the letters whose contents were dropped."""
        return self._old(records.Letter).count(content=b"")

    def moments(self) -> list[Moment]:
        """Return all moments at which the old service did anything, in order.

        Moments that a crash kept it from noting are inferred from what was done in them.
        """
        rounds = [
            Moment(
                one.at,
                one.last,
                tuple(json.loads(one.letters)),
                one.ruling,
                one.settings,
                one.boards,
            )
            for one in self._old(records.Round).all()
        ]
        return _in_order(rounds, self._unnoted({one for each in rounds for one in each.letters}))

    def _unnoted(self, known: set[int]) -> dict[datetime, list[int]]:
        """Return the letters that no round has noted, by the time at which they were handled."""
        found: dict[Any, list[int]] = {}
        handled = self.run(f"SELECT id, handled FROM old.letter WHERE {_REPLAYED} ORDER BY id")
        for number, at in handled.fetchall():
            if number not in known:
                found.setdefault(to_utc(at), []).append(number)
        acts = self.run("SELECT at FROM old.step UNION SELECT made FROM old.outgoing")
        for (at,) in acts.fetchall():
            found.setdefault(to_utc(at), [])
        return found

    def receive(self, letters: Sequence[int]) -> None:
        """Copy letters that were handled, as if they had just come."""
        for number in letters:
            replayed = {"state__in": HANDLED, "klass__ne": DROPPED}
            if old := self._old(records.Letter).find(id=number, **replayed):
                checked = "" if old.checked == "confirmed" else old.checked
                self.letters.insert(**old._replace(checked=checked, **_UNHANDLED)._asdict())

    def finish(self) -> None:
        """Copy letters without effect, and the results of sending, moving and dropping."""
        names = TABLES[records.Letter].names
        without = f"SELECT {names} FROM old.letter WHERE NOT ({_REPLAYED})"
        self.run(f"INSERT INTO main.letter ({names}) {without}")
        for record, key, columns in _TRANSPORT:
            name, changed = TABLES[record].name, ", ".join(columns)
            same = " AND ".join(f"o.{one} = main.{name}.{one}" for one in key.split(", "))
            found = f"FROM old.{name} AS o WHERE {same}"
            self.run(
                f"UPDATE main.{name} SET ({changed}) = (SELECT {changed} {found})"
                f" WHERE EXISTS (SELECT 1 {found})"
            )
        # What the old database has dropped is dropped here too.
        gone = "SELECT ident FROM old.outgoing WHERE content = x''"
        self.run(f"UPDATE main.outgoing SET content = x'' WHERE ident IN ({gone})")
        self._take_alarms()
        self.run("INSERT OR IGNORE INTO bounce SELECT * FROM old.bounce WHERE kind = 'refused'")
        self.run("INSERT OR REPLACE INTO main.meta SELECT * FROM old.meta")
        # How far boards have been read is not in any message.
        self.run("INSERT OR REPLACE INTO main.cursor SELECT * FROM old.cursor")

    def _take_alarms(self) -> None:
        """Copy letters about what no replay can know: that sending failed, or handling a letter."""
        columns = TABLES[records.Outgoing].columns
        names = ", ".join(f'"{one.name}"' for one in columns if one.name != "id")
        self.run(
            f"INSERT OR IGNORE INTO main.outgoing ({names})"
            f" SELECT {names} FROM old.outgoing WHERE kind IN ('alarm', 'briefing', 'shunted')"
        )

    def differences(self) -> Iterator[str]:
        """Return in which rows the new database differs from the old, a few of each table."""
        if dropped := self.dropped():
            yield f"letter: the words of {dropped} were dropped, and can't be replayed"
        for table in TABLES.values():
            yield from self._differences(table)

    def _differences(self, table: Table) -> Iterator[str]:
        name, key = table.name, _KEYS.get(table.record, table.key)
        left_out = _UNCOMPARED.get(table.record, ())
        columns = [one.name for one in table.columns if one.name not in left_out]
        if not columns:
            return
        names = ", ".join(f'"{column}"' for column in columns)
        for one, other, what in (("old", "main", "was not made again"), ("main", "old", "is new")):
            changed = f"SELECT {names} FROM {one}.{name} EXCEPT SELECT {names} FROM {other}.{name}"
            for row in self.run(f"{changed} LIMIT {SHOWN}").fetchall():
                where = row[columns.index(key)]
                same_row = f"SELECT {names} FROM {other}.{name} WHERE {key} = ?"
                found = self.run(same_row, (where,)).fetchone()
                if found is None:
                    yield f"{name} {where} {what}"
                elif one == "old":
                    pairs = zip(columns, row, found, strict=True)
                    unlike = [column for column, was, now in pairs if was != now]
                    yield f"{name} {where} differs in {', '.join(unlike)}"


def _in_order(rounds: Sequence[Moment], unnoted: Mapping[datetime, list[int]]) -> list[Moment]:
    """Put moments that were not noted before the first round that came after them.

    Nobody knows whether an outage came before them; this assumes that none did.
    """
    known = {one.at for one in rounds if not one.settings}
    more = [Moment(at, at, tuple(ids)) for at, ids in unnoted.items() if ids or at not in known]
    return list(merge(rounds, sorted(more), key=lambda moment: moment.at))
