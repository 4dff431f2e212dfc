"""Players and their addresses: the tables `player` and `further`, which only this module writes."""

from collections.abc import Collection
from datetime import datetime
from typing import cast

from peewee import fn

from engine.names import fold
from pbem.intake.addresses import alike, mailbox_of
from pbem.storage import Further, Player, Store

_TAKE_PRESS = (Player.confirmed == True) & (Player.press == True)


def at(store: Store, address: str) -> Player | None:
    """Return the player of an address, confirmed or not."""
    further = Further.select(Further.player).where(Further.address == address)
    return store.first(
        Player.select()
        .where((Player.address == address) | Player.id.in_(further))
        .order_by((Player.address == address).desc())
    )


def named(store: Store, name: str) -> Player | None:
    """Return the player of a name, without regard to case, accents or spacing."""
    return store.first(Player.select().where(Player.folded == fold(name)))


def like(store: Store, column: str, form: str) -> list[Player]:
    """Return the players whose names have a form in the column of such forms."""
    return store.all(Player.select().where(getattr(Player, column) == form).order_by(Player.id))


def every(store: Store) -> list[Player]:
    """Return all players, confirmed or not, oldest first."""
    return store.all(Player.select().order_by(Player.id))


def confirmed(store: Store) -> list[Player]:
    """Return all players who have confirmed an address, oldest first."""
    return store.all(Player.select().where(Player.confirmed == True).order_by(Player.id))


def first_joined(store: Store) -> datetime | None:
    """Return when the first player joined."""
    return cast(datetime | None, store.scalar(Player.select(fn.MIN(Player.joined))))


def press_readers(store: Store, after: int, last: int, most: int) -> list[Player]:
    """Return the first players with numbers after one, up to a last, who take public letters."""
    these = _TAKE_PRESS & (Player.id > after) & (Player.id <= last)
    return store.all(Player.select().where(these).order_by(Player.id).limit(most))


def count_press_readers(store: Store, but: Collection[int]) -> int:
    """Return how many players take public letters, without some."""
    return store.count(Player.select().where(_TAKE_PRESS, Player.id.not_in(sorted(but))))


def holders(store: Store, address: str) -> list[Player]:
    """Return the players to whose mailbox an address leads, in any spelling."""
    mailbox = mailbox_of(address)
    found: dict[int, Player] = {}
    for pattern in alike(address):
        for player in store.all(Player.select().where(Player.address**pattern).order_by(Player.id)):
            if mailbox_of(player.address) == mailbox:
                found[player.id] = player
        for further in store.all(
            Further.select().where(Further.address**pattern).order_by(Further.id)
        ):
            if mailbox_of(further.address) == mailbox:
                found[further.player_id] = store.get(Player, further.player_id)
    return sorted(found.values(), key=lambda player: (not player.confirmed, player.id))


def add(store: Store, name: str, address: str, language: str, now: datetime) -> Player:
    """Add a player who has yet to confirm the address, and return the row."""
    return store.create(
        Player, name=name, address=address, language=language, joined=now, heard=now
    )


def change(store: Store, player: int, **values: object) -> None:
    """Change columns of a player."""
    store.run(Player.update(**values).where(Player.id == player))


def set_back(store: Store, now: datetime) -> None:
    """Let nobody have been heard of in the future, after a clock that went ahead."""
    store.run(Player.update(heard=now).where(Player.heard > now))


def drop_unconfirmed(store: Store, address: str) -> None:
    """Drop whoever asked to join from an address, and never confirmed it."""
    store.run(Player.delete().where(Player.address == address, Player.confirmed == False))


def addresses(store: Store, player: Player) -> list[str]:
    """Return a player's confirmed addresses, the one that letters go to first."""
    further = (row.address for row in store.of_player(Further, player.id))
    return list(dict.fromkeys([player.address, *further]))


def prefer(store: Store, player: Player, address: str) -> None:
    """Send letters to another address of a player from now on, and keep the old one too."""
    kept = Further.insert(player=player.id, address=player.address, added=player.joined)
    store.run(kept.on_conflict_ignore())
    change(store, player.id, address=address)


def add_address(store: Store, player: int, address: str, now: datetime) -> None:
    """Add a confirmed address to those of a player."""
    store.run(Further.insert(player=player, address=address, added=now))


def forget_address(store: Store, player: int, address: str) -> None:
    """Forget an address that a player has in addition to the one that letters go to."""
    store.run(Further.delete().where(Further.player == player, Further.address == address))
