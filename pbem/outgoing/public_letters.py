"""Public letters, passed on to their readers in portions, some in each round.

A letter to all costs as much as the league has players. So the letter that it was written in only
files it, and rounds queue it for its readers, a portion in a transaction each.
"""

import logging
from datetime import datetime, timedelta
from functools import partial

from engine.i18n import say
from pbem.outgoing.outbox import Outbox, reply_to
from pbem.outgoing.retried_tasks import Failing, Task, attempt, failing
from pbem.people import bans, players
from pbem.storage import Player, PublicLetter, Store

log = logging.getLogger("pbem")

TASK = "public letters"
"""The name of the task of a round that passes them on."""
PORTION = 100
"""The most letters of a transaction."""
MOST_BYTES = 500_000
"""The most bytes of text in a portion, for a letter takes as long as its text is long."""
PAUSE = timedelta(seconds=1)
"""The time between two portions, in which other letters are answered."""


def deaf_to(store: Store, writer: int) -> set[int]:
    """Return who gets no public letter of a player: that player, and all who block them."""
    return {writer, *bans.blockers(store, writer)}


def begin(store: Store, now: datetime, **values: object) -> None:
    """Let a public letter go to all who are players now."""
    last = store.newest(Player)
    store.run(PublicLetter.insert(last=last, made=now, due=now, **values))


def bring_back(store: Store, now: datetime) -> None:
    """Send now what is due later: a wrong clock has set that."""
    for row in store.all(PublicLetter.select().where(PublicLetter.due > now)):
        same = PublicLetter.id == row.id
        store.run(PublicLetter.update(due=now, made=min(row.made, now)).where(same))


def next_due(store: Store) -> datetime | None:
    """Return when the next portion of any public letter is to be queued, or tried again."""
    known = failing(store)
    return min(
        (_due(row, known) for row in store.all(PublicLetter.select().order_by(PublicLetter.id))),
        default=None,
    )


def _due(row: PublicLetter, known: dict[str, Failing]) -> datetime:
    failed = [known[name] for name in (TASK, _name(row.id)) if name in known]
    return max([row.due, *(datetime.fromisoformat(one.until) for one in failed)])


def pass_on(outbox: Outbox, now: datetime) -> None:
    """Queue the portions that are due, of each public letter those that were missed too.

    When a portion is due follows from when the letter was written, and so do the letters' dates.
    So it makes no difference to a replay which rounds queued them.
    """
    for row in outbox.store.all(
        PublicLetter.select().where(PublicLetter.due <= now).order_by(PublicLetter.id)
    ):
        label = say("passing on public letter {number}", number=row.id)
        on_failure = partial(
            outbox.store.run, PublicLetter.delete().where(PublicLetter.id == row.id)
        )
        task = Task(
            _name(row.id), label, partial(_pass_on, outbox, row.id, now), on_failure=on_failure
        )
        attempt(outbox, task, now)


def _name(number: int) -> str:
    return f"public letter {number}"


def _pass_on(outbox: Outbox, number: int, now: datetime) -> None:
    """Queue all portions of a public letter that are due."""
    while (row := outbox.store.find(PublicLetter, number)) and row.due <= now:
        with outbox.store.transaction():
            _queue_portion(outbox, row)


def _queue_portion(outbox: Outbox, row: PublicLetter) -> None:
    """Queue a public letter for its next readers, and note how far it has come."""
    store, portion = outbox.store, _portion(row)
    # `last` was the newest player when the letter was written; who came later is left out.
    readers = players.press_readers(store, row.cursor, row.last, portion)
    deaf = deaf_to(store, row.player_id)
    for reader in readers:
        if reader.id not in deaf:
            # If a reader's letter can't be written, the others still get theirs.
            with store.alone(log, "player %d does not get public letter %d", reader.id, row.id):
                _queue(outbox, row, reader)
    if len(readers) < portion:
        store.run(PublicLetter.delete().where(PublicLetter.id == row.id))
    else:
        store.run(
            PublicLetter.update(cursor=readers[-1].id, due=row.due + PAUSE).where(
                PublicLetter.id == row.id
            )
        )


def _portion(row: PublicLetter) -> int:
    """Return how many letters of a public letter go into one transaction."""
    return min(PORTION, 1 + MOST_BYTES // len(row.text.encode()))


def _queue(outbox: Outbox, row: PublicLetter, reader: Player) -> None:
    lines = row.text.split("\n")
    outbox.write(
        reader,
        "press",
        # Of when it was written and not of now, so that a replay makes the same letter.
        row.made,
        ident=("press", row.sha256, *lines),
        reply=reply_to(outbox.store, row.player_id, row.by),
        urgency="idle",
        by={"name": row.by, "player": row.fights_for},
        lines=lines,
        whose=row.player_id,
    )
