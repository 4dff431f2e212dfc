"""Signatures (DKIM) of new letters, checked before the letters are answered."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from pbem.channels.mail import sender_authentication
from pbem.ports import Ports
from pbem.rounds import Attempts
from pbem.routing.incoming import Incoming
from pbem.storage import Letter, StoreDown

if TYPE_CHECKING:
    from pbem.channels.mail.dkim import Lookup

log = logging.getLogger("pbem")

_CHECKED = 100
"""How many letters are in hand at a time."""


def check(ports: Ports, attempts: Attempts, progress: Callable[[], None]) -> None:
    """Check the signatures of new letters under players' addresses, if the league wants it.

    The results are stored, because DNS may have changed when a league is replayed.
    """
    lookup = lookup_of(ports)
    if lookup is None:
        return
    unchecked = ports.store.letters.all(state="received", checked="")
    for batch in attempts.batches(unchecked, _CHECKED):
        # What may do harm is checked where it is handled.
        if attempts.apart.able and attempts.may_harm(batch[0]):
            continue
        # Marked as in hand: a signature too may end the program (decision 0020).
        attempts.take(batch)
        for letter in batch:
            ports.store.letters.change(letter.id, checked=_checked(ports, letter, lookup))
        attempts.put_back(batch)
        progress()


def lookup_of(ports: Ports) -> "Lookup | None":
    """Return the lookup for some letters, None if the league wants no signatures checked."""
    authentication = ports.settings.authentication
    if not authentication.check_dkim:
        return None
    return sender_authentication.patient(authentication.lookup())


def checked(ports: Ports, letter: Letter, lookup: "Lookup | None") -> Letter:
    """Return a letter whose signatures are checked, if they are to be and were not."""
    if letter.checked or lookup is None:
        return letter
    found = _checked(ports, letter, lookup)
    ports.store.letters.change(letter.id, checked=found)
    return letter._replace(checked=found)


def _checked(ports: Ports, letter: Letter, lookup: "Lookup") -> str:
    """Return the results of a letter's signatures; "none" if the check fails."""
    try:
        sender = Incoming(ports, letter, letter.received).known
        if sender is None:
            return "none"
        return sender_authentication.look(letter.content, lookup, letter.received)
    except StoreDown:
        raise
    except Exception:
        log.exception("the signatures of letter %d can't be checked", letter.id)
        return "none"
