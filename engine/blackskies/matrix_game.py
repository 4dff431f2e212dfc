"""Two elements' next cards as a matrix game, and how often to fly each card in it."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.blackskies.bot_forecast import SURE, Flight, Pose, effort, flown, harm
from engine.blackskies.legal import manoeuvre, needed, offers
from engine.blackskies.model import Battle, Order, active
from engine.blackskies.tables import PILOT_DIE

_ROUNDS = 200
_RARE = 10
"""Rounds of fictitious play; a card chosen in less than one of ten of them is never flown."""
_NO_FIRE = 99
"""A penalty with which nothing can be hit: who fails the check does not fire (BS-14)."""

Matrix = list[list[int]]


class Try(NamedTuple):
    """A card that may be flown: in how many of six falls it is mastered, and where it leads."""

    order: Order
    penalty: int
    passes: int
    mastered: Pose
    failed: Pose

    @property
    def likely(self) -> Pose:
        """Where the card leads more often."""
        return self.mastered if 2 * self.passes >= PILOT_DIE else self.failed


def tries(battle: Battle, flight: Flight) -> list[Try]:
    """Return the cards that an element may fly."""
    name, found = flight.element.name, []
    lead = active(battle, name)[0]
    for order in (offer.order for offer in offers(battle, name)):
        if order.command == "fly":
            card = manoeuvre(order)
            need = needed(flight.design, lead, card.difficulty)
            passes = max(0, min(PILOT_DIE + 1 - need, PILOT_DIE))
            poses = flown(flight, card, order.by), flown(flight, card, None, False)
            found.append(Try(order, card.penalty, passes, *poses))
    return found


class Meeting(NamedTuple):
    """Two elements that are to fly a card each; `first` is whether ours is played first."""

    own: Flight
    foe: Flight
    first: bool

    def matrix(self, mine: Sequence[Try], theirs: Sequence[Try]) -> Matrix:
        """Return what each of our cards is worth against each of theirs."""
        return [
            [
                one.passes * self._worth(one.mastered, one.penalty, other)
                + (PILOT_DIE - one.passes) * self._worth(one.failed, _NO_FIRE, other)
                for other in theirs
            ]
            for one in mine
        ]

    def _worth(self, pose: Pose, penalty: int, other: Try) -> int:
        """Return the harm done less the harm taken, and who is nearer to the next good shot."""
        own, foe, there = self.own, self.foe, other.likely
        # Who plays first fires at where the other is now, and is fired at where it has gone.
        done = harm(own, pose, foe, foe.now if self.first else there, penalty)
        taken = harm(foe, there, own, pose if self.first else own.now, other.penalty)
        return done - taken + (effort(there, pose) - effort(pose, there)) * SURE // 100


def mixture(matrix: Matrix, expected: int | None) -> list[int]:
    """Return how often each row is to be chosen, by fictitious play.

    Each round each side chooses what is best against all that the other has chosen so far. A third
    of what counts for a row is the column that is `expected`: so habits are punished, and whoever
    foresees our own choice gains little by it.
    """
    rows, columns = [0] * len(matrix), [0] * len(matrix[0])
    chosen = [0] * len(matrix)
    for _ in range(_ROUNDS):
        row = max(range(len(rows)), key=rows.__getitem__)
        chosen[row] += 1
        columns = [sum(pair) for pair in zip(columns, matrix[row], strict=True)]
        column = min(range(len(columns)), key=columns.__getitem__)
        habit = column if expected is None else expected
        rows = [
            have + 2 * line[column] + line[habit] for have, line in zip(rows, matrix, strict=True)
        ]
    often = [count if count * _RARE >= _ROUNDS else 0 for count in chosen]
    return often if any(often) else chosen
