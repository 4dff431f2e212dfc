"""Weapons and designs of fighters: what they are, and which are refused (BS-4 to BS-6)."""

from collections.abc import Mapping

from engine import fields
from engine.blackskies.geometry import HEADINGS
from engine.blackskies.tables import (
    MOST_RANGE,
    MOST_ROF,
    MOST_SHIELDS,
    THRUSTERS,
    WEAPON_DICE,
    WEIGHTS,
    Weight,
)
from engine.codec import Record
from engine.errors import SetupError
from engine.fields import Data


class Weapon(Record, frozen=True):
    """A weapon: its arcs, rate of fire, close, medium and long range in inches, damage die."""

    name: str
    arc: tuple[int, ...]
    rof: int
    range: tuple[int, int, int]
    die: int


class Design(Record, frozen=True):
    """A kind of fighter; its weapons are in the order in which they fire."""

    name: str
    weight: str
    thrusters: tuple[str, ...]
    weapons: tuple[Weapon, ...]
    armour: int
    shields: int


def weight_of(design: Design) -> Weight:
    """Return the values that come with a design's weight."""
    return WEIGHTS[design.weight]


def spent(design: Design) -> int:
    """Return how many hardpoints a design uses (BS-5)."""
    return len(design.weapons) + design.armour + design.shields


def data_of(design: Design, names: Mapping[Weapon, str]) -> Data:
    """Return a design as a set-up writes it, with its weapons under these names."""
    return {
        "weight": design.weight,
        "thrusters": list(design.thrusters),
        "weapons": [names[weapon] for weapon in design.weapons],
        "armour": design.armour,
        "shields": design.shields,
    }


def arms_of(weapon: Weapon) -> Data:
    """Return a weapon as a set-up writes it."""
    return {
        "arc": list(weapon.arc),
        "rof": weapon.rof,
        "range": list(weapon.range),
        "die": weapon.die,
    }


def shown_weapon(weapon: Weapon) -> Data:
    """Return a weapon as plain values for a template."""
    return {"name": weapon.name, **arms_of(weapon)}


def shown(design: Design) -> Data:
    """Return a design as plain values for a template."""
    weight = weight_of(design)
    return {
        "name": design.name,
        "weight": design.weight,
        "hull": weight.hull,
        "acceleration": weight.acceleration,
        "thrusters": list(design.thrusters),
        "weapons": [shown_weapon(weapon) for weapon in design.weapons],
        "armour": design.armour,
        "shields": design.shields,
    }


LASER_CANNON = Weapon("Laser Cannon", (0,), 1, (6, 12, 18), 6)
BLACK_TIGER = Design("Black Tiger", "medium", ("rear",), (LASER_CANNON, LASER_CANNON), 1, 0)
WEAPONS: Mapping[str, Weapon] = {LASER_CANNON.name: LASER_CANNON}
DESIGNS: Mapping[str, Design] = {BLACK_TIGER.name: BLACK_TIGER}
"""What every battle has without naming it (BS-6)."""


def weapons(given: Mapping[str, Data], where: str) -> dict[str, Weapon]:
    """Return a battle's weapons, built in and its own; raise SetupError that names the field."""
    _new(given, WEAPONS, where)
    return {
        **WEAPONS,
        **{name: weapon(name, one, f"{where}.{name}") for name, one in given.items()},
    }


def designs(given: Mapping[str, Data], arms: Mapping[str, Weapon], where: str) -> dict[str, Design]:
    """Return a battle's designs, built in and its own; raise SetupError that names the field."""
    _new(given, DESIGNS, where)
    own = {name: design(name, one, arms, f"{where}.{name}") for name, one in given.items()}
    return {**DESIGNS, **own}


def _new(given: Mapping[str, Data], built_in: Mapping[str, object], where: str) -> None:
    for name in given:
        if name in built_in:
            raise SetupError(f"{where}.{name}: it is built in and can't be given anew (BS-6)")


def weapon(name: str, value: Data, where: str) -> Weapon:
    """Return the weapon that data describe; raise SetupError that names the field."""
    arc = [
        fields.whole(one, 0, HEADINGS - 1, f"{where}.arc[{n}]")
        for n, one in enumerate(fields.a_list(value, "arc", where))
    ]
    if not arc:
        raise SetupError(f"{where}.arc: a weapon needs at least one arc")
    # Twice the same arc would mean nothing, and is a slip of its writer.
    fields.different(arc, f"{where}.arc")
    rof = fields.number(value, "rof", 1, MOST_ROF, where)
    die = fields.one_of(value.get("die"), WEAPON_DICE, f"{where}.die")
    return Weapon(name, tuple(arc), rof, _ranges(value, where), die)


def _ranges(value: Data, where: str) -> tuple[int, int, int]:
    ranges = fields.a_list(value, "range", where)
    if len(ranges) != 3:
        raise SetupError(f"{where}.range: close, medium and long are needed")
    close, medium, long = (
        fields.whole(one, 1, MOST_RANGE, f"{where}.range[{n}]") for n, one in enumerate(ranges)
    )
    # Equal is allowed: such a weapon has fewer bands.
    if not close <= medium <= long:
        raise SetupError(f"{where}.range: no range may be less than the one before it")
    return close, medium, long


def design(name: str, value: Data, arms: Mapping[str, Weapon], where: str) -> Design:
    """Return the design that data describe; raise SetupError that names the field and
    the ruling."""
    weight = fields.one_of(value.get("weight"), WEIGHTS, f"{where}.weight")
    thrusters = [
        fields.one_of(one, THRUSTERS, f"{where}.thrusters[{n}]")
        for n, one in enumerate(fields.a_list(value, "thrusters", where))
    ]
    fields.different(thrusters, f"{where}.thrusters")
    fitted = tuple(
        arms[fields.one_of(one, arms, f"{where}.weapons[{n}]")]
        for n, one in enumerate(fields.a_list(value, "weapons", where))
    )
    # Light fighters carry one level only (BS-5).
    armour = fields.number(value, "armour", 0, WEIGHTS[weight].armour, where)
    shields = fields.number(value, "shields", 0, MOST_SHIELDS, where)
    made = Design(name, weight, tuple(thrusters), fitted, armour, shields)
    most = WEIGHTS[weight].hardpoints
    if spent(made) > most:
        raise SetupError(
            f"{where}: weapons, armour and shields take {spent(made)} hardpoints, "
            f"and a {weight} fighter has {most} (BS-5)"
        )
    return made
