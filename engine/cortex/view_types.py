"""What a view of a battle holds: plain values for templates, pictures and sentences."""

from typing import Any, TypedDict

from engine.seats import Seat


class WeaponView(TypedDict):
    """A weapon: how many guns or missiles are left, and what is made ready with it.

    `scale` is "" where it is its vessel's; `damage` is a die, or how a missile's size is called.
    `aim` is at whom it is aimed, and `steps` what that adds; `next` counts in the coming turn.
    """

    name: str
    left: int
    range: str
    scale: str
    damage: str
    marks: list[str]
    aim: str | None
    steps: int
    next: int


class PersonView(TypedDict):
    """Somebody at a station: dice of attribute, skill and trait, "" where there is none."""

    station: str
    dice: list[str]
    next: int


class VesselView(TypedDict):
    """A vessel as all see it; Stun, Wound and what is left are in tenths of a point.

    `armour` is that against Wound and against Stun, `wing` the leader of its wing, and `dice` are
    by their names.
    """

    name: str
    team: str
    seat: Seat
    kind: str
    scale: str
    fate: str
    stun: int
    wound: int
    lp: int
    left: int
    speed: int
    armour: list[int]
    dice: dict[str, str]
    crew: list[PersonView]
    weapons: list[WeaponView]
    damaged: list[str]
    wing: str | None
    immobile: bool
    ftl: bool
    altitude: int | None


class UnitView(TypedDict):
    """An active unit: a wing, or a vessel alone; `name` is its leader."""

    name: str
    team: str
    seat: Seat
    members: list[str]


class PairView(TypedDict):
    """Two opposing units: their range, in an atmosphere in feet too, and who has Advantage."""

    one: str
    other: str
    range: str
    feet: int | None
    advantage: str | None
    steps: int


class MissileView(TypedDict):
    """A missile in flight; it hits at the end of the turn in which it `arrives`."""

    id: str
    by: str
    weapon: str
    at: str
    turns: int
    arrives: int
    outflown: int


class SiteView(TypedDict):
    """A place on the ground, with what a bombardment has done to it."""

    name: str
    kind: str
    lp: int
    wound: int
    armour: int
    population: int
    wounded: int
    killed: int
    razed: bool
    scatter: str | None
    feet: int


class MoveView(TypedDict):
    """What a unit could order: with the best target, and the names and chances of the others."""

    order: str
    chance: int | None
    others: list[dict[str, Any]]


class OwnView(TypedDict):
    """Units of the seat's own without orders, and what each of them could do."""

    names: list[str]
    moves: list[MoveView]


class BattleView(TypedDict):
    """All of a battle that a seat, or the public (`me` is None), may know.

    `turn` is the one that is open, None once the battle is over; `played` counts those played.
    `to_order` are the seat's own units that have no orders for it.
    """

    me: Seat | None
    side: str | None
    turn: int | None
    played: int
    over: bool
    winner: str | None
    options: list[str]
    atmosphere: bool
    good: bool
    teams: list[dict[str, Any]]
    mates: list[Seat]
    pilots: list[VesselView]
    units: list[UnitView]
    pairs: list[PairView]
    locks: list[dict[str, str]]
    missiles: list[MissileView]
    sites: list[SiteView]
    spotters: list[dict[str, Any]]
    obstacles: list[dict[str, Any]]
    mine: list[OwnView]
    to_order: list[str]
    orders: dict[str, Any]
