"""Dice for the naive referees: listed ones, and the stream of dice.md."""

from __future__ import annotations

import hashlib
import hmac


class WrongDice(ValueError):
    """The dice of a scenario do not fit it; the text names the first that is wrong."""


class DiceList:
    """Dice that were rolled beforehand and are handed out one by one."""

    def __init__(self, numbers: list[int]) -> None:
        """Keep the list, of which nothing is used yet."""
        self.numbers = numbers
        self.rolled: list[tuple[int, int]] = []

    def roll(self, sides: int, _purpose: str) -> int:
        """Return the next result."""
        position = len(self.rolled)
        if position >= len(self.numbers):
            raise WrongDice(f"dice[{position}]: the dice have run out")
        number = self.numbers[position]
        if type(number) is not int or not 1 <= number <= sides:
            raise WrongDice(f"dice[{position}]: a d{sides} cannot show {number!r}")
        self.rolled.append((sides, number))
        return number

    def check_used_up(self) -> None:
        """Complain about dice that nobody rolled."""
        if len(self.rolled) != len(self.numbers):
            raise WrongDice(f"dice[{len(self.rolled)}]: left over")


class SeededDice:
    """The stream of dice.md, with the key that the project uses for a scenario's seed."""

    def __init__(self, seed: str) -> None:
        """Work out the key; the stream begins at its first byte."""
        secret = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()
        empty = hashlib.sha256(b"").digest()
        message = b"pbem-dice-1\x00" + b"replay" + b"\x00" + bytes(8) + empty
        self.key = hmac.new(secret, message, "sha256").digest()
        self.words = 0
        self.rolled: list[tuple[int, int]] = []

    def word(self) -> int:
        """The next four bytes."""
        block, place = divmod(self.words, 8)
        self.words += 1
        data = hmac.new(self.key, block.to_bytes(8, "big"), "sha256").digest()
        return int.from_bytes(data[4 * place : 4 * place + 4], "big")

    def roll(self, sides: int, _purpose: str) -> int:
        """Drop the words that would favour low results, and take the next one."""
        word = self.word()
        while word >= 2**32 - (2**32 % sides):
            word = self.word()
        self.rolled.append((sides, 1 + word % sides))
        return 1 + word % sides

    def check_used_up(self) -> None:
        """A stream has no end."""
