"""A league's catalogue: weapons and designs that all of its players may use."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine import fields
from engine.blackskies.design import Design, Weapon, designs, weapons
from engine.errors import SetupError
from engine.fields import Data
from engine.names import fold


class Catalogue(NamedTuple):
    """Weapons and designs by name, including those that are built in."""

    weapons: Mapping[str, Weapon]
    designs: Mapping[str, Design]


_KEYS: dict[str, tuple[str, ...]] = {
    "weapons": ("arc", "rof", "range", "die"),
    "designs": ("weight", "thrusters", "weapons", "armour", "shields"),
}


def catalogue(value: object) -> Catalogue:
    """Return the catalogue in `weapons` and `designs`, written as in a set-up.

    Raise SetupError that names the field. A person wrote the catalogue, so an unknown key, or two
    equal names, is a mistake.
    """
    given = fields.an_object(value, "catalogue")
    _check_keys(given, _KEYS, "catalogue")
    arms, built = (fields.named(given, key, "catalogue") for key in _KEYS)
    for kind, named in (("weapons", arms), ("designs", built)):
        for name, one in named.items():
            _check_keys(one, _KEYS[kind], f"catalogue.{kind}.{name}")
    known = weapons(arms, "catalogue.weapons")
    found = Catalogue(known, designs(built, known, "catalogue.designs"))
    for kind, names in zip(_KEYS, found, strict=True):
        # Keys of an object may differ by case alone; names that players write may not.
        fields.different([fold(name) for name in names], f"catalogue.{kind}")
    return found


def _check_keys(given: Data, known: Iterable[str], where: str) -> None:
    # Set-ups ignore unknown keys; here one is most likely a slip.
    unknown = next((key for key in given if key not in known), None)
    if unknown is not None:
        raise SetupError(f"{where}.{unknown} means nothing; known are {', '.join(known)}")


_ARMS: dict[str, dict[str, object]] = {
    "Autocannon": {"arc": [0], "rof": 3, "range": [4, 8, 12], "die": 4},
    "Heavy Laser": {"arc": [0], "rof": 1, "range": [8, 16, 24], "die": 8},
    "Rocket Pod": {"arc": [0], "rof": 2, "range": [3, 6, 9], "die": 8},
    "Sweep Laser": {"arc": [5, 0, 1], "rof": 1, "range": [5, 10, 15], "die": 6},
    "Tail Gun": {"arc": [2, 3, 4], "rof": 1, "range": [4, 8, 12], "die": 6},
    "Ball Turret": {"arc": [0, 1, 2, 3, 4, 5], "rof": 2, "range": [3, 6, 9], "die": 4},
}


def _built(weight: str, thrusters: str, arms: str, armour: int, shields: int) -> dict[str, object]:
    return {
        "weight": weight,
        "thrusters": thrusters.split(),
        "weapons": arms.split(", "),
        "armour": armour,
        "shields": shields,
    }


_BUILT = {
    "Gadfly": _built("light", "rear side", "Laser Cannon", 1, 0),
    "Sparrowhawk": _built("light", "rear side forward", "Autocannon", 0, 1),
    "Stiletto": _built("light", "rear", "Laser Cannon, Laser Cannon", 0, 0),
    "Grey Fox": _built("medium", "rear side", "Laser Cannon, Autocannon", 0, 1),
    "Swordfish": _built("medium", "side", "Sweep Laser, Laser Cannon", 1, 0),
    "Nightjar": _built("medium", "rear forward", "Rocket Pod, Tail Gun", 0, 1),
    "Longbow": _built("medium", "", "Heavy Laser, Heavy Laser", 0, 1),
    "Ironclad": _built("heavy", "rear", "Heavy Laser, Laser Cannon", 2, 0),
    "Porcupine": _built("heavy", "", "Ball Turret, Tail Gun, Laser Cannon", 0, 1),
    "Thunderhead": _built("heavy", "side forward", "Rocket Pod, Rocket Pod", 1, 1),
}

USUAL = catalogue({"weapons": _ARMS, "designs": _BUILT})
"""The catalogue of a league that has no other."""

FLEET: Mapping[str, Design] = USUAL.designs
