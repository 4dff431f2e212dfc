"""A league's old database next to the new one that its letters are replayed into (SQLite only)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from heapq import merge
from pathlib import Path
from typing import Any, NamedTuple

from pbem.storage.models import (
    TABLES,
    Issue,
    Letter,
    Meta,
    Outgoing,
    OutgoingText,
    Post,
    Round,
    UtcField,
)
from pbem.storage.repository import Repository
from pbem.storage.store import Store

KEPT = "secret", "newsletter_founded"
"""Single values that everything else depends on."""
SHOWN = 5
"""How many differences of one table are shown."""

_UNHANDLED = {
    "checked": "CASE checked WHEN 'confirmed' THEN '' ELSE checked END",
    "state": "'received'",
    "klass": "''",
    "reason": "''",
    "player_id": "NULL",
    "tries": "0",
    "in_hand": "0",
    "error": "''",
    "handled": "NULL",
}
_REPLAYED = "state IN ('filed', 'answered', 'held', 'discarded') AND klass <> 'dropped'"
_TRANSPORT: tuple[tuple[Any, str, tuple[str, ...]], ...] = (
    (Letter, "id", ("tries", "in_hand", "error", "moved")),
    (Outgoing, "ident", ("state", "tries", "due", "sent", "error")),
    (Post, "channel, ident", ("state", "unsure", "stands", "tries", "due", "sent", "error")),
    (Issue, "id", ("page",)),
)
"""What sending, moving and printing changed (table, key, columns), which no replay can know."""

_KEYS = {Outgoing: "ident"}
"""What identifies a row, where it is not its number."""

_SAME_OUTGOING = """(
    SELECT new.id, text.content FROM old.outgoing_text AS text
    JOIN old.outgoing AS o ON o.id = text.of_id JOIN main.outgoing AS new USING (ident)
)"""
"""The old outgoing letters, each with the number that it has now."""

_UNCOMPARED = {
    Meta: ("value",),
    Outgoing: ("id",),
    OutgoingText: ("of_id", "content"),
    Round: ("id", "at", "last", "letters", "ruling", "settings"),
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


class Carried(Store):
    """A new database with the old one attached; it takes its secrets from there, not new ones."""

    def __init__(self, new: Path, old: Path) -> None:
        super().__init__(f"sqlite:///{new}")
        self._run("ATTACH ? AS old", str(old))
        self._run(
            "INSERT OR REPLACE INTO main.meta SELECT * FROM old.meta WHERE key IN (?, ?)", *KEPT
        )
        self.secret = self._own_secret()
        self.seals = self._seals_by(self.secret)
        # The seals so far were made with the new database's first secret.
        self.seal_all()

    def fresh_secret(self, shelf: Repository[Any]) -> bytes:
        """Return the secret that the old database has for the row that comes next."""
        name = shelf.model._meta.table_name
        next_id = f"SELECT coalesce(max(id), 0) + 1 FROM main.{name}"
        found = self._run(f"SELECT secret FROM old.{name} WHERE id = ({next_id})").fetchone()
        return bytes(found[0]) if found else super().fresh_secret(shelf)

    def message_id(self, ident: str, fresh: str) -> str:
        """Return the Message-ID that a letter had, even if its words are different now."""
        known = "SELECT message_id FROM old.outgoing WHERE ident = ?"
        found = self._run(known, ident).fetchone()
        return str(found[0]) if found else fresh

    def dropped(self) -> int:
        """Count the letters whose contents were dropped."""
        empty = "SELECT count(*) FROM old.letter_text WHERE length(content) = 0"
        return int(self._run(empty).fetchone()[0])

    def moments(self) -> list[Moment]:
        """Return all moments at which the old service did anything, in order.

        Moments that a crash kept it from noting are inferred from what was done in them.
        """
        utc = UtcField().python_value
        columns = "at, last, letters, ruling, settings"
        noted = self._run(f"SELECT {columns} FROM old.round ORDER BY id").fetchall()
        rounds = [
            Moment(utc(at), utc(last), tuple(json.loads(letters)), *more)
            for at, last, letters, *more in noted
        ]
        return _in_order(rounds, self._unnoted({one for each in rounds for one in each.letters}))

    def _unnoted(self, known: set[int]) -> dict[datetime, list[int]]:
        """Return the letters that no round has noted, by the time at which they were handled."""
        found: dict[datetime, list[int]] = {}
        handled = self._run(f"SELECT id, handled FROM old.letter WHERE {_REPLAYED} ORDER BY id")
        for number, at in handled.fetchall():
            if number not in known:
                found.setdefault(UtcField().python_value(at), []).append(number)
        acts = self._run("SELECT at FROM old.step UNION SELECT made FROM old.outgoing")
        for (at,) in acts.fetchall():
            found.setdefault(UtcField().python_value(at), [])
        return found

    def receive(self, letters: Sequence[int]) -> None:
        """Copy letters that were handled, as if they had just come."""
        for number in letters:
            self._adopt(f"{_REPLAYED} AND id = ?", number, **_UNHANDLED)

    def finish(self) -> None:
        """Copy letters without effect, and the results of sending, moving and dropping."""
        self._adopt(f"NOT ({_REPLAYED})")
        for model, key, columns in _TRANSPORT:
            name, names = model._meta.table_name, ", ".join(columns)
            same = " AND ".join(f"o.{one} = main.{name}.{one}" for one in key.split(", "))
            found = f"FROM old.{name} AS o WHERE {same}"
            self._run(
                f"UPDATE main.{name} SET ({names}) = (SELECT {names} {found})"
                f" WHERE EXISTS (SELECT 1 {found})"
            )
        # What the old database has dropped is dropped here too.
        gone = f"SELECT id FROM {_SAME_OUTGOING} WHERE content = x''"
        self._run(f"UPDATE main.outgoing_text SET content = x'' WHERE of_id IN ({gone})")
        self._take_alarms()
        self._run("INSERT OR IGNORE INTO bounce SELECT * FROM old.bounce WHERE kind = 'refused'")
        self._run("INSERT OR REPLACE INTO main.meta SELECT * FROM old.meta")

    def _take_alarms(self) -> None:
        """Copy letters to the moderator about what no replay can know, such as sending."""
        names = ", ".join(f.column_name for f in Outgoing._meta.sorted_fields if f.name != "id")
        self._run(
            f"INSERT OR IGNORE INTO main.outgoing ({names})"
            f" SELECT {names} FROM old.outgoing WHERE kind IN ('alarm', 'briefing')"
        )
        self._run(
            "INSERT OR IGNORE INTO main.outgoing_text (of_id, content)"
            f" SELECT id, content FROM {_SAME_OUTGOING}"
        )

    def _adopt(self, which: str, *values: object, **instead: str) -> None:
        names = [field.column_name for field in Letter._meta.sorted_fields]
        taken = ", ".join(instead.get(name, name) for name in names)
        self._run(
            f"INSERT INTO main.letter ({', '.join(names)}) SELECT {taken} FROM old.letter"
            f" WHERE {which}",
            *values,
        )
        self._run(
            "INSERT INTO main.letter_text (of_id, content) SELECT of_id, content"
            f" FROM old.letter_text WHERE of_id IN (SELECT id FROM old.letter WHERE {which})",
            *values,
        )

    def differences(self) -> Iterator[str]:
        """Return in which rows the new database differs from the old, a few of each table."""
        if dropped := self.dropped():
            yield f"letter: the words of {dropped} were dropped, and can't be replayed"
        for model in TABLES:
            yield from self._differences(model)

    def _differences(self, model: Any) -> Iterator[str]:
        name = model._meta.table_name
        key = _KEYS.get(model, model._meta.primary_key.column_name)
        left_out = _UNCOMPARED.get(model, ())
        columns = [f.column_name for f in model._meta.sorted_fields if f.name not in left_out]
        if not columns:
            return
        names = ", ".join(f'"{column}"' for column in columns)
        for one, other, what in (("old", "main", "was not made again"), ("main", "old", "is new")):
            changed = f"SELECT {names} FROM {one}.{name} EXCEPT SELECT {names} FROM {other}.{name}"
            for row in self._run(f"{changed} LIMIT {SHOWN}").fetchall():
                where = row[columns.index(key)]
                twin = f"SELECT {names} FROM {other}.{name} WHERE {key} = ?"
                found = self._run(twin, where).fetchone()
                if found is None:
                    yield f"{name} {where} {what}"
                elif one == "old":
                    pairs = zip(columns, row, found, strict=True)
                    unlike = [column for column, was, now in pairs if was != now]
                    yield f"{name} {where} differs in {', '.join(unlike)}"

    def _run(self, statement: str, *values: object) -> Any:
        return self.database.execute_sql(statement, values)


def _in_order(rounds: Sequence[Moment], unnoted: Mapping[datetime, list[int]]) -> list[Moment]:
    """Put moments that were not noted before the first round that came after them.

    Nobody knows whether an outage came before them; this assumes that none did.
    """
    known = {one.at for one in rounds if not one.settings}
    more = [Moment(at, at, tuple(ids)) for at, ids in unnoted.items() if ids or at not in known]
    return list(merge(rounds, sorted(more), key=lambda moment: moment.at))


@contextmanager
def carried(new: Path, old: Path) -> Iterator[Carried]:
    """Open a new database next to an old one of this program's schema."""
    store = Carried(new, old)
    try:
        yield store
    finally:
        store.close()
