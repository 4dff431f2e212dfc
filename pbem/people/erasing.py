"""Erasing a person: everything that is their own goes, and nothing that is somebody else's.

Rows show whose they are: by the player's number, by an address, and by `authorship`, which records
whose words a letter to others or a post carries. No text is searched, so it takes no longer in a
large league, and what others wrote stays as they wrote it (docs/privacy.md).
"""

import json
from collections.abc import Sequence
from itertools import chain, count

from pbem import tokens_and_keys
from pbem.outgoing.outbox import POST, post_of
from pbem.storage import FAREWELL, Player, Store
from pbem.storage.records import Authorship
from pbem.storage.store import SENT
from pbem.text.lookalikes import columns

GONE = "none"
"""How an erased player gets letters: not at all."""
UNCLEAN = "unclean"
"""The key in the database that says that erased bytes may still be in the database's files."""
OWING = "erasing"
"""The key in the database for the players (JSON) whose letters are still to be dropped."""
PORTION = 200
"""How many letters are dropped in one transaction, so that others need not wait."""
_MESSAGE_ID = "<erased@erased.invalid>"
_EMPTY = {"content": b"", "message_id": _MESSAGE_ID, "reason": "", "error": "", "checked": ""}


def erase(store: Store, player: Player) -> None:
    """Erase a person, and leave a pseudonym with the battles; within one transaction.

    Their letters are only forgotten here: `drop_portion` drops the bytes, in rounds to come, since
    there may be thousands. Orders and SALT lines stay, because the dice depend on them.
    """
    addresses = store.addresses_of(player)
    store.outbox.remove(player=player.id, state__in=("queued", "held"))
    # Letters to strangers have no player: this person was one before joining.
    store.outbox.remove(player=None, recipient__in=addresses)
    _forget_posts(store, player)
    store.places.change_all({"player": player.id}, thread="")
    for address in addresses:
        store.subscriptions.remove(address=address)
        # A ban stays in force, but no longer shows the address.
        store.bans.change_all(
            {"address": address}, address=tokens_and_keys.veiled(store.secret, address)
        )
    _remove_rows(store, player.id)
    pseudonym(store, player)
    store.set_meta(OWING, json.dumps([*_owing(store), player.id]))
    store.set_meta(UNCLEAN, "1")


def _remove_rows(store: Store, player: int) -> None:
    """Remove what a person left in tables of things that belong to one player."""
    for table in (
        store.tokens,
        store.further,
        store.accounts,
        store.blocks,
        store.watches,
        store.leaves,
        store.turnouts,
        store.bounces,
        store.stories,
        store.subscriptions,
        store.editorials,
        store.blueprints,
        store.public_letters,
        store.kept_words,
    ):
        table.remove(player=player)
    store.blocks.remove(other=player)
    store.nominations.remove(player=player, state="open")
    # A medal that was awarded stays with its pilot, without the citation.
    store.nominations.change_all({"player": player}, citation="")


def pseudonym(store: Store, player: Player) -> None:
    """Put a pseudonym in place of a person's name and address, and stop letters to them."""
    name = _free_pseudonym(store, player.id)
    for row in store.personas.all(player=player.id):
        if row.is_guest:
            store.personas.change(row.id, name=name)
    store.players.change(
        player.id,
        name=name,
        **columns(name),
        address=f"former-{player.id}@erased.invalid",
        confirmed=False,
        key_serial=player.key_serial + 1,  # makes all earlier tokens invalid
        mail=GONE,
        language="",
        zone="",
        channel="",
        heard=player.joined,
    )


def _free_pseudonym(store: Store, number: int) -> str:
    """Return a pseudonym that nobody has: erasing must not fail because a name is taken.

    Nobody can choose one (pbem.handlers.reserved_names); if one is taken nevertheless, the next is
    used.
    """
    plain = f"Former player {number}"
    for name in chain([plain], (f"{plain}{'b' * n}" for n in count(1))):
        known = columns(name)
        players = [store.players.find(**{key: value}) for key, value in known.items()]
        pilots = [store.personas.find(**{key: value}) for key, value in known.items()]
        if not any(pilots) and all(one is None or one.id == number for one in players):
            return name
    raise AssertionError("there is always a next one")


def _forget_posts(store: Store, player: Player) -> None:
    """Drop posts with a person's words and private messages to them; what waits is not posted."""
    for account in store.accounts.all(player=player.id):
        store.posts.remove(channel=account.channel, recipient=account.ident)
    for row in store.authorships.all(player=player.id, what__ilike=f"{POST}%"):
        channel, ident = post_of(row.what)
        if not store.posts.remove(channel=channel, ident=ident, state="queued"):
            gone = {"title": "", "body": "", "error": ""}
            store.posts.change_all({"channel": channel, "ident": ident}, **gone)
        store.authorships.remove(id=row.id)


def _owing(store: Store) -> list[int]:
    """Return the erased players whose letters are still to be dropped."""
    found = json.loads(store.meta(OWING) or "[]")
    # Until November 2026 it was only said that there are some.
    return list(found) if isinstance(found, list) else _erased(store)


def _erased(store: Store) -> list[int]:
    return [row.id for row in store.players.all(mail=GONE, confirmed=False)]


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
        carrying = store.authorships.some(PORTION, player=player)
        sent = [row for row in carrying if _drop_carried(store, row)]
        store.authorships.remove_each([row.id for row in sent])
        if len(sent) == PORTION:
            return True
        waiting += [player] if len(sent) < len(carrying) else []
    store.set_meta(OWING, json.dumps(waiting))
    return False


def _drop_own(store: Store, player: int) -> bool:
    """Drop some letters from and to a player, and return whether there were any."""
    which = {"limit": PORTION, "player": player}
    written = _numbers(store.letters.values("id", message_id__ne=_MESSAGE_ID, **which))
    store.letters.change_each(written, **_EMPTY)
    # The farewell is removed once it is sent.
    received = _numbers(store.outbox.values("id", kind__ne=FAREWELL, **which))
    store.outbox.remove_each(received)
    return bool(written or received)


def _numbers(rows: Sequence[tuple[int]]) -> list[int]:
    return [number for (number,) in rows]


def _drop_carried(store: Store, row: Authorship) -> bool:
    """Drop the copy of a letter to others, and return True; False where it is still to be sent."""
    letter = store.outbox.find(message_id=row.what)
    if letter is not None and letter.state not in SENT:
        return False
    if letter is not None and letter.content:
        store.outbox.change(letter.id, content=b"")
    return True
