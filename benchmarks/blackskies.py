"""Black Skies, eight elements of two on each side: turns a second of the engine, and by mail."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.playouts import LooseDice
from benchmarks.turns_by_mail import ByMail, Turn, by_mail, timed, turns_a_second
from engine.blackskies.challenge import standard
from engine.blackskies.model import Battle, Order, seats
from engine.blackskies.rules import BLACKSKIES
from engine.dice import SeededDice
from engine.seats import REFEREE, Seat
from pbem.games.session import Session
from tests.support.harness import open_league, skies

_ELEMENTS = 8
_TURNS = 2
"""The turns of each battle by mail, in which nearly all still fly."""
_END = Order(command="end")


def _side(name: str) -> dict[str, object]:
    """Return a side of Black Tigers."""
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
    """Order a random legal card for every element, and close the turn."""
    orders = {}
    for seat in seats(battle):
        cards: dict[str, list[Order]] = {}
        for order, _ in BLACKSKIES.offers(battle, seat):
            if order.command == "fly":
                cards.setdefault(order.element, []).append(order)
        orders[seat] = [rng.choice(given) for given in cards.values()]
    after, _ = BLACKSKIES.resolve(battle, {**orders, REFEREE: [_END]}, LooseDice(rng))
    return after


@dataclass(frozen=True, slots=True)
class Measured:
    """The engine's turns a second alone, and turns by mail."""

    turns: float
    mail: ByMail


def measure(folder: Path) -> Measured:
    """Play random turns without letters, then the first turns of battles by mail."""
    start = BLACKSKIES.setup(standard(_side("red"), _side("blue"), first="red"))

    def play(battle: Battle, rng: random.Random) -> Battle:
        return start if battle.over else _turn(battle, rng)

    return Measured(turns_a_second(start, play), by_mail(folder, _battle))


def _battle(folder: Path, seed: int) -> Iterator[Turn]:
    """Play turns by mail, and yield what the letter that closes each took."""
    entropy = random.Random(seed).randbytes
    with open_league(folder, entropy=entropy, limits={"letters_a_day": 1000}) as league:
        people = skies(league, *map(_muster, ("Hawks", "Kites")))
        seats, whims = [Seat("Hawks"), Seat("Kites")], SeededDice(b"whims", "G1", 0, b"")
        for _ in range(_TURNS):
            for person, seat in zip(people, seats, strict=True):
                state = Session(league.store, league.game).state
                turn = timed(league, person, _chosen(state, seat, whims))
            yield turn


def _chosen(state: Battle, seat: Seat, whims: SeededDice) -> list[str]:
    """Return a bot's orders for each element of a seat."""
    orders = []
    while BLACKSKIES.owing(state, seat):
        order = BLACKSKIES.bot("sound")(state, seat, whims)
        orders.append(BLACKSKIES.format(order))
        state, _ = BLACKSKIES.resolve(state, {seat: [order]}, whims)
    return orders


def _muster(name: str) -> str:
    """Return a squadron as its player writes it."""
    wings = (f"{name[:-1]}{n}: 2 Black Tiger SKILL 2" for n in range(_ELEMENTS))
    return f"{name} WITH " + "; ".join(wings)
