"""Posts for channels, public letters, the newsletter, its readers and writers."""

from peewee import AutoField, BigIntegerField, BooleanField, ForeignKeyField, TextField

from pbem.storage.fields import EscapedField, Row, UtcField
from pbem.storage.models.people import Player


class Post(Row):
    """A post for a channel; `stands` is where it is there, once it has been posted.

    `state` is queued, sending, sent, failed, or dropped by the moderator. `unsure`: it may be
    there already, because an attempt was interrupted. `topic` names the board's own thread in which
    it stands. `recipient` is the account that alone may read it, "" for all. Who sends it is its
    `owner`, `owned_until` a time.
    """

    id = AutoField()
    channel = TextField()
    ident = TextField()
    thread = TextField()
    title = TextField()
    body = TextField()
    due = UtcField()
    made = UtcField()
    state = TextField(index=True, default="queued")
    unsure = BooleanField(default=False)
    stands = TextField(default="")
    tries = BigIntegerField(default=0)
    sent = UtcField(null=True)
    error = EscapedField(default="")
    topic = TextField(index=True, default="")
    recipient = TextField(default="")
    owner = TextField(default="")
    owned_until = UtcField(null=True)

    class Meta:
        """The indexes over several columns."""

        indexes = (
            (("channel", "ident"), True),
            (("channel", "thread"), False),
        )


class Subscription(Row):
    """Who gets the newsletter: a player, or an address; its `token` unsubscribes at any time."""

    id = AutoField()
    token = TextField(unique=True)
    made = UtcField()
    player = ForeignKeyField(Player, on_delete="CASCADE", unique=True, null=True)
    player_id: int | None
    address = TextField(unique=True, null=True)
    active = BooleanField(default=False)


class Issue(Row):
    """A newsletter as rendered once for all, and how far it has been sent; `page` is JSON text.

    `cursor` is the last subscription that it was sent to, `due` is when the next ones follow.
    """

    id = AutoField()
    since = UtcField()
    until = UtcField()
    due = UtcField()
    cursor = BigIntegerField(default=0)
    done = BooleanField(index=True, default=False)
    page = TextField(default="")


class Editorial(Row):
    """A player's text for the newsletter; `state` is waiting, passed, dropped or printed.

    `by` is the name of the pilot who signs it, or nothing.
    """

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    by = TextField()
    text = TextField()
    made = UtcField()
    state = TextField(index=True, default="waiting")


class PublicLetter(Row):
    """A public letter that has not reached all its readers yet; it is removed when it has.

    `sha256` is that of the letter that it was written in, `by` who signs it, and `fights_for` that
    one's player, where it is a pilot. A line of `text` is a paragraph. `cursor` is the last player
    that it was queued for, `last` the one that it ends with, and `due` when the next ones are.
    """

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    sha256 = TextField()
    by = TextField()
    text = TextField()
    last = BigIntegerField()
    made = UtcField()
    due = UtcField()
    fights_for = TextField(default="")
    cursor = BigIntegerField(default=0)
