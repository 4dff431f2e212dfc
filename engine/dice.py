"""Dice: the seeded stream that anyone can check, listed dice for replays, and exact odds."""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeVar

from engine.errors import DiceError

T = TypeVar("T")

_LABEL = b"pbem-dice-1"
"""What trials were seeded with from the start; no game's dice come from it any more."""

_MOST_DICE = 1000
_WORD = 2**32


class Roll(NamedTuple):
    """One roll of one die."""

    sides: int
    result: int
    why: str


class Dice(Protocol):
    """Something that can be rolled."""

    rolls: list[Roll]

    def roll(self, sides: int, why: str, bounds: Sequence[int] = ()) -> int:
        """Roll one die, 1 to `sides`.

        `bounds` are the results (ascending) up to which all falls mean the same, such as the
        skill of a check; they change no roll and only let `every_roll` take fewer steps.
        """


def canonical(value: object) -> str:
    """Return a value as canonical JSON: keys sorted, no spaces, ASCII only."""
    # ASCII only, so that a checking script in any language hashes the same bytes (docs/dice.md).
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest(text: str) -> bytes:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).digest()


def stream(key: bytes) -> Iterator[int]:
    """Yield the numbers of a key's stream, each 0 to 2^32 - 1 (docs/dice.md)."""
    block = 0
    while True:
        data = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(data[i : i + 4], "big") for i in range(0, 32, 4))
        block += 1


def trial_key(seed: bytes, name: str, number: int, text: bytes) -> bytes:
    """Return the key of dice for trials, such as forecasts, that belong to no game."""
    message = b"\0".join((_LABEL, name.encode(), number.to_bytes(8, "big") + text))
    return hmac.digest(seed, message, "sha256")


class KeyedDice:
    """Dice that are rolled from the stream of a key (docs/dice.md)."""

    def __init__(self, key: bytes) -> None:
        self.rolls: list[Roll] = []
        self._words = stream(key)

    def roll(self, sides: int, why: str, bounds: Sequence[int] = ()) -> int:
        """Roll one die, dropping words that would favour low faces."""
        # 2^32 is rarely a multiple of the sides: the words of the last, incomplete run are dropped.
        limit = _WORD - _WORD % sides
        word = next(self._words)
        while word >= limit:
            word = next(self._words)
        result = 1 + word % sides
        self.rolls.append(Roll(sides, result, why))
        return result


class SeededDice(KeyedDice):
    """Dice from a seed, for trials that belong to no game: forecasts, odds, balance, scenarios."""

    def __init__(self, seed: bytes, name: str, number: int, text: bytes) -> None:
        super().__init__(trial_key(seed, name, number, text))


class ListedDice:
    """Dice that fall as a list says. They raise DiceError, which names the position (from 0)."""

    def __init__(self, results: Sequence[object]) -> None:
        self.rolls: list[Roll] = []
        self._results = results

    def roll(self, sides: int, why: str, bounds: Sequence[int] = ()) -> int:
        """Take the next result of the list."""
        position = len(self.rolls)
        if position >= len(self._results):
            raise DiceError(f"dice[{position}]: the list runs out at the roll for {why}")
        # Tested only now: which results are possible depends on the die that the rules roll here.
        result = self._results[position]
        # Not isinstance: True is an int, and a JSON `true` is not a result.
        if type(result) is not int or not 1 <= result <= sides:
            raise DiceError(f"dice[{position}]: {result!r} can't be shown by a d{sides}")
        self.rolls.append(Roll(sides, result, why))
        return result

    def finish(self) -> None:
        """Raise DiceError when dice are left over."""
        used, given = len(self.rolls), len(self._results)
        if used < given:
            raise DiceError(f"dice[{used}]: {given - used} left over after the last order")


class _Branch(NamedTuple):
    result: int
    chance: Fraction
    last: int


class _ForkedDice:
    """Dice that follow a path of forced falls and take the first branch beyond it."""

    def __init__(self, path: Sequence[_Branch]) -> None:
        self.rolls: list[Roll] = []
        self.path = list(path)

    def roll(self, sides: int, why: str, bounds: Sequence[int] = ()) -> int:
        position = len(self.rolls)
        # Ties that are rolled again have no end (SP-9): the branch in which all tie would never
        # stop.
        if position >= _MOST_DICE:
            raise DiceError(f"more than {_MOST_DICE} dice may fall; their odds can't be counted")
        if position == len(self.path):
            self.path.append(_branch(0, sides, bounds))
        branch = self.path[position]
        # `next_path` asked for the branch just above -last, whose bounds are known only now.
        if branch.last < 0:
            branch = self.path[position] = _branch(-branch.last, sides, bounds)
        self.rolls.append(Roll(sides, branch.result, why))
        return branch.result

    def next_path(self) -> list[_Branch] | None:
        """Return the path to the next fall, or None after the last."""
        path = self.path
        # A die that has shown its highest face is done: go on with the die before it.
        while path and path[-1].last == self.rolls[len(path) - 1].sides:
            path.pop()
        if not path:
            return None
        return [*path[:-1], _Branch(0, Fraction(0), -path[-1].last)]


def _branch(after: int, sides: int, bounds: Sequence[int]) -> _Branch:
    """Return the branch of the results from `after` + 1 on, weighted by how many they are."""
    ends = [end for end in bounds if after < end < sides] if bounds else [after + 1]
    last = min(ends, default=sides)
    return _Branch(after + 1, Fraction(last - after, sides), last)


def every_roll(function: Callable[[Dice], T]) -> Iterator[tuple[Fraction, T]]:
    """Run a function once for every fall of its dice, with each fall's exact probability.

    Falls that a roll's `bounds` declare equal are run once, with their weights summed.
    The number of runs is the product of the branches: meant for single orders, not battles.
    Raise DiceError where dice never end, such as ties that are rolled again.
    """
    path: list[_Branch] | None = []
    while path is not None:
        dice = _ForkedDice(path)
        result = function(dice)
        # Fractions, so that the chances of all falls add up to 1 exactly.
        chance = Fraction(1)
        for branch in dice.path:
            chance *= branch.chance
        yield chance, result
        path = dice.next_path()
