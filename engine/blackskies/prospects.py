"""What a sharp bot of Black Skies thinks of a position: which of two elements is going to win."""

from collections.abc import Sequence
from math import exp, log, sqrt, tanh
from typing import NamedTuple

from engine.blackskies.bot_forecast import SURE, Flight, Pose, harm, onward
from engine.blackskies.design import Weapon
from engine.blackskies.model import Battle, active, design_of, is_crippled
from engine.blackskies.space import HEADINGS, bearing, norm
from engine.blackskies.tables import MANOEUVRES, STEADY, shielded

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
    # Who is hurt shoots less: half of what is lost of the hull, roughly, is lost of the fire.
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
    turns = sum(gun.share * _turns(side, gun.arcs) for gun in one.guns)
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


def _turns(side: int, arcs: Sequence[int]) -> int:
    """Return how many sixths of a circle a target is outside a weapon's arcs."""
    return min(min((side - arc) % HEADINGS, (arc - side) % HEADINGS) for arc in arcs)
