"""The records of challenges, games, their seats, and what was done in them."""

from datetime import datetime
from typing import NamedTuple


class Pledge(NamedTuple):
    """A reserved game's number, with its secret and its commitment; `terms` is JSON text."""

    id: int
    system: str
    version: int
    terms: str
    secret: bytes
    commitment: str
    made: datetime

    def __repr__(self) -> str:
        """Return the name of the pledge without its secret, so that no log shows it."""
        return f"Pledge(id={self.id}, system={self.system!r})"


class Challenge(NamedTuple):
    """An offer of a battle; `state` is open, accepted, declined or withdrawn."""

    id: int
    system: str
    pledge_id: int
    words: str
    one_id: int
    other_id: int
    first: str
    major: bool
    state: str
    made: datetime


class Summons(NamedTuple):
    """A persona of a team challenge; `team` is one or other, `accepted` is its player's answer."""

    id: int
    challenge_id: int
    persona_id: int
    team: str
    accepted: bool
    words: str


class Patrol(NamedTuple):
    """A persona that waits for any opponent; `state` is open, met, lapsed or off."""

    id: int
    persona_id: int
    pledge_id: int
    words: str
    state: str
    made: datetime


class Game(NamedTuple):
    """A game; `setup` and `state` are JSON texts; `steps` counts the log, `turn` the reports.

    `bots` is the strength of the bots that play the seats without a place. Nothing of a `practice`
    game counts, and nothing of a `friendly` one counts in careers.
    """

    id: int
    system: str
    version: int
    setup: str
    words: str
    commitment: str
    secret: bytes
    renewed: bytes
    state: str
    steps: int
    turn: int
    major: str
    bots: str
    practice: bool
    friendly: bool
    running: bool
    deadline: datetime | None
    opened: datetime | None
    reminded: float | None
    paused: int | None
    sequence: int
    held: bool
    begun: datetime
    ended: datetime | None

    @property
    def dice_secret(self) -> bytes:
        """Return the secret that dice come from now: the first, or that of the last UNDO."""
        return self.renewed or self.secret

    def __repr__(self) -> str:
        """Return the name of the game without its secret, so that no log shows it."""
        return f"Game(id={self.id}, system={self.system!r}, steps={self.steps}, turn={self.turn})"


class Place(NamedTuple):
    """A seat's holder; `sheet` are the orders in force, `before` those at the turn's start.

    The last report covered the steps from `reported_from` up to, but not including,
    `reported_to`. A team acts in the order of `acts`. `record` is the persona's before the game's
    end was entered, and `unbound` is the one from before it left, at the time `left`, a game that
    went on.
    """

    id: int
    game_id: int
    seat: str
    player_id: int
    persona_id: int
    sheet: str
    before: str
    words: str
    proxied: bool
    asked: bool
    answered: bool
    draw: bool
    misses: int
    reported_to: int
    reported_from: int
    thread: str
    invited: bool
    vacant: bool
    acts: int
    waiting: bool
    record: str
    left: datetime | None
    unbound: str


class Turnout(NamedTuple):
    """Whether a player met a deadline."""

    id: int
    player_id: int
    game_id: int
    turn: int
    met: bool


class Step(NamedTuple):
    """A step; orders, words, proxied, passed, rolls, events and sheets (if any) are JSON texts.

    `secret` is a new one that the steps after it depend on: an UNDO of an ended game has one.
    """

    id: int
    game_id: int
    n: int
    orders: str
    words: str
    proxied: str
    source: str
    passed: str
    digest: str
    rolls: str
    events: str
    at: datetime
    sheets: str
    secret: bytes

    def __repr__(self) -> str:
        """Return the name of the step without its secret, so that no log shows it."""
        return f"Step(id={self.id}, game_id={self.game_id}, n={self.n})"


class Story(NamedTuple):
    """A player's story of a battle, written after the step with that number."""

    id: int
    game_id: int
    seat: str
    player_id: int | None
    after: int
    text: str
    public: bool


class Ruling(NamedTuple):
    """What the moderator ruled in a game, after the step with that number."""

    id: int
    game_id: int
    after: int
    text: str
    said: str
    made: datetime


class Watch(NamedTuple):
    """A player follows another's battle."""

    id: int
    game_id: int
    player_id: int
