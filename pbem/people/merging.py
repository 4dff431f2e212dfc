"""Merging two players who are one person: all that is one's becomes the other's.

It goes over all tables with rows of players, so it writes them beside their owners.
"""

from datetime import datetime

from pbem.people import erasing, players
from pbem.storage import (
    OF_PLAYERS,
    Account,
    Block,
    Blueprint,
    Bounce,
    Endorsement,
    Further,
    KeptWords,
    Leave,
    Player,
    Store,
    Subscription,
    Token,
    Watch,
)

_TAKEN_OVER = ("league", "game", "talk")
"""Kinds of tokens that the remaining player keeps. All others confirm something that the merged
player asked for, and are dropped."""
_DROPPED = (Further, Block, Watch, Leave, Bounce, Subscription, KeptWords)
"""Tables whose rows of the merged player are dropped: preferences, and the like, of which the
remaining player has their own."""


def merge(store: Store, gone: Player, kept: Player, now: datetime) -> None:
    """Move all rows of one player to another, and leave a pseudonym.

    Of two endorsements of the same nomination one is dropped, so that nobody counts twice. Of two
    blueprints of the same name, and of two accounts on a board, the remaining player's is kept.
    """
    # Before the rows of the first are removed.
    addresses = players.addresses(store, gone)
    boards = Account.select(Account.channel).where(Account.player == kept.id)
    store.run(Account.delete().where(Account.player == gone.id, Account.channel.in_(boards)))
    for blueprint in store.of_player(Blueprint, kept.id):
        store.run(
            Blueprint.delete().where(
                Blueprint.player == gone.id,
                Blueprint.system == blueprint.system,
                Blueprint.folded == blueprint.folded,
            )
        )
    endorsed = Endorsement.select(Endorsement.nomination).where(Endorsement.player == kept.id)
    twice = Endorsement.player == gone.id, Endorsement.nomination.in_(endorsed)
    store.run(Endorsement.delete().where(*twice))
    store.run(Token.delete().where(Token.player == gone.id, Token.kind.not_in(_TAKEN_OVER)))
    for model in OF_PLAYERS:
        own = model._meta.fields["player"] == gone.id
        dropped = model in _DROPPED
        store.run((model.delete() if dropped else model.update(player=kept.id)).where(own))
    store.run(Block.delete().where(Block.other == gone.id))
    erasing.pseudonym(store, gone)
    for address in addresses:
        # As if added now: for a week nothing from there changes addresses or the key.
        players.add_address(store, kept.id, address, now)
