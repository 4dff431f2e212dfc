"""How a fight may go on from here, from many simulated fights and public facts alone."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from engine.dice import Dice, SeededDice, canonical
from engine.orders.orders_on_file import Sheet, choices, lines, sheet_cost
from engine.play import Flyer, Turn, bot_flyer, play_on
from engine.preview.budget import Budget
from engine.ruleset import Ruleset
from engine.seats import Seat

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order

FOE = "sound"
COUNTED = 100
"""The fewest fights from which shares in percent are told; fewer say only who seems ahead."""
_FEWEST = 2
"""No fight is begun where the budget can't pay this many orders for each seat."""
SOON = 10
_FIGHTS = 200
_LONGEST = 200
"""The most fights, and the most turns of each."""


@dataclass(frozen=True, slots=True)
class Odds:
    """The results of simulated fights: shares in percent, and mean hits in the next `soon` turns.

    `open` is the share of fights that were drawn, or not over after 200 turns. The `verdict` is
    `counted` where there were enough fights for shares, or else `even`, `ahead`, `behind`, or
    `open` where most had no winner. There were no `fights` where not even one could be paid whole.
    """

    fights: int
    won: int
    lost: int
    open: int
    verdict: str
    soon: int
    taken: float
    given: float


def odds(
    ruleset: Ruleset[S, O], state: S, seat: Seat, sheet: Sheet, seed: str, budget: Budget
) -> Odds | None:
    """Play a seat's order sheet against sound bots, as often as a budget allows.

    The dice depend on `seed`, which must be public, and on the sheet. Where the sheet has no legal
    order, a sound bot plays for it; so do its team-mates. None where no fight can be begun. The
    system must have sound bots.
    """
    each = ruleset.cost(state, FOE) + sheet_cost(sheet)
    most = budget.left // each
    if most < _FEWEST * len(ruleset.to_act(state)):
        return None
    # The sheet is part of the seed: the same question always has the same answer.
    key = canonical([seed, seat, *sheet.queue, *lines(sheet)])
    found: Counter[str] = Counter()
    for number in range(_FIGHTS):
        dice, whims = (SeededDice(use, key, number, b"") for use in (b"odds", b"whims"))
        flyers = {s: bot_flyer(ruleset, FOE, s, whims) for s in ruleset.seats(state)}
        flyers[seat] = sheet_flyer(ruleset, seat, sheet, flyers[seat])
        # Once for each fight: what the seat can't see may differ each time.
        begin = _imagined(ruleset, state, seat, whims)
        turns = play_on(ruleset, begin, flyers, dice)
        fight = _fight(ruleset, begin, seat, turns, most - found["orders"])
        # One that is cut says nothing of who wins. What it took counts, to be paid for.
        if fight["cut"]:
            found["orders"] += fight["orders"]
            break
        found += fight
    budget.spend(each * most if found["orders"] >= most else each * found["orders"])
    return _summed(found)


def _imagined(ruleset: Ruleset[S, O], state: S, seat: Seat, whims: Dice) -> S:
    """Return a state that is possible by what a seat may know."""
    imagine = None if ruleset.bots is None else ruleset.bots.imagine
    return state if imagine is None else imagine(state, seat, whims)


def _fight(
    ruleset: Ruleset[S, O], state: S, seat: Seat, turns: Iterable[Turn], most: int
) -> Counter[str]:
    """Count what becomes of one fight; it is cut after so many orders."""
    found = Counter(fights=1)
    for number, turn in enumerate(islice(turns, _LONGEST)):
        state = turn.state
        found["orders"] += turn.orders
        if number < SOON:
            found.update(_hits(ruleset, state, seat, turn.events))
        if found["orders"] >= most and ruleset.outcome(state) is None:
            found["cut"] = 1
            break
    outcome, side = ruleset.outcome(state), ruleset.side(state, seat)
    if outcome is not None and outcome.winner is not None:
        found["won" if outcome.winner == side else "lost"] += 1
    return found


def _hits(ruleset: Ruleset[S, O], state: S, seat: Seat, events: Iterable[object]) -> Iterator[str]:
    """Yield "taken" for each hit on the seat, and "given" for each hit on the other side."""
    side = ruleset.side(state, seat)
    for struck in map(ruleset.telling.struck, events):
        if struck == seat:
            yield "taken"
        elif struck is not None and ruleset.side(state, struck) != side:
            yield "given"


def _summed(found: Counter[str]) -> Odds:
    fights = found["fights"]
    won, lost = (round(100 * found[key] / max(fights, 1)) for key in ("won", "lost"))
    taken, given = (round(found[key] / max(fights, 1), 1) for key in ("taken", "given"))
    open_ = max(100 - won - lost, 0)
    return Odds(fights, won, lost, open_, _verdict(found), SOON, taken, given)


def _verdict(found: Counter[str]) -> str:
    """Return what some fights allow to say."""
    if found["fights"] >= COUNTED:
        return "counted"
    lead, decided = found["won"] - found["lost"], found["won"] + found["lost"]
    if 2 * decided < found["fights"]:
        return "open"
    # Of so many even fights, chance alone makes a lead of this square one time in three.
    if lead * lead <= decided:
        return "even"
    return "ahead" if lead > 0 else "behind"


def sheet_flyer(
    ruleset: Ruleset[S, O], seat: Seat, sheet: Sheet, instead: Flyer[S, O]
) -> Flyer[S, O]:
    """Return a flyer that follows an order sheet, and `instead` where it has no legal order."""
    left = sheet

    def fly(state: S) -> O:
        nonlocal left
        found = choices(ruleset, state, seat, left)
        if not found:
            return instead(state)
        left = found[0].sheet
        order: O = found[0].order
        return order

    return fly
