"""JOIN: how a stranger becomes a player."""

import re
from datetime import datetime
from typing import TYPE_CHECKING

from engine.tongue import ENGLISH
from engine.words import clean, fold, unquote
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
    """Answer a JOIN with a letter to confirm; anything else from a stranger with a fixed text."""
    name = wanted_name(reading, office.settings.league.language)
    sender = reading.sender
    assert sender is not None
    if office.store.count_today(f"stranger {sender}", now) > _most(office, name, player):
        return Verdict("discarded", "stranger", "was answered today already")
    if player is None and name is None:
        office.outbox.write_stranger(sender, "stranger", now, (letter.sha256,), letter.message_id)
        return Verdict("answered", "stranger", "is no player, and wrote no JOIN")
    if player is None:
        assert name is not None
        if office.store.player_named(name) is not None:
            office.outbox.write_stranger(sender, "taken", now, (letter.sha256,), letter.message_id)
            return Verdict("answered", "stranger", "the name is taken")
        player = office.store.players.add(
            name=name, folded=fold(name), address=sender, joined=now, heard=now
        )
    _ask(office, player, letter, now)
    return Verdict("answered", "human", "asked to confirm", player.id)


def _most(office: "Office", name: str | None, player: Player | None) -> int:
    """A JOIN, or an unconfirmed player, may be answered a little more often than a stranger."""
    limits = office.settings.limits
    return limits.refusals_a_day if name is None and player is None else 3 * limits.refusals_a_day


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
