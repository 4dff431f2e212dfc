"""Erasing a person: everything that is their own goes, and nothing that is somebody else's.

Rows show whose they are: by the player's number, by an address, and by `authorship`, which records
whose words a letter to others or a post carries. No text is searched, so it takes no longer in a
large league, and what others wrote stays as they wrote it (docs/privacy.md).
"""

import json
from collections.abc import Sequence
from itertools import chain, count

from pbem.intake import tokens_and_keys
from pbem.people import personas, players
from pbem.people.lookalikes import columns
from pbem.storage import (
    FAREWELL,
    OF_PLAYERS,
    Account,
    Authorship,
    Ban,
    Block,
    Endorsement,
    Letter,
    Nomination,
    Outgoing,
    Persona,
    Place,
    Player,
    Post,
    Store,
    Subscription,
    queues,
)
from pbem.storage.queues import SENT

GONE = "none"
"""How an erased player gets letters: not at all."""
UNCLEAN = "unclean"
"""The key in the database that says that erased bytes may still be in the database's files."""
OWING = "erasing"
"""The key in the database for the players (JSON) whose letters are still to be dropped."""
PORTION = 200
"""How many letters are dropped in one transaction, so that others need not wait."""
_STAYING = (Persona, Place, Letter, Outgoing, Authorship, Nomination, Endorsement)
"""Tables whose rows stay with the battles, or whose contents are dropped later."""
_MESSAGE_ID = "<erased@erased.invalid>"
_EMPTY = {"content": b"", "message_id": _MESSAGE_ID, "reason": "", "error": "", "checked": ""}


def erase(store: Store, player: Player) -> None:
    """Erase a person, and leave a pseudonym with the battles; within one transaction.

    Their letters are only forgotten here: `drop_portion` drops the bytes, in rounds to come, since
    there may be thousands. Orders and SALT lines stay, because the dice depend on them.
    """
    addresses = players.addresses(store, player)
    store.run(
        Outgoing.delete().where(
            Outgoing.player == player.id, Outgoing.state.in_(("queued", "held"))
        )
    )
    # Letters to strangers have no player: this person was one before joining.
    store.run(Outgoing.delete().where(Outgoing.player.is_null(), Outgoing.recipient.in_(addresses)))
    _forget_posts(store, player)
    store.run(Place.update(thread="").where(Place.player == player.id))
    for address in addresses:
        store.run(Subscription.delete().where(Subscription.address == address))
        # A ban stays in force, but no longer shows the address.
        store.run(
            Ban.update(address=tokens_and_keys.veiled(store.secret, address)).where(
                Ban.address == address
            )
        )
    _remove_rows(store, player.id)
    pseudonym(store, player)
    store.set_meta(OWING, json.dumps([*_owing(store), player.id]))
    store.set_meta(UNCLEAN, "1")


def _remove_rows(store: Store, player: int) -> None:
    """Remove what a person left in tables of things that belong to one player."""
    for model in OF_PLAYERS:
        if model not in _STAYING:
            store.run(model.delete().where(model._meta.fields["player"] == player))
    store.run(Block.delete().where(Block.other == player))
    store.run(Nomination.delete().where(Nomination.player == player, Nomination.state == "open"))
    # A medal that was awarded stays with its pilot, without the citation.
    store.run(Nomination.update(citation="").where(Nomination.player == player))


def pseudonym(store: Store, player: Player) -> None:
    """Put a pseudonym in place of a person's name and address, and stop letters to them."""
    name = _free_pseudonym(store, player.id)
    for row in store.of_player(Persona, player.id):
        if row.is_guest:
            store.run(Persona.update(name=name).where(Persona.id == row.id))
    store.run(
        Player.update(
            name=name,
            **columns(name),
            address=f"former-{player.id}@erased.invalid",
            confirmed=False,
            key_serial=player.key_serial + 1,
            mail=GONE,
            language="",
            zone="",
            channel="",
            heard=player.joined,
        ).where(Player.id == player.id)
    )


