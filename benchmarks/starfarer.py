"""Starfarer, two squads of four: rounds a second of the engine, by mail, and the bot's time."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.playouts import LooseDice
from benchmarks.turns_by_mail import ByMail, Turn, by_mail, timed, turns_a_second
from engine.dice import SeededDice
from engine.seats import REFEREE
from engine.starfarer.model import Action, Battle, End, Entry, Plan, active, seats, to_plan
from engine.starfarer.rules import STARFARER
from tests.support.harness import open_league

_ROUNDS = 2
"""The rounds of each fight by mail, in which nearly all can act."""
_TRAITS = {"dexterity": 6, "agility": 6, "endurance": 7, "willpower": 6, "essence": 5}
_CARBINE = {"name": "carbine", "skill": "carbine", "mode": "ranged", "pr": 7, "dr": 5, "range": 3}
_KNIFE = {"name": "knife", "skill": "knife", "mode": "melee", "pr": 2, "dr": 3, "type": "blade"}
_SQUAD = 4


def _squad(name: str, at: int) -> dict[str, Any]:
    """Return a squad of soldiers in armour, side by side."""
    soldiers = [
        {
            "name": f"{name} {n}",
            "traits": _TRAITS,
            "initiative": 8 + n,
            "mass": 6,
            "resilience": 14,
            "stun": 12,
            "basic_shock": 14,
            "at": at + n,
            "skills": {"carbine": 5, "knife": 4, "evade": 4, "first aid": 4},
            "armour": [{"covers": ["chest", "abdomen"], "ratings": {"bullet": 10}}],
            "weapons": [{**_CARBINE, "type": "bullet"}, _KNIFE],
        }
        for n in range(_SQUAD)
    ]
    return {"name": name, "characters": soldiers}


SETUP = {
    "options": {"declaration": True, "modifiers": True},
    "field": 60,
    "teams": [_squad("red", 10), _squad("blue", 40)],
}
_ENTRIES: tuple[Entry, ...] = (
    ((Action("attack", at="nearest"), Action("evade")),),
    ((Action("attack", when="engaged", weapon="knife"), Action("attack", at="nearest")),),
    ((Action("treat", when="bleeding", area="chest"), Action("attack", at="nearest")),),
    ((Action("aim", at="nearest"),),),
    ((Action("evade", when="engaged"), Action("move", toward="nearest")),),
)


def _round(battle: Battle, rng: random.Random) -> Battle:
    """File a random plan for everybody, and play the round."""
    orders: dict[Any, list[Any]] = {REFEREE: [End()]}
    for name in to_plan(battle):
        plan = Plan(name, tuple(rng.choices(_ENTRIES, k=2)), rng.choice((None, "evade")))
        orders.setdefault(battle.sheets[name].seat, []).append(plan)
    after, _ = STARFARER.resolve(battle, orders, LooseDice(rng))
    return after


@dataclass(frozen=True, slots=True)
class Measured:
    """The engine's rounds a second alone, rounds by mail, and the bot's time.

    `sharp` are the processor seconds in which the sharp bot plans a round for four.
    """

    turns: float
    mail: ByMail
    sharp: float


def measure(folder: Path) -> Measured:
    """Play rounds without letters, then the first rounds of fights by mail."""
    start = STARFARER.setup(SETUP)

    def play(battle: Battle, rng: random.Random) -> Battle:
        # Again from the start, so that all eight can act.
        return _round(battle if len(active(battle)) == 2 * _SQUAD else start, rng)

    return Measured(turns_a_second(start, play), by_mail(folder, _fight), _sharp())


def _fight(folder: Path, seed: int) -> Iterator[Turn]:
    """Play rounds by mail, and yield what the letter that closes each took."""
    entropy = random.Random(seed).randbytes
    limits = {"letters_a_day": 1000}
    with open_league(folder, entropy=entropy, limits=limits, systems=("starfarer",)) as league:
        ann, bob = league.person("Ann"), league.person("Bob")
        for person, squad in ((ann, "Ravens"), (bob, "Kites")):
            person.join()
            names = (f"{squad[:-1]} {n}: {kind}" for n, kind in enumerate(_KINDS, 1))
            person.ask(f"SQUAD {squad} WITH {'; '.join(names)}")
        ann.ask("CHALLENGE Kites WITH Ravens")
        bob.new()
        bob.ask("ACCEPT 1")
        for _ in range(_ROUNDS):
            for person, squad in ((ann, "Raven"), (bob, "Kite")):
                plans = [f"{squad} {n}: ATTACK nearest\nEVADE" for n in range(1, 1 + _SQUAD)]
                turn = timed(league, person, plans)
            yield turn


_KINDS = ("scout", "guard", "duellist", "medic")


def _sharp() -> float:
    """Let the sharp bot plan the first round of one side, and return the processor's seconds."""
    battle = STARFARER.setup(SETUP)
    began, dice = process_time(), SeededDice(b"whims", "G1", 0, b"")
    seat = seats(battle)[0]
    for _ in range(_SQUAD):
        order = STARFARER.bot("sharp")(battle, seat, dice)
        battle, _ = STARFARER.resolve(battle, {seat: [order]}, dice)
    return process_time() - began
