"""How often a player who knows the sharp bot exactly beats it, in StarPilot and in Black Skies."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from math import sqrt
from typing import Any, NamedTuple

from engine.blackskies import bots as skies
from engine.blackskies.bot_forecast import flight_of
from engine.blackskies.matrix_game import turned
from engine.blackskies.model import Battle as Skies
from engine.blackskies.model import Order as Card
from engine.blackskies.model import active, unordered
from engine.dice import Dice
from engine.library import RULESETS
from engine.seats import Seat
from engine.simulation.bouts import bouts, fight
from engine.starpilot.bots import fighter_of, leaving, position_of, sharp
from engine.starpilot.legal import orders
from engine.starpilot.model import Battle as Duel
from engine.starpilot.model import Order as Command
from engine.starpilot.model import opponents
from engine.starpilot.positions import (
    ACTS,
    NUMBER,
    POSITIONS,
    TURNS,
    Fighter,
    chances_of,
    ranking,
)

_PATIENCE = 0.998
_SWEEPS, _CLOSE = 300, 1e-3
"""A turn's delay costs next to nothing; sweeps of value iteration, and the change that ends it."""

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


def _worth(attempt: _Try, after: Sequence[float]) -> float:
    """Return what a try is worth; `after` is what positions are worth to the other."""
    failure = after[attempt.failure]
    return -_PATIENCE * (failure + attempt.chance * (after[attempt.success] - failure))


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
    for _ in range(_SWEEPS):
        before, after = own, other + mine.known
        own = [
            -_PATIENCE * min(after[f] + chance * (after[s] - after[f]) for _, chance, f, s in tries)
            for tries in mine.tries
        ]
        after = own + its.known
        other = [_worth(attempt, after) for attempt in fixed]
        if max(abs(now - was) for now, was in zip(own, before, strict=True)) < _CLOSE:
            break
    after = other + mine.known
    best = [max(tries, key=lambda each: _worth(each, after)) for tries in mine.tries]
    return own, other, best


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
