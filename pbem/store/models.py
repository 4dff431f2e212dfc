"""The tables. Times are UTC in whole microseconds; JSON stands as text."""

from datetime import UTC, datetime, timedelta
from typing import Any

from peewee import (
    BigIntegerField,
    BlobField,
    BooleanField,
    CharField,
    DatabaseProxy,
    FloatField,
    ForeignKeyField,
    IntegerField,
    Model,
    TextField,
)

database = DatabaseProxy()
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def from_utc(when: datetime) -> int:
    """Give an aware time in microseconds since 1970."""
    return (when - _EPOCH) // _MICROSECOND


def to_utc(microseconds: int | None) -> datetime | None:
    """Give the aware time that is so many microseconds after 1970."""
    return None if microseconds is None else _EPOCH + timedelta(0, 0, microseconds)


class UtcField(BigIntegerField):
    """An aware UTC time, kept as microseconds since 1970."""

    def db_value(self, value: Any) -> Any:
        """Turn an aware time into microseconds."""
        return from_utc(value) if isinstance(value, datetime) else value

    def python_value(self, value: Any) -> Any:
        """Turn microseconds into an aware time."""
        return to_utc(value)


class Base(Model):
    """A table of the league's database."""

    id: Any

    class Meta:
        database = database
        legacy_table_names = False


class Meta(Base):
    """Single values: the league's own secret, the schema, the last good poll."""

    key = CharField(primary_key=True)
    value = TextField()


class Player(Base):
    """A person, by a confirmed address; `folded` makes the name unique.

    `press` tells whether they take public letters, `mail` and `format` which and how; without a
    `language` or a time `zone` of their own they have the league's. Letters of one who is `banned`
    are not acted on.
    """

    name = CharField()
    folded = CharField(unique=True)
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
    """A confirmed address of a player beside the one that letters go to, or once added."""

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
    """An address, no player's, whose letters are not acted on."""

    address = CharField(unique=True)
    made = UtcField()


class Letter(Base):
    """A letter that came in, raw, with what became of it.

    `checked` is what its signatures said when it came, or "confirmed" once its player has said so.
    """

    account = CharField()
    folder = CharField()
    uidvalidity = BigIntegerField()
    uid = BigIntegerField()
    message_id = CharField(max_length=998)
    sha256 = CharField(index=True)
    received = UtcField()
    kept = UtcField()
    content = BlobField()
    truncated = BooleanField(default=False)
    checked = TextField(default="")
    state = CharField(default="received", index=True)
    klass = CharField(default="")
    reason = TextField(default="")
    player = ForeignKeyField(Player, null=True, on_delete="SET NULL")
    tries = IntegerField(default=0)
    error = TextField(default="")
    handled = UtcField(null=True)
    moved = BooleanField(default=False, index=True)

    class Meta:
        indexes = ((("account", "folder", "uidvalidity", "uid"), True),)


class Persona(Base):
    """A player's piece between games; `record` is its system's own JSON."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    system = CharField()
    name = CharField()
    folded = CharField(unique=True)
    side = CharField()
    record = TextField()
    joined = UtcField()


class Blueprint(Base):
    """What a player has drawn for personas to be made of; `record` is its system's own JSON."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    system = CharField()
    name = CharField()
    folded = CharField()
    record = TextField()
    made = UtcField()

    class Meta:
        indexes = ((("player", "system", "folded"), True),)


class Challenge(Base):
    """A battle offered by one persona to another, each perhaps the first of a team.

    `first` is '', 'one' or 'other'.
    """

    system = CharField()
    one = ForeignKeyField(Persona, on_delete="CASCADE")
    other = ForeignKeyField(Persona, on_delete="CASCADE")
    first = CharField(default="")
    major = BooleanField(default=False)
    state = CharField(default="open", index=True)
    made = UtcField()


class Summons(Base):
    """A persona of a team challenge, in the team of its `one` or its `other`, as named."""

    challenge = ForeignKeyField(Challenge, on_delete="CASCADE")
    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    team = CharField()
    accepted = BooleanField(default=False)

    class Meta:
        indexes = ((("challenge", "persona"), True),)


class Game(Base):
    """A game: its set-up, its secret and its checkpoint, which the steps can rebuild.

    `renewed` is the secret that its last UNDO brought, if any did; dice come from it since then.
    `reminded` is the last reminder of this turn, in hours before the deadline; `paused` are the
    seconds that were left when the clock was stopped; `sequence` counts the deadlines set so far,
    and `held` tells that this turn's was put off because too many were silent.
    """

    system = CharField()
    version = IntegerField()
    setup = TextField()
    secret = BlobField()
    renewed = BlobField(default=b"")
    state = TextField()
    steps = IntegerField(default=0)
    turn = IntegerField(default=0)
    major = CharField(default="")
    house = CharField(default="")
    practice = BooleanField(default=False)
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
    """Who sits in a game's seat, what they have ordered, and what they have been told.

    `invited` tells that a letter has put the deadline into the player's calendar, `vacant` that
    another player may take the place over, `waiting` that its player wants the deadline awaited.
    A team's places act in the order of their `acts`, and else as the set-up names them.
    `record` is the persona's as it was before the game's end was booked.
    """

    game = ForeignKeyField(Game, on_delete="CASCADE")
    seat = CharField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    sheet = TextField()
    before = TextField()
    salts = TextField(default="[]")
    asked = BooleanField(default=True)
    answered = BooleanField(default=False)
    draw = BooleanField(default=False)
    misses = IntegerField(default=0)
    told = IntegerField(default=0)
    retold = IntegerField(default=0)
    thread = TextField(default="")
    invited = BooleanField(default=False)
    vacant = BooleanField(default=False, index=True)
    acts = IntegerField(default=0)
    waiting = BooleanField(default=False)
    record = TextField(default="")

    class Meta:
        indexes = ((("game", "seat"), True),)


