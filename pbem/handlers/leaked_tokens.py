"""Warnings to players whose reply address somebody else wrote to."""

from datetime import datetime

from engine.i18n import say
from pbem import credentials
from pbem.clock_jump import believed
from pbem.handlers import addresses
from pbem.intake import Reading
from pbem.ports import Ports
from pbem.storage import Letter


def warn(ports: Ports, letter: Letter, reading: Reading, now: datetime) -> None:
    """Warn players, once a day, that a letter to their reply address came from a strange address.

    Either somebody else has it, or the player wrote from another address. The warning does not name
    the address that the letter came from: it may be anybody's.
    """
    store, today = ports.store, believed(ports.store, now)
    for text in credentials.tokens_in(reading.subject, reading.recipients):
        token = store.tokens.find(token=text)
        if token is None or token.kind == addresses.TOKEN or token.expires < today:
            continue  # a new address is meant to write with its token before it is the player's
        player = store.players.get(token.player_id)
        if not player.confirmed or player.banned:
            continue
        if store.count_today(f"leaked {player.id}", now) > 1:
            continue
        ports.outbox.write(
            player,
            "notice",
            now,
            ident=("leaked", letter.sha256),
            title=say("Somebody else wrote to your reply address"),
            text=say(
                "A letter came to a reply address, or under a subject, that stands in your letters"
                " alone, from an address that is not yours. Nothing in it was done. If you wrote"
                " it, write from the address that this letter went to, or add the other one with"
                " the order ADDRESS. If you did not, somebody has read one of your letters: the"
                " order NEW KEY makes all your reply addresses void."
            ),
        )
