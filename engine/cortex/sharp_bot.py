"""A sharp captain: it tries its plans out, and expects all others to give sound orders."""

from collections.abc import Iterator, Sequence
from math import sqrt

from engine.codec import change
from engine.cortex import sound_bot
from engine.cortex.default_targets import life
from engine.cortex.legal import hindrance, poised
from engine.cortex.model import HOLD, Battle, Close, Order, Orders, Weapon
from engine.cortex.queries import (
    active_in,
    band,
    next_of,
    seat_of,
    team_of,
    to_order,
    unit_of,
    worst_pilot,
)
from engine.cortex.resolve import resolve
from engine.cortex.tables import MOST_ACTIONS, MOST_IN_BATTERY, SKIRMISH, SPACECRAFT, TENTHS
from engine.cortex.turn_state import Turn
from engine.cortex.weapons import is_battery, is_linked
from engine.cortex.written_orders import MOST_ORDERS
from engine.dice import Dice, SeededDice
from engine.seats import REFEREE, Seat

Plan = tuple[Order, ...]

_FALLBACKS = 3
"""At so many enemies a gun is fired, in this order, until one of them is still there."""
_CREW = ("assist", "sense", "plot")
_BURST = 12
"""The most orders with which a ship locks and launches its missiles in a turn."""


class Look:
    """A unit before its turn, with what all others are expected to do."""

    def __init__(self, battle: Battle, name: str, filed: Sequence[Orders]) -> None:
        self.battle, self.name, self.filed = battle, name, filed
        self.play: Turn = poised(battle)
        self.sound = sound_bot.sound(battle, name).orders
        self.by = worst_pilot(battle, unit_of(battle, name))
        self.team = battle.sheets[name].team
        self.foes = active_in(battle, 1 - self.team)
        self.small = battle.sheets[name].scale != SPACECRAFT

    def can(self, order: Order) -> bool:
        """Return whether nothing hinders an order now."""
        return hindrance(self.play, self.name, order) is None


def plans(battle: Battle, name: str, filed: Sequence[Orders]) -> list[Plan]:
    """Return what a unit might do, the likeliest first; what a sound captain orders is in it."""
    look = Look(battle, name, filed)
    # Officers do what a sound captain has them do; flight, guard and attack are tried out.
    crew = tuple(one for one in look.sound if one.do in _CREW)
    targets = _targets(look)
    flights = list(dict.fromkeys(_flights(look, targets)))
    guards = list(_guards(look))
    attacks = list(dict.fromkeys(_attacks(look, targets, guards[0])))
    found = [(*crew, *flights[0], *guards[0], *attack) for attack in attacks]
    # One part is varied at a time: all combinations would be too many to try.
    found += [(*crew, *flights[0], *guard, *attacks[0]) for guard in guards[1:]]
    found += [(*crew, *flight, *guards[0], *attacks[0]) for flight in flights[1:]]
    # A missile that is about to hit comes first, and takes the whole turn (CX-44).
    if look.sound[0].do == "outfly":
        found.insert(0, look.sound)
    found.append(look.sound)
    # A ship with many guns at many enemies has more shots than an order may hold.
    return [plan for plan in dict.fromkeys(plan[:MOST_ORDERS] for plan in found) if plan]


def _targets(look: Look) -> list[str]:
    """Return whom a unit may fire at in this turn, those first of whom a shot takes most."""
    near = {one.at for one in look.sound if one.do == "close"}
    found: dict[str, tuple[float, bool]] = {}
    for foe in look.foes:
        shots = [shot for weapon, shot in _shots(look, foe) if not weapon.pd or look.small]
        if shots:
            worth = max(sound_bot.worth(look.play, look.name, shot) for shot in shots)
            found[foe] = worth, foe in near
    return sorted(found, key=lambda foe: found[foe], reverse=True)


def _shots(look: Look, foe: str) -> Iterator[tuple[Weapon, Order]]:
    """Yield a shot of each weapon at an enemy that is in reach, or may come into it."""
    battle = look.battle
    for weapon in battle.sheets[look.by].weapons:
        shot = Order("fire", weapon=weapon.name, at=foe)
        reason = hindrance(look.play, look.name, shot)
        # A course of this turn may bring it nearer by a step before anybody fires (CX-17, CX-20).
        soon = not battle.atmosphere and band(battle, look.by, foe) <= weapon.range + 1
        if reason is None or (reason == "out of range" and soon):
            yield weapon, shot


def _flights(look: Look, targets: list[str]) -> Iterator[Plan]:
    """Yield courses, the likeliest first; () is none."""
    course = tuple(one for one in look.sound if one.do == "close")
    if course:
        yield course
    elif targets and band(look.battle, look.by, targets[0]) == SKIRMISH:
        # It costs nothing, and holds an enemy that wants to get away.
        close = Order("close", at=targets[0])
        yield (close,) if look.can(close) else ()
    yield ()
    if look.can(Order("open")):
        yield (Order("open"),)
    if targets and look.can(Order("close", at=targets[0])):
        yield (Order("close", at=targets[0]),)
    if look.small:
        strafes = (Order("strafe", at=foe) for foe in targets)
        joins = (Order("join", at=one) for one in active_in(look.battle, look.team))
        for courses in (strafes, joins):
            able = next((one for one in courses if look.can(one)), None)
            if able is not None:
                yield (able,)


