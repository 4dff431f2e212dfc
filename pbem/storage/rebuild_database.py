"""A league's old database next to the new one that its letters are replayed into (SQLite only)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from heapq import merge
from pathlib import Path
from typing import Any, NamedTuple

from peewee import Expression, fn

from pbem.storage.connection import M
from pbem.storage.fields import Row
from pbem.storage.models import (
    MODELS,
    Bounce,
    Cursor,
    Issue,
    Letter,
    Meta,
    Outgoing,
    Post,
    Round,
    Step,
)
from pbem.storage.store import NOBODY, Store
from pbem.storage.stored_letters import DROPPED, HANDLED

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
    **NOBODY,
    "error": "",
    "handled": None,
}
"""What a letter is like that has just come."""
_TRANSPORT: tuple[tuple[type[Row], tuple[str, ...], tuple[str, ...]], ...] = (
    (Letter, ("id",), ("tries", "owner", "owned_until", "error", "moved")),
    (Outgoing, ("ident",), ("state", "tries", "due", "owner", "owned_until", "sent", "error")),
    (
        Post,
        ("channel", "ident"),
        (
            *("state", "unsure", "stands", "topic", "tries", "due"),
            *("owner", "owned_until", "sent", "error"),
        ),
    ),
    (Issue, ("id",), ("page",)),
)
"""What sending, moving and printing changed (table, key, columns), which no replay can know."""

_KEYS: dict[type[Row], str] = {Outgoing: "ident"}
"""What identifies a row, where it is not its number."""

_UNCOMPARED: dict[type[Row], tuple[str, ...]] = {
    Meta: ("value",),
    Outgoing: ("id", "content"),
    Round: ("id", "at", "last", "letters", "ruling", "settings", "boards"),
}
"""Columns that may differ: a later version of the program may word letters differently."""


@cache
def _old(model: type[M]) -> type[M]:
    """Return the model of the same table in the old database, which is attached."""
    meta = type("Meta", (), {"schema": "old", "table_name": model._meta.table_name})
    return type(f"Old{model.__name__}", (model,), {"Meta": meta})


def _replayed(letter: type[Letter]) -> Expression:
    """Return the condition of letters that were handled and had an effect."""
    return letter.state.in_(HANDLED) & (letter.klass != DROPPED)


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
        self.database.attach(str(old), "old")
        for kept in self.all(_old(Meta).select().where(_old(Meta).key.in_(KEPT))):
            self.set_meta(kept.key, kept.value)
        self.secret = bytes.fromhex(self.meta("secret") or "")

    def fresh_secret(self, model: type[Row]) -> bytes:
        """Return the secret that the old database has for the row that comes next."""
        old, highest = _old(model), self.scalar(model.select(fn.MAX(model.key_field()))) or 0
        known = self.scalar(old.select(old.secret).where(old.key_field() == highest + 1))
        return super().fresh_secret(model) if known is None else bytes(known)

    def message_id(self, ident: str, fresh: str) -> str:
        """Return the Message-ID that a letter had, even if its words are different now."""
        old = _old(Outgoing)
        return self.scalar(old.select(old.message_id).where(old.ident == ident)) or fresh

    def dropped(self) -> int:
        """Count the letters whose contents were dropped."""
        return self.count(_old(Letter).select().where(_old(Letter).content == b""))

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
            for one in self.all(_old(Round).select().order_by(_old(Round).id))
        ]
        return _in_order(rounds, self._unnoted({one for each in rounds for one in each.letters}))

    def _unnoted(self, known: set[int]) -> dict[datetime, list[int]]:
        """Return the letters that no round has noted, by the time at which they were handled."""
        letter, step, outgoing = _old(Letter), _old(Step), _old(Outgoing)
        found: dict[datetime, list[int]] = {}
        handled = letter.select(letter.id, letter.handled).where(_replayed(letter))
        for number, at in self.tuples(handled.order_by(letter.id)):
            if number not in known:
                found.setdefault(at, []).append(number)
        for acts in (step.select(step.at), outgoing.select(outgoing.made)):
            for (at,) in self.tuples(acts.distinct()):
                found.setdefault(at, [])
        return found

    def receive(self, letters: Sequence[int]) -> None:
        """Copy letters that were handled, as if they had just come."""
        letter = _old(Letter)
        for number in letters:
            if old := self.first(letter.select().where(letter.id == number, _replayed(letter))):
                checked = "" if old.checked == "confirmed" else old.checked
                unhandled = {**old.__data__, "checked": checked, **_UNHANDLED}
                self.run(Letter.insert(unhandled))

    def finish(self) -> None:
        """Copy letters without effect, and the results of sending, moving and dropping."""
        self._take(Letter, ~_replayed(_old(Letter)))
        for model, key, columns in _TRANSPORT:
            old = _old(model)
            for row in self.all(old.select(*(getattr(old, name) for name in (*key, *columns)))):
                same = [getattr(model, name) == getattr(row, name) for name in key]
                changed = {name: getattr(row, name) for name in columns}
                self.run(model.update(**changed).where(*same))
        # What the old database has dropped is dropped here too.
        gone = _old(Outgoing).select(_old(Outgoing).ident).where(_old(Outgoing).content == b"")
        self.run(Outgoing.update(content=b"").where(Outgoing.ident.in_(gone)))
        # Letters about what no replay can know: that sending failed, or handling a letter.
        self._take(Outgoing, _old(Outgoing).kind.in_(("alarm", "briefing", "shunted")), ("id",))
        self._take(Bounce, _old(Bounce).kind == "refused")
        # How far boards have been read is not in any message.
        for single in (Meta, Cursor):
            self.run(single.delete())
            self._take(single)

    def _take(
        self, model: type[Row], which: Expression | None = None, but: tuple[str, ...] = ()
    ) -> None:
        """Copy rows of the old database, without some columns, unless they are known here."""
        old, names = _old(model), [one for one in model._meta.sorted_field_names if one not in but]
        query = old.select(*(getattr(old, name) for name in names))
        query = query if which is None else query.where(which)
        fields = [getattr(model, name) for name in names]
        self.run(model.insert_from(query, fields).on_conflict_ignore())

    def differences(self) -> Iterator[str]:
        """Return in which rows the new database differs from the old, a few of each table."""
        if dropped := self.dropped():
            yield f"letter: the words of {dropped} were dropped, and can't be replayed"
        for model in MODELS:
            yield from self._differences(model)

    def _differences(self, model: type[Row]) -> Iterator[str]:
        name, key = model._meta.table_name, _KEYS.get(model, str(model.key_field().name))
        left_out = _UNCOMPARED.get(model, ())
        columns = [one for one in model._meta.sorted_field_names if one not in left_out]
        if not columns:
            return
        old = _old(model)
        for one, other, what in ((old, model, "was not made again"), (model, old, "is new")):
            these, those = (
                each.select(*(getattr(each, c) for c in columns)) for each in (one, other)
            )
            for row in self.tuples((these - those).limit(SHOWN)):
                where = row[columns.index(key)]
                was = self.tuples(these.where(getattr(one, key) == where))
                found = self.tuples(those.where(getattr(other, key) == where))
                if not found:
                    yield f"{name} {where} {what}"
                elif one is old:
                    pairs = zip(columns, was[0], found[0], strict=True)
                    unlike = [column for column, before, now in pairs if before != now]
                    yield f"{name} {where} differs in {', '.join(unlike)}"


def _in_order(rounds: Sequence[Moment], unnoted: Mapping[datetime, list[int]]) -> list[Moment]:
    """Put moments that were not noted before the first round that came after them.

    Nobody knows whether an outage came before them; this assumes that none did.
    """
    known = {one.at for one in rounds if not one.settings}
    more = [Moment(at, at, tuple(ids)) for at, ids in unnoted.items() if ids or at not in known]
    return list(merge(rounds, sorted(more), key=lambda moment: moment.at))
