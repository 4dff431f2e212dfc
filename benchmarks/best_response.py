"""How often a player who knows the sharp bot exactly beats it, in StarPilot and in Black Skies."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from math import sqrt
from typing import Any, NamedTuple

from benchmarks.simulation.duels import bouts, fight
from engine.blackskies import bots as skies
from engine.blackskies.bot_forecast import flight_of
from engine.blackskies.matrix_game import turned
from engine.blackskies.model import Battle as Skies
from engine.blackskies.model import Order as Card
from engine.blackskies.model import active, unordered
from engine.dice import Dice
from engine.registry import RULESETS
from engine.seats import Seat
from engine.starpilot.bots import fighter_of, leaving, position_of, sharp
from engine.starpilot.duel_solver import (
    ACTS,
    NUMBER,
    POSITIONS,
    TURNS,
    Fighter,
    chances_of,
    ranking,
)
from engine.starpilot.legal import orders
from engine.starpilot.model import Battle as Duel
from engine.starpilot.model import Order as Command
from engine.starpilot.model import opponents

_PATIENCE = 0.998
_SWEEPS, _STEADY, _CLOSE = 40, 20, 1e-3
"""A turn's delay costs next to nothing; sweeps of value iteration, how often each one follows the
tries that it found best, and the change that ends it."""

_KNOWING = "knowing"


class _Try(NamedTuple):
    """A command in a position: its chance, and by number where failure and success lead."""

    act: str
    chance: float
    failure: int
    success: int


class _Side:
    """What one of two fighters may try in each position, and what is known of where it leads.

    A number beyond those of the positions is that of a place in `known`: what the position is worth
    to the other after a hit, which has its own table.
    """

    def __init__(
        self, mover: Fighter, shooter: Fighter, after_hits: Callable[[Fighter], list[float]]
    ) -> None:
        self.known: list[float] = []
        self._numbers: dict[tuple[int, int], int] = {}
        hits = 0, shooter.beams, 1, shooter.missiles

        def led(position: int, blow: int) -> int:
            if not hits[blow]:
                return position
            key = position, hits[blow]
            if key not in self._numbers:
                self._numbers[key] = len(TURNS) + len(self.known)
                life = mover.life - hits[blow]
                hurt = mover._replace(life=life)
                self.known.append(after_hits(hurt)[position] if life > 0 else 1.0)
            return self._numbers[key]

        chances = chances_of(mover)
        self.tries = [
            [
                _Try(ACTS[act], chances[turn.lock][act], led(*turn.failure), led(*success))
                for act, success in turn.tries
                if chances[turn.lock][act] > 0
            ]
            or [_Try("", 0.0, led(*turn.failure), led(*turn.failure))]
            for turn in TURNS
        ]

    def best(self, other: Sequence[float]) -> list[_Try]:
        """Return the best try in each position; `other` is what positions are worth to the
        other."""
        after = [*other, *self.known]

        def to_the_other(attempt: _Try) -> float:
            _, chance, failure, success = attempt
            return after[failure] + chance * (after[success] - after[failure])

        return [min(tries, key=to_the_other) for tries in self.tries]


def _worths(tries: Sequence[_Try], after: Sequence[float]) -> list[float]:
    """Return what tries are worth; `after` is what positions are worth to the other."""
    return [
        -_PATIENCE * (after[failure] + chance * (after[success] - after[failure]))
        for _, chance, failure, success in tries
    ]


@lru_cache(maxsize=5000)
def values(me: Fighter, foe: Fighter) -> tuple[list[float], list[float], list[_Try]]:
    """Return what each position is worth to me on my move and to a sharp foe on its own, and my
    best try in each; 1 is a victory and -1 a defeat.

    No stat is lost here, but each hit takes one of those that a ship can take, and the last one
    destroys it. The foe does what the sharp bot does.
    """
    mine = _Side(me, foe, lambda hurt: values(hurt, foe)[1])
    its = _Side(foe, me, lambda hurt: values(me, hurt)[0])
    fixed = [_sharp_try(foe, me, number, tries) for number, tries in enumerate(its.tries)]
    own, other = [0.0] * len(TURNS), [0.0] * len(TURNS)
    if me.life > 1 and foe.life > 1:  # a start that is nearly right
        own, other, _ = values(me._replace(life=me.life - 1), foe._replace(life=foe.life - 1))
    for _ in range(_SWEEPS):
        before = own
        best = mine.best(other)
        for _ in range(_STEADY):
            own = _worths(best, other + mine.known)
            other = _worths(fixed, own + its.known)
        if max(abs(now - was) for now, was in zip(own, before, strict=True)) < _CLOSE:
            break
    return own, other, mine.best(other)


def _sharp_try(foe: Fighter, me: Fighter, number: int, tries: Sequence[_Try]) -> _Try:
    """Return what a sharp bot tries in a position."""
    legal = {attempt.act: attempt for attempt in tries}
    wishes = ranking(foe, me, POSITIONS[number])
    return next((legal[act] for act in wishes if act in legal), tries[0])


def duellist(battle: Duel, name: Seat, dice: Dice) -> Command:
    """Return the order of one who knows what the sharp bot does in each position of a duel."""
    legal = {order.command: order for order in orders(battle, name)}
    foe = opponents(battle, name)[0]
    if leaving(battle, name) or foe not in battle.pilots[name].found:
        return sharp(battle, name, dice)
    me, other = fighter_of(battle.pilots[name]), fighter_of(battle.pilots[foe])
    best = values(me, other)[2][NUMBER[position_of(battle, name, foe)]]
    return legal.get(best.act) or sharp(battle, name, dice)


def captain(battle: Skies, name: Seat, dice: Dice) -> Card:
    """Return the order of one who knows how often a sharp bot flies each card."""
    own = flight_of(battle, unordered(battle, name)[0])
    theirs = battle.sides[1 - own.element.side].elements
    foe = flight_of(battle, next(element for element in theirs if active(battle, element)))
    if own.harmless or foe.harmless:
        return skies.sharp(battle, name, dice)
    cards, theirs, matrix = skies.game(battle, own, foe)
    often = skies.shares(battle, foe, own, cards, turned(matrix))
    worths = [sum(worth * count for worth, count in zip(row, often, strict=True)) for row in matrix]
    return cards[max(range(len(cards)), key=worths.__getitem__)]


RESPONSES: Mapping[str, Callable[[Any, Seat, Dice], Any]] = {
    "starpilot": duellist,
    "blackskies": captain,
}


def measure(system: str, fleet: str, duels: int) -> tuple[int, int]:
    """Fight duels of a best response against the sharp bot; return how many it won and drew."""
    ruleset = RULESETS[system]
    assert ruleset.campaign is not None
    assert ruleset.bots is not None
    choose = {**ruleset.bots.choose, _KNOWING: RESPONSES[system]}
    known = replace(ruleset, bots=replace(ruleset.bots, choose=choose))
    found = bouts(ruleset.campaign, ruleset.campaign.fleets[fleet], (_KNOWING, "sharp"))
    scores = [
        (bout, fight(known, bout, number)) for number, bout in enumerate(islice(found, duels), 1)
    ]
    won = sum(
        score.winner is not None and bout.strengths[score.winner] == _KNOWING
        for bout, score in scores
    )
    return won, sum(score.winner is None for _, score in scores)


def main() -> None:
    """Fight duels of a best response against the sharp bot, and print how many it won."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.best_response", description=__doc__)
    parser.add_argument("system", choices=RESPONSES)
    parser.add_argument("--fleet", default="light")
    parser.add_argument("--duels", type=int, default=400)
    args = parser.parse_args()
    won, drawn = measure(args.system, args.fleet, args.duels)
    share = (won + drawn / 2) / args.duels
    error = sqrt(share * (1 - share) / args.duels)
    print(
        f"{args.duels} duels ({args.fleet}): the best response won {won} and drew {drawn}, "
        f"{100 * share:.1f} in 100 (a standard error is {100 * error:.1f})"
    )


if __name__ == "__main__":
    main()
