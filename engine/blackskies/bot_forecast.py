"""What bots expect of cards: poses, damage, and which of two elements is going to win."""

from collections.abc import Iterable, Sequence
from functools import cache
from math import exp, isqrt, log, sqrt, tanh
from typing import NamedTuple

from engine.blackskies.design import Design, Weapon, weight_of
from engine.blackskies.fire import band_of
from engine.blackskies.geometry import HEADINGS, Point, bearing, course, in_arc, norm
from engine.blackskies.model import Battle, Element, active, design_of, is_crippled
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
    # The first half of the weapons stands for any half that finds a target (BS-19).
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
    # Tail first nothing but Straight and Bootlegger can be flown (BS-17).
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
    # At the same point there is no bearing; it then counts as ahead.
    arc = bearing(foe_q - q, foe_r - r, pose.heading) or 0
    # Too near is as bad as too far: a nearer enemy is soon behind.
    return abs(distance(pose, foe) - _CLOSE) + _WIDE * min(arc, 6 - arc)


@cache
def _mean(die: int, armour: int) -> int:
    """Return a hit's mean damage in parts of 120, which every die divides."""
    return sum(max(face - armour, 0) for face in range(1, die + 1)) * 120 // die


_EASY = (STEADY, MANOEUVRES[2, "smooth"], MANOEUVRES[3, "smooth"])
"""What an element may be about to fly that is to shoot after its next card."""
_A_HIT = 3.0
"""About the damage of a hit, by which that of a volley scatters."""
_LEAST = 0.5
"""The hull that is left at least to an element that has not been destroyed."""
_FAR = 6.0
"""Beyond so many times its close range, a weapon's distance counts no more."""

# The weights come from a logistic regression on who won 60,000 positions of battles between bots
# of this kind in random designs of all weights (docs/balance.md).
_MOVES_FIRST, _ODDS = 0.35, 0.19
_ROOT, _VOLLEY = 1.8, -0.7
_FIRST_SHOT, _SECOND_SHOT = 0.7, 0.4
_TURN_AWAY, _AWAY = -0.13, -0.16
_SPEED, _TAIL_FIRST, _LAMED = 0.022, -0.6, -0.25


class Gun(NamedTuple):
    """A weapon of a design: its share of the design's fire against a target, and its reach."""

    share: float
    arcs: tuple[int, ...]
    close: int


class Party(NamedTuple):
    """One of two elements: hull left, a volley's damage at even odds, and its design's guns."""

    flight: Flight
    life: int
    volley: float
    guns: tuple[Gun, ...]
    lamed: bool


def party(battle: Battle, flight: Flight, foe: Flight) -> Party:
    """Return what counts of an element against another."""
    fighters = active(battle, flight.element.name)
    weapons = flight.design.weapons
    fires = [_fire(weapon, foe) for weapon in weapons]
    # An unarmed design has no fire to share.
    whole = sum(fires) or 1
    guns = tuple(
        Gun(fire / whole, weapon.arc, 2 * weapon.range[0])
        for fire, weapon in zip(fires, weapons, strict=True)
    )
    return Party(
        flight,
        sum(fighter.hull for fighter in fighters),
        sum(sum(fires[:count]) for count in flight.guns) / 2,
        guns,
        is_crippled(design_of(battle, flight.element), fighters[0].hull),
    )


def _fire(weapon: Weapon, foe: Flight) -> float:
    """Return the mean damage of a weapon's shots if all hit."""
    die, armour = shielded(weapon.die, foe.design.shields), foe.design.armour
    return weapon.rof * sum(max(face - armour, 0) for face in range(1, die + 1)) / die


def damage(one: Party, at: Pose, other: Party, there: Pose, penalty: int) -> float:
    """Return the damage that a volley may be expected to do."""
    return harm(one.flight, at, other.flight, there, penalty) / SURE


def destroys(expected: float, life: float) -> float:
    """Return about the chance that a volley with this expected damage destroys an element."""
    if expected <= 0:
        return 0.0
    return 1 / (1 + exp(-1.7 * (expected - life) / sqrt(_A_HIT * expected)))


class Prospect(NamedTuple):
    """A pose after a card, and those that may follow: straight on, and by each easy card."""

    pose: Pose
    straight: Pose
    easy: tuple[Pose, ...]


def prospect(pose: Pose) -> Prospect:
    """Return a pose with what may follow."""
    cards = (STEADY,) if pose.retrograde else _EASY
    easy = tuple(onward(pose, card) for card in cards)
    return Prospect(pose, easy[0], easy)


def outlook(
    first: Party, at: Prospect, lost: float, second: Party, there: Prospect, dealt: float
) -> float:
    """Return what a position after a turn is worth to the side that plays first, from -1 to 1.

    `lost` and `dealt` are the damage that it has taken and done in the turn.
    """
    own, its = max(first.life - lost, _LEAST), max(second.life - dealt, _LEAST)
    # A hurt element shoots less: its fire falls with the square root of its hull.
    mine, theirs = first.volley * sqrt(own / first.life), second.volley * sqrt(its / second.life)
    shot = damage(first, at.straight, second, there.pose, 0) / its
    answer = max(damage(second, pose, first, at.straight, 0) for pose in there.easy) / own
    return tanh(
        _MOVES_FIRST
        + _ODDS * log((mine / its + 0.02) / (theirs / own + 0.02))
        + _place(first, at.pose, mine / its, there.pose)
        - _place(second, there.pose, theirs / own, at.pose)
        + _FIRST_SHOT * min(shot, 1)
        - _SECOND_SHOT * min(answer, 1)
    )


def _place(one: Party, at: Pose, volley: float, there: Pose) -> float:
    """Return what an element's own place and fire are worth; `volley` is a share of the other's
    life."""
    share = min(volley, 1)
    (q, r), (foe_q, foe_r) = at.places[0], there.places[0]
    away = foe_q - q, foe_r - r
    side, distance = bearing(*away, at.heading) or 0, sqrt(norm(*away))
    turns = sum(gun.share * _turns_away(side, gun.arcs) for gun in one.guns)
    far = sum(gun.share * min(distance / gun.close, _FAR) for gun in one.guns)
    return (
        _ROOT * sqrt(share)
        + _VOLLEY * share
        + _TURN_AWAY * turns
        + _AWAY * far
        + _SPEED * at.speed
        + _TAIL_FIRST * at.retrograde
        + _LAMED * one.lamed
    )


def _turns_away(side: int, arcs: Sequence[int]) -> int:
    """Return how many sixths of a circle a target is outside a weapon's arcs."""
    return min(min((side - arc) % HEADINGS, (arc - side) % HEADINGS) for arc in arcs)
