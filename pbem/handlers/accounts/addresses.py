"""ADDRESS: where a player writes from, and where letters go; each address must be confirmed."""

from datetime import datetime
from re import Match

from engine.i18n import say
from pbem.channels.mail.mime_writer import is_address
from pbem.handlers.accounts import account_safeguards
from pbem.handlers.accounts.account_safeguards import SETTLING
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Refusal, Request
from pbem.intake import Reading, tokens_and_keys
from pbem.intake.addresses import clean_address
from pbem.outgoing import strangers
from pbem.outgoing.outbox import Reply, proof
from pbem.people import players, tokens
from pbem.storage import Further, Letter, Player, Token
from pbem.storage.clock_jumps import believed

MOST = 5
"""The most addresses that a player may have."""
TOKEN = "address"
"""The kind of token that confirms an address. It proves nothing else."""


def address(request: Request, match: Match[str]) -> Answer:
    """Ask a new address to confirm, or make a known one the first, or list all of them."""
    written, mine = match["address"], players.addresses(request.ports.store, request.player)
    if written is None:
        return Answer(
            True, say("letters go to {address}{further}", address=mine[0], further=_further(mine))
        )
    wanted = _plain(request, written)
    if wanted == mine[0]:
        raise Refusal(say("letters go to {wanted} already", wanted=wanted))
    if wanted not in mine and len(mine) >= MOST:
        raise Refusal(
            say("you have {most} addresses, the most that one may have", most=MOST),
            say("ADDRESS REMOVE"),
        )
    asked = account_safeguards.ask(request, f"ADDRESS {wanted}")
    if asked is not None:
        return asked
    if wanted in mine:
        # It was confirmed before, so it need not confirm again.
        ident = (request.letter.sha256, wanted)
        account_safeguards.tell_old(request.ports, request.player, wanted, ident, request.now)
        players.prefer(request.ports.store, request.player, wanted)
        return Answer(True, say("letters go to {wanted} from the next one on", wanted=wanted))
    # Each request writes to an address that may be somebody else's, so they are limited per day.
    most = request.ports.settings.limits.addresses_a_day
    if request.ports.store.count_today(f"address {request.player.id}", request.now) > most:
        raise Refusal(
            say("you have asked for as many addresses today as one may ({most})", most=most)
        )
    _ask(request, wanted)
    return Answer(
        True,
        say(
            "a letter is sent to {wanted}; once you have replied to it from there, letters go to"
            " that address. Until then all stays as it is",
            wanted=wanted,
        ),
    )


def _further(mine: list[str]) -> str:
    return say("; you may also write from {names}", names=mine[1:]) if len(mine) > 1 else ""


def _plain(request: Request, written: str) -> str:
    """Return an address in lower case, with its domain as DNS writes it.

    Raise Refusal where it is not an address, or not in the line as it was written: full-width and
    other letters that only look like plain ones make another address.
    """
    wanted = clean_address(written) or ""
    if not is_address(wanted) or written.lower() not in request.line.lower():
        raise Refusal(
            say("{written} is not a mail address in plain letters", written=written),
            say("ADDRESS ada@home.example"),
        )
    # Otherwise the referee would write to itself (fault 23).
    if wanted == request.ports.settings.league.address.lower():
        raise Refusal(say("{wanted} is the referee's own address", wanted=wanted))
    return wanted


def _ask(request: Request, wanted: str) -> None:
    """Ask an address to confirm; if it is another player's, tell them that nothing was done.

    The player who asked does not learn which of the two happened.
    """
    ports, store = request.ports, request.ports.store
    ident, owner = (request.letter.sha256, wanted), players.at(store, wanted)
    if not strangers.may_write(store, ports.settings.limits, wanted, "address", request.now):
        raise Refusal(
            say(
                "a letter went to {wanted} within the last week, or too many letters went out to"
                " new addresses today; reply to the letter from there, or ask again later",
                wanted=wanted,
            )
        )
    # The same answer either way: ADDRESS must not show which addresses are players'.
    if owner is not None and owner.confirmed:
        ports.outbox.write(
            owner.changed(address=wanted),
            "notice",
            request.now,
            ident=ident,
            title=say("Your address was asked for"),
            text=say(
                "Somebody asked that this address be another player's too. It is yours, so"
                " nothing was done, and they were not told that it is. You need do nothing."
            ),
        )
        return
    ports.outbox.write(
        request.player.changed(address=wanted, name=""),  # a stranger must not learn the name
        "address",
        request.now,
        ident=ident,
        reply=Reply(TOKEN, about=(wanted,)),
    )


