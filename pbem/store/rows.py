"""What leaves the store: one frozen row a table, with plain values."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Player:
    """A person of the league; `key_serial` counts the keys issued, `press` is a wish for it."""

    id: int
    name: str
    address: str
    confirmed: bool
    key_serial: int
    press: bool
    mail: str
    format: str
    language: str
    joined: datetime
    heard: datetime
    zone: str
    banned: bool


@dataclass(frozen=True, slots=True)
class Ban:
    """An address, no player's, whose letters are not acted on."""

    id: int
    address: str
    made: datetime


@dataclass(frozen=True, slots=True)
class Leave:
    """Days on which a player is away, as ISO dates."""

    id: int
    player_id: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Further:
    """A confirmed address of a player beside the one that letters go to, or once added."""

    id: int
    player_id: int
    address: str
    added: datetime


@dataclass(frozen=True, slots=True)
class Block:
    """A player takes no letters from another."""

    id: int
    player_id: int
    other_id: int


@dataclass(frozen=True, slots=True)
class Watch:
    """A player follows another's battle."""

    id: int
    game_id: int
    player_id: int


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that came in; `state` is received, filed, answered, held, discarded or shunted."""

    id: int
    uidvalidity: int
    uid: int
    message_id: str
    sha256: str
    received: datetime
    content: bytes
    truncated: bool
    checked: str
    state: str
    klass: str
    reason: str
    tries: int
    error: str


@dataclass(frozen=True, slots=True)
class Persona:
    """A player's piece; `record` is its system's JSON text."""

    id: int
    player_id: int
    system: str
    name: str
    side: str
    record: str


@dataclass(frozen=True, slots=True)
class Blueprint:
    """What a player has drawn for personas to be made of; `record` is its system's JSON text."""

    id: int
    player_id: int
    system: str
    name: str
    record: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """An offer of a battle; `state` is open, accepted, declined or withdrawn."""

    id: int
    system: str
    one_id: int
    other_id: int
    first: str
    major: bool
    state: str
    made: datetime


@dataclass(frozen=True, slots=True)
class Summons:
    """A persona of a team challenge; `team` is one or other, `accepted` its player's word."""

    id: int
    challenge_id: int
    persona_id: int
    team: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class Game:
    """A game; `setup` and `state` are JSON texts; `steps` counts the log, `turn` the reports.

    `house` is the strength of the house pilots that fly the seats without a place. Nothing of a
    `practice` game counts.
    """

    id: int
    system: str
    version: int
    setup: str
    secret: bytes
    renewed: bytes
    state: str
    steps: int
    turn: int
    major: str
    house: str
    practice: bool
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
        """Give the secret that dice come from now: the first, or that of the last UNDO."""
        return self.renewed or self.secret

    def __repr__(self) -> str:
        """Name the game without its secret."""
        return f"Game(id={self.id}, system={self.system!r}, steps={self.steps}, turn={self.turn})"


@dataclass(frozen=True, slots=True)
class Place:
    """A seat's holder; `sheet` are the orders in force, `before` those of the turn's start.

    The last report told of the steps from `retold` up to, but not with, `told`. A team acts in
    order of `acts`. `record` is the persona's before the game's end was booked.
    """

    id: int
    game_id: int
    seat: str
    player_id: int
    persona_id: int
    sheet: str
    before: str
    salts: str
    asked: bool
    answered: bool
    draw: bool
    misses: int
    told: int
    retold: int
    thread: str
    invited: bool
    vacant: bool
    acts: int
    waiting: bool
    record: str


@dataclass(frozen=True, slots=True)
class Patrol:
    """A persona that waits for any opponent; `state` is open, met, lapsed or off."""

    id: int
    persona_id: int
    state: str
    made: datetime


