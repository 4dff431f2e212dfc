"""Letters between the mailbox and the database: stored first, and moved once they are handled."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial

from pbem.channels.mail.mailbox import Mailbox
from pbem.storage import Store

WITHHELD = "withheld"
"""The single value with the letters that the mailbox lists and does not hand over, as JSON."""


def keep(store: Store, mailbox: Mailbox, now: datetime) -> Iterator[datetime | None]:
    """Store all letters in the mailbox that are not known yet, raw, a batch at a time.

    After each batch yield a time of receipt: all letters up to then can be answered, because those
    still to come were received later. Yield None if that is not so for any. Raises MailboxDown.
    """
    known = partial(store.known_places, mailbox.account, mailbox.folder, moves=mailbox.moves)
    for batch in mailbox.arrivals(known):
        store.keep(mailbox.account, mailbox.folder, now, batch, mailbox.lists)
        yield batch.until
    if mailbox.withheld != withheld(store):
        store.set_meta(WITHHELD, json.dumps(mailbox.withheld))


def withheld(store: Store) -> Mapping[str, str]:
    """Return the letters that the mailbox lists and does not hand over, each with the reason."""
    return dict(json.loads(store.meta(WITHHELD) or "{}"))


def move_handled(store: Store, mailbox: Mailbox) -> int:
    """Move handled letters to the folder for handled letters, and return how many.

    Raises MailboxDown.
    """
    moved = 0
    while found := store.unmoved(mailbox.account, mailbox.folder):
        mailbox.file([place for _, place in found])
        store.letters.change_each([number for number, _ in found], moved=True)
        moved += len(found)
    return moved
