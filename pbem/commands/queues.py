"""Commands about what goes out: `outbox` for letters, `posts` for what channels are sent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem import link_faults
from pbem.clock import wall_clock
from pbem.commands.common import (
    Args,
    UsageError,
    dropped_because,
    opened,
    print_json,
    show,
    show_rows,
)
from pbem.mime_writer import visible
from pbem.settings import Settings
from pbem.storage import Outgoing, Post, Store, StoreLocked
from pbem.storage.repository import Repository

Row = Outgoing | Post
_STUCK: tuple[dict[str, Any], ...] = ({"state": "failed"}, {"state": "queued", "tries__gt": 0})
"""What is listed: what failed, and what is put off after a try."""


@dataclass(frozen=True, slots=True)
class _Queue:
    """A queue: its command, what one of it is called, its rows, and the state of a dropped one.

    `facts` tells about a row, `text` is what it says, and `useless` is why it can't be sent again.
    """

    command: str
    noun: str
    rows: Repository[Any]
    dropped: str
    facts: Callable[[Any], Mapping[str, object]]
    text: Callable[[Any], str]
    useless: Callable[[Any], str]


def outbox(args: Args) -> None:
    """List the letters that could not be sent or are put off; show, retry or drop them."""
    with opened(args) as (_, store):
        letters = _Queue(
            "outbox",
            "letter",
            store.outbox,
            "unwanted",
            lambda row: {"kind": row.kind, "to": row.recipient},
            lambda row: row.content.decode("utf-8", "backslashreplace"),
            lambda row: _useless_letter(store, row),
        )
        _run(args, store, letters)


def posts(args: Args) -> None:
    """List the posts that boards refused or that are put off; show, retry or drop them."""
    with opened(args) as (settings, store):
        queue = _Queue(
            "posts",
            "post",
            store.posts,
            "dropped",
            lambda row: {"channel": row.channel, "title": visible(row.title)},
            lambda row: row.body,
            lambda row: _useless_post(settings, row),
        )
        _run(args, store, queue)
        if args.act == "retry":
            for name in settings.channels:
                # Or a board that was left alone would still be.
                link_faults.works(store, link_faults.board(name))


def _run(args: Args, store: Store, queue: _Queue) -> None:
    if args.act == "list":
        rows = [_facts(queue, row) for row in _stuck(queue)]
        show_rows(args, rows, f"No {queue.noun} has failed or is put off.")
        return
    if args.act == "show":
        _show(args, queue)
        return
    try:
        # In one transaction, so that nothing is changed that is just being sent.
        with store.transaction():
            (_retry if args.act == "retry" else _drop)(args, queue)
    except StoreLocked:
        raise UsageError(f"{args.act}: the database is in use; try again in a moment") from None


def _show(args: Args, queue: _Queue) -> None:
    row = _named(args, queue)
    if args.json:
        print_json(_facts(queue, row) | {"text": queue.text(row)})
        return
    show(args, _facts(queue, row))
    for line in ["", *queue.text(row).splitlines()]:
        print(visible(line.expandtabs()))


def _retry(args: Args, queue: _Queue) -> None:
    """Make one row due now, or all that failed or are put off."""
    if args.number is not None:
        row = _waiting(args, queue)
        if why := queue.useless(row):
            raise UsageError(f"{queue.noun} {row.id} can't be sent again: {why}")
        rows = [row]
    else:
        rows = [row for row in _stuck(queue) if not queue.useless(row)]
    # As if it had never been tried: the time that it waits between tries begins anew, too.
    again = {"state": "queued", "tries": 0, "due": wall_clock(), "error": ""}
    for row in rows:
        queue.rows.change(row.id, **again)
    show(args, {f"{queue.noun}s": [row.id for row in rows], "state": "queued"})


def _drop(args: Args, queue: _Queue) -> None:
    """Discard a row for good, and record the reason."""
    reason, row = dropped_because(args), _waiting(args, queue)
    queue.rows.change(row.id, state=queue.dropped, error=f"dropped by the moderator: {reason}")
    show(args, {queue.noun: row.id, "state": queue.dropped, "reason": reason})


def _stuck(queue: _Queue) -> list[Any]:
    found = [row for fits in _STUCK for row in queue.rows.all(**fits)]
    return sorted(found, key=lambda row: row.id)


def _facts(queue: _Queue, row: Row) -> dict[str, object]:
    return {
        queue.noun: row.id,
        "state": row.state,
        "made": row.made.isoformat(timespec="seconds"),
        **queue.facts(row),
        "tries": row.tries,
        "next": row.due.isoformat(timespec="seconds") if row.state == "queued" else "",
        "error": visible(" ".join(row.error.split())),
    }


def _named(args: Args, queue: _Queue) -> Any:
    listed = f"`pbem {queue.command} list` shows those that failed"
    if args.number is None:
        raise UsageError(f"{queue.command} {args.act}: name a {queue.noun}; {listed}")
    row = queue.rows.find(id=args.number)
    if row is None:
        raise UsageError(f"there is no {queue.noun} {args.number}; {listed}")
    return row


def _waiting(args: Args, queue: _Queue) -> Any:
    """Return the row that the command names, if it failed or waits to be sent."""
    row = _named(args, queue)
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
    newer = row.slot and store.outbox.find(slot=row.slot, id__gt=row.id)
    return f"letter {newer.id} has taken its place" if newer else ""


def _useless_post(settings: Settings, row: Post) -> str:
    known = row.channel in settings.channels
    return "" if known else f"the settings have no channel {row.channel}"