@dataclass(frozen=True, slots=True)
class Turnout:
    """Whether a player met a deadline."""

    id: int
    player_id: int
    game_id: int
    turn: int
    met: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A step; orders, salts, passed, rolls, events and sheets (if not empty) are JSON texts.

    `secret` is a new one that the steps after it hang on: an UNDO of an ended game has one.
    """

    id: int
    game_id: int
    n: int
    orders: str
    salts: str
    source: str
    passed: str
    digest: str
    rolls: str
    events: str
    at: datetime
    sheets: str
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Story:
    """A player's lines about a battle, told after the step with that number."""

    id: int
    game_id: int
    seat: str
    after: int
    text: str
    public: bool


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the moderator ruled in a game, after the step with that number."""

    id: int
    game_id: int
    after: int
    text: str
    said: str
    made: datetime


@dataclass(frozen=True, slots=True)
class Round:
    """A moment at which the office did something; `ruling` is one made from the shell."""

    id: int
    at: datetime
    last: datetime | None
    letters: str
    ruling: str
    settings: str


@dataclass(frozen=True, slots=True)
class Token:
    """A reply's token; `kind` is confirm, league or game."""

    token: str
    player_id: int
    kind: str
    game_id: int | None
    turn: int
    place_id: int | None
    expires: datetime


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A letter to be sent; `state` is queued, sending, sent, failed or replaced.

    It is held for a digest, or then digested; or unwanted, and never sent.
    """

    id: int
    message_id: str
    slot: str
    kind: str
    player_id: int | None
    recipient: str
    content: bytes
    state: str
    tries: int
    due: datetime
    made: datetime
    error: str


@dataclass(frozen=True, slots=True)
class Bounce:
    """A letter of ours that came back; `kind` is hard, soft, policy, or refused."""

    ident: str
    player_id: int
    kind: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a persona's career; `points` in tenths, `facts` JSON text for a template."""

    id: int
    persona_id: int
    game_id: int | None
    kind: str
    account: str
    points: int
    news: bool
    facts: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Reward:
    """A persona's reward, not rolled yet where `rolled` is None; `salts` is JSON text."""

    id: int
    persona_id: int
    secret: bytes
    order: str
    salts: str
    digest: str
    roll: int
    rolled: datetime | None

    def __repr__(self) -> str:
        """Name the reward without its secret."""
        return f"Reward(id={self.id}, order={self.order!r})"


@dataclass(frozen=True, slots=True)
class Nomination:
    """A persona named for a medal; `state` is open or given, from that time on."""

    id: int
    game_id: int
    persona_id: int
    player_id: int
    citation: str
    state: str
    made: datetime
    given: datetime | None


@dataclass(frozen=True, slots=True)
class Post:
    """A post for a channel; `state` is queued, sending, sent or failed."""

    id: int
    channel: str
    ident: str
    thread: str
    title: str
    body: str
    state: str
    unsure: bool
    stands: str
    tries: int
    due: datetime
    made: datetime
    error: str


@dataclass(frozen=True, slots=True)
class Endorsement:
    """A player's word for a nomination."""

    id: int
    nomination_id: int
    player_id: int
    made: datetime


@dataclass(frozen=True, slots=True)
class Subscription:
    """A reader of the newsletter: a player, or an address of somebody who is none."""

    id: int
    player_id: int | None
    address: str | None
    token: str
    active: bool


@dataclass(frozen=True, slots=True)
class Issue:
    """A newsletter, but for its words; the next batch of its letters is `due` then."""

    id: int
    since: datetime
    until: datetime
    cursor: int
    due: datetime
    done: bool


@dataclass(frozen=True, slots=True)
class Printed:
    """A newsletter as it was printed once for all; `page` is JSON text."""

    id: int
    until: datetime
    page: str


@dataclass(frozen=True, slots=True)
class Editorial:
    """A text for the newsletter; `by` is the pilot's name that signs it, or nothing."""

    id: int
    player_id: int
    by: str
    text: str
    state: str
    made: datetime


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something was done on a day."""

    id: int
    day: str
    what: str
    count: int
