"""Whose letters are not acted on, and who takes none from whom: the tables `ban` and `block`."""

from datetime import datetime

from pbem.intake import tokens_and_keys
from pbem.intake.addresses import mailbox_of
from pbem.storage import Ban, Block, Store


def ban(store: Store, address: str, now: datetime, *, veiled: bool = False) -> None:
    """Ban the mailbox of an address, whatever spelling comes; with `veiled`, keep only a hash."""
    mailbox = mailbox_of(address)
    kept = tokens_and_keys.veiled(store.secret, mailbox) if veiled else mailbox
    store.run(Ban.insert(address=kept, made=now).on_conflict_ignore())


def lift(store: Store, address: str) -> bool:
    """Lift the ban of an address, and return whether there was one."""
    return store.run(Ban.delete().where(Ban.address.in_(_forms(store, address)))) > 0


def is_banned(store: Store, address: str) -> bool:
    """Return whether an address without a player is banned, or was that of a banned player."""
    return store.exists(Ban.select().where(Ban.address.in_(_forms(store, address))))


def _forms(store: Store, address: str) -> tuple[str, ...]:
    """Return the forms in which an address, or its mailbox, may stand in the table of bans."""
    # A banned player who left the league is kept as a hash alone, so the hashes are looked up too.
    plain = mailbox_of(address), address
    return (*plain, *(tokens_and_keys.veiled(store.secret, one) for one in plain))


def block(store: Store, player: int, other: int) -> None:
    """Pass no letters from another player on to one any more."""
    store.run(Block.insert(player=player, other=other).on_conflict_ignore())


def unblock(store: Store, player: int, other: int) -> bool:
    """Pass another player's letters on to one again, and return whether they were blocked."""
    return store.run(Block.delete().where(Block.player == player, Block.other == other)) > 0


def blockers(store: Store, writer: int) -> set[int]:
    """Return the players who take no letters from a player."""
    return {
        player
        for (player,) in store.tuples(Block.select(Block.player).where(Block.other == writer))
    }
