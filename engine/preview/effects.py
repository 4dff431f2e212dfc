"""What an order brings as things stand: it is played alone, and what differs then is told."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar

from engine.codec import Record
from engine.dice import Dice, Roll, SeededDice
from engine.i18n import say
from engine.letter_texts import Alone, Difference
from engine.ruleset import Ruleset
from engine.seats import Seat

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order

_SUCCESSES = 12
"""So many successes are enough for a mean: of three it was off by as much as three times."""
_TRIES, _EXTREMES = 30, 2
"""No order is tried more often, however seldom it succeeds; then with a first die that helps."""


class Effect(NamedTuple):
    """What an order brings if it succeeds: in a few words, and how much it harms opponents."""

    words: str
    harm: float = 0


def effect(ruleset: Ruleset[S, O], state: S, seat: Seat, order: O) -> str:
    """Return in a few words what an order that is legal now brings if it succeeds.

    It is "" in a system that does not say how effects are found.
    """
    return tried(ruleset, state, seat, order).words


def tried(ruleset: Ruleset[S, O], state: S, seat: Seat, order: O) -> Effect:
    """Return what an order that is legal now brings."""
    effects = ruleset.telling.effects
    if effects is None:
        return Effect("")
    imagined = cache(partial(_imagined, ruleset, state, seat))
    found = _differences(ruleset, state, imagined, seat, order)
    if found is None:
        return Effect(say("hardly ever succeeds"))
    told = list(dict.fromkeys(effects.words(imagined(0), seat, order, found)))
    words = say("{effects}", effects=told) if told else say("changes nothing now")
    return Effect(words, effects.harm(imagined(0), order, found))


def differences(ruleset: Ruleset[S, O], state: S, seat: Seat, order: O) -> list[Difference] | None:
    """Return what an order changes each time that it succeeds; None where it never did.

    What one of several successes leaves as it is stands there as it was before. The dice are the
    same for all orders, and never those of a game; what the seat may not know has no part in it.
    """
    return _differences(ruleset, state, partial(_imagined, ruleset, state, seat), seat, order)


def _differences(
    ruleset: Ruleset[S, O], state: S, imagined: Callable[[int], S], seat: Seat, order: O
) -> list[Difference] | None:
    """Return them; `imagined` returns the state in which a trial begins, by its number."""
    effects, changed = ruleset.telling.effects, list[dict[tuple[str, ...], tuple[Any, Any]]]()
    alone = _stepped(ruleset) if effects is None or effects.alone is None else effects.alone
    for number in range(_TRIES + _EXTREMES):
        if changed and number >= _TRIES:
            break
        dice = _FirstFalls(number)
        begin = imagined(number)
        after = alone(begin, seat, order, dice)
        if after.success:
            changed.append(
                {where: (before, now) for where, before, now in _unlike(begin, after.state)}
                | {("holds", key): (None, value) for key, value in after.holds.items()}
            )
            # Where all dice that fell only say whether it succeeds, each success is the same.
            if len(changed) == _SUCCESSES or (dice.settled and begin is state):
                break
    if not changed:
        return None
    places = {where: before for one in changed for where, (before, _) in one.items()}
    return [
        Difference(where, before, tuple(one.get(where, (0, before))[1] for one in changed))
        for where, before in places.items()
    ]


def _imagined(ruleset: Ruleset[S, O], state: S, seat: Seat, number: int) -> S:
    """Return the state, or one that is possible by what the seat knows where that is less."""
    imagine = None if ruleset.bots is None else ruleset.bots.imagine
    return state if imagine is None else imagine(state, seat, _FirstFalls(number))


def _stepped(ruleset: Ruleset[S, O]) -> Callable[[S, Seat, O, Dice], Alone]:
    """Return what carries out an order as a step of its own."""
    succeeded = ruleset.trials.succeeded

    def alone(state: S, seat: Seat, order: O, dice: Dice) -> Alone:
        after, events = ruleset.resolve(state, {seat: [order]}, dice)
        # What no die decides can't fail.
        return Alone(after, events, not (dice.rolls and succeeded) or succeeded(events))

    return alone


class _FirstFalls(SeededDice):
    """Dice of a trial, whose first die falls lowest and highest in turn if that decides success.

    So it does where the die has bounds; in the last trials it does so in any case. `settled` is
    whether nothing else was rolled.
    """

    def __init__(self, number: int) -> None:
        super().__init__(b"effects", "", number, b"")
        self._low, self._last = number % 2 == 0, number >= _TRIES
        self.settled = True

    def roll(self, sides: int, why: str, bounds: Sequence[int] = ()) -> int:
        if self.rolls or not (bounds or self._last):
            self.settled = False
            return super().roll(sides, why, bounds)
        result = 1 if self._low else sides
        self.rolls.append(Roll(sides, result, why))
        return result


def _unlike(
    before: Any, after: Any, where: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Yield each place where two states differ, with what stands there in both."""
    # States share what a step leaves as it is, so that most of them need no look at all.
    if isinstance(before, Record) and type(before) is type(after):
        for field in before.__struct_fields__:
            one, other = getattr(before, field), getattr(after, field)
            if one is not other and one != other:
                yield from _unlike(one, other, (*where, field))
    elif isinstance(before, dict) and isinstance(after, dict):
        for key in before | after:
            one, other = before.get(key), after.get(key)
            if one is not other and one != other:
                yield from _unlike(one, other, (*where, key))
    else:
        yield where, before, after
