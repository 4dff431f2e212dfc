"""JOIN: how a stranger becomes a player."""

import re
from datetime import datetime

from engine.i18n import Said, say
from engine.order_words import ENGLISH
from engine.words import clean, fold, unquote
from pbem import strangers
from pbem.handlers import naming
from pbem.handlers.order_words import in_english
from pbem.handlers.verdict import Verdict
from pbem.intake import Reading
from pbem.outgoing.outbox import Reply
from pbem.ports import Ports
from pbem.storage import Letter, Player
from pbem.text.skeletons import columns

TOKEN = "confirm"
"""The kind of token that confirms a new player's address."""
_JOIN = re.compile(r"JOIN (?P<name>[^,;:<>@|\"]{1,40})", re.I)


def join(
    ports: Ports, letter: Letter, reading: Reading, player: Player | None, now: datetime
) -> Verdict:
    """Answer a JOIN with a request to confirm; anything else from a stranger with a fixed text.

    An address gets one such letter a week, unless the next one leads a step further.
    """
    name = wanted_name(reading, ports.settings.league.language)
    sender, store = reading.sender, ports.store
    assert sender is not None
    # Another spelling of a known mailbox is the same person, who may join only once.
    if player is None and name is not None and (same := strangers.holders(store, sender)):
        player = same[0]
        if player.confirmed:
            return _another_spelling(ports, letter, player, now)
    why = None if name is None else naming.wrong(ports, name, player.id if player else None)
    if player is not None:
        player = _asked_anew(ports, player, sender, None if why else name)
    kind = _kind(name, player, why)
    if not strangers.may_write(store, ports.settings.limits, sender, kind, now):
        return Verdict("discarded", "stranger", "was written to this week, or too many were today")
    if kind == "stranger":
        ports.outbox.write_stranger(sender, kind, now, (letter.sha256,), letter.message_id)
        return Verdict("answered", "stranger", "is no player, and wrote no JOIN")
    if kind == "taken":
        assert why is not None
        if player is None:
            _another(ports, sender, letter, now, why)
        else:
            _rename(ports, player, letter, now, why)
        number = player.id if player else None
        return Verdict("answered", "stranger", f"asked for another name: {why}", number)
    if player is None:
        assert name is not None
        player = store.players.add(name=name, address=sender, joined=now, heard=now)
    _ask(ports, player, letter, now)
    return Verdict("answered", "human", "asked to confirm", player.id)


def _asked_anew(ports: Ports, player: Player, sender: str, name: str | None) -> Player:
    """Update an unconfirmed player to the address and the name of their latest JOIN.

    The name counts even if no letter goes out, because a reply to the earlier letter confirms it.
    """
    ports.store.players.change(player.id, address=sender, name=name or player.name)
    return ports.store.players.get(player.id)


def confirm(
    ports: Ports, letter: Letter, reading: Reading, player: Player, now: datetime
) -> Player | None:
    """Confirm a new player under the name that they asked for, and return the player.

    A JOIN in the letter asks for another name. If others have taken the name since, the player is
    asked for a different one, and None is returned.
    """
    name = wanted_name(reading, ports.settings.league.language) or player.name
    why = naming.wrong(ports, name, player.id)
    if why is not None:
        _rename(ports, player, letter, now, why)
        return None
    players = ports.store.players
    players.change(player.id, name=name, **columns(name), confirmed=True, heard=now)
    return players.get(player.id)


def _kind(name: str | None, player: Player | None, why: Said | None) -> str:
    """Return the kind of letter that answers somebody who is no confirmed player."""
    if why is not None:
        return "taken"
    return "stranger" if name is None and player is None else "confirm"


def _another_spelling(ports: Ports, letter: Letter, player: Player, now: datetime) -> Verdict:
    """Notify a player that a JOIN came from another spelling of their address.

    The notice goes to the confirmed address, because the other spelling proves nothing.
    """
    refusals = ports.store.count_today(f"refusal {player.id}", now)
    why = f"another spelling of the address of player {player.id}"
    if refusals > ports.settings.limits.refusals_a_day:
        return Verdict("discarded", "stranger", why)
    ports.outbox.write(
        player,
        "notice",
        now,
        ident=("spelling", letter.sha256),
        title=say("A letter came from another spelling of your address"),
        text=say(
            "a letter came from an address that leads to the same mailbox as yours, and that you"
            " have not confirmed. Nothing was done with it, for a person joins once. If it was"
            " yours, write from the address that this letter went to, or add the other one with"
            " the order ADDRESS."
        ),
    )
    return Verdict("answered", "stranger", why)


def wanted_name(reading: Reading, language: str = ENGLISH) -> str | None:
    """Return the name behind JOIN in the text, or in the subject of an empty letter, else None."""
    lines = reading.text.splitlines() or [reading.subject]
    if not reading.text.strip():
        lines = [reading.subject]
    for line in lines:
        match = _JOIN.fullmatch(in_english(clean(line), language))
        if match and fold(match["name"]):
            return unquote(match["name"]).strip()
    return None


def _another(ports: Ports, sender: str, letter: Letter, now: datetime, why: Said) -> None:
    """Ask a stranger for another name, without repeating the name that was refused."""
    ident, answers = (letter.sha256,), letter.message_id
    ports.outbox.write_stranger(sender, "taken", now, ident, answers, why=why)


def _rename(ports: Ports, player: Player, letter: Letter, now: datetime, why: Said) -> None:
    """Ask an unconfirmed player for another name, in a letter whose reply confirms it."""
    ports.outbox.write(
        player._replace(name=""),
        "taken",
        now,
        ident=(letter.sha256,),
        reply=Reply(TOKEN),
        answering=letter.message_id,
        why=why,
    )


def _ask(ports: Ports, player: Player, letter: Letter, now: datetime) -> None:
    """Ask the owner of an address to confirm."""
    # Anybody can put this address in From. Without the name, a JOIN can't carry a text to it.
    ports.outbox.write(
        player._replace(name=""),
        "confirm",
        now,
        ident=(letter.sha256,),
        reply=Reply(TOKEN),
        answering=letter.message_id,
    )
