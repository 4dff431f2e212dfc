"""Cortex, two task groups of twelve vessels: turns a second of the engine, and by mail."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.playouts import LooseDice
from benchmarks.turns_by_mail import ByMail, Turn, by_mail, timed, turns_a_second
from engine.cortex.model import Battle, Close, Order, Orders
from engine.cortex.queries import active, active_in, leaders, seat_of, to_order
from engine.cortex.rules import CORTEX
from engine.dice import SeededDice
from engine.seats import REFEREE, Seat
from pbem.games.session import Session
from tests.support.harness import League, open_league

_TURNS = 2
"""The turns of each battle by mail, in which nearly all can act."""
_GROUP = 12
_FIGHTERS = 10
_CANNON = {"name": "cannon", "range": "skirmish", "damage": "d8", "count": 2, "linked": True}
_DART = {"name": "dart", "range": "short", "missile": True, "size": "light", "count": 2}
_FLAK = {"name": "flak", "range": "skirmish", "damage": "d6", "count": 4, "pd": True}
_RAILGUN = {"name": "railgun", "range": "capital", "damage": "d12+d2", "count": 12}


def _vessel(name: str, fighter: bool) -> dict[str, Any]:
    """Return a fighter with cannon and missiles, or a capital ship with its crew."""
    vessel = {"name": name, "str": "d6", "agi": "d8", "vit": "d6", "alt": "d6", "gunnery": "d8"}
    pilot = {"skill": "d8", "trait": "d4"}
    if fighter:
        weapons = [{**_CANNON}, {**_DART}]
        craft = {"scale": "planetcraft", "speed": 8, "lp": 14, "crew": {"pilot": pilot}}
    else:
        weapons = [{**_RAILGUN, "battery": True}, {**_FLAK}]
        crew = {"pilot": pilot, "commander": {"attr": "d8", "skill": "d8"}, "tactical": pilot}
        craft = {"scale": "spacecraft", "speed": 3, "lp": 150, "crew": crew}
    return {**vessel, **craft, "armour": {"stun": 2, "wound": 2}, "weapons": weapons}


SETUP = {
    "range": "capital",
    "teams": [
        {"name": team, "vessels": [_vessel(f"{team} {n}", n < _FIGHTERS) for n in range(_GROUP)]}
        for team in ("red", "blue")
    ],
}


def _orders(battle: Battle, name: str, rng: random.Random) -> tuple[Order, ...]:
    """Return what a vessel does in a turn: a course, a defence, and its guns."""
    foe = rng.choice(active_in(battle, 1 - battle.sheets[name].team))
    if battle.sheets[name].scale == "planetcraft":
        return (
            Order("close", at=foe),
            Order("defend"),
            Order(rng.choice(("lock", "launch")), weapon="dart", at=foe),
            Order("fire", weapon="cannon", at=foe),
        )
    return (
        Order("assist", to="guns"),
        Order("plot"),
        Order("evade"),
        Order("fire", weapon="railgun", at=foe, guns=6),
        Order("fire", weapon="railgun", at=foe, guns=6),
    )


def _turn(battle: Battle, rng: random.Random) -> Battle:
    """File orders for everybody, and play the turn."""
    orders: dict[Any, list[Any]] = {REFEREE: [Close()]}
    for name in leaders(battle):
        orders.setdefault(seat_of(battle, name), []).append(
            Orders(name, _orders(battle, name, rng))
        )
    after, _ = CORTEX.resolve(battle, orders, LooseDice(rng))
    return after


@dataclass(frozen=True, slots=True)
class Measured:
    """The engine's turns a second alone, and turns by mail."""

    turns: float
    mail: ByMail


def measure(folder: Path) -> Measured:
    """Play random turns without letters, then the first turns of battles by mail."""
    start = CORTEX.setup(SETUP)

    def play(battle: Battle, rng: random.Random) -> Battle:
        # Again from the start, so that all twenty-four can act.
        return _turn(battle if len(active(battle)) == 2 * _GROUP else start, rng)

    return Measured(turns_a_second(start, play), by_mail(folder, _battle))


def _battle(folder: Path, seed: int) -> Iterator[Turn]:
    """Play turns by mail, and yield what the letter that closes each took."""
    entropy = random.Random(seed).randbytes
    limits = {"letters_a_day": 1000}
    with open_league(folder, entropy=entropy, limits=limits, systems=("cortex",)) as league:
        ann, bob = league.person("Ann"), league.person("Bob")
        for person, group in ((ann, "Ravens"), (bob, "Kites")):
            person.join()
            person.ask(f"GROUP {group} WITH {group[0]}: 10 fighters; {group[1]}: 2 gunboats")
        ann.ask("CHALLENGE Kites WITH Ravens")
        bob.new()
        bob.ask("ACCEPT 1")
        whims = SeededDice(b"whims", "G1", 0, b"")
        for _ in range(_TURNS):
            for person, seat in ((ann, "Ravens"), (bob, "Kites")):
                turn = timed(league, person, list(_written(league, Seat(seat), whims)))
            yield turn


def _written(league: League, seat: Seat, whims: SeededDice) -> Iterator[str]:
    """Yield what a bot would order for each vessel of a seat, as its player writes it."""
    battle: Battle = Session(league.store, league.game).state
    while any(seat_of(battle, name) == seat for name in to_order(battle)):
        order = CORTEX.bot("sound")(battle, seat, whims)
        yield CORTEX.format(order)
        battle, _ = CORTEX.resolve(battle, {seat: [order]}, whims)
