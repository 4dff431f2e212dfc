"""What the orders in hand would do by the next letters, tried out with dice of its own."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from engine.choosing import choices
from engine.dice import SeededDice
from engine.ruleset import Ruleset
from engine.seats import Seat
from engine.standing import Sheet

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order

TRIALS = 100


@dataclass(frozen=True, slots=True)
class Forecast:
    """What became of some trials: how many were won by a side, drawn, or went on.

    `first` is the order that is given next, and by whom; '' where nobody has one. `turns` is how
    many were taken on average.
    """

    trials: int
    won: Counter[str] = field(default_factory=Counter)
    drawn: int = 0
    turns: float = 0
    first: tuple[str, str] = ("", "")


def forecast(
    ruleset: Ruleset[S, O],
    state: S,
    sheets: Mapping[Seat, Sheet],
    silent: Collection[Seat],
    most: int,
    seed: str,
) -> Forecast:
    """Play the sheets on, many times, until nobody has an order or `most` turns were taken.

    Each of `silent` gets one cautious order where its sheet has none, as at a deadline. The dice
    hang on `seed` alone, which must not be a game's secret.
    """
    won: Counter[str] = Counter()
    drawn = taken = 0
    first = ("", "")
    for number in range(TRIALS):
        trial = _Trial(ruleset, state, sheets, silent)
        trial.play(most, SeededDice(b"forecast", seed, number, b""))
        outcome = ruleset.outcome(trial.state)
        if outcome is not None:
            won.update([outcome.winner] if outcome.winner else [])
            drawn += outcome.drawn
        taken += trial.turns
        first = trial.first
    return Forecast(TRIALS, won, drawn, round(taken / TRIALS, 1), first)


class _Trial:
    """One way in which a game may go on."""

    def __init__(
        self,
        ruleset: Ruleset[Any, Any],
        state: Any,
        sheets: Mapping[Seat, Sheet],
        silent: Collection[Seat],
    ) -> None:
        self.ruleset, self.state = ruleset, state
        self.sheets, self.silent = dict(sheets), set(silent)
        self.turns, self.first = 0, ("", "")

    def play(self, most: int, dice: SeededDice) -> None:
        """Take turns for as long as there are orders, at most so many."""
        while self.ruleset.outcome(self.state) is None and self.turns < most:
            acting = self.ruleset.to_act(self.state)
            orders = self._orders(acting)
            if acting and not orders:
                return
            self.state, _ = self.ruleset.resolve(self.state, orders, dice)
            self.turns += bool(orders)

    def _orders(self, acting: Collection[Seat]) -> dict[Seat, list[Any]]:
        """Give the order of the first seat that has one, by its sheet or else by caution."""
        for seat in acting:
            found = choices(self.ruleset, self.state, seat, self.sheets.get(seat, Sheet()))
            if found:
                self.sheets[seat] = found[0].sheet
                return self._note(seat, found[0].order)
        for seat in acting:
            if seat in self.silent:
                self.silent.discard(seat)
                return self._note(seat, self.ruleset.cautious(self.state, seat))
        return {}

    def _note(self, seat: Seat, order: Any) -> dict[Seat, list[Any]]:
        if not self.turns:
            self.first = (seat, self.ruleset.format(order))
        return {seat: [order]}
