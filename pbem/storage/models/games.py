"""Offers, games, their seats, and what was done in them. JSON is kept as text."""

from peewee import (
    AutoField,
    BigIntegerField,
    BlobField,
    BooleanField,
    FloatField,
    ForeignKeyField,
    TextField,
)

from pbem.storage.fields import Row, UtcField
from pbem.storage.models.people import Persona, Player


class Pledge(Row):
    """A game's number, reserved with its secret, and the commitment that was published for it.

    `terms` (JSON) are what the commitment covers in addition; `version` is that of the system's
    rules.
    """

    id = AutoField()
    system = TextField()
    version = BigIntegerField()
    terms = TextField()
    secret = BlobField()
    commitment = TextField()
    made = UtcField(index=True)

    def __repr__(self) -> str:
        """Return the name of the pledge without its secret, so that no log shows it."""
        return f"Pledge(id={self.id}, system={self.system!r})"


class Offer(Row):
    """A battle that is offered: a challenge, or a patrol, which waits for any opponent.

    `number` counts challenges, which players answer by it, and patrols apart. `state` is open,
    begun, declined, withdrawn, lapsed or void. The pledge is the game that it will become. `first`
    is the team that moves first, 0 where the dice decide, and `terms` are what is asked for in
    words of its system. `channel` is the board on which it is to be played, "" for none.
    """

    id = AutoField()
    patrol = BooleanField()
    number = BigIntegerField()
    system = TextField()
    pledge = ForeignKeyField(Pledge, on_delete="NO ACTION")
    pledge_id: int
    made = UtcField()
    first = BigIntegerField(default=0)
    major = BooleanField(default=False)
    state = TextField(index=True, default="open")
    terms = TextField(default="")
    channel = TextField(default="")

    class Meta:
        """The indexes over several columns."""

        indexes = ((("patrol", "number"), True),)


class OfferSeat(Row):
    """A seat of an offer, in a team (1 is that of who offers); without a persona it is anybody's.

    `position` is the order in which seats were named or taken. `accepted` is the answer of the
    persona's player, and `words` (JSON) are those of the letter that accepted (docs/dice.md), ""
    for none. `standing` are the standing orders, as lines in English, that the battle begins with
    for it.
    """

    id = AutoField()
    offer = ForeignKeyField(Offer, on_delete="CASCADE")
    offer_id: int
    position = BigIntegerField()
    team = BigIntegerField()
    persona = ForeignKeyField(Persona, on_delete="CASCADE", null=True)
    persona_id: int | None
    accepted = BooleanField(default=False)
    words = TextField(default="")
    standing = TextField(default="")

    class Meta:
        """The indexes over several columns."""

        indexes = ((("offer", "position"), True), (("offer", "persona"), True))


class Game(Row):
    """A game: its set-up, its secret and its checkpoint `state`, which the steps can rebuild.

    Its number is that of its pledge. `setup` and `state` are JSON, and so are `words`, those of
    each seat from before the game. `steps` counts the log, `turn` the reports. `renewed` is the
    secret of its last UNDO, if there was one; dice come from it since then, and `commitment` is
    that of the secret that dice come from now.

    `bots` is the strength of the bots that play the seats without a place. Nothing of a `practice`
    game counts. A `friendly` one is one too many between the same players on one day: it is played,
    but does not count in careers. A `staged` one is a moderator's own set-up, in which players play
    as guests.

    `extended` is a deadline that the moderator set: no later one of the game is before it.
    `live` is "" for a battle that was never played in a chat room; otherwise it says how the live
    battle stands: "ready" (it waits until all have said READY), "running", or "adjourned" to mail.

    `reminded` is the last reminder of this turn, in hours before the deadline; `paused` is how many
    seconds were left when the clock was stopped; `sequence` counts the deadlines set so far, and
    `held` is true if this turn's deadline was postponed because too many were silent.
    """

    id = AutoField()
    system = TextField()
    version = BigIntegerField()
    setup = TextField()
    commitment = TextField()
    secret = BlobField()
    state = TextField()
    begun = UtcField()
    words = TextField(default="{}")
    renewed = BlobField(default=b"")
    steps = BigIntegerField(default=0)
    turn = BigIntegerField(default=0)
    major = TextField(default="")
    bots = TextField(default="")
    practice = BooleanField(default=False)
    friendly = BooleanField(default=False)
    staged = BooleanField(default=False)
    running = BooleanField(index=True, default=True)
    deadline = UtcField(null=True)
    extended = UtcField(null=True)
    opened = UtcField(null=True)
    reminded = FloatField(null=True)
    paused = BigIntegerField(null=True)
    sequence = BigIntegerField(default=0)
    held = BooleanField(default=False)
    ended = UtcField(index=True, null=True)
    live = TextField(default="")

    class Meta:
        """The indexes over several columns."""

        indexes = ((("running", "deadline"), False),)

    @property
    def is_live(self) -> bool:
        """Return whether it is played in a chat room now, be it that its clock stands still."""
        return self.live in ("ready", "running")

    @property
    def dice_secret(self) -> bytes:
        """Return the secret that dice come from now: the first, or that of the last UNDO."""
        return self.renewed or self.secret

    def __repr__(self) -> str:
        """Return the name of the game without its secret, so that no log shows it."""
        return f"Game(id={self.id}, system={self.system!r}, steps={self.steps}, turn={self.turn})"