def _guards(look: Look) -> Iterator[Plan]:
    """Yield what the pilot does for the defence, the likeliest first; () is nothing."""
    if look.small:
        guard = (Order("defend"),) if look.can(Order("defend")) else ()
        # To defend costs a shot a step, so it is the likelier only where somebody shoots (CX-15).
        yield from (guard, ()) if _is_shot_at(look) else ((), guard)
        return
    yield ()
    for do in ("press", "evade", "defend"):
        if look.can(Order(do)):
            yield (Order(do),)


def _is_shot_at(look: Look) -> bool:
    """Return whether an enemy is expected to fire at a unit."""
    unit, sheets = unit_of(look.battle, look.name), look.battle.sheets
    return any(
        order.do == "fire" and order.at in unit
        for filed in look.filed
        if filed.unit in sheets and sheets[filed.unit].team != look.team
        for order in filed.orders
    )


def _attacks(look: Look, targets: list[str], guard: Plan) -> Iterator[Plan]:
    """Yield what a unit does with its weapons, the likeliest first; () is nothing."""
    volley = _volley(look, targets)
    salvo = _salvo(look, MOST_ACTIONS - len(guard) if look.small else _BURST)
    if not look.small:
        yield (*salvo, *volley)
        yield volley
    else:
        yield salvo or volley
        yield volley
        # What is left of the pilot's actions goes into a shot, not into a lock for the next turn.
        launched = max((n for n, one in enumerate(salvo, 1) if one.do == "launch"), default=0)
        yield (*salvo[:launched], *volley)
    if len(targets) > 1:
        yield _volley(look, [targets[1], targets[0], *targets[2:]])


def _volley(look: Look, targets: list[str]) -> Plan:
    """Return shots of all guns at an enemy, and at others in case it is out of the battle then."""
    found: list[Order] = []
    for foe in targets[:_FALLBACKS]:
        shots = [_split(look, weapon, shot) for weapon, shot in _shots(look, foe)]
        shots.sort(key=lambda one: -one[0])
        found += [shot for _, shot, times in shots for _ in range(times)]
    return tuple(found)


def _split(look: Look, weapon: Weapon, shot: Order) -> tuple[float, Order, int]:
    """Return what a weapon's shots at an enemy are worth, one of them, and how many they are.

    Guns of a battery are fired together or apart, whichever takes more.
    """
    battle, left = look.battle, look.battle.vessels[look.by].guns[weapon.name]
    once = weapon.missile or is_linked(battle, weapon)
    if once or not is_battery(battle, weapon):
        times = 1 if once else min(left, MOST_ACTIONS)
        return sound_bot.worth(look.play, look.name, shot), shot, times
    ways = []
    for guns in range(1, min(left, MOST_IN_BATTERY) + 1):
        one = Order("fire", weapon=weapon.name, at=shot.at, guns=guns)
        times = left // guns
        ways.append((times * sound_bot.worth(look.play, look.name, one), guns, one, times))
    value, _, order, times = max(ways, key=lambda one: one[:2])
    return value, order, times


def _salvo(look: Look, most: int) -> Plan:
    """Return locks and launches of missiles, none at whom those in flight will finish."""
    battle, found = look.battle, list[Order]()
    left = {foe: life(battle, foe) / TENTHS for foe in look.foes}
    for by, name, at in _launched(look):
        if at in left:
            left[at] -= sound_bot.missile_points(battle, by, name, at)
    for weapon in battle.sheets[look.by].weapons:
        locked = {one.at for one in battle.locks if (one.by, one.weapon) == (look.by, weapon.name)}
        points = {
            foe: sound_bot.missile_points(battle, look.by, weapon.name, foe)
            for foe in look.foes
            if foe in locked or look.can(Order("lock", weapon=weapon.name, at=foe))
        }
        for _ in range(battle.vessels[look.by].guns[weapon.name]):
            shares = {foe: min(points[foe] / left[foe], 1) for foe in points if left[foe] > 0}
            foe = max(shares, key=lambda one: (shares[one], one in locked), default=None)
            if foe is None or not shares[foe] or len(found) >= most:
                break
            if foe not in locked:
                found.append(Order("lock", weapon=weapon.name, at=foe))
            if len(found) < most:
                found.append(Order("launch", weapon=weapon.name, at=foe))
            # A launch ends its lock; the next missile needs a new one (CX-42).
            locked.discard(foe)
            left[foe] -= points[foe]
    return tuple(found)


def _launched(look: Look) -> Iterator[tuple[str, str, str]]:
    """Yield missiles in flight, and those that friends are about to launch."""
    battle = look.battle
    yield from ((one.by, one.weapon, one.at) for one in battle.missiles)
    for filed in look.filed:
        name = filed.unit
        if name in battle.sheets and battle.sheets[name].team == look.team:
            by = worst_pilot(battle, unit_of(battle, name))
            for order in filed.orders:
                if order.do == "launch":
                    yield by, str(order.weapon), str(order.at)


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
    # A spotter has one thing to do, so there is nothing to try out.
    if name in battle.spotters:
        return sound_bot.sound(known, name)
    others = [sound_bot.sound(known, n) for n in to_order(known) if n != name]
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
        ones, foes = sound_bot.strengths(_played(battle, [*others, filed], seed))
        found.append(ones - foes if team == 0 else foes - ones)
    return found


def _played(battle: Battle, filed: Sequence[Orders], seed: str) -> Battle:
    """Play the turn with these orders in addition to those on file.

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
