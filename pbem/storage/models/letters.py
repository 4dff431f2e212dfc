"""The tables of letters (received, outgoing, bounced) and of reply tokens."""

from peewee import (
    BigIntegerField,
    BlobField,
    BooleanField,
    ForeignKeyField,
    IntegerField,
    TextField,
)

from pbem.storage.models.fields import Base, CharField, UtcField
from pbem.storage.models.games import Game, Place
from pbem.storage.models.people import Player


class Letter(Base):
    """A letter that came in, raw, and what became of it.

    `checked` is the result of its signature check on arrival, or "confirmed" once its player has
    confirmed it. `digest` is the same for each delivery of one letter (pbem/intake/sameness.py).
    `tries` counts failed attempts; `in_hand` is true from the start of an attempt until it has a
    result.
    """

    account = CharField()
    folder = CharField()
    uidvalidity = BigIntegerField()
    uid = BigIntegerField()
    message_id = CharField()
    sha256 = CharField()
    digest = CharField(default="", index=True)
    received = UtcField()
    kept = UtcField()
    truncated = BooleanField(default=False)
    checked = TextField(default="")
    state = CharField(default="received", index=True)
    klass = CharField(default="")
    reason = TextField(default="")
    player = ForeignKeyField(Player, null=True, on_delete="SET NULL")
    tries = IntegerField(default=0)
    in_hand = BooleanField(default=False)
    error = TextField(default="")
    handled = UtcField(null=True)
    moved = BooleanField(default=False, index=True)

    class Meta:
        indexes = ((("account", "folder", "uidvalidity", "uid"), True),)


class LetterText(Base):
    """A letter that came in, byte by byte. It is separate so that changing a row stays cheap."""

    of = ForeignKeyField(Letter, primary_key=True, on_delete="CASCADE")
    content = BlobField()


class Token(Base):
    """What a reply carries: it names one player, and a game's turn and place where there is one.

    `about` is what else it is for, as JSON.
    """

    token = CharField(primary_key=True)
    player = ForeignKeyField(Player, on_delete="CASCADE")
    kind = CharField()
    game = ForeignKeyField(Game, null=True, on_delete="CASCADE")
    turn = IntegerField(default=0)
    place = ForeignKeyField(Place, null=True, on_delete="CASCADE")
    expires = UtcField()
    about = TextField(default="[]")


class Outgoing(Base):
    """A letter to be sent; a newer letter replaces the unsent ones of its `slot`.

    `ident` is what it is for; nothing is written twice for the same thing.
    """

    ident = CharField(unique=True)
    message_id = CharField(unique=True)
    slot = CharField(index=True)
    kind = CharField()
    player = ForeignKeyField(Player, null=True, on_delete="SET NULL")
    recipient = CharField()
    state = CharField(default="queued", index=True)
    tries = IntegerField(default=0)
    due = UtcField()
    made = UtcField()
    sent = UtcField(null=True)
    error = TextField(default="")


class OutgoingText(Base):
    """A letter to be sent, byte by byte."""

    of = ForeignKeyField(Outgoing, primary_key=True, on_delete="CASCADE")
    content = BlobField()


class Authorship(Base):
    """Whose words a letter to others, a post or a newsletter carries, so that they can be erased.

    `what` is a Message-ID, or the name that pbem.outgoing.authors gives a post or a newsletter.
    """

    what = CharField(index=True)
    player = ForeignKeyField(Player, on_delete="CASCADE")


class Bounce(Base):
    """A letter of ours that came back from a player's address, or was refused there at once.

    `kind` is hard, soft, policy, or refused; `ident` is the SHA-256 of the letter that reports it,
    or the Message-ID of the one that was refused.
    """

    ident = CharField(primary_key=True)
    player = ForeignKeyField(Player, on_delete="CASCADE")
    kind = CharField()
    at = UtcField()