class Place(Row):
    """Who has a game's seat, what they ordered, and how much they have been shown.

    `sheet` are the orders in force, `before` those at the turn's start. The last report covered the
    steps from `reported_from` up to, but not including, `reported_to`. `invited`: a letter has put
    the deadline into the player's calendar. `vacant`: another player may take the place over.
    `waiting`: its player wants to wait for the deadline. A team's places act in the order of their
    `acts`, or else as the set-up names them.

    `record` is the persona's before the game's end was entered. `left` is when it became free for
    other games while this one went on, and `unbound` its record just before. `words` (JSON) are
    those of the last letter that counted for the seat (docs/dice.md); `proxied`: its stored orders
    are the moderator's. `message` is the number of the message on a board that last ordered for it,
    0 for none, and `message_step` the game's steps before it.
    """

    id = AutoField()
    game = ForeignKeyField(Game, on_delete="CASCADE")
    game_id: int
    seat = TextField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    persona = ForeignKeyField(Persona, on_delete="CASCADE")
    persona_id: int
    sheet = TextField()
    before = TextField()
    words = TextField(default="{}")
    proxied = BooleanField(default=False)
    asked = BooleanField(default=True)
    answered = BooleanField(default=False)
    draw = BooleanField(default=False)
    misses = BigIntegerField(default=0)
    reported_to = BigIntegerField(default=0)
    reported_from = BigIntegerField(default=0)
    thread = TextField(default="")
    invited = BooleanField(default=False)
    vacant = BooleanField(index=True, default=False)
    acts = BigIntegerField(default=0)
    waiting = BooleanField(default=False)
    record = TextField(default="")
    left = UtcField(null=True)
    unbound = TextField(default="")
    message = BigIntegerField(default=0)
    message_step = BigIntegerField(default=0)

    class Meta:
        """The indexes over several columns."""

        indexes = ((("game", "seat"), True),)


class Step(Row):
    """One step of a game's log; `words` are those of each seat of a player, "" for the same again.

    Orders, words, proxied, passed, rolls, events and sheets (if any) are JSON. `proxied` are the
    seats whose orders were the moderator's. `sheets` are the orders in force after it, if letters
    may have changed them before it; `secret` is a new one that the steps after it depend on: an
    UNDO of an ended game has one.
    """

    id = AutoField()
    game = ForeignKeyField(Game, on_delete="CASCADE")
    game_id: int
    n = BigIntegerField()
    orders = TextField()
    words = TextField()
    source = TextField()
    passed = TextField()
    digest = TextField()
    rolls = TextField()
    events = TextField()
    at = UtcField()
    proxied = TextField(default="[]")
    sheets = TextField(default="")
    secret = BlobField(default=b"")

    class Meta:
        """The indexes over several columns."""

        indexes = ((("game", "n"), True),)

    def __repr__(self) -> str:
        """Return the name of the step without its secret, so that no log shows it."""
        return f"Step(id={self.id}, game_id={self.game_id}, n={self.n})"


class Story(Row):
    """A player's story of a battle, written after the step with that number.

    `with_orders` is whether orders came in the same letter.
    """

    id = AutoField()
    game = ForeignKeyField(Game, on_delete="CASCADE")
    game_id: int
    seat = TextField()
    player = ForeignKeyField(Player, on_delete="SET NULL", null=True)
    player_id: int | None
    after = BigIntegerField()
    text = TextField()
    with_orders = BooleanField(default=False)


class LiveBattle(Row):
    """How a battle in a chat room is timed: its room, and the seconds that a turn has (SP-38).

    `spare` are the seconds that all absences together may still last (SP-39), and `waiting_since`
    is when the battle began to wait for somebody who has dropped. `said` (JSON) are the seats that
    have said the word which changes how it stands: READY, ADJOURN or RESUME.
    """

    game = ForeignKeyField(Game, primary_key=True, on_delete="CASCADE")
    game_id: int
    channel = TextField(index=True)
    seconds = BigIntegerField()
    spare = BigIntegerField()
    waiting_since = UtcField(null=True)
    said = TextField(default="[]")


class Turnout(Row):
    """Whether a player met a deadline of a game that counts."""

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int
    game = ForeignKeyField(Game, on_delete="CASCADE")
    game_id: int
    turn = BigIntegerField()
    met = BooleanField()


class Ruling(Row):
    """What the moderator ruled in a game, after a step; `said` is the text as JSON of its parts."""

    id = AutoField()
    game = ForeignKeyField(Game, on_delete="CASCADE")
    game_id: int
    after = BigIntegerField()
    text = TextField()
    made = UtcField()
    said = TextField(default="")


class Watch(Row):
    """A player follows another's battle."""

    id = AutoField()
    game = ForeignKeyField(Game, on_delete="CASCADE")
    game_id: int
    player = ForeignKeyField(Player, on_delete="CASCADE")
    player_id: int

    class Meta:
        """The indexes over several columns."""

        indexes = ((("game", "player"), True),)
