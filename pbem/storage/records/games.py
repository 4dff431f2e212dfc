"""Offers, games, their seats, and what was done in them. JSON is kept as text."""

from datetime import datetime
from typing import Annotated, NamedTuple

from pbem.storage.records.people import Persona, Player
from pbem.storage.schema import INDEX, References, table


@table()
class Pledge(NamedTuple):
    """A game's number, reserved with its secret, and the commitment that was published for it.

    `terms` (JSON) are what the commitment covers in addition; `version` is that of the system's
    rules.
    """

    id: int
    system: str
    version: int
    terms: str
    secret: bytes
    commitment: str
    made: Annotated[datetime, INDEX]

    def __repr__(self) -> str:
        """Return the name of the pledge without its secret, so that no log shows it."""
        return f"Pledge(id={self.id}, system={self.system!r})"


@table(unique=[("patrol", "number")])
class Offer(NamedTuple):
    """A battle that is offered: a challenge, or a patrol, which waits for any opponent.

    `number` counts challenges, which players answer by it, and patrols apart. `state` is open,
    begun, declined, withdrawn, lapsed or void. The pledge is the game that it will become. `first`
    is the team that moves first, 0 where the dice decide, and `terms` are what is asked for in
    words of its system. `channel` is the board on which it is to be played, "" for none.
    """

    id: int
    patrol: bool
    number: int
    system: str
    pledge_id: Annotated[int, References(Pledge, "NO ACTION")]
    made: datetime
    first: int = 0
    major: bool = False
    state: Annotated[str, INDEX] = "open"
    terms: str = ""
    channel: str = ""


@table(unique=[("offer_id", "position"), ("offer_id", "persona_id")])
class OfferSeat(NamedTuple):
    """A seat of an offer, in a team (1 is that of who offers); without a persona it is anybody's.

    `position` is the order in which seats were named or taken. `accepted` is the answer of the
    persona's player, and `words` (JSON) are those of the letter that accepted (docs/dice.md), ""
    for none.
    """

    id: int
    offer_id: Annotated[int, References(Offer)]
    position: int
    team: int
    persona_id: Annotated[int | None, References(Persona)]
    accepted: bool = False
    words: str = ""


@table(indexes=[("running", "deadline")])
class Game(NamedTuple):
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
    `reminded` is the last reminder of this turn, in hours before the deadline; `paused` is how many
    seconds were left when the clock was stopped; `sequence` counts the deadlines set so far, and
    `held` is true if this turn's deadline was postponed because too many were silent.
    """

    id: int
    system: str
    version: int
    setup: str
    commitment: str
    secret: bytes
    state: str
    begun: datetime
    words: str = "{}"
    renewed: bytes = b""
    steps: int = 0
    turn: int = 0
    major: str = ""
    bots: str = ""
    practice: bool = False
    friendly: bool = False
    staged: bool = False
    running: Annotated[bool, INDEX] = True
    deadline: datetime | None = None
    extended: datetime | None = None
    opened: datetime | None = None
    reminded: float | None = None
    paused: int | None = None
    sequence: int = 0
    held: bool = False
    ended: Annotated[datetime | None, INDEX] = None

    @property
    def dice_secret(self) -> bytes:
        """Return the secret that dice come from now: the first, or that of the last UNDO."""
        return self.renewed or self.secret

    def __repr__(self) -> str:
        """Return the name of the game without its secret, so that no log shows it."""
        return f"Game(id={self.id}, system={self.system!r}, steps={self.steps}, turn={self.turn})"


@table(unique=[("game_id", "seat")])
class Place(NamedTuple):
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

    id: int
    game_id: Annotated[int, References(Game)]
    seat: str
    player_id: Annotated[int, References(Player)]
    persona_id: Annotated[int, References(Persona)]
    sheet: str
    before: str
    words: str = "{}"
    proxied: bool = False
    asked: bool = True
    answered: bool = False
    draw: bool = False
    misses: int = 0
    reported_to: int = 0
    reported_from: int = 0
    thread: str = ""
    invited: bool = False
    vacant: Annotated[bool, INDEX] = False
    acts: int = 0
    waiting: bool = False
    record: str = ""
    left: datetime | None = None
    unbound: str = ""
    message: int = 0
    message_step: int = 0


@table(unique=[("game_id", "n")])
class Step(NamedTuple):
    """One step of a game's log; `words` are those of each seat of a player, "" for the same again.

    Orders, words, proxied, passed, rolls, events and sheets (if any) are JSON. `proxied` are the
    seats whose orders were the moderator's. `sheets` are the orders in force after it, if letters
    may have changed them before it; `secret` is a new one that the steps after it depend on: an
    UNDO of an ended game has one.
    """

    id: int
    game_id: Annotated[int, References(Game)]
    n: int
    orders: str
    words: str
    source: str
    passed: str
    digest: str
    rolls: str
    events: str
    at: datetime
    proxied: str = "[]"
    sheets: str = ""
    secret: bytes = b""

    def __repr__(self) -> str:
        """Return the name of the step without its secret, so that no log shows it."""
        return f"Step(id={self.id}, game_id={self.game_id}, n={self.n})"


@table()
class Story(NamedTuple):
    """A player's story of a battle, written after the step with that number.

    `with_orders` is whether orders came in the same letter.
    """

    id: int
    game_id: Annotated[int, References(Game)]
    seat: str
    player_id: Annotated[int | None, References(Player, "SET NULL")]
    after: int
    text: str
    with_orders: bool = False


@table()
class Turnout(NamedTuple):
    """Whether a player met a deadline of a game that counts."""

    id: int
    player_id: Annotated[int, References(Player)]
    game_id: Annotated[int, References(Game)]
    turn: int
    met: bool


@table()
class Ruling(NamedTuple):
    """What the moderator ruled in a game, after a step; `said` is the text as JSON of its parts."""

    id: int
    game_id: Annotated[int, References(Game)]
    after: int
    text: str
    made: datetime
    said: str = ""


@table(unique=[("game_id", "player_id")])
class Watch(NamedTuple):
    """A player follows another's battle."""

    id: int
    game_id: Annotated[int, References(Game)]
    player_id: Annotated[int, References(Player)]
