"""Which links to the outside fail, since when and why: the mailbox, the mail server, the boards.

Kept in the database, so that `pbem health` knows what the daemon or `pbem once` has seen.
"""

import json
from datetime import datetime
from typing import NamedTuple

from pbem.intake.tokens_and_keys import masked
from pbem.storage import Store

_KEY = "link faults"
"""The key in the database for the links that fail."""

MAILBOX, SERVER = "mailbox", "mail server"


class LinkFault(NamedTuple):
    """Since when a link fails, when it was last tried, and why it failed then.

    `refused`: the other side takes nothing from us, so that waiting alone may not help. `until` is
    when it is tried again, if nothing is handed to it before.
    """

    since: datetime
    last: datetime
    why: str
    refused: bool
    until: datetime | None = None


def board(channel: str) -> str:
    """Return the name of the link by which posts go to a channel."""
    return f"board {channel}"


def reading(channel: str) -> str:
    """Return the name of the link by which a board is read."""
    return f"reading {channel}"


def failing(store: Store) -> dict[str, LinkFault]:
    """Return the links that failed when they were last tried, by name."""
    known = json.loads(store.meta(_KEY) or "{}")
    return {
        name: LinkFault(
            datetime.fromisoformat(since),
            datetime.fromisoformat(last),
            why,
            refused,
            datetime.fromisoformat(until) if until else None,
        )
        for name, (since, last, why, refused, until) in known.items()
    }


def failed(
    store: Store,
    link: str,
    why: str,
    now: datetime,
    *,
    refused: bool = False,
    until: datetime | None = None,
) -> None:
    """Note that a link failed, and why: without tokens, which an envelope's sender carries."""
    with store.transaction():  # or another thread could note a link of its own meanwhile
        known = failing(store)
        since = known[link].since if link in known else now
        _write(store, known | {link: LinkFault(since, now, masked(why), refused, until)})


def works(store: Store, link: str) -> None:
    """Note that a link works, if it failed before."""
    # Asked first, since it nearly always works, and a write waits for the disk.
    if link in failing(store):
        with store.transaction():
            known = failing(store)
            known.pop(link, None)
            _write(store, known)


def _write(store: Store, known: dict[str, LinkFault]) -> None:
    plain = {
        name: (
            one.since.isoformat(),
            one.last.isoformat(),
            one.why,
            one.refused,
            one.until and one.until.isoformat(),
        )
        for name, one in known.items()
    }
    store.set_meta(_KEY, json.dumps(plain))
