"""What the orders on file would probably do until the next letters, tried out with other dice."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from engine.dice import SeededDice
from engine.orders.orders_on_file import Choice, Sheet, choices, extras, sheet_cost
from engine.play import completed
from engine.preview.budget import Budget
from engine.ruleset import AnyRuleset, Ruleset
from engine.seats import REFEREE, Seat

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order

TRIALS = 100
"""The most trials that there are."""
_LIKE = "easy"
"""The bot whose order costs as much as a turn, apart from looking at a sheet."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The results of some trials: how many each side won, how many were drawn, or went on.

    `first` is the seat and the order that come next, ('', '') where nobody has one. `turns` is the
    mean number of turns taken.
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
    budget: Budget,
    forced: bool = False,
) -> Forecast | None:
    """Play the sheets many times, until nobody has an order or `most` turns were taken.

    Each seat in `silent` gets cautious orders for one turn where its sheet has none, as at a
    deadline; with `forced` a seat without a choice gives its only order. Where all act together, a
    turn holds the orders of all. The dice depend on `seed`
    alone, which must not be a game's secret: a forecast must reveal nothing of the dice to come.
    There are as many trials as the budget allows; None where not even one can be paid.
    """
    look = sum(map(sheet_cost, sheets.values()))
    each = ruleset.cost(state, _LIKE) * max(1, len(ruleset.to_act(state))) + look
    left = budget.left // each
    if not left:
        return None
    won: Counter[str] = Counter()
    drawn = taken = 0
    first = ("", "")
    trials = spent = 0
    for number in range(TRIALS):
        trial = _Trial(ruleset, state, sheets, silent, forced)
        whole = trial.play(most, SeededDice(b"forecast", seed, number, b""), left - spent)
        # A trial that the budget cuts short says little: it counts only where it is the only one.
        if not whole and trials:
            spent = left
            break
        trials, spent = trials + 1, spent + trial.steps
        outcome = ruleset.outcome(trial.state)
        if outcome is not None:
            won.update([outcome.winner] if outcome.winner else [])
            drawn += outcome.drawn
        taken += trial.turns
        first = trial.first
    budget.spend(each * spent)
    return Forecast(trials, won, drawn, round(taken / trials, 1), first)


class _Trial:
    """One way in which a game may go on."""

    def __init__(
        self,
        ruleset: AnyRuleset,
        state: Any,
        sheets: Mapping[Seat, Sheet],
        silent: Collection[Seat],
        forced: bool,
    ) -> None:
        self.ruleset, self.state, self.forced = ruleset, state, forced
        self.sheets, self.silent = dict(sheets), set(silent)
        self.turns, self.steps, self.first = 0, 0, ("", "")

    def play(self, most: int, dice: SeededDice, longest: int) -> bool:
        """Take turns for as long as there are orders, at most `most`.

        Return False where it ends because `longest` steps were taken.
        """
        while self.turns < most and (phase := self.ruleset.phase(self.state)).outcome is None:
            # Nobody can foretell what a person will rule.
            if phase.awaiting is not None:
                return True
            if self.steps >= longest:
                return False
            self.steps += 1
            choose = self._together if phase.simultaneous else self._next
            orders = choose(phase.owing)
            if phase.owing and not orders:
                return True
            self.state, _ = self.ruleset.resolve(self.state, orders, dice)
            # Steps without orders, such as the initiative, are not turns.
            self.turns += bool(orders)
        return True

    def _next(self, acting: Iterable[Seat]) -> dict[Seat, list[object]]:
        """Return the order of the first seat that has one: by its sheet, or the only one it can
        give; else a cautious one."""
        for seat in acting:
            found = self._own(seat)
            if found:
                return self._note(seat, found[:1])
            only = self.ruleset.forced(self.state, seat) if self.forced else None
            if only is not None:
                return self._note(seat, [only])
        for seat in acting:
            if seat in self.silent:
                self.silent.discard(seat)
                return self._note(seat, [self.ruleset.cautious(self.state, seat)])
        return {}

    def _together(self, owing: Mapping[Seat, Sequence[str]]) -> dict[Seat, list[object]]:
        """Return the orders of one turn of all, and its end; none where it has to wait."""
        orders = {seat: self._own(seat) for seat in owing}
        lacking = [seat for seat in owing if len(orders[seat]) < len(owing[seat])]
        if not owing or not self.silent.issuperset(lacking):
            return {}
        # For one turn only: the forecast ends before the next letters, and so before the next
        # deadline.
        self.silent.clear()
        for seat in lacking:
            orders[seat] = completed(
                self.ruleset, self.state, seat, orders[seat], self.ruleset.cautious
            )
        first = next(iter(owing))
        self._note(first, orders[first])
        for seat in self.sheets:
            more = self._taken(seat, extras)
            if more:
                orders[seat] = [*orders.get(seat, ()), *more]
        return {**orders, REFEREE: [self.ruleset.parse(self.state, REFEREE, "END")]}

    def _own(self, seat: Seat) -> list[object]:
        """Return the orders that a seat's sheet has now, and take the queued ones off it."""
        return self._taken(seat, choices)

    def _taken(self, seat: Seat, chosen: Callable[..., list[Choice]]) -> list[object]:
        found = chosen(self.ruleset, self.state, seat, self.sheets.get(seat, Sheet()))
        if found:
            self.sheets[seat] = found[-1].sheet
        return [choice.order for choice in found]

    def _note(self, seat: Seat, orders: list[object]) -> dict[Seat, list[object]]:
        if not self.turns:
            self.first = (seat, self.ruleset.format(orders[0]))
        return {seat: orders}
