"""Commands about what goes out: `outbox` for letters, `posts` for what channels are sent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from pbem.channels.mail.mime_writer import visible
from pbem.commands.common import (
    JSON,
    NUMBER,
    REASON,
    UsageError,
    command,
    dropped_because,
    print_json,
    show,
    show_rows,
)
from pbem.commands.open_league import opened
from pbem.host.clock import wall_clock
from pbem.outgoing import link_faults
from pbem.settings import Settings
from pbem.storage import Outgoing, Post, Store, StoreLocked, queues

_ACT = click.argument("act", type=click.Choice(("list", "show", "retry", "drop")))


@dataclass(frozen=True, slots=True)
class _Queue:
    """A queue: its command, what one of it is called, its rows, and the state of a dropped one.

    `facts` tells about a row, `text` is what it says, and `useless` is why it can't be sent again.
    """

    command: str
    noun: str
    store: Store
    rows: Any
    dropped: str
    facts: Callable[[Any], Mapping[str, object]]
    text: Callable[[Any], str]
    useless: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of a queue."""

    act: str
    number: int | None
    reason: str
    as_json: bool


@command
@_ACT
@NUMBER
@REASON
@JSON
def outbox(act: str, number: int | None, reason: str, as_json: bool) -> None:
    """List, show, retry or drop letters that could not be sent.

    Letters that are put off are among them. Without a number, retry tries all of them.
    """
    with opened() as (_, store):
        letters = _Queue(
            "outbox",
            "letter",
            store,
            Outgoing,
            "unwanted",
            lambda row: {"kind": row.kind, "to": row.recipient},
            lambda row: row.content.decode("utf-8", "backslashreplace"),
            lambda row: _useless_letter(store, row),
        )
        _run(_Asked(act, number, reason, as_json), store, letters)


@command
@_ACT
@NUMBER
@REASON
@JSON
def posts(act: str, number: int | None, reason: str, as_json: bool) -> None:
    """List, show, retry or drop posts that boards refused.

    Posts that are put off are among them. Without a number, retry tries all of them.
    """
    with opened() as (settings, store):
        queue = _Queue(
            "posts",
            "post",
            store,
            Post,
            "dropped",
            lambda row: {"channel": row.channel, "title": visible(row.title)},
            lambda row: row.body,
            lambda row: _useless_post(settings, row),
        )
        _run(_Asked(act, number, reason, as_json), store, queue)
        if act == "retry":
            for name in settings.channels:
                # Or a board that was left alone would still be.
                link_faults.works(store, link_faults.board(name))


def _run(asked: _Asked, store: Store, queue: _Queue) -> None:
    if asked.act == "list":
        rows = [_facts(queue, row) for row in queues.stuck(store, queue.rows)]
        show_rows(asked.as_json, rows, f"No {queue.noun} has failed or is put off.")
        return
    if asked.act == "show":
        _show(asked, queue)
        return
    try:
        # In one transaction, so that nothing is changed that is just being sent.
        with store.transaction():
            (_retry if asked.act == "retry" else _drop)(asked, queue)
    except StoreLocked:
        raise UsageError(f"{asked.act}: the database is in use; try again in a moment") from None


def _show(asked: _Asked, queue: _Queue) -> None:
    row = _named(asked, queue)
    if asked.as_json:
        print_json(_facts(queue, row) | {"text": queue.text(row)})
        return
    show(asked.as_json, _facts(queue, row))
    for line in ["", *queue.text(row).splitlines()]:
        print(visible(line.expandtabs()))


def _retry(asked: _Asked, queue: _Queue) -> None:
    """Make one row due now, or all that failed or are put off."""
    if asked.number is not None:
        row = _waiting(asked, queue)
        if why := queue.useless(row):
            raise UsageError(f"{queue.noun} {row.id} can't be sent again: {why}")
        rows = [row]
    else:
        rows = [row for row in queues.stuck(queue.store, queue.rows) if not queue.useless(row)]
    # As if it had never been tried: the time that it waits between tries begins anew, too.
    again = {"state": "queued", "tries": 0, "due": wall_clock(), "error": ""}
    for row in rows:
        queues.change(queue.store, row, **again)
    show(asked.as_json, {f"{queue.noun}s": [row.id for row in rows], "state": "queued"})


def _drop(asked: _Asked, queue: _Queue) -> None:
    """Discard a row for good, and record the reason."""
    reason, row = dropped_because(asked.reason), _waiting(asked, queue)
    error = f"dropped by the moderator: {reason}"
    queues.change(queue.store, row, state=queue.dropped, error=error)
    show(asked.as_json, {queue.noun: row.id, "state": queue.dropped, "reason": reason})


def _facts(queue: _Queue, row: Outgoing | Post) -> dict[str, object]:
    return {
        queue.noun: row.id,
        "state": row.state,
        "made": row.made.isoformat(timespec="seconds"),
        **queue.facts(row),
        "tries": row.tries,
        "next": row.due.isoformat(timespec="seconds") if row.state == "queued" else "",
        "error": visible(" ".join(row.error.split())),
    }


def _named(asked: _Asked, queue: _Queue) -> Any:
    listed = f"`pbem {queue.command} list` shows those that failed"
    if asked.number is None:
        raise UsageError(f"{queue.command} {asked.act}: name a {queue.noun}; {listed}")
    row = queue.store.find(queue.rows, asked.number)
    if row is None:
        raise UsageError(f"there is no {queue.noun} {asked.number}; {listed}")
    return row


def _waiting(asked: _Asked, queue: _Queue) -> Any:
    """Return the row that the command names, if it failed or waits to be sent."""
    row = _named(asked, queue)
    if row.state not in ("failed", "queued"):
        raise UsageError(
            f"{queue.noun} {row.id} is {row.state}, neither failed nor queued;"
            f" `pbem {queue.command} list` shows those that are"
        )
    return row


def _useless_letter(store: Store, row: Outgoing) -> str:
    if not row.content:
        return "its text is no longer kept"
    # A later reminder says more, and of those in a slot only one may wait.
    newer = row.slot and queues.first(store, Outgoing, id__gt=row.id, slot=row.slot)
    return f"letter {newer.id} has taken its place" if newer else ""


def _useless_post(settings: Settings, row: Post) -> str:
    known = row.channel in settings.channels
    return "" if known else f"the settings have no channel {row.channel}"
