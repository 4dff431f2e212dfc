"""Players: addresses, absences, blocks, bans, personas and blueprints."""

from peewee import AutoField, BigIntegerField, BooleanField, ForeignKeyField, TextField

from pbem.storage.fields import Row, UtcField

GUEST = "|guest "


"""What begins the `folded` of a guest; no name holds a `|`, so none is found by it."""


class Player(Row):
    """A person, by a confirmed address; `folded` and `skeleton` make the name unique.

    A name is reserved once its owner has confirmed: until then these two are None, and others may
    ask for it too. `shape` is what it looks like in writing. `key_serial` counts the keys issued,
    and `press` is whether they accept public letters. `mail` and `format` are which letters they
    get and how; without a `language` or a time `zone` of their own they have the league's. Letters
    of a player who is `banned` are not acted on. `channel` is the board on which they last wrote,
    "" for mail: they are written to there, if it has private messages.
    """

    id = AutoField()
    name = TextField()
    address = TextField(unique=True)
    joined = UtcField()
    heard = UtcField(index=True)
    folded = TextField(unique=True, null=True)
    skeleton = TextField(unique=True, null=True)
    shape = TextField(index=True, default="")
    confirmed = BooleanField(default=False)
    key_serial = BigIntegerField(default=1)
    press = BooleanField(default=True)
    mail = TextField(default="turns")
    format = TextField(default="html")
    language = TextField(default="")
    zone = TextField(default="")
    banned = BooleanField(default=False)
    channel = TextField(default="")


class Leave(Row):
    """Days on which a player is away, as ISO dates."""

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    first = TextField()
    last = TextField()


class Further(Row):
    """A confirmed address of a player in addition to the one that letters go to."""

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    address = TextField(unique=True)
    added = UtcField()


class Account(Row):
    """A player's account on a board: the id that the board's server vouches for.

    `name` is what the board shows. `words` is the fingerprint of the words of the message with
    LINK, which enters the words of all that the account writes (docs/dice.md). Nobody is told it.
    `present`: it is in the room of a live channel now.
    """

    id = AutoField()
    channel = TextField()
    ident = TextField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    name = TextField()
    linked = UtcField()
    words = TextField()
    present = BooleanField(default=False)

    class Meta:
        """The indexes over several columns."""

        indexes = (
            (("channel", "ident"), True),
            (("channel", "player"), True),
        )


class Block(Row):
    """A player takes no letters from another."""

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    other = ForeignKeyField(Player, on_delete="CASCADE")
    other_id: int

    class Meta:
        """The indexes over several columns."""

        indexes = ((("player", "other"), True),)


class Ban(Row):
    """An address of no player, whose letters are not acted on."""

    id = AutoField()
    address = TextField(unique=True)
    made = UtcField()


class Persona(Row):
    """A player's piece between games; `record` is its system's own JSON text.

    `rank` and `figures` (JSON) follow from it (pbem.storage.standing_columns).
    """

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    system = TextField()
    name = TextField()
    folded = TextField(unique=True)
    side = TextField()
    record = TextField()
    joined = UtcField()
    skeleton = TextField(unique=True, null=True)
    shape = TextField(index=True, default="")
    rank = TextField(default="")
    figures = TextField(default="{}")

    class Meta:
        """The indexes over several columns."""

        indexes = (
            (("system", "rank", "name"), False),
            (("system", "side", "rank", "figures"), False),
        )

    @property
    def is_guest(self) -> bool:
        """Return whether it only stands for its player, and has no career."""
        return self.folded.startswith(GUEST)


class Doctrine(Row):
    """A persona's standing orders under a name: `rules` are their lines, in English."""

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    persona_id: int
    name = TextField()
    folded = TextField()
    rules = TextField()

    class Meta:
        """The indexes over several columns."""

        indexes = ((("persona", "folded"), True),)


class Blueprint(Row):
    """What a player has designed for personas to be made of; `record` is its system's JSON text."""

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    system = TextField()
    name = TextField()
    folded = TextField()
    record = TextField()
    made = UtcField()

    class Meta:
        """The indexes over several columns."""

        indexes = ((("player", "system", "folded"), True),)
