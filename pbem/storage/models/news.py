"""The tables of posts for channels, the newsletter, its readers and its writers."""

from peewee import BooleanField, ForeignKeyField, IntegerField, TextField

from pbem.storage.models.fields import Base, CharField, UtcField
from pbem.storage.models.people import Player


class Post(Base):
    """A post for a channel; `stands` is where it stands there, once it does.

    `unsure` where it may stand already, for a try at it broke off.
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
    """Who gets the newsletter: a player, or else an address; its `token` ends it, at any time."""

    player = ForeignKeyField(Player, null=True, unique=True, on_delete="CASCADE")
    address = CharField(null=True, unique=True)
    token = CharField(unique=True)
    active = BooleanField(default=False)
    made = UtcField()


class Issue(Base):
    """A newsletter as it was printed, and how far it has gone out.

    `cursor` is the last subscription that it was sent to, `due` when the next ones are.
    """

    since = UtcField()
    until = UtcField()
    page = TextField()
    cursor = IntegerField(default=0)
    due = UtcField()
    done = BooleanField(default=False, index=True)


class Editorial(Base):
    """What a player wrote for the newsletter; `state` is waiting, passed, dropped or printed."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    by = CharField()
    text = TextField()
    state = CharField(default="waiting", index=True)
    made = UtcField()
