"""The tables of challenges, games, their seats, and what was done in them."""

from peewee import (
    BigIntegerField,
    BlobField,
    BooleanField,
    FloatField,
    ForeignKeyField,
    IntegerField,
    TextField,
)

from pbem.storage.models.fields import Base, CharField, UtcField
from pbem.storage.models.people import Persona, Player


class Pledge(Base):
    """A game's number, reserved with its secret, and the commitment that was published for it.

    `terms` (JSON) are what the commitment covers in addition; `version` is that of the system's
    rules.
    """

    system = CharField()
    version = IntegerField()
    terms = TextField()
    secret = BlobField()
    commitment = CharField()
    made = UtcField(index=True)


class Challenge(Base):
    """A battle that one persona offers to another, each perhaps the first of a team.

    `first` is '', 'one' or 'other'; `pledge` is the game that it will become, and `words` (JSON)
    are the challenger's (docs/dice.md).
    """

    system = CharField()
    pledge = ForeignKeyField(Pledge)
    words = TextField()
    one = ForeignKeyField(Persona, on_delete="CASCADE")
    other = ForeignKeyField(Persona, on_delete="CASCADE")
    first = CharField(default="")
    major = BooleanField(default=False)
    state = CharField(default="open", index=True)
    made = UtcField()


class Summons(Base):
    """A persona of a team challenge, in the team of its `one` or its `other`, as `team` says.

    `words` (JSON) are those of its player's letter, once that has accepted (docs/dice.md).
    """

    challenge = ForeignKeyField(Challenge, on_delete="CASCADE")
    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    team = CharField()
    accepted = BooleanField(default=False)
    words = TextField(default="")

    class Meta:
        indexes = ((("challenge", "persona"), True),)


class Patrol(Base):
    """A persona that waits for any opponent; `state` is open, met, lapsed, void or off.

    `pledge` is the game that it will become, and `words` (JSON) are its player's (docs/dice.md).
    """

    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    pledge = ForeignKeyField(Pledge)
    words = TextField()
    state = CharField(default="open", index=True)
    made = UtcField()


class Game(Base):
    """A game: its set-up, its secret and its checkpoint, which the steps can rebuild.

    Its number is that of its pledge. `words` (JSON) are those of each seat from before the game.
    `renewed` is the secret of its last UNDO, if there was one; dice come from it since then, and
    `commitment` is that of the secret that dice come from now.

    `reminded` is the last reminder of this turn, in hours before the deadline; `paused` is how many
    seconds were left when the clock was stopped; `sequence` counts the deadlines set so far, and
    `held` is true if this turn's deadline was postponed because too many were silent. A `friendly`
    game is one too many between the same players on one day: it is played, but does not count in
    careers.
    """

    system = CharField()
    version = IntegerField()
    setup = TextField()
    words = TextField(default="{}")
    commitment = CharField()
    secret = BlobField()
    renewed = BlobField(default=b"")
    state = TextField()
    steps = IntegerField(default=0)
    turn = IntegerField(default=0)
    major = CharField(default="")
    bots = CharField(default="")
    practice = BooleanField(default=False)
    friendly = BooleanField(default=False)
    running = BooleanField(default=True, index=True)
    deadline = UtcField(null=True)
    opened = UtcField(null=True)
    reminded = FloatField(null=True)
    paused = BigIntegerField(null=True)
    sequence = IntegerField(default=0)
    held = BooleanField(default=False)
    begun = UtcField()
    ended = UtcField(null=True)

    class Meta:
        indexes = ((("running", "deadline"), False),)


class Place(Base):
    """Who has a game's seat, what they ordered, and how much they have been shown.

    `invited`: a letter has put the deadline into the player's calendar. `vacant`: another player
    may take the place over. `waiting`: its player wants to wait for the deadline. A team's places
    act in the order of their `acts`, or else as the set-up names them.

    `record` is the persona's before the game's end was entered. `left` is when it became free for
    other games while this one went on, and `unbound` its record just before. `words` (JSON) are
    those of the last letter that counted for the seat (docs/dice.md); `proxied`: its stored orders
    are the moderator's.
    """

    game = ForeignKeyField(Game, on_delete="CASCADE")
    seat = CharField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    sheet = TextField()
    before = TextField()
    words = TextField(default="{}")
    proxied = BooleanField(default=False)
    asked = BooleanField(default=True)
    answered = BooleanField(default=False)
    draw = BooleanField(default=False)
    misses = IntegerField(default=0)
    reported_to = IntegerField(default=0)
    reported_from = IntegerField(default=0)
    thread = TextField(default="")
    invited = BooleanField(default=False)
    vacant = BooleanField(default=False, index=True)
    acts = IntegerField(default=0)
    waiting = BooleanField(default=False)
    record = TextField(default="")
    left = UtcField(null=True)
    unbound = TextField(default="")

    class Meta:
        indexes = ((("game", "seat"), True),)


class Turnout(Base):
    """Whether a player met a deadline of a game that counts."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    game = ForeignKeyField(Game, on_delete="CASCADE")
    turn = IntegerField()
    met = BooleanField()


class Step(Base):
    """One step of a game's log; `words` (JSON) are those of each seat of a player.

    `proxied` (JSON) are the seats whose orders were the moderator's. `sheets` are the orders in
    force after it, if letters may have changed them before it; `secret` is a new one that the steps
    after it depend on: an UNDO of an ended game has one.
    """

    game = ForeignKeyField(Game, on_delete="CASCADE")
    n = IntegerField()
    orders = TextField()
    words = TextField()
    proxied = TextField(default="[]")
    source = TextField()
    passed = TextField()
    digest = CharField()
    rolls = TextField()
    events = TextField()
    at = UtcField()
    sheets = TextField(default="")
    secret = BlobField(default=b"")

    class Meta:
        indexes = ((("game", "n"), True),)


class Story(Base):
    """A player's story of a battle, public or not, after a step."""

    game = ForeignKeyField(Game, on_delete="CASCADE")
    seat = CharField()
    player = ForeignKeyField(Player, null=True, on_delete="SET NULL")
    after = IntegerField()
    text = TextField()
    public = BooleanField(default=True)


class Ruling(Base):
    """What the moderator ruled in a game, after a step; `said` is the text as JSON of its parts."""

    game = ForeignKeyField(Game, on_delete="CASCADE")
    after = IntegerField()
    text = TextField()
    said = TextField(default="")
    made = UtcField()


class Watch(Base):
    """A player follows another's battle."""

    game = ForeignKeyField(Game, on_delete="CASCADE")
    player = ForeignKeyField(Player, on_delete="CASCADE")

    class Meta:
        indexes = ((("game", "player"), True),)
