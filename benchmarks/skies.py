"""Random playouts: turns a second of Black Skies, eight elements of two a side."""

import random
from time import perf_counter

from benchmarks.turns import LooseDice
from engine.blackskies.model import Battle, Order, seats
from engine.blackskies.rules import BLACKSKIES
from engine.blackskies.squadron import standard
from engine.seats import REFEREE

_SECONDS = 3.0
_ELEMENTS = 8
_END = Order(command="end")


def _side(name: str) -> dict[str, object]:
    """Give a side of Black Tigers."""
    elements = [
        {
            "name": f"{name}{n}",
            "design": "Black Tiger",
            "speed": 6,
            "fighters": [{"name": f"{name}{n}.{who}", "skill": 2} for who in (1, 2)],
        }
        for n in range(_ELEMENTS)
    ]
    return {"name": name, "elements": elements}


def _turn(battle: Battle, rng: random.Random) -> Battle:
    """Order a legal card for every element by chance, and close the turn."""
    orders = {}
    for seat in seats(battle):
        cards: dict[str, list[Order]] = {}
        for order, _ in BLACKSKIES.legal(battle, seat):
            if order.command == "fly":
                cards.setdefault(order.element, []).append(order)
        orders[seat] = [rng.choice(given) for given in cards.values()]
    after, _ = BLACKSKIES.resolve(battle, {**orders, REFEREE: [_END]}, LooseDice(rng))
    return after


def measure(seconds: float = _SECONDS) -> float:
    """Play battles for a while, and give turns a second."""
    start = BLACKSKIES.setup(standard(_side("red"), _side("blue"), first="red"))
    rng, battle, turns, began = random.Random(1), start, 0, perf_counter()
    while (spent := perf_counter() - began) < seconds:
        battle = start if battle.over else _turn(battle, rng)
        turns += 1
    return turns / spent
