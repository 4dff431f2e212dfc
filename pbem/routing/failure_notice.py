"""What the writer of a letter is told when handling it failed for good, and it was shunted."""

import logging
from datetime import datetime, timedelta
from functools import partial

from pbem.channels.mail.mime_writer import is_address
from pbem.handlers.accounts import joining
from pbem.handlers.ports import Ports
from pbem.i18n.days import in_utc
from pbem.outgoing.strangers import WEEK
from pbem.routing import router
from pbem.routing.incoming import Incoming
from pbem.storage import Letter, Outgoing, queues

log = logging.getLogger("pbem")

KIND = "shunted"
_DAY = timedelta(days=1)


def tell_writer(ports: Ports, letter: Letter, readable: int, now: datetime) -> None:
    """Tell the writer that the program failed at a letter, and that the moderator looks at it.

    Only its first `readable` bytes are read. A machine or a banned writer is told nothing, and each
    letter is answered so once, however often it comes.
    """
    with ports.store.alone(log, "the writer of letter %d can't be told that it failed", letter.id):
        incoming = router.opened(ports, letter.changed(content=letter.content[:readable]), now)
        player = incoming.player if incoming.from_member else None
        address = player.address if player else incoming.reading.sender
        if address is None or router.is_unanswered(incoming):
            return
        if not is_address(address) or not _may_be_told(incoming, address):
            return
        ports.outbox.write_stranger(
            address,
            KIND,
            now,
            (letter.digest,),
            letter.message_id,
            # The letter's own, so that a reply counts for the same turn. A replay makes no new one.
            token=incoming.token.token if player and incoming.token else "",
            language=incoming.language if player else joining.language_of(ports, incoming.reading),
            player=player,
            received=in_utc(letter.received),
        )


def _may_be_told(incoming: Incoming, address: str) -> bool:
    """Return whether an address may get one more such letter: as many as any without proof get."""
    # Counted by the letters themselves: a replay can't know what failed, so it could not count.
    store, limits, now = incoming.ports.store, incoming.ports.settings.limits, incoming.now
    told = partial(queues.count, store, Outgoing, kind=KIND)
    if incoming.from_member:
        most = limits.letters_a_day if incoming.proven else limits.refusals_a_day
        return told(made__gt=now - _DAY, recipient=address) < most
    others = told(made__gt=now - _DAY, player=None)
    same = told(made__gt=now - WEEK, recipient=address)
    return not same and others < limits.stranger_letters_a_day
