"""Black Skies, eight elements of two on each side: turns a second of the engine, and by mail."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from benchmarks.turns import LooseDice
from engine.blackskies.model import Battle, Order, seats
from engine.blackskies.rules import BLACKSKIES
from engine.blackskies.squadron import standard
from engine.dice import SeededDice
from engine.seats import REFEREE, Seat
from pbem.games.session import Session
from tests.support.harness import open_league, skies

_SECONDS = 3.0
_ELEMENTS = 8
_BATTLES, _TURNS = 3, 2
"""Battles by mail after one to warm up, and the turns of each, in which nearly all still fly."""
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
    """The engine's turns a second alone; the wall and processor seconds of turns by mail, and
    letters."""

    turns: float
    by_mail: list[float]
    cpu: list[float]
    letters: int
    kib: float


def measure(folder: Path) -> Measured:
    """Play random turns without letters, then the first turns of battles by mail."""
    turns, taken = _engine(), []
    for battle in range(1 + _BATTLES):
        home = folder / f"battle-{battle}"
        home.mkdir()
        played = list(_by_mail(home, battle))
        taken += played if battle else []
    seconds, cpu, letters = (list(each) for each in zip(*taken, strict=True))
    size = median(sum(map(len, sent)) for sent in letters)
    return Measured(turns, seconds, cpu, max(map(len, letters)), size / 1024)


def _engine(seconds: float = _SECONDS) -> float:
    """Play battles for some seconds, and return turns a second."""
    start = BLACKSKIES.setup(standard(_side("red"), _side("blue"), first="red"))
    rng, battle, turns, began = random.Random(1), start, 0, perf_counter()
    while (spent := perf_counter() - began) < seconds:
        battle = start if battle.over else _turn(battle, rng)
        turns += 1
    return turns / spent


def _by_mail(folder: Path, seed: int) -> Iterator[tuple[float, float, list[bytes]]]:
    """Play turns by mail; yield each turn's wall seconds, processor seconds, and letters.

    A turn is measured from the letter that closes it to the last report sent, its maps drawn.
    """
    entropy = random.Random(seed).randbytes
    with open_league(folder, entropy=entropy, limits={"letters_a_day": 1000}) as league:
        people = skies(league, *map(_muster, ("Hawks", "Kites")))
        seats, whims = [Seat("Hawks"), Seat("Kites")], SeededDice(b"whims", "G1", 0, b"")
        for _ in range(_TURNS):
            for person, seat in zip(people, seats, strict=True):
                state = Session(league.store, league.game).state
                orders = _chosen(state, seat, whims)
                person.reply("\n".join(orders), person.last_about("[G1-T"))
                before, began, cpu = len(league.post.letters), perf_counter(), process_time()
                league.work()
                spent = perf_counter() - began, process_time() - cpu
            yield *spent, [raw for _, raw in league.post.letters[before:]]


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
