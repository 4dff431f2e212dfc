"""The tables of players: addresses, absences, blocks, bans, personas and blueprints."""

from peewee import BooleanField, ForeignKeyField, IntegerField, TextField

from pbem.storage.models.fields import Base, CharField, UtcField


class Player(Base):
    """A person, by a confirmed address; `folded` and `skeleton` make the name unique.

    A name is reserved once its owner has confirmed: until then these two are empty, and others may
    ask for it too. `shape` is what it looks like in writing. `press`: whether they accept public
    letters. `mail` and `format` are which letters they get and how; without a `language` or a time
    `zone` of their own they have the league's. Letters of a player who is `banned` are not acted
    on.
    """

    name = CharField()
    folded = CharField(unique=True, null=True)
    skeleton = CharField(unique=True, null=True)
    shape = CharField(index=True, default="")
    address = CharField(unique=True)
    confirmed = BooleanField(default=False)
    key_serial = IntegerField(default=1)
    press = BooleanField(default=True)
    mail = CharField(default="turns")
    format = CharField(default="html")
    language = CharField(default="")
    joined = UtcField()
    heard = UtcField()
    zone = CharField(default="")
    banned = BooleanField(default=False)


class Leave(Base):
    """Days on which a player is away, as ISO dates."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    first = CharField()
    last = CharField()


class Further(Base):
    """A confirmed address of a player in addition to the one that letters go to."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    address = CharField(unique=True)
    added = UtcField()


class Block(Base):
    """A player takes no letters from another."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    other = ForeignKeyField(Player, on_delete="CASCADE")

    class Meta:
        indexes = ((("player", "other"), True),)


class Ban(Base):
    """An address of no player, whose letters are not acted on."""

    address = CharField(unique=True)
    made = UtcField()


class Persona(Base):
    """A player's piece between games; `record` is its system's own JSON."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    system = CharField()
    name = CharField()
    folded = CharField(unique=True)
    skeleton = CharField(unique=True, null=True)
    shape = CharField(index=True, default="")
    side = CharField()
    record = TextField()
    joined = UtcField()


class Blueprint(Base):
    """What a player has designed for personas to be made of; `record` is its system's own JSON."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    system = CharField()
    name = CharField()
    folded = CharField()
    record = TextField()
    made = UtcField()

    class Meta:
        indexes = ((("player", "system", "folded"), True),)
