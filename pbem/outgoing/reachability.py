"""Whether letters reach a player: where bounces come back to, and what they say.

The envelope sender of a letter carries a token (VERP). A bounce counts only if it brings one back
by its recipient, or, in a league without VERP, if it names the Message-ID of the letter that is
returned, in the copy of it or as what it answers. Nobody else's letters have them, so nobody can
make a rival look unreachable.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from pbem.intake import Reading, tokens_and_keys
from pbem.people import players
from pbem.settings import Settings
from pbem.settings.sections import LimitSettings
from pbem.storage import Bounce, Outgoing, Player, Store, queues

_FINAL = ("hard", "refused")
"""Kinds of bounces that say that the address does not exist."""

_DELAY = timedelta(days=7)
"""How long after a letter its bounce may come."""


def return_path(store: Store, settings: Settings, row: Outgoing, now: datetime) -> str:
    """Return the envelope sender of a letter: with VERP, one that is the recipient's own."""
    if row.player_id is None or not settings.league.verp:
        return settings.league.address
    local, _, host = settings.league.address.rpartition("@")
    return f"{local}+{_token(store, row.player_id, row.recipient, now)}@{host}"


def _token(store: Store, player: int, address: str, when: datetime) -> str:
    """Return the token that bounces of a player's letters bring back; a new one each month."""
    return tokens_and_keys.token(store.secret, "bounce", player, address, when.strftime("%Y-%m"))


def returned_by(
    store: Store, settings: Settings, reading: Reading, received: datetime
) -> Player | None:
    """Return the player whose letter a bounce returns; None without a token or id as proof."""
    if not settings.league.verp:
        return _returned_to(store, reading)
    tokens = tokens_and_keys.tokens_in("", reading.recipients)
    for player in players.every(store) if tokens else ():
        # The letter may have been sent last month, when the token was another.
        times = (received, received - _DELAY)
        if any(_token(store, player.id, player.address, when) in tokens for when in times):
            return player
    return None


def _returned_to(store: Store, reading: Reading) -> Player | None:
    """Return the player whose letter is named: by the copy that returns, or by what it answers."""
    # The last reference is the letter that is answered.
    named = (reading.returned_id, *reading.in_reply_to, *reading.references[:-20:-1])
    rows = (queues.first(store, Outgoing, message_id=one) for one in dict.fromkeys(named) if one)
    row = next((row for row in rows if row is not None), None)
    if row is None or row.player_id is None:
        return None
    player = store.get(Player, row.player_id)
    # That an earlier address is dead says nothing about the present one.
    return player if player.address == row.recipient else None


def note(store: Store, player: int, kind: str, ident: str, at: datetime) -> None:
    """Record a proven bounce: hard, soft, policy, or refused by the server at once."""
    store.run(Bounce.insert(ident=ident, player=player, kind=kind, at=at).on_conflict_ignore())


def bounces_of(store: Store, players: Collection[int]) -> list[Bounce]:
    """Return the proven bounces of some players, by their numbers, the oldest first."""
    query = Bounce.select().where(Bounce.player.in_([*players]))
    return store.all(query.order_by(Bounce.at, Bounce.ident))


def dead_since(limits: LimitSettings, player: Player, bounces: Iterable[Bounce]) -> datetime | None:
    """Return since when a player's address has been dead; None if it is not known to be.

    It is dead after a number of hard bounces over a number of days, without a letter from the
    player since the first of them. Bounces for full mailboxes, or for a letter's content, never
    count. `bounces` may hold those of others, too; the oldest come first.
    """
    own = (one for one in bounces if one.player_id == player.id and one.kind in _FINAL)
    found = [one.at for one in own if one.at > player.heard]
    if len(found) < limits.hard_bounces:
        return None
    return found[0] if found[-1] - found[0] >= timedelta(days=limits.bounce_days) else None


def all_out_of_reach(store: Store, settings: Settings) -> list[tuple[Player, datetime]]:
    """Return the confirmed players whose addresses are dead, each with the time since when."""
    found = store.all(Bounce.select().order_by(Bounce.at, Bounce.ident))
    bounced = store.by_key(Player, (one.player_id for one in found))
    confirmed = [player for _, player in sorted(bounced.items()) if player.confirmed]
    since = ((player, dead_since(settings.limits, player, found)) for player in confirmed)
    return [(player, when) for player, when in since if when is not None]
