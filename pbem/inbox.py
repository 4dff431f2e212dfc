"""Letters between the mailbox and the database: stored first, and moved once they are handled."""

from collections.abc import Iterator
from datetime import datetime

from pbem.mail.mailbox import Cursor, Mailbox
from pbem.storage import Store


def keep(store: Store, mailbox: Mailbox, now: datetime) -> Iterator[datetime | None]:
    """Store all letters that came since the last look, raw, a batch at a time.

    After each batch yield a time of receipt: all letters up to then can be answered, because those
    still to come were received later. Yield None if that is not so for any. Raises MailboxDown.
    """
    at = store.cursor(mailbox.account, mailbox.folder)
    for batch in mailbox.arrivals(Cursor(*at) if at else None):
        store.keep(mailbox.account, mailbox.folder, now, batch)
        yield batch.until


def rescan(store: Store, mailbox: Mailbox, now: datetime) -> int:
    """Store letters below the cursor that were missed before. Return how many.

    Raises MailboxDown.
    """
    uidvalidity, uids = mailbox.uids()
    at = store.cursor(mailbox.account, mailbox.folder)
    # Under another UIDVALIDITY all numbers are new, and `keep` reads everything anyway.
    if at is None or at[0] != uidvalidity:
        return 0
    # Handled letters were moved away, so of all that were stored few rows are left to compare.
    stored = store.letters.values(
        "uid",
        account=mailbox.account,
        folder=mailbox.folder,
        uidvalidity=uidvalidity,
        uid__gte=min(uids, default=0),
    )
    missing = {uid for uid in uids if uid < at[1]} - {uid for (uid,) in stored}
    if not missing:
        return 0
    batches = mailbox.arrivals(Cursor(uidvalidity, min(missing) - 1))
    return sum(store.keep(mailbox.account, mailbox.folder, now, batch) for batch in batches)


def move_handled(store: Store, mailbox: Mailbox) -> int:
    """Move handled letters to the folder for handled letters, and return how many.

    Raises MailboxDown.
    """
    moved = 0
    while found := store.unmoved(mailbox.account, mailbox.folder):
        for uidvalidity in {validity for _, validity, _ in found}:
            uids = [uid for _, validity, uid in found if validity == uidvalidity]
            mailbox.file(uidvalidity, uids)
        store.letters.change_each([number for number, _, _ in found], moved=True)
        moved += len(found)
    return moved
