"""A sharp captain: it tries its plans out, and expects all others to give sound orders."""

from collections.abc import Sequence
from math import sqrt

from engine.codec import change
from engine.cortex import tactics
from engine.cortex.cautious import next_of
from engine.cortex.lead import standing
from engine.cortex.model import HOLD, Battle, Close, Orders
from engine.cortex.plans import plans
from engine.cortex.resolve import resolve
from engine.cortex.units import seat_of, team_of, to_order
from engine.dice import Dice, SeededDice
from engine.seats import REFEREE, Seat

_FEW, _MORE = 3, 8
"""How often each plan is tried, and the best ones again."""
_BEST = 2
"""How many are tried again."""
_MOST = 8
"""The most plans that it tries for a unit."""


def sharp(battle: Battle, seat: Seat, dice: Dice) -> Orders:
    """Return the orders that do best where they are tried out, each with the same dice."""
    name = next_of(battle, seat)
    seeds = [str(dice.roll(1_000_000, "trial")) for _ in range(_FEW + _MORE)]
    # What others have filed is a secret.
    own = {n: filed for n, filed in battle.orders.items() if seat_of(battle, n) == seat}
    known = change(battle, orders=own)
    if name in battle.spotters:
        return tactics.sound(known, name)
    others = [tactics.sound(known, n) for n in to_order(known) if n != name]
    filed = [*others, *(Orders(n, orders) for n, orders in own.items())]
    first, *rest = (Orders(name, plan) for plan in plans(known, name, filed)[:_MOST])
    if not rest:
        return first
    values = {one: _tried(known, one, others, seeds[:_FEW]) for one in (first, *rest)}
    best = sorted(rest, key=lambda one: -sum(values[one]))[:_BEST]
    # Those that seemed best by luck are found out.
    for one in (first, *best):
        values[one] += _tried(known, one, others, seeds[_FEW:])
    gains = {one: _gain(values[first], values[one]) for one in best}
    return max((first, *best), key=lambda one: gains.get(one, 0.0))


def _gain(first: Sequence[float], other: Sequence[float]) -> float:
    """Return how much better a plan did than the first one; below 0 where that may be luck."""
    gains = [one - sure for one, sure in zip(other, first, strict=True)]
    mean = sum(gains) / len(gains)
    spread = sum((one - mean) ** 2 for one in gains) / len(gains)
    return mean - sqrt(spread / len(gains))


def _tried(
    battle: Battle, filed: Orders, others: Sequence[Orders], seeds: Sequence[str]
) -> list[float]:
    """Return how well orders do with each of some dice, for the team that files them."""
    team = team_of(battle, seat_of(battle, filed.unit))
    found = []
    for seed in seeds:
        ones, foes = standing(_played(battle, [*others, filed], seed))
        found.append(ones - foes if team == 0 else foes - ones)
    return found


def _played(battle: Battle, filed: Sequence[Orders], seed: str) -> Battle:
    """Play the turn with these orders besides those on file.

    One turn says most: what comes of it later depends more on the dice than on the orders.
    """
    orders: dict[Seat, list[Orders | Close]] = {REFEREE: [Close()]}
    for one in filed:
        seat = seat_of(battle, one.unit)
        assert seat is not None
        # As in a scenario: what can't be done is left out when its time comes.
        done = tuple(order for order in one.orders if order.do != HOLD)
        orders.setdefault(seat, []).append(change(one, orders=done, raw=True))
    after, _ = resolve(battle, orders, SeededDice(b"sharp", seed, 0, b""))
    return after
