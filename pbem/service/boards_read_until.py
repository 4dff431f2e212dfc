"""Up to when each board had been read, now and at the round before.

A deadline waits while a board has not been read since, on which somebody plays who is asked; so it
does for the mailbox, which stands among the boards as MAIL while it is out of reach. Kept with each
round, so that a replay knows it, too.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from pbem.settings import Settings
from pbem.storage import Cursor, Store
from pbem.storage.clock_jumps import LAST_POLL

MAIL = ""
"""The name of mail, where boards have theirs (Player.channel)."""
_KEY = "boards read"
"""The key in the database for the times at the last round, by board, as JSON."""


class BoardTimes(NamedTuple):
    """Up to when a board had been read at the round `before`, and `now`; None for never."""

    before: datetime | None
    now: datetime | None


def board_times(store: Store, settings: Settings, mail_down: bool = False) -> dict[str, BoardTimes]:
    """Return the times of all boards that are played on, and of the mailbox if it is down."""
    if mail_down:
        known = _time(store.meta(LAST_POLL))
        return board_times(store, settings) | {MAIL: BoardTimes(known, known)}
    played = [name for name, channel in settings.channels.items() if channel.play]
    if not played:
        return {}
    before = json.loads(store.meta(_KEY) or "{}")
    found = {name: one.read for name, one in store.by_key(Cursor, played).items()}
    return {name: BoardTimes(_time(before.get(name)), found.get(name)) for name in played}


def note(store: Store, times: Mapping[str, BoardTimes]) -> None:
    """Note at a round's end what the next one compares with."""
    read = {name: _text(one.now) for name, one in times.items() if one.now and name != MAIL}
    if read:
        store.set_meta(_KEY, json.dumps(read))


def written(times: Mapping[str, BoardTimes]) -> str:
    """Return times as text, for a round's row."""
    return json.dumps({name: [_text(one.before), _text(one.now)] for name, one in times.items()})


def restore(store: Store, text: str) -> None:
    """Let the next round see the times that a round's row holds."""
    known = json.loads(text)
    found = {name: BoardTimes(*map(_time, known[name])) for name in known if name != MAIL}
    if found:
        before = {name: _text(one.before) for name, one in found.items() if one.before}
        store.set_meta(_KEY, json.dumps(before))
    for name, one in found.items():
        note_cursor(store, name, read=one.now)


def note_cursor(store: Store, channel: str, **noted: object) -> None:
    """Note how far a board has been read (`cursor`), or when (`read`), and leave the rest."""
    fields = [Cursor._meta.fields[name] for name in noted]
    cursor = Cursor.insert(channel=channel, **noted)
    store.run(cursor.on_conflict(conflict_target=[Cursor.channel], preserve=fields))


def mail_was_down(text: str) -> bool:
    """Return whether a round's row is of a round while the mailbox was out of reach."""
    return MAIL in json.loads(text)


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _text(when: datetime | None) -> str | None:
    return when.isoformat() if when else None
