"""What a view of a battle holds: plain values for templates, pictures and sentences."""

from typing import Any, TypedDict

from engine.seats import Seat


class FighterView(TypedDict):
    """A fighter; `q` and `r` are numbers while it flies, and None afterwards."""

    name: str
    skill: int
    fate: str
    q: Any
    r: Any
    hull: int
    crippled: bool
    kills: int


class PilotView(FighterView):
    """A fighter with what a list of fighters needs of its element; `full` is a whole hull."""

    team: str
    element: str
    design: str
    full: int


class ShotView(TypedDict):
    """A shot of the turn last played: from where to where, and how often it hit."""

    by: str
    at: str
    start: list[int]
    end: list[int]
    hits: int


class SideView(TypedDict):
    """A side, with its elements, its deck of cards (None: a placeholder), and its points."""

    name: str
    elements: list[str]
    deck: list[str | None]
    points: int


class ElementView(TypedDict):
    """An element as all see it."""

    name: str
    side: str
    seat: Seat
    design: dict[str, Any]
    active: bool
    heading: int
    speed: int
    retrograde: bool
    fighters: list[FighterView]


class PlaceSeen(TypedDict):
    """A direction by arc (None: the same spot) and hour, and a distance in tenths of an inch."""

    arc: int | None
    hour: int | None
    distance: int


class FighterSeen(PlaceSeen):
    """An enemy fighter; `aspect` is the arc of its own that the lead is in."""

    enemy: str
    aspect: int | None
    hull: int
    crippled: bool


class EnemySeen(TypedDict):
    """An enemy element as seen from a lead."""

    element: str
    heading: int
    speed: int
    retrograde: bool
    fighters: list[FighterSeen]


class RockSeen(PlaceSeen):
    """An asteroid as seen from a lead."""

    radius: int


class WingmanSeen(PlaceSeen):
    """The wingman as seen from its lead."""

    name: str


class Move(TypedDict):
    """A card that an element can fly: its words, its chance, and the speeds that it may end with.

    `most` is the greatest number that may follow ACCELERATE. Where `both` is true the card
    can be flown to the right as well.
    """

    order: str
    most: int | None
    both: bool
    card: int
    option: str
    chance: int | None
    speeds: list[int]


class OwnView(TypedDict):
    """What a seat knows of its own element: its order, what it sees, and what it can fly."""

    name: str
    order: str | None
    bearings: list[EnemySeen]
    rocks: list[RockSeen]
    wingman: WingmanSeen | None
    moves: list[Move]


class AsteroidView(TypedDict):
    """An asteroid of the plane."""

    q: int
    r: int
    radius: int


class BattleView(TypedDict):
    """What a seat may know; `me` is None for the public and the referee."""

    me: Seat | None
    side: str | None
    turn: int
    last: int
    first: str | None
    over: bool
    winner: str | None
    teams: list[SideView]
    mates: list[Seat]
    designs: list[dict[str, object]]
    asteroids: list[AsteroidView]
    elements: list[ElementView]
    pilots: list[PilotView]
    tracks: dict[str, list[list[int]]]
    shots: list[ShotView]
    mine: list[OwnView]
    to_order: list[str]
