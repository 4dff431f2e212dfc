"""The frozen state of a Black Skies battle and its orders."""

from typing import Literal

from engine.blackskies.design import Design, weight_of
from engine.blackskies.geometry import Point
from engine.codec import Record
from engine.seats import Seat

Fate = Literal["active", "destroyed", "surrendered", "withdrawn"]


class Order(Record, frozen=True):
    """What an element is ordered to do; `command` is `fly`, `withdraw` or `surrender`.

    The other fields count for `fly` only. `turn` is None in a letter: it means the open turn. The
    referee's own commands are `end`, `draw`, and `forfeit` of the seat in `element`.
    """

    element: str = ""
    # Not a Literal: a scenario may hold any text, and an unknown one is refused, not invalid.
    command: str = "fly"
    card: int | None = None
    option: str | None = None
    by: int | None = None
    targets: tuple[str, ...] = ()
    hold_fire: bool = False
    turn: int | None = None


class Fighter(Record, frozen=True):
    """One fighter and its pilot, where it is, and how much hull it has left."""

    name: str
    skill: int
    q: int
    r: int
    hull: int
    fate: Fate = "active"
    kills: int = 0


class Element(Record, frozen=True):
    """One or two fighters that fly together, the lead first; `side` is 0 or 1 (BS-7)."""

    name: str
    side: int
    seat: Seat
    design: str
    heading: int
    speed: int
    fighters: tuple[str, ...]
    retrograde: bool = False


class Side(Record, frozen=True):
    """A side, its elements as listed, and its deck with None for each placeholder (BS-9)."""

    name: str
    elements: tuple[str, ...]
    deck: tuple[str | None, ...]


class Asteroid(Record, frozen=True):
    """A disc around a point; the radius is in inches (BS-23)."""

    q: int
    r: int
    radius: int


class Shot(Record, frozen=True):
    """A weapon fired in the turn last played: by whom at whom, from where to where, its hits."""

    by: str
    at: str
    start: Point
    end: Point
    hits: int


class Battle(Record, frozen=True):
    """Everything that decides how a battle goes on.

    `first` is the side that moves first, None until it is rolled. `turn` is the open turn, `last`
    the last one to be played. `pending` holds the orders of the open turn by element; each is known
    to its own seat only. `tracks` and `shots` are those of the turn last played.
    """

    sides: tuple[Side, Side]
    elements: dict[str, Element]
    fighters: dict[str, Fighter]
    designs: dict[str, Design]
    asteroids: tuple[Asteroid, ...]
    # By element, since each element's order is replaced apart from the others (BS-10).
    pending: dict[str, Order]
    # Start, half-way point and end: a card is two straight legs.
    tracks: dict[str, tuple[Point, Point, Point]]
    first: int | None
    last: int
    turn: int = 1
    shots: tuple[Shot, ...] = ()
    over: bool = False
    winner: str | None = None


def active(battle: Battle, element: str) -> list[Fighter]:
    """Return an element's active fighters, the lead first."""
    fighters = battle.fighters
    found = [fighters[name] for name in battle.elements[element].fighters]
    return [fighter for fighter in found if fighter.fate == "active"]


def stands(battle: Battle, side: int) -> bool:
    """Return whether a side has an active fighter."""
    elements, fighters = battle.elements, battle.fighters
    return any(
        fighters[one].fate == "active"
        for name in battle.sides[side].elements
        for one in elements[name].fighters
    )


def enemies(battle: Battle, side: int) -> list[tuple[Element, Fighter]]:
    """Return the active fighters of the other side with their elements, in setup order (BS-22)."""
    fighters, elements = battle.fighters, battle.elements
    found = []
    for name in battle.sides[1 - side].elements:
        element = elements[name]
        for one in element.fighters:
            fighter = fighters[one]
            if fighter.fate == "active":
                found.append((element, fighter))
    return found


def design_of(battle: Battle, element: Element) -> Design:
    """Return the design that an element flies."""
    return battle.designs[element.design]


def is_crippled(design: Design, hull: int) -> bool:
    """Return whether a fighter with this much hull left is crippled (BS-4)."""
    # With exactly half the hull it is crippled already (BS-4).
    return 2 * hull <= weight_of(design).hull


def unordered(battle: Battle, seat: Seat) -> list[str]:
    """Return the active elements of a seat that have no order yet, in setup order."""
    return [name for name in to_order(battle) if battle.elements[name].seat == seat]


def to_order(battle: Battle) -> list[str]:
    """Return the active elements that have no order yet, in setup order."""
    if battle.over or battle.first is None:
        return []
    pending = battle.pending
    # Those without an order fly Straight, steady, if the referee ends the turn (BS-10).
    return [n for n in all_elements(battle) if n not in pending and active(battle, n)]


def all_elements(battle: Battle) -> tuple[str, ...]:
    """Return the names of all elements in setup order."""
    one, other = battle.sides
    return one.elements + other.elements


def seats(battle: Battle) -> tuple[Seat, ...]:
    """Return everyone who has an element, in setup order."""
    # A dict keeps the setup order, which a set would lose.
    return tuple(dict.fromkeys(battle.elements[name].seat for name in all_elements(battle)))


def points(battle: Battle) -> tuple[int, int]:
    """Return each side's points if the battle ended now (BS-26)."""
    lost = [0, 0]
    for element in battle.elements.values():
        design = design_of(battle, element)
        hull = weight_of(design).hull
        for name in element.fighters:
            fighter = battle.fighters[name]
            if fighter.fate in ("destroyed", "surrendered"):
                lost[element.side] += hull
            elif is_crippled(design, fighter.hull):
                # Those that withdrew count too if they are crippled (BS-26).
                lost[element.side] += hull // 2
    # What one side lost are the points of the other (BS-26).
    return lost[1], lost[0]
