"""The frozen state of a battle, and its orders."""

from typing import Literal

from engine.codec import Record, Tagged
from engine.cortex.tables import KINDS, TENTHS
from engine.seats import Seat

Fate = Literal["active", "disabled", "destroyed", "surrendered", "withdrawn", "jumped"]
Members = tuple[str, ...]

HOLD = "hold"
"""What a letter says of a unit without orders (CX-18); it is filed as none."""


class Person(Record, frozen=True):
    """Somebody at a station, by the steps of the dice; 0 is not a die."""

    attribute: int = 0
    skill: int = 0
    trait: int = 0


class Weapon(Record, frozen=True):
    """A weapon; `damage` is the step of its die, and a missile has a size and a warhead instead."""

    name: str
    range: int
    scale: str
    damage: int = 0
    linked: bool = False
    battery: bool = False
    pd: bool = False
    missile: bool = False
    size: str = ""
    warhead: str = ""


class VesselSheet(Record, frozen=True):
    """What never changes about a vessel: `team` and `place` in setup order count from 0.

    `kind` is what a catalogue calls it, "" where a set-up does not say.
    """

    name: str
    team: int
    place: int
    seat: Seat
    scale: str
    strength: int
    agility: int
    vitality: int
    alertness: int
    gunnery: int
    lp: int
    stun_armour: int
    wound_armour: int
    ftl: bool
    fixed: bool
    altitude: int | None
    crew: dict[str, Person]
    weapons: tuple[Weapon, ...]
    kind: str = ""


class Aim(Record, frozen=True):
    """At whom a weapon is aimed, and what that adds (CX-13)."""

    at: str
    steps: int


class Vessel(Record, frozen=True):
    """What changes about a vessel; Stun and Wound are in tenths of a point (CX-11).

    `guns` are those left of each weapon, missiles too. `next` holds steps for the coming turn by
    station or weapon (CX-52, CX-55).
    """

    speed: int
    guns: dict[str, int]
    aim: dict[str, Aim]
    next: dict[str, int]
    fate: Fate = "active"
    stun: int = 0
    wound: int = 0
    damaged: frozenset[str] = frozenset()


class Spotter(Record, frozen=True):
    """Somebody on the ground who designates targets (CX-70)."""

    name: str
    team: int
    seat: Seat
    alertness: int
    gunnery: int
    lp: int
    designator: bool
    uplink: str
    scope: bool
    fate: Fate = "active"
    stun: int = 0
    wound: int = 0
    detected: bool = False


class Obstacle(Record, frozen=True):
    """Something to collide with; a random one has no size until it is rolled (CX-27)."""

    size: str = ""
    speed: int = 0
    vector: str = ""
    turn: int | None = None
    against: str | None = None


class Scatter(Record, frozen=True):
    """Where a bombardment fell that missed (CX-68)."""

    direction: str
    feet: int


class Site(Record, frozen=True):
    """A place on the ground (CX-67)."""

    kind: str
    lp: int
    armour: int
    population: int
    wound: int = 0
    scatter: Scatter | None = None

    @property
    def scale(self) -> str:
        """Its scale."""
        return KINDS[self.kind][2]

    @property
    def lost(self) -> int:
        """How many people were wounded or killed (CX-69)."""
        return self.population * self.wound // (self.lp * TENTHS)


class Lock(Record, frozen=True):
    """A weapon's lock on a target (CX-41)."""

    by: str
    weapon: str
    at: str


class Missile(Record, frozen=True):
    """A missile in flight; `since` is the turn in which it was launched (CX-42)."""

    id: str
    by: str
    weapon: str
    at: str
    turns: int
    since: int
    outflown: int = 0


class Advantage(Record, frozen=True):
    """Who of a pair has Advantage, and how much (CX-24)."""

    holder: str
    steps: int


class Team(Record, frozen=True):
    """A team, with its vessels and spotters as listed."""

    name: str
    vessels: Members
    spotters: Members


class Order(Record, frozen=True):
    """One order; a text that cannot be a name is "", and a number that cannot be one of guns is 0.

    `index` says where the order came from, for its refusal.
    """

    do: str
    at: str | None = None
    to: str | None = None
    weapon: str | None = None
    guns: int | None = None
    called: str | None = None
    station: str | None = None
    missile: str | None = None
    spotter: str | None = None
    index: int = 0


class Orders(Tagged, frozen=True):
    """All orders of a vessel or spotter for the turn; they replace those it had (CX-17).

    With `keep` they are filed again in each turn until others replace them. `raw` are a scenario's:
    whatever is wrong in them is found when their time comes.
    """

    unit: str
    orders: tuple[Order, ...]
    keep: bool = False
    raw: bool = False


class Close(Tagged, frozen=True):
    """The referee's order that ends a turn; `judged` says that it may end a battle by a draw."""

    judged: bool = False


class Draw(Tagged, frozen=True):
    """The referee's order that ends a battle that all sides want to end."""


class Forfeit(Tagged, frozen=True):
    """The referee's order by which all vessels and spotters of a seat surrender."""

    seat: Seat


Filing = Orders | Close | Draw | Forfeit


class Battle(Record, frozen=True):
    """Everything that decides how a battle goes on.

    `ranges` and `advantages` stand by pair (see `pair`); ranges are numbers of RANGES, and feet in
    an atmosphere. `wings` hold their members, the leader first. `launched` counts all missiles.
    `ready` says that the random obstacles are rolled. `turn` counts the turns played, `still` those
    since anybody last tried to do harm, and `harmless` those since any was done.
    """

    options: frozenset[str]
    atmosphere: bool
    good: bool
    teams: tuple[Team, Team]
    sheets: dict[str, VesselSheet]
    vessels: dict[str, Vessel]
    spotters: dict[str, Spotter]
    obstacles: dict[str, Obstacle]
    sites: dict[str, Site]
    ranges: dict[str, int]
    advantages: dict[str, Advantage]
    orders: dict[str, tuple[Order, ...]]
    ready: bool
    wings: tuple[Members, ...] = ()
    locks: tuple[Lock, ...] = ()
    missiles: tuple[Missile, ...] = ()
    launched: int = 0
    turn: int = 0
    still: int = 0
    harmless: int = 0
    over: bool = False
    winner: str | None = None
