"""Two elements' next cards as a matrix game, and how often to fly each card in it."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.blackskies.bot_forecast import (
    Flight,
    Party,
    Prospect,
    damage,
    destroys,
    flown,
    outlook,
    prospect,
)
from engine.blackskies.legal import manoeuvre, needed, offers
from engine.blackskies.model import Battle, Order, active
from engine.blackskies.tables import PILOT_DIE

_ROUNDS = 400
_RARE = 20
"""Rounds of fictitious play; a card chosen in less than one of twenty of them is never flown."""
_NO_FIRE = 99
"""A penalty with which nothing can be hit: who fails the check does not fire (BS-14)."""

_FINE = 1_000_000
"""Worths are rounded to whole numbers, so that a card is not chosen for the last bit of one."""

Matrix = list[list[int]]


class End(NamedTuple):
    """How a card may end: in how many of six falls, where, and the penalty to fire there."""

    falls: int
    prospect: Prospect
    penalty: int


class Try(NamedTuple):
    """A card that may be flown, and how it may end: mastered or not."""

    order: Order
    ends: tuple[End, ...]


def tries(battle: Battle, flight: Flight) -> list[Try]:
    """Return the cards that an element may fly."""
    name, found = flight.element.name, []
    lead = active(battle, name)[0]
    for order in (offer.order for offer in offers(battle, name)):
        if order.command == "fly":
            card = manoeuvre(order)
            need = needed(flight.design, lead, card.difficulty)
            passes = max(0, min(PILOT_DIE + 1 - need, PILOT_DIE))
            mastered = End(passes, prospect(flown(flight, card, order.by)), card.penalty)
            failed = End(PILOT_DIE - passes, prospect(flown(flight, card, None, False)), _NO_FIRE)
            # What cannot happen is left out: each pair of ends costs a forecast.
            found.append(Try(order, tuple(end for end in (mastered, failed) if end.falls)))
    return found


class Meeting(NamedTuple):
    """Two elements that are to fly a card each; the card of `first` is played first."""

    first: Party
    second: Party

    def matrix(self, ones: Sequence[Try], others: Sequence[Try]) -> Matrix:
        """Return what each card of the first is worth against each of the second, to the first."""
        return [[self._worth(one, other) for other in others] for one in ones]

    def _worth(self, one: Try, other: Try) -> int:
        worth = sum(
            end.falls * reply.falls * self._wins(end, reply)
            for end in one.ends
            for reply in other.ends
        )
        return round(_FINE * worth)

    def _wins(self, end: End, reply: End) -> float:
        """Return who is expected to win: from 1, surely the first, to -1, surely the second."""
        first, second = self
        at, there = end.prospect.pose, reply.prospect.pose
        # The first fires at the place where the second is now; the second fires after its move.
        dealt = damage(first, at, second, second.flight.now, end.penalty)
        won = destroys(dealt, second.life)
        lost = damage(second, there, first, at, reply.penalty)
        # A second that is destroyed first does not fire (BS-21).
        fallen = (1 - won) * destroys(lost, first.life)
        after = outlook(first, end.prospect, lost, second, reply.prospect, dealt)
        # What neither shot decides is left to the position after the turn.
        return won - fallen + (1 - won - fallen) * after


def turned(matrix: Matrix) -> Matrix:
    """Return the same game as the other side sees it."""
    # What one side wins the other loses.
    return [[-worth for worth in column] for column in zip(*matrix, strict=True)]


def mixture(matrix: Matrix, expected: int | None) -> list[int]:
    """Return how often each row is to be chosen, by fictitious play.

    Each round each side chooses what is best against all that the other has chosen so far. A third
    of what counts for a row is the column that is `expected`. So habits are punished, and an enemy
    who foresees our own choice gains little by it.
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
    # Fictitious play begins with cards that it gives up later; those should not be flown.
    often = [count if count * _RARE >= _ROUNDS else 0 for count in chosen]
    return often if any(often) else chosen
