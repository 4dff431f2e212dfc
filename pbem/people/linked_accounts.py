"""Players' accounts on boards: the table `account`, which only this module writes."""

from collections.abc import Collection

from pbem.storage import Account, Store


def vouched(store: Store, channel: str, ident: str) -> Account | None:
    """Return the account for which a board's server vouches, if it is a player's."""
    return store.first(Account.select().where(Account.channel == channel, Account.ident == ident))


def of_player(store: Store, channel: str, player: int) -> Account | None:
    """Return a player's account on a board, or None."""
    return store.first(Account.select().where(Account.channel == channel, Account.player == player))


def of_players(store: Store, players: Collection[int]) -> list[Account]:
    """Return the accounts of some players, by their numbers."""
    query = Account.select().where(Account.player.in_([*players]))
    return store.all(query.order_by(Account.id))


def link(store: Store, **values: object) -> None:
    """Link an account to a player, in the place of another one on the same board."""
    unlink(store, values["channel"], values["player"])
    store.run(Account.insert(**values))


def note_presence(store: Store, account: Account, *, present: bool) -> None:
    """Note that an account has come into the room of its channel, or left it."""
    store.run(Account.update(present=present).where(Account.id == account.id))


def note_nobody_present(store: Store, channel: str) -> None:
    """Note that nobody is known to be in the room of a channel."""
    store.run(Account.update(present=False).where(Account.channel == channel))


def unlink(store: Store, channel: object, player: object) -> None:
    """End the link of a player's account on a board."""
    store.run(Account.delete().where(Account.channel == channel, Account.player == player))