def _free_pseudonym(store: Store, number: int) -> str:
    """Return a pseudonym that nobody has: erasing must not fail because a name is taken.

    Nobody can choose one (pbem.handlers.names.reserved_names); if one is taken nevertheless, the
    next is used.
    """
    plain = f"Former player {number}"
    for name in chain([plain], (f"{plain}{'b' * n}" for n in count(1))):
        forms = columns(name).items()
        owners = {row.id for form in forms for row in players.like(store, *form)} - {number}
        if not owners and not any(personas.like(store, *form) for form in forms):
            return name
    raise AssertionError("there is always a next one")


def _forget_posts(store: Store, player: Player) -> None:
    """Drop posts with a person's words and private messages to them; what waits is not posted."""
    for account in store.of_player(Account, player.id):
        store.run(
            Post.delete().where(Post.channel == account.channel, Post.recipient == account.ident)
        )
    for row in store.all(
        Authorship.select()
        .where(Authorship.player == player.id, (Authorship.what ** f"{Authorship.POST}%"))
        .order_by(Authorship.id)
    ):
        channel, ident = row.post
        if not store.run(
            Post.delete().where(
                Post.channel == channel, Post.ident == ident, Post.state == "queued"
            )
        ):
            gone = {"title": "", "body": "", "error": ""}
            store.run(Post.update(**gone).where(Post.channel == channel, Post.ident == ident))
        store.run(Authorship.delete().where(Authorship.id == row.id))


def _owing(store: Store) -> list[int]:
    """Return the erased players whose letters are still to be dropped."""
    found = json.loads(store.meta(OWING) or "[]")
    # Until November 2026 it was only said that there are some.
    return list(found) if isinstance(found, list) else _erased(store)


def _erased(store: Store) -> list[int]:
    return [
        row.id
        for row in store.all(
            Player.select()
            .where(Player.mail == GONE, Player.confirmed == False)
            .order_by(Player.id)
        )
    ]


def owes(store: Store) -> bool:
    """Return whether letters of somebody who was erased are still to be dropped."""
    return bool(_owing(store))


def drop_portion(store: Store) -> bool:
    """Drop some letters from and to erased players, and return whether more can be dropped now.

    What others are still to be sent of a person's words is sent first. Within one transaction.
    """
    waiting = list[int]()
    for player in _owing(store):
        if _drop_own(store, player):
            return True
        carrying = store.all(
            Authorship.select()
            .where(Authorship.player == player)
            .order_by(Authorship.id)
            .limit(PORTION)
        )
        sent = [row for row in carrying if _drop_carried(store, row)]
        store.run(Authorship.delete().where(Authorship.id.in_([row.id for row in sent])))
        if len(sent) == PORTION:
            return True
        waiting += [player] if len(sent) < len(carrying) else []
    store.set_meta(OWING, json.dumps(waiting))
    return False


def _drop_own(store: Store, player: int) -> bool:
    """Drop some letters from and to a player, and return whether there were any."""
    own = Letter.player == player, Letter.message_id != _MESSAGE_ID
    written = _numbers(store.tuples(Letter.select(Letter.id).where(*own).limit(PORTION)))
    store.run(Letter.update(**_EMPTY).where(Letter.id.in_(written)))
    # The farewell is removed once it is sent.
    to_them = Outgoing.player == player, Outgoing.kind != FAREWELL
    received = _numbers(store.tuples(Outgoing.select(Outgoing.id).where(*to_them).limit(PORTION)))
    store.run(Outgoing.delete().where(Outgoing.id.in_(received)))
    return bool(written or received)


def _numbers(rows: Sequence[Sequence[int]]) -> list[int]:
    return [number for (number,) in rows]


def _drop_carried(store: Store, row: Authorship) -> bool:
    """Drop the copy of a letter to others, and return True; False where it is still to be sent."""
    letter = queues.first(store, Outgoing, message_id=row.what)
    if letter is not None and letter.state not in SENT:
        return False
    if letter is not None and letter.content:
        queues.change(store, letter, content=b"")
    return True
