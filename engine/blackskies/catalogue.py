"""The house's catalogue: weapons and sound designs of our own making, as a battle's data."""

from collections.abc import Iterable
from typing import Any

from engine.blackskies.design import DESIGNS, WEAPONS, Design, Weapon, designs, weapons

_ARMS: dict[str, dict[str, Any]] = {
    "Autocannon": {"arc": [0], "rof": 3, "range": [4, 8, 12], "die": 4},
    "Heavy Laser": {"arc": [0], "rof": 1, "range": [8, 16, 24], "die": 8},
    "Rocket Pod": {"arc": [0], "rof": 2, "range": [3, 6, 9], "die": 8},
    "Sweep Laser": {"arc": [5, 0, 1], "rof": 1, "range": [5, 10, 15], "die": 6},
    "Tail Gun": {"arc": [2, 3, 4], "rof": 1, "range": [4, 8, 12], "die": 6},
    "Ball Turret": {"arc": [0, 1, 2, 3, 4, 5], "rof": 2, "range": [3, 6, 9], "die": 4},
}


def _built(weight: str, thrusters: str, arms: str, armour: int, shields: int) -> dict[str, Any]:
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

ARSENAL: dict[str, Weapon] = weapons(_ARMS, "catalogue.weapons")
FLEET: dict[str, Design] = designs(_BUILT, ARSENAL, "catalogue.designs")
"""All that is built in or in the catalogue, by name."""


def data_of(wanted: Iterable[str]) -> dict[str, Any]:
    """Give the parts of a set-up, `weapons` and `designs`, that designs of the catalogue need."""
    flown = [name for name in dict.fromkeys(wanted) if name not in DESIGNS]
    armed = dict.fromkeys(arm for name in flown for arm in _BUILT[name]["weapons"])
    return {
        "weapons": {name: _ARMS[name] for name in armed if name not in WEAPONS},
        "designs": {name: _BUILT[name] for name in flown},
    }
