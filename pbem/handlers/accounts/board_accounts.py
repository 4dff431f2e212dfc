"""LINK and UNLINK: a player's accounts on boards, by a code for one use within an hour."""

import json
from datetime import datetime, timedelta
from re import Match

from engine import fair_dice
from engine.i18n import Said, say
from pbem.handlers.accounts.account_safeguards import by_mail_only
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Refusal, Request
from pbem.outgoing.outbox import proof
from pbem.people import linked_accounts, tokens
from pbem.storage import Letter, Player, Token, queues

TOKEN = "link"
"""The kind of token that links an account. It proves nothing else, since it is shown in public."""
VALID = timedelta(hours=1)


def link(request: Request, match: Match[str]) -> Answer:
    """Give a code that links the account from which it is posted or sent."""
    by_mail_only(request)
    name = _board(request, match["board"])
    store, player = request.ports.store, request.player
    code = proof(store, player, TOKEN, name, request.letter.sha256)
    words = fair_dice.fingerprint(request.words)
    tokens.remember(
        store,
        token=code,
        player=player.id,
        kind=TOKEN,
        expires=request.now + VALID,
        about=json.dumps([name, words]),
    )
    return Answer(
        True,
        say(
            "write the line LINK {code} on {board} within an hour, from the account that is to be"
            " yours: as a post, or as a private message to the referee if the board has them. It"
            " works once, for whoever sends it first, so show it to nobody before; a letter says"
            " when it has worked",
            code=code,
            board=name,
        ),
        title=say("Your code for {board}", board=name),
    )


def unlink(request: Request, match: Match[str]) -> Answer:
    """End the link of a player's account on a board."""
    name = _board(request, match["board"])
    store = request.ports.store
    found = linked_accounts.of_player(store, name, request.player.id)
    if found is None:
        raise Refusal(
            say("you have no account on {board}", board=name),
            say("LINK {board}, to link one", board=name),
        )
    linked_accounts.unlink(store, name, request.player.id)
    queues.drop_messages(store, name, found.ident)
    return Answer(True, say("{name} on {board} is yours no more", name=found.name, board=name))


def _board(request: Request, written: str) -> str:
    """Return the name of a board that is played on. Raise Refusal if there is none such."""
    channels = request.ports.settings.channels
    played = [name for name, channel in channels.items() if channel.play]
    name = written.lower()
    if name not in played:
        why = say("this league is played by mail alone")
        if played:
            why = say("{board} is no board that is played on", board=written)
        raise Refusal(why, say("one of {boards}", boards=played) if played else "")
    return name


def code_in(ports: Ports, channel: str, found: list[str], now: datetime) -> Token | None:
    """Return the token of LINK for a board among some words that look like one, or None."""
    for one in found:
        token = tokens.named(ports.store, one)
        if token is None or token.kind != TOKEN:
            continue
        if token.parts[0] == channel and token.expires >= now:
            return token
    return None


def use(ports: Ports, token: Token, ident: str, name: str, letter: Letter, now: datetime) -> str:
    """Link an account by a code, once, and tell its player by mail.

    Return what was done, for the ledger.
    """
    store, channel = ports.store, letter.channel
    player = store.get(Player, token.player_id)
    _, words, *used = token.parts
    if used == [ident]:
        return "the code was used before"
    if used:
        _tell(
            ports,
            token,
            letter,
            now,
            say("Somebody else has sent your code"),
            say(
                "The account {name} on {board} has sent the code that has linked yours. It did"
                " nothing. If the account that was linked is not yours, send UNLINK {board}.",
                name=name,
                board=channel,
            ),
        )
        return "the code has linked another account"
    owner = linked_accounts.vouched(store, channel, ident)
    if owner is not None and owner.player_id != player.id:
        return "the account is another player's"
    # One account on each board: a new one takes the place of the old.
    linked_accounts.link(
        store, channel=channel, ident=ident, player=player.id, name=name, linked=now, words=words
    )
    tokens.use(store, token, ident)
    _tell(
        ports,
        token,
        letter,
        now,
        say("{name} on {board} is yours", name=name, board=channel),
        say(
            "The account {name} on {board} counts as yours now: what it writes in a battle's"
            " thread is an order of yours. If it is not your account, send UNLINK {board}.",
            name=name,
            board=channel,
        ),
    )
    return "linked an account"


def _tell(
    ports: Ports, token: Token, letter: Letter, now: datetime, title: Said, text: Said
) -> None:
    """Write to the player of a code by mail: who has the account may not be the player."""
    player = ports.store.get(Player, token.player_id)
    ports.outbox.write(player, "notice", now, ident=(letter.sha256,), title=title, text=text)
