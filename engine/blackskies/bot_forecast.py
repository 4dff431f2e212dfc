"""What bots calculate: where elements may get to, and what harm they may do there."""

from collections.abc import Iterable, Sequence
from functools import cache
from math import isqrt
from typing import NamedTuple

from engine.blackskies.course import course
from engine.blackskies.design import Design, Weapon, weight_of
from engine.blackskies.fire import band_of
from engine.blackskies.model import Battle, Element, active, design_of, is_crippled
from engine.blackskies.space import Point, bearing, in_arc, norm
from engine.blackskies.tables import (
    FIRE_DIE,
    MANOEUVRES,
    PILOT_DIE,
    SPEED_MODIFIERS,
    STEADY,
    TARGET_NUMBERS,
    Manoeuvre,
    shielded,
)

SURE = PILOT_DIE * FIRE_DIE * 120
"""One point of expected damage: fine enough that all chances and means are whole numbers."""

_WIDE = 40
"""What a target off the nose costs, for each 60 degrees, in half-inches of distance."""
_CLOSE = 8
"""The distance from which a bot likes to shoot, in half-inches."""


class Pose(NamedTuple):
    """An element at some moment: how it flies, and where each active fighter is."""

    heading: int
    speed: int
    retrograde: bool
    places: tuple[Point, ...]


class Flight(NamedTuple):
    """An element's active fighters with the values that a forecast needs again and again."""

    element: Element
    design: Design
    guns: tuple[int, ...]
    now: Pose

    @property
    def harmless(self) -> bool:
        """Whether none of its fighters can shoot."""
        return not any(self.guns)


def flight_of(battle: Battle, name: str) -> Flight:
    """Return an element as it is now."""
    element = battle.elements[name]
    design, fighters = design_of(battle, element), active(battle, name)
    most = len(design.weapons)
    guns = tuple(most // 2 if is_crippled(design, f.hull) else most for f in fighters)
    places = tuple((f.q, f.r) for f in fighters)
    now = Pose(element.heading, element.speed, element.retrograde, places)
    return Flight(element, design, guns, now)


def flown(flight: Flight, card: Manoeuvre, by: int | None = None, mastered: bool = True) -> Pose:
    """Return where a card takes an element."""
    acceleration = weight_of(flight.design).acceleration
    return onward(flight.now, card, acceleration, by, mastered)


def onward(
    pose: Pose,
    card: Manoeuvre,
    acceleration: int = 0,
    by: int | None = None,
    mastered: bool = True,
) -> Pose:
    """Return where a card takes an element from a pose; some cards need no acceleration."""
    way = course(pose, acceleration, card, by, mastered)
    places = tuple(way.track(q, r)[-1] for q, r in pose.places)
    return Pose(way.heading, way.slowed, way.retrograde, places)


_LIKELY = (
    STEADY,
    STEADY,
    *(MANOEUVRES[card, option] for card in (2, 3) for option in ("smooth", "break")),
)
"""What others are supposed to fly, each card as often as it is likely."""


def guesses(flight: Flight) -> list[Pose]:
    """Return where somebody else's element may get to; a likelier place comes more often."""
    cards = (STEADY,) if flight.element.retrograde else _LIKELY
    return [flown(flight, card) for card in cards]


def harm(flight: Flight, at: Pose, foe: Flight, there: Pose, penalty: int = 0) -> int:
    """Return the damage that an element may expect to do to another in one volley, in SURE."""
    # Below 1 where more than 12 is needed: nothing can hit then.
    faces = [
        min(FIRE_DIE + 1 - number + SPEED_MODIFIERS[there.speed] - penalty, FIRE_DIE)
        for number in TARGET_NUMBERS
    ]
    found = 0
    for (q, r), guns in zip(at.places, flight.guns, strict=True):
        away = [(foe_q - q, foe_r - r) for foe_q, foe_r in there.places]
        best, same = 0, None
        for weapon in flight.design.weapons[:guns]:
            # Most designs carry one weapon several times, and this is what bots spend time on.
            if weapon is not same:
                best, same = _faces(weapon, at.heading, away, faces), weapon
            if best:
                die = shielded(weapon.die, foe.design.shields)
                found += best * weapon.rof * _mean(die, foe.design.armour)
    return found * PILOT_DIE


def _faces(weapon: Weapon, heading: int, away: Iterable[Point], faces: Sequence[int]) -> int:
    """Return with how many faces of the die a weapon hits the target that it hits most easily."""
    best = 0
    for vector in away:
        band = band_of(weapon, norm(*vector))
        if band is None or faces[band] <= best:
            continue
        if any(in_arc(*vector, heading + arc) for arc in weapon.arc):
            best = faces[band]
    return best


def distance(one: Pose, other: Pose) -> int:
    """Return the distance of two leads in half-inches."""
    (q, r), (foe_q, foe_r) = one.places[0], other.places[0]
    return isqrt(norm(foe_q - q, foe_r - r))


def effort(pose: Pose, foe: Pose) -> int:
    """Return how far it is from a pose to a good shot, the turns that it takes included."""
    (q, r), (foe_q, foe_r) = pose.places[0], foe.places[0]
    arc = bearing(foe_q - q, foe_r - r, pose.heading) or 0
    return abs(distance(pose, foe) - _CLOSE) + _WIDE * min(arc, 6 - arc)


@cache
def _mean(die: int, armour: int) -> int:
    """Return a hit's mean damage in parts of 120, which every die divides."""
    return sum(max(face - armour, 0) for face in range(1, die + 1)) * 120 // die
