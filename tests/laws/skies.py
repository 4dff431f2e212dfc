"""Random set-ups of Black Skies, near enough to each other for a fight."""

from random import Random
from typing import Any

WEAPONS = {
    "Tail Gun": {"arc": [2, 3, 4], "rof": 2, "range": [3, 6, 9], "die": 4},
    "Turret": {"arc": [0, 1, 2, 3, 4, 5], "rof": 1, "range": [4, 8, 12], "die": 8},
    "Lance": {"arc": [0], "rof": 3, "range": [9, 9, 30], "die": 12},
}
DESIGNS = {
    "Lancer": ("medium", ["rear", "side"], ["Laser Cannon", "Tail Gun"], 1, 0),
    "Gnat": ("light", ["rear", "side", "forward"], ["Turret"], 0, 1),
    "Bull": ("heavy", [], ["Lance", "Turret"], 0, 2),
    "Hulk": ("heavy", ["forward"], ["Laser Cannon"], 2, 1),
}
_NAMES = ("Alfa", "Bravo", "Char lie", 'D, "elta"; TARGETS', "É|cho: x", "Foxtrot")


def design(weight: str, thrusters: list[str], arms: list[str], armour: int, shields: int) -> Any:
    """A design as a scenario writes it."""
    return {
        "weight": weight,
        "thrusters": thrusters,
        "weapons": arms,
        "armour": armour,
        "shields": shields,
    }


def random_skies(rng: Random) -> dict[str, Any]:
    """A battle of one to three elements a side, some of them of another seat."""
    names = rng.sample(_NAMES, 6)
    teams = [_team(rng, n, names[3 * n : 3 * n + rng.randint(1, 3)]) for n in (0, 1)]
    rocks = [_rock(rng) for _ in range(rng.choice((0, 0, 3)))]
    first = rng.choice(({}, {"first": "red"}, {"first": "blue"}))
    return {
        "teams": teams,
        "turns": rng.randint(2, 6),
        "weapons": WEAPONS,
        "designs": {name: design(*built) for name, built in DESIGNS.items()},
        "asteroids": rocks,
        **first,
    }


def _team(rng: Random, number: int, names: list[str]) -> dict[str, Any]:
    elements = [_element(rng, number, name) for name in names]
    if len(elements) == 3:
        elements[2]["seat"] = f"Mate {number}"
    return {"name": ("red", "blue")[number], "elements": elements}


def _element(rng: Random, side: int, name: str) -> dict[str, Any]:
    q, r = (rng.randint(-20, 20) for _ in "qr")
    fighters = [
        {"name": f"{name} {n}", "skill": rng.randint(1, 4), "q": q + 2 * n, "r": r - n}
        for n in range(rng.choice((1, 2)))
    ]
    return {
        "name": name,
        "design": rng.choice(("Black Tiger", *DESIGNS)),
        "heading": rng.randint(0, 5),
        "speed": rng.choice((0, 1, 3, 5, 8, 12)),
        "fighters": fighters,
    }


def _rock(rng: Random) -> dict[str, int]:
    q, r = (rng.randint(-15, 15) for _ in "qr")
    return {"q": q, "r": r, "radius": rng.randint(1, 4)}
