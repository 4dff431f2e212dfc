"""JOIN: how a stranger becomes a player."""

import re
from datetime import datetime
from typing import TYPE_CHECKING

from engine.said import say
from engine.tongue import ENGLISH
from engine.words import clean, fold, unquote
from pbem import strangers
from pbem.intake import Reading
from pbem.league.tongues import in_english
from pbem.league.verdict import Verdict
from pbem.outgoing.outbox import Reply
from pbem.store import Letter, Player

if TYPE_CHECKING:
    from pbem.office import Office

_JOIN = re.compile(r"JOIN (?P<name>[^,;:<>@|\"]{1,40})", re.I)


def join(
    office: "Office", letter: Letter, reading: Reading, player: Player | None, now: datetime
) -> Verdict:
    """Answer a JOIN with a letter to confirm; anything else from a stranger with a fixed text.

    An address is written to once a week, but for a letter that leads a step further.
    """
    name = wanted_name(reading, office.settings.league.language)
    sender, store = reading.sender, office.store
    assert sender is not None
    if player is None and name is not None and (same := strangers.holders(store, sender)):
        player = same[0]
        if player.confirmed:
            return _another_spelling(office, letter, player, now)
    kind = _kind(office, name, player)
    if not strangers.may_write(store, office.settings.limits, sender, kind, now):
        return Verdict("discarded", "stranger", "was written to this week, or too many were today")
    if kind == "stranger":
        office.outbox.write_stranger(sender, kind, now, (letter.sha256,), letter.message_id)
        return Verdict("answered", "stranger", "is no player, and wrote no JOIN")
    if kind == "taken":
        office.outbox.write_stranger(sender, kind, now, (letter.sha256,), letter.message_id)
        return Verdict("answered", "stranger", "the name is taken")
    if player is not None and player.address != sender:
        store.players.change(player.id, address=sender)
        player = player._replace(address=sender)
    if player is None:
        assert name is not None
        player = office.store.players.add(
            name=name, folded=fold(name), address=sender, joined=now, heard=now
        )
    _ask(office, player, letter, now)
    return Verdict("answered", "human", "asked to confirm", player.id)


def _kind(office: "Office", name: str | None, player: Player | None) -> str:
    """Return which letter answers somebody who is no confirmed player."""
    if player is not None:
        return "confirm"
    if name is None:
        return "stranger"
    return "confirm" if office.store.player_named(name) is None else "taken"


def _another_spelling(office: "Office", letter: Letter, player: Player, now: datetime) -> Verdict:
    """Tell a player, at the address that is known, that another spelling of it is not."""
    told = office.store.count_today(f"refusal {player.id}", now)
    why = f"another spelling of the address of player {player.id}"
    if told > office.settings.limits.refusals_a_day:
        return Verdict("discarded", "stranger", why)
    office.outbox.write(
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
    """Find the name behind JOIN in the text, or in the subject of an empty letter."""
    lines = reading.text.splitlines() or [reading.subject]
    if not reading.text.strip():
        lines = [reading.subject]
    for line in lines:
        match = _JOIN.fullmatch(in_english(clean(line), language))
        if match and fold(match["name"]):
            return unquote(match["name"]).strip()
    return None


def _ask(office: "Office", player: Player, letter: Letter, now: datetime) -> None:
    """Ask for an address's word; a name that anybody may have written does not go there."""
    office.outbox.write(
        player._replace(name=""),
        "confirm",
        now,
        ident=(letter.sha256,),
        reply=Reply("confirm"),
        answering=letter.message_id,
    )
