"""NEW KEY: another key in place of one that was lost or told."""

from re import Match

from engine.said import say
from pbem import identity
from pbem.league.visit import Answer, Visit


def new_key(visit: Visit, match: Match[str]) -> Answer:
    """Give a player another key; the old one proves nothing from now on."""
    store, serial = visit.office.store, visit.player.key_serial + 1
    store.players.change(visit.player.id, key_serial=serial)
    key = identity.key(store.secret, visit.player.id, serial)
    visit.office.outbox.write(
        visit.player,
        "notice",
        visit.now,
        ident=("key", serial),
        answering=visit.letter.message_id,
        title=say("Your new key"),
        text=say(
            "your key is {key} from now on, and the one before is worth nothing. Whoever has it can"
            " order in your name from your address: tell it to nobody.",
            key=key,
        ),
    )
    return Answer(True, say("a new key comes in a letter of its own"), told=True)
