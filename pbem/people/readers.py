"""The newsletter's readers: who gets it, and the token with which anybody can unsubscribe them."""

import re
from collections.abc import Iterable
from datetime import datetime

from pbem.intake import tokens_and_keys
from pbem.storage import Store, Subscription

STOP = "unsubscribe"
"""The subject of a letter that unsubscribes by its token; the letter needs no other words."""
NEWSLETTER = r"(?: (?:TO )?(?:THE )?NEWSLETTER)?"
"""How SUBSCRIBE and UNSUBSCRIBE may name the newsletter; they need not name it."""
_WISH = re.compile(rf"(?P<un>UN)?SUBSCRIBE{NEWSLETTER}", re.I)


def at(store: Store, address: str) -> Subscription | None:
    """Return the subscription of an address of somebody who is not a player."""
    return store.first(Subscription.select().where(Subscription.address == address))


def active(store: Store, after: int = 0, most: int | None = None) -> list[Subscription]:
    """Return who gets the newsletter, the first `most` after a number, oldest first."""
    these = Subscription.active == True, Subscription.id > after
    return store.all(Subscription.select().where(*these).order_by(Subscription.id).limit(most))


def of_player(store: Store, player: int) -> Subscription | None:
    """Return the subscription of a player, be it active or not."""
    return store.first(Subscription.select().where(Subscription.player == player))


def is_reader(store: Store, player: int) -> bool:
    """Return whether a player gets the newsletter."""
    known = of_player(store, player)
    return known is not None and known.active


def set_active(store: Store, reader: Subscription, *, active: bool) -> None:
    """Let a reader get the newsletter from now on, or get it no more."""
    store.run(Subscription.update(active=active).where(Subscription.id == reader.id))


def enrol(store: Store, now: datetime, player: int) -> bool:
    """Subscribe a player to the newsletter; return whether that is new."""
    known = of_player(store, player)
    if known is None:
        store.run(
            Subscription.insert(
                player=player, token=_token(store, "player", player), active=True, made=now
            )
        )
    elif not known.active:
        set_active(store, known, active=True)
    return known is None or not known.active


def strike(store: Store, player: int) -> bool:
    """Unsubscribe a player; return whether that is new."""
    # The row stays, and so does the token in the letters that were sent before.
    known = of_player(store, player)
    if known is None or not known.active:
        return False
    set_active(store, known, active=False)
    return True


def end(store: Store, reader: Subscription) -> None:
    """End a subscription; if the reader is not a player, the address is forgotten too."""
    if reader.player_id is None:
        store.run(Subscription.delete().where(Subscription.id == reader.id))
    else:
        set_active(store, reader, active=False)


def apply_for(store: Store, now: datetime, address: str) -> Subscription:
    """Save the address of somebody who is not a player; it gets nothing until it is confirmed."""
    return at(store, address) or store.create(
        Subscription, address=address, token=_token(store, "address", address), made=now
    )


def adopt(store: Store, address: str, player: int) -> None:
    """Move the subscription of a reader who has become a player to that player."""
    known = at(store, address)
    if known is not None:
        # The token stays, so that links in letters which were sent before still work.
        store.run(
            Subscription.update(address=None, player=player).where(Subscription.id == known.id)
        )


def proof(store: Store, reader: Subscription) -> str:
    """Return the token with which a reader who is not a player confirms an address.

    The address is part of it, because the number is used again once a reader has left.
    """
    return tokens_and_keys.token(store.secret, "reader", reader.id, reader.address)


def named(store: Store, tokens: Iterable[str]) -> Subscription | None:
    """Return the subscription that one of these tokens ends, or None."""
    found = (
        store.first(Subscription.select().where(Subscription.token == token)) for token in tokens
    )
    return next((one for one in found if one is not None), None)


def wish(line: str) -> str:
    """Return what a line asks of the newsletter: `in`, `out`, or '' for nothing."""
    found = _WISH.fullmatch(line)
    return "" if found is None else "out" if found["un"] else "in"


def _token(store: Store, *about: object) -> str:
    return tokens_and_keys.token(store.secret, "newsletter", *about)