def remove(request: Request, match: Match[str]) -> Answer:
    """Forget one of the player's addresses, so that no letter from it counts any more."""
    store, now = request.ports.store, request.now
    wanted, mine = match["address"].lower(), players.addresses(store, request.player)
    if wanted not in mine:
        raise Refusal(
            say("{wanted} is not an address of yours", wanted=wanted), say("ADDRESS lists yours")
        )
    if wanted == mine[0]:
        raise Refusal(
            say("letters go to {wanted}, so it can't be removed", wanted=wanted),
            say("ADDRESS and another of yours, to let them go there first"),
        )
    asked = account_safeguards.ask(request, f"ADDRESS REMOVE {wanted}")
    if asked is not None:
        return asked
    # Somebody who stole the account could otherwise add an address and remove the owner's at once.
    newest = max(
        store.of_player(Further, request.player.id),
        key=lambda row: (row.added, row.id),
    )
    if newest.address != wanted and believed(store, now) < newest.added + SETTLING:
        raise Refusal(
            say(
                "an address was added within the last {days} days, and until they are over no"
                " other can be removed: that is for your safety",
                days=SETTLING.days,
            )
        )
    # The token goes too, so that an old request to confirm can't bring the address back.
    players.forget_address(store, request.player.id, wanted)
    tokens.forget(store, proof(store, request.player, TOKEN, wanted))
    return Answer(True, say("{wanted} is forgotten, and nothing counts from there", wanted=wanted))


def is_for(ports: Ports, token: Token, sender: str) -> bool:
    """Return whether a token confirms this address; it was made from the one that it confirms."""
    player = ports.store.get(Player, token.player_id)
    return tokens_and_keys.same(token.token, proof(ports.store, player, TOKEN, sender))


def confirm(ports: Ports, player: Player, wanted: str, letter: Letter, now: datetime) -> None:
    """Send a player's letters to a new address; the old one stays theirs, and is notified."""
    store, ident = ports.store, (letter.sha256, wanted)
    tokens.forget(store, proof(store, player, TOKEN, wanted))
    # Somebody may have sent a JOIN from there that was never confirmed; an address has one owner.
    players.drop_unconfirmed(store, wanted)
    # Before the change: the notice goes to the address that counts until now.
    account_safeguards.tell_old(ports, player, wanted, ident, now)
    players.prefer(store, player, wanted)
    players.add_address(store, player.id, wanted, now)
    ports.outbox.write(
        player.changed(address=wanted),
        "notice",
        now,
        ident=ident,
        answering=letter.message_id,
        title=say("Your new address"),
        text=say(
            "This address is yours from now on, and letters go to it. You may still write from"
            " the one before; to have it forgotten, write ADDRESS REMOVE and that address"
            " after {days} days.",
            days=SETTLING.days,
        ),
    )


def warn_of_leak(ports: Ports, letter: Letter, reading: Reading, now: datetime) -> None:
    """Warn players, once a week, that a letter to their reply address came from a strange address.

    Either somebody else has it, or the player wrote from another address. The warning does not name
    the address that the letter came from: it may be anybody's.
    """
    store, today = ports.store, believed(ports.store, now)
    for text in tokens_and_keys.tokens_in(reading.subject, reading.recipients):
        token = tokens.named(store, text)
        if token is None or token.kind == TOKEN or token.expires < today:
            continue  # a new address is meant to write with its token before it is the player's
        player = store.get(Player, token.player_id)
        if not player.confirmed or player.banned:
            continue
        # Anybody who has the address could otherwise fill the player's mailbox with warnings.
        if store.counted_within(f"leaked {player.id}", strangers.WEEK, now):
            continue
        store.count_now(f"leaked {player.id}", now)
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
