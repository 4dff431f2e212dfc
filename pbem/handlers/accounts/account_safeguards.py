"""Safeguards of accounts: a change needs the key, or a confirmation from a long-known address.

Each letter to a player holds a reply token, and letters are forwarded, quoted and lost. So a token
alone changes no address and no key: if somebody else uses it with a forged sender, the
confirmation is asked for at the owner's mailbox.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from re import Match

from engine.i18n import say
from pbem.handlers.order_words import in_words_of, says
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Refusal, Request
from pbem.intake import Reading, tokens_and_keys
from pbem.outgoing.outbox import Reply
from pbem.outgoing.questions import ASKED
from pbem.people import players, tokens
from pbem.storage import Further, Letter, Player, Store, Token, stored_games
from pbem.storage.clock_jumps import believed

UNDO = "undo"
"""The kind of token that undoes a change of the account."""
SETTLING = timedelta(days=7)
"""For this long a new address can't change addresses or the key, and the old one can undo it."""
_UNDO = "UNDO"


def is_fresh(store: Store, player: Player, address: str, now: datetime) -> bool:
    """Return whether an address was added within SETTLING; a player's oldest never counts so."""
    return address in _fresh(
        store.of_player(Further, player.id),
        believed(store, now),
    )


def _fresh(rows: Sequence[Further], now: datetime) -> set[str]:
    # Without the oldest: a new player has no other address, and could change nothing for a week.
    later = sorted(rows, key=lambda row: (row.added, row.id))[1:]
    return {row.address for row in later if now < row.added + SETTLING}


def settled(store: Store, player: Player, now: datetime) -> str:
    """Return the address whose confirmation counts.

    That is the address that letters go to. While that one is fresh, it is the newest that is not.
    """
    rows = store.of_player(Further, player.id)
    fresh = _fresh(rows, believed(store, now))
    if player.address not in fresh:
        return player.address
    known = [row for row in rows if row.address not in fresh]
    return max(known, key=lambda row: (row.added, row.id)).address


def by_mail_only(request: Request) -> None:
    """Raise Refusal for a message on a board: who has the account may not be the player."""
    if request.message is not None:
        raise Refusal(say("this is done by mail alone"), say("the same by mail"))


def ask(request: Request, order: str) -> Answer | None:
    """Ask to confirm a change that only a token proves; return None if it may be made at once.

    Raise Refusal for a letter from a fresh address, even if it holds the key.
    """
    by_mail_only(request)
    store, player, now = request.ports.store, request.player, request.now
    # Before the key is asked about: a thief who has it must not shut the owner out at once.
    if is_fresh(store, player, request.sender, now):
        raise Refusal(
            say(
                "{address} was added within the last {days} days, and until they are over nothing"
                " from there changes addresses or the key: that is for your safety",
                address=request.sender,
                days=SETTLING.days,
            ),
            say("the same from an older address of yours"),
        )
    if request.sure or request.confirmed == "mailbox":
        return None
    # A token alone leads here, so somebody else may have caused these letters.
    if store.count_today(f"sure {player.id}", now) > request.ports.settings.limits.addresses_a_day:
        raise Refusal(
            say("you were asked to confirm such changes often enough today"),
            say("a line KEY abc-def-ghi, with your key, in the same letter"),
        )
    _ask(request, order)
    return Answer(True, "", separate=True)


def _ask(request: Request, order: str) -> None:
    address = settled(request.ports.store, request.player, request.now)
    request.ports.outbox.write(
        request.player.changed(address=address),
        "sure",
        request.now,
        # With the order: one letter may ask for several changes.
        ident=(request.letter.sha256, order),
        # Only from the address that is asked: another one of the player's may be a thief's.
        reply=Reply(ASKED, question=order, sender=address, days=SETTLING.days),
        answering=request.letter.message_id,
        order=in_words_of(order, request.language),
        days=SETTLING.days,
    )


def tell_old(
    ports: Ports, player: Player, wanted: str, ident: Sequence[object], now: datetime
) -> None:
    """Notify a player's settled address that letters go elsewhere now, with a token to undo that.

    `player` is as before the change. A fresh address gets no notice: it may not undo anything.
    """
    address = settled(ports.store, player, now)
    if address == wanted:
        return
    ports.outbox.write(
        player.changed(address=address),
        "readdressed",
        now,
        ident=("old", *ident),
        reply=Reply(UNDO, about=(wanted, address, now.isoformat()), days=SETTLING.days),
        days=SETTLING.days,
    )


def undoes(ports: Ports, token: Token, reading: Reading) -> bool:
    """Return whether a letter with this token undoes a change of address."""
    # Only from the address that was notified: another one of the player's may be a thief's.
    if token.parts[1] != reading.sender:
        return False
    player = ports.store.get(Player, token.player_id)
    return not player.banned and says(reading, _UNDO, ports.outbox.language(player))


def undo(ports: Ports, token: Token, letter: Letter, now: datetime) -> None:
    """Restore the address from before the change, forget those added since, and renew the key.

    Somebody who stole the account had a token or the key, and neither works from now on.
    """
    store, (_, address, since) = ports.store, token.parts
    player = store.get(Player, token.player_id)
    for row in store.of_player(Further, player.id):
        # What was added before the change is the owner's own.
        if row.added >= datetime.fromisoformat(since) and row.address != address:
            players.forget_address(store, player.id, row.address)
    players.change(store, player.id, address=address)
    # All of them, also those of the kind UNDO, which `renew` would keep.
    tokens.void(store, player.id)
    text = say("Your letters come here again, and the address that was added since is forgotten.")
    renew(ports, store.get(Player, player.id), letter, now, text)


def renew(ports: Ports, player: Player, letter: Letter, now: datetime, text: str = "") -> None:
    """Make a new key, and void all tokens except those that undo a change; notify the player."""
    store, serial = ports.store, player.key_serial + 1
    players.change(store, player.id, key_serial=serial)
    # Not UNDO, which the owner may still need, at the old address.
    tokens.void(store, player.id, but=UNDO)
    ports.outbox.write(
        # A thief who has just added an address must not get the new key.
        player.changed(address=settled(store, player, now), key_serial=serial),
        "rekeyed",
        now,
        ident=("key", serial),
        answering=letter.message_id,
        key=tokens_and_keys.key(store.secret, player.id, serial),
        told=text,
        games=[
            say("REPORT {number}", number=place.game_id)
            for place in stored_games.places_of(store, player.id)
        ],
    )


def new_key(request: Request, match: Match[str]) -> Answer:
    """Send a new key; the old one and all reply tokens so far prove nothing from now on."""
    asked = ask(request, "NEW KEY")
    if asked is not None:
        return asked
    renew(request.ports, request.player, request.letter, request.now)
    return Answer(True, say("a new key comes in a letter of its own"), separate=True)
