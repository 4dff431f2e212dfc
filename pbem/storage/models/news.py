"""The tables of posts for channels, public letters, the newsletter, its readers and writers."""

from peewee import BooleanField, ForeignKeyField, IntegerField, TextField

from pbem.storage.models.fields import Base, CharField, UtcField
from pbem.storage.models.people import Player


class Post(Base):
    """A post for a channel; `stands` is where it is there, once it has been posted.

    `unsure`: it may be there already, because an attempt was interrupted.
    """

    channel = CharField()
    ident = CharField()
    thread = CharField()
    title = TextField()
    body = TextField()
    state = CharField(default="queued", index=True)
    unsure = BooleanField(default=False)
    stands = CharField(default="")
    tries = IntegerField(default=0)
    due = UtcField()
    made = UtcField()
    sent = UtcField(null=True)
    error = TextField(default="")

    class Meta:
        indexes = ((("channel", "ident"), True), (("channel", "thread"), False))


class Subscription(Base):
    """Who gets the newsletter: a player, or an address; its `token` unsubscribes at any time."""

    player = ForeignKeyField(Player, null=True, unique=True, on_delete="CASCADE")
    address = CharField(null=True, unique=True)
    token = CharField(unique=True)
    active = BooleanField(default=False)
    made = UtcField()


class Issue(Base):
    """A newsletter as rendered, and how far it has been sent.

    `cursor` is the last subscription that it was sent to, `due` is when the next ones follow.
    """

    since = UtcField()
    until = UtcField()
    page = TextField()
    cursor = IntegerField(default=0)
    due = UtcField()
    done = BooleanField(default=False, index=True)


class Editorial(Base):
    """A player's text for the newsletter; `state` is waiting, passed, dropped or printed."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    by = CharField()
    text = TextField()
    state = CharField(default="waiting", index=True)
    made = UtcField()


class PublicLetter(Base):
    """A public letter that has not reached all its readers yet; it is removed when it has.

    `sha256` is that of the letter that it was written in, `by` who signs it, and `fights_for` that
    one's player, where it is a pilot. `cursor` is the last player that it was queued for, `last`
    the one that it ends with, and `due` when the next ones are.
    """

    player = ForeignKeyField(Player, on_delete="CASCADE")
    sha256 = CharField()
    by = CharField()
    fights_for = CharField(default="")
    text = TextField()
    cursor = IntegerField(default=0)
    last = IntegerField()
    made = UtcField()
    due = UtcField()