class Patrol(Base):
    """A persona that waits for any opponent; `state` is open, met, lapsed or off."""

    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    state = CharField(default="open", index=True)
    made = UtcField()


class Turnout(Base):
    """Whether a player met a deadline of a game that counts."""

    player = ForeignKeyField(Player, on_delete="CASCADE")
    game = ForeignKeyField(Game, on_delete="CASCADE")
    turn = IntegerField()
    met = BooleanField()


class Step(Base):
    """One step of a game's log.

    `sheets` are the orders in force after it where they may have changed by letter before it;
    `secret` is a new one that the steps after it hang on: an UNDO of an ended game has one.
    """

    game = ForeignKeyField(Game, on_delete="CASCADE")
    n = IntegerField()
    orders = TextField()
    salts = TextField()
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
    """What a player told of a battle, public or not, after a step."""

    game = ForeignKeyField(Game, on_delete="CASCADE")
    seat = CharField()
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


class Round(Base):
    """A moment at which the office did something, kept so that it can be replayed.

    `last` is when the mailbox had been read before; `letters` are the numbers of those that were
    settled, as JSON text; `ruling` is what the moderator ruled from the shell, '' for a round of
    work. A row with `settings` tells but that they are in force from then on.
    """

    at = UtcField()
    last = UtcField(null=True)
    letters = TextField(default="[]")
    ruling = TextField(default="")
    settings = TextField(default="")


class Token(Base):
    """What a reply carries: it names one player, and a game's turn and place where there is one."""

    token = CharField(primary_key=True)
    player = ForeignKeyField(Player, on_delete="CASCADE")
    kind = CharField()
    game = ForeignKeyField(Game, null=True, on_delete="CASCADE")
    turn = IntegerField(default=0)
    place = ForeignKeyField(Place, null=True, on_delete="CASCADE")
    expires = UtcField()


class Outgoing(Base):
    """A letter to be sent; `slot` tells which unsent letters a newer one replaces."""

    message_id = CharField(unique=True)
    slot = CharField(index=True)
    kind = CharField()
    player = ForeignKeyField(Player, null=True, on_delete="SET NULL")
    recipient = CharField()
    content = BlobField()
    state = CharField(default="queued", index=True)
    tries = IntegerField(default=0)
    due = UtcField()
    made = UtcField()
    sent = UtcField(null=True)
    error = TextField(default="")


class Entry(Base):
    """A line of a persona's career; points in tenths, `news` fit for a newspaper."""

    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    game = ForeignKeyField(Game, null=True, on_delete="SET NULL")
    kind = CharField()
    account = CharField(default="")
    points = IntegerField(default=0)
    news = BooleanField(default=False)
    facts = TextField(default="{}")
    at = UtcField(index=True)


class Reward(Base):
    """A persona's reward: its secret from the day it is committed to, and how it was rolled."""

    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    secret = BlobField()
    order = TextField(default="")
    salts = TextField(default="[]")
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
    """A player's word for a nomination."""

    nomination = ForeignKeyField(Nomination, on_delete="CASCADE")
    player = ForeignKeyField(Player, on_delete="CASCADE")
    made = UtcField()

    class Meta:
        indexes = ((("nomination", "player"), True),)


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


class Bounce(Base):
    """A letter of ours that came back from a player's address, or was refused there at once.

    `kind` is hard, soft, policy, or refused; `ident` is the SHA-256 of the letter that says so, or
    the Message-ID of the one that was refused.
    """

    ident = CharField(primary_key=True)
    player = ForeignKeyField(Player, on_delete="CASCADE")
    kind = CharField()
    at = UtcField()


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


class Tally(Base):
    """How often something was done on a day, such as answering a stranger."""

    day = CharField()
    what = CharField()
    count = IntegerField(default=0)

    class Meta:
        indexes = ((("day", "what"), True),)


TABLES = (
    Meta, Player, Letter, Persona, Challenge, Game, Place, Step, Story, Token, Outgoing, Tally,
    Entry, Reward, Nomination, Endorsement, Post,
    Ruling, Round, Block, Watch, Further, Leave, Bounce, Turnout, Patrol, Summons, Ban,
    Subscription, Issue, Editorial, Blueprint,
)  # fmt: skip
