"""The tables of careers: entries of the career log, rewards, medals."""

from peewee import BlobField, BooleanField, ForeignKeyField, IntegerField, TextField

from pbem.storage.models.fields import Base, CharField, UtcField
from pbem.storage.models.games import Game
from pbem.storage.models.people import Persona, Player


class Entry(Base):
    """An entry in a persona's career log; points in tenths, `news` if it is newsworthy."""

    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    game = ForeignKeyField(Game, null=True, on_delete="SET NULL")
    kind = CharField()
    account = CharField(default="")
    points = IntegerField(default=0)
    news = BooleanField(default=False)
    facts = TextField(default="{}")
    at = UtcField(index=True)


class Reward(Base):
    """A persona's reward: its secret from the day of the commitment, and how it was rolled."""

    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    secret = BlobField()
    version = IntegerField()
    order = TextField(default="")
    words = TextField(default="{}")
    digest = CharField(default="")
    roll = IntegerField(default=0)
    rolled = UtcField(null=True)


class Nomination(Base):
    """A persona named for a medal, for what it did in a game; `state` is open or given."""

    game = ForeignKeyField(Game, on_delete="CASCADE")
    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    player = ForeignKeyField(Player, on_delete="CASCADE")
    citation = TextField()
    state = CharField(default="open", index=True)
    made = UtcField()
    given = UtcField(null=True)


class Endorsement(Base):
    """A player's support for a nomination."""

    nomination = ForeignKeyField(Nomination, on_delete="CASCADE")
    player = ForeignKeyField(Player, on_delete="CASCADE")
    made = UtcField()

    class Meta:
        indexes = ((("nomination", "player"), True),)
