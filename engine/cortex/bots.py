"""Bots of three strengths, to practise against: easy, sound and sharp."""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt

from engine.codec import change
from engine.cortex import tactics
from engine.cortex.cautious import next_of
from engine.cortex.hindrances import hindrance, poised
from engine.cortex.lead import standing
from engine.cortex.meaning import target_of
from engine.cortex.model import HOLD, Battle, Close, Order, Orders
from engine.cortex.resolve import resolve
from engine.cortex.tables import NEAREST_FOE
from engine.cortex.units import is_active, seat_of, team_of, to_order, unit_of, worst_pilot
from engine.dice import Dice, SeededDice
from engine.seats import REFEREE, Seat

_WHIM = 5
"""An easy bot does anything that comes to mind in three turns of this many."""
_WHIMS = (HOLD, "open", "evade", "close", HOLD)
_FEW, _MORE = 3, 8
"""How often a sharp bot plays each order out, and the best ones again."""
_BEST = 2
_TURNS = 2
"""How many it plays again, and for how many turns each time."""
_MOST = 7
"""The most orders that it tries for a unit."""


def easy(battle: Battle, seat: Seat, dice: Dice) -> Orders:
    """Return a beginner's orders: close and shoot with what comes first, or do just anything."""
    name = next_of(battle, seat)
    if name in battle.spotters:
        return tactics.sound(battle, name)
    if dice.roll(_WHIM, "whim") <= 3:
        do = _WHIMS[dice.roll(len(_WHIMS), "anything") - 1]
        return _able(battle, name, (Order(do, at=NEAREST_FOE if do == "close" else None),))
    return _able(battle, name, _plain(battle, name))


def _plain(battle: Battle, name: str) -> tuple[Order, ...]:
    """Return a unit's simplest attack: it closes, and fires its first gun."""
    by = worst_pilot(battle, unit_of(battle, name))
    guns = battle.vessels[by].guns
    gun = next((w.name for w in battle.sheets[by].weapons if guns[w.name] and not w.missile), None)
    shot = () if gun is None else (Order("fire", weapon=gun, at=NEAREST_FOE),)
    return (Order("close", at=NEAREST_FOE), *shot)


def _able(battle: Battle, name: str, orders: tuple[Order, ...]) -> Orders:
    """Return those orders that a unit can carry out, or else to hold."""
    telling = poised(battle)
    able = tuple(
        one
        for one in orders
        if hindrance(telling, name, change(one, at=target_of(battle, name, one)))
        in (None, "out of range")
    )
    return Orders(name, able or (Order(HOLD),))


def sound(battle: Battle, seat: Seat, dice: Dice) -> Orders:
    """Return the orders of one who knows what each shot is worth."""
    return tactics.sound(battle, next_of(battle, seat))


def sharp(battle: Battle, seat: Seat, dice: Dice) -> Orders:
    """Return the orders that do best where they are tried out: all others are expected to be sound.

    It tries each with the same dice, which are its own.
    """
    name = next_of(battle, seat)
    seeds = [str(dice.roll(1_000_000, "trial")) for _ in range(_FEW + _MORE)]
    # What others have filed is a secret.
    own = {n: filed for n, filed in battle.orders.items() if seat_of(battle, n) == seat}
    known = change(battle, orders=own)
    others = {n: tactics.sound(known, n) for n in to_order(known) if n != name}
    plain, *candidates = _candidates(known, name)
    if not candidates:
        return plain
    values = {one: _tried(known, one, others, seeds[:_FEW]) for one in (plain, *candidates)}
    best = sorted(candidates, key=lambda one: -sum(values[one]))[:_BEST]
    # Those that seemed best by luck are found out.
    for one in (plain, *best):
        values[one] += _tried(known, one, others, seeds[_FEW:])
    gains = {one: _gain(values[plain], values[one]) for one in best}
    return max((plain, *best), key=lambda one: gains.get(one, 0.0))


def _gain(plain: Sequence[float], other: Sequence[float]) -> float:
    """Return how much better orders did than the sound ones; below 0 where that may be luck."""
    gains = [one - sure for one, sure in zip(other, plain, strict=True)]
    mean = sum(gains) / len(gains)
    spread = sum((one - mean) ** 2 for one in gains) / len(gains)
    return mean - sqrt(spread / len(gains))


def _candidates(battle: Battle, name: str) -> list[Orders]:
    """Return the orders that a sharp bot considers, the sound ones first."""
    first = tactics.sound(battle, name)
    if name in battle.spotters:
        return [first]
    telling = poised(battle)
    found = [first.orders]
    shots = tuple(one for one in first.orders if one.do in ("fire", "lock", "launch"))
    stays = tuple(one for one in first.orders if one.do not in ("close", "defend"))
    near = target_of(battle, name, Order("close", at=NEAREST_FOE))
    # Who only keeps away from others wins nothing; with missiles it may.
    missiles = any(one.do in ("lock", "launch") for one in shots)
    for do in ("open", "close") if missiles else ("close",):
        course = Order(do, at=near if do == "close" else None)
        if hindrance(telling, name, course) is None:
            found.append((course, *(one for one in first.orders if one.do != "close")))
    armed = shots and "crew1" in battle.options
    press = Order("press", weapon=shots[0].weapon if armed else None)
    if shots and hindrance(telling, name, press) is None:
        # Under the first draft it takes the pilot's whole turn.
        full = "crew1" in battle.options and battle.sheets[name].scale != "spacecraft"
        found.append((press,) if full else (press, *stays))
    found += [(*one,) for one in tactics.others(telling, name, first.orders)]
    return [Orders(name, orders) for orders in dict.fromkeys(found) if orders][:_MOST]


def _tried(
    battle: Battle, filed: Orders, others: Mapping[str, Orders], seeds: Sequence[str]
) -> list[float]:
    """Return how well orders do with each of some dice, for the team that files them."""
    team = team_of(battle, seat_of(battle, filed.unit))
    found = []
    for seed in seeds:
        ones, foes = standing(_played(battle, {**others, filed.unit: filed}, seed))
        found.append(ones - foes if team == 0 else foes - ones)
    return found


def _played(battle: Battle, filed: Mapping[str, Orders], seed: str) -> Battle:
    """Play some turns in which all do the same again."""
    dice = SeededDice(b"sharp", seed, 0, b"")
    for _ in range(_TURNS):
        orders: dict[Seat, list[Orders | Close]] = {}
        for name in to_order(battle):
            seat = seat_of(battle, name)
            one = filed.get(name)
            if one is not None and seat is not None and _is_there(battle, name):
                # As in a scenario: what can't be done any more is left out when its time comes.
                orders.setdefault(seat, []).append(change(one, raw=True))
        battle, _ = resolve(battle, {**orders, REFEREE: [Close()]}, dice)
        if battle.over:
            break
    return battle


def _is_there(battle: Battle, name: str) -> bool:
    return name in battle.spotters or is_active(battle, name)


BY_STRENGTH: Mapping[str, Callable[[Battle, Seat, Dice], Orders]] = {
    "easy": easy,
    "sound": sound,
    "sharp": sharp,
}


def cost(battle: Battle, strength: str) -> int:
    """Return about what an order of a bot costs at most, in units of a Budget."""
    count = len(battle.sheets)
    if strength == "sharp":
        return 40_000 * count
    return 400 if strength == "easy" else 300 * count
