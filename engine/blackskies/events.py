"""What can happen in a battle."""

from engine.blackskies.geometry import Point
from engine.blackskies.model import Fate, Order
from engine.events import Event, SecretEvent
from engine.seats import Seat


class Begun(Event, frozen=True):
    """It was rolled who moves first (BS-8)."""

    first: int
    roll: int


class Ordered(SecretEvent, frozen=True):
    """A seat ordered something for an element; nobody else learns of it (BS-10)."""

    order: Order


class Closed(Event, frozen=True):
    """The referee closed a turn, and its cards are played (BS-11)."""

    turn: int


class Left(Event, frozen=True):
    """An element left the battle by its own order, or by the referee's (BS-24)."""

    element: str
    fate: Fate


class Checked(Event, frozen=True):
    """A pilot took a check that a die decides, or fails without one (BS-13).

    `needed` is what the die must show. `asteroid` is None where the check is of a card.
    """

    fighter: str
    needed: int
    roll: int | None
    passed: bool
    asteroid: int | None = None


class Flown(Event, frozen=True):
    """An element flew a card (BS-12, steps 2 to 4).

    `mastered` means that the lead passed; otherwise the substitute was flown (BS-15). `speed` is
    that of the flight, `slowed` that after the penalty. `tracks` are where each active fighter
    began, was half-way, and ended.
    """

    element: str
    card: int
    option: str | None
    by: int | None
    mastered: bool
    speed: int
    slowed: int
    heading: int
    retrograde: bool
    tracks: dict[str, tuple[Point, Point, Point]]


class Grazed(Event, frozen=True):
    """A fighter hit an asteroid: roll, damage after armour, hull left, whose it is (BS-23)."""

    fighter: str
    asteroid: int
    roll: int
    damage: int
    hull: int
    seat: Seat


class Fired(Event, frozen=True):
    """A weapon was fired: the number needed on each d12, and the rolls (BS-18 to BS-20).

    `band` is the range band from 0, `distance` in tenths of an inch, `arc` the shooter's arc.
    """

    by: str
    weapon: str
    at: str
    band: int
    distance: int
    arc: int
    needed: int
    rolls: tuple[int, ...]
    hits: int


class Hit(Event, frozen=True):
    """One hit: its damage die and roll, damage after armour, hull left, and whose it is (BS-21)."""

    by: str
    at: str
    die: int
    roll: int
    damage: int
    hull: int
    seat: Seat


class Destroyed(Event, frozen=True):
    """A fighter was destroyed; `by` is None where it was an asteroid."""

    fighter: str
    by: str | None


class Opened(Event, frozen=True):
    """The next turn is open for orders."""

    turn: int


class Over(Event, frozen=True):
    """The battle is over (BS-25, BS-27); `why` is `alone`, `turns` or `ruled`."""

    winner: str | None
    why: str


AnyEvent = (
    Begun | Ordered | Closed | Left | Checked | Flown | Grazed | Fired | Hit | Destroyed | Opened
    | Over
)  # fmt: skip
