"""The course, the cars on it, and what happens to them."""

from engine.codec import Record, Tagged
from engine.seats import Seat

Point = tuple[int, int]
COURSE = """
########################
#SSS...................#
#SSS...................#
#SSS...................#
####################...#
####################...#
#FF....................#
#FF....................#
#FF....................#
########################
""".strip().splitlines()
STEPS = {
    "N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1), "S": (0, 1),
    "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1), "STRAIGHT": (0, 0),
}  # fmt: skip
"""What may be added to a car's move, by the words of the order STEER."""
GRID = [(3, 1), (3, 2), (3, 3), (2, 1), (2, 2), (2, 3)]
"""Where cars start, in the order in which they drive."""
LONGEST = 80
"""A race in which nobody has finished after so many rounds is a draw."""


class Car(Record, frozen=True):
    """Where a car is and how it came there; `rests` are turns that it still misses."""

    trail: tuple[Point, ...]
    move: Point = (0, 0)
    rests: int = 0
    out: bool = False


class Race(Record, frozen=True):
    """A race: `turn` counts the turns of all cars, missed ones too."""

    cars: dict[Seat, Car]
    turn: int = 0
    over: bool = False
    winner: str | None = None


class Driven(Tagged, frozen=True):
    """A car has driven to a point, and will go on by `move`."""

    seat: Seat
    to: Point
    move: Point


class Stopped(Tagged, frozen=True):
    """A car has stopped in front of another one, or of the edge (""), and misses turns."""

    seat: Seat
    to: Point
    by: str
    rests: int


class Left(Tagged, frozen=True):
    """A car was taken out of the race by the referee."""

    seat: Seat


class Over(Tagged, frozen=True):
    """The race is over; nobody has won a draw."""

    winner: str | None


Event = Driven | Stopped | Left | Over


def square(point: Point) -> str:
    """Return what is at a point: road, start, finish, or the edge."""
    return COURSE[point[1]][point[0]] if 0 <= point[1] < len(COURSE) else "#"


def line(start: Point, move: Point) -> list[Point]:
    """Return the squares that a move goes through, the last one where it ends."""
    count = max(map(abs, move), default=0)
    return [
        (start[0] + round(move[0] * n / count), start[1] + round(move[1] * n / count))
        for n in range(1, count + 1)
    ]


def steered(car: Car, way: str) -> Point:
    """Return a car's next move if it steers a way."""
    return (car.move[0] + STEPS[way][0], car.move[1] + STEPS[way][1])


def driver(race: Race) -> Seat:
    """Return whose turn it is."""
    return list(race.cars)[race.turn % len(race.cars)]
