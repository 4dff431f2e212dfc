"""Wings, withdrawal, and how ranges change (CX-20, CX-21, CX-35, CX-64)."""

from engine.cortex.apply import without
from engine.cortex.events import Gone, Joined, Ranged, Signalled, WingChanged
from engine.cortex.model import Battle, Members
from engine.cortex.tables import AVERAGE, HARD, LONG, NEAREST, SKIRMISH, STRIDE
from engine.cortex.telling import Deed, Telling, succeeds
from engine.cortex.units import active_in, leaders, pair, speed_of, unit_of


def leave(telling: Telling, deed: Deed) -> None:
    """Leave a wing (CX-35)."""
    telling.tell(WingChanged(deed.unit, without(telling.battle.wings, deed.unit)))


def join(telling: Telling, deed: Deed) -> None:
    """Try to join a friend's wing, or to form one with it (CX-35)."""
    battle, name, at = telling.battle, deed.unit, str(deed.order.at)
    friends = unit_of(battle, at)
    same = all(_is_like(battle, name, friend) for friend in friends)
    needed = AVERAGE if same else HARD
    throw = telling.fly((name,), f"joins {at}")
    passed = succeeds(throw, needed)
    telling.tell(Joined(name, at, needed, throw, passed))
    if not passed:
        return
    joined = (*friends, name)
    others = tuple(one for one in battle.wings if one != friends)
    telling.tell(WingChanged(name, (*others, joined)))
    if battle.atmosphere:
        _fly_along(telling, name, friends[0])


def _is_like(battle: Battle, one: str, other: str) -> bool:
    strength = battle.sheets[one].strength == battle.sheets[other].strength
    return strength and battle.vessels[one].speed == battle.vessels[other].speed


def _fly_along(telling: Telling, name: str, leader: str) -> None:
    """Bring a vessel to its leader's distances."""
    battle = telling.battle
    enemies = active_in(battle, 1 - battle.sheets[name].team)
    taken = {pair(battle, name, foe): battle.ranges[pair(battle, leader, foe)] for foe in enemies}
    telling.tell(Ranged({key: feet for key, feet in taken.items() if feet != battle.ranges[key]}))


def withdraw(telling: Telling, deed: Deed) -> None:
    """Leave the battle with the whole unit (CX-21)."""
    for name in deed.members:
        telling.tell(Gone(name, "withdrawn"))


def steer(telling: Telling, deed: Deed) -> None:
    """Close with an enemy's unit, or open the range to all (CX-20)."""
    at = deed.order.at if deed.order.do == "close" else None
    if at is not None:
        for name in deed.members:
            telling.doing[name].closing = unit_of(telling.battle, at)
            telling.doing[name].closing_at = at
    telling.tell(Signalled(deed.unit, deed.order.do, at))


def change_ranges(telling: Telling) -> None:
    """Change the ranges between units by what they wish (CX-20, CX-64)."""
    battle = telling.battle
    telling.opened = battle.ranges
    units: tuple[list[Members], list[Members]] = ([], [])
    for name in leaders(battle):
        units[battle.sheets[name].team].append(unit_of(battle, name))
    wishes = dict[tuple[Members, Members], list[int]]()
    for team, own in enumerate(units):
        foes = {name: unit for unit in units[1 - team] for name in unit}
        for unit in own:
            doing = telling.doing[unit[0]]
            # `open` is a wish for all ranges, `close` for one.
            opens = doing.course == "open"
            names = foes if opens else doing.closing
            for other in dict.fromkeys(foes[name] for name in names if name in foes):
                # In the order of the teams, so that the wishes of both sides meet in one entry.
                key = (other, unit) if team else (unit, other)
                wishes.setdefault(key, [0, 0])[team] = 1 if opens else -1
    changed = dict[str, int]()
    for (one, other), (first, second) in wishes.items():
        changed |= _changed(battle, one, other, (first, second))
    if changed:
        telling.tell(Ranged(changed))


def _changed(
    battle: Battle, one: Members, other: Members, wishes: tuple[int, int]
) -> dict[str, int]:
    """Return the ranges that change between two units by what both wish."""
    speeds = speed_of(battle, one), speed_of(battle, other)
    found = dict[str, int]()
    for first in one:
        for second in other:
            key = pair(battle, first, second)
            before = battle.ranges[key]
            if battle.atmosphere:
                feet = STRIDE * (wishes[0] * speeds[0] + wishes[1] * speeds[1])
                after = max(before + feet, NEAREST)
            else:
                after = min(max(before + _step(wishes, speeds), SKIRMISH), LONG)
            if after != before:
                found[key] = after
    return found


def _step(wishes: tuple[int, int], speeds: tuple[int, int]) -> int:
    """Return by how many steps a range changes: of opposite wishes the faster's counts."""
    if sum(wishes):
        return 1 if sum(wishes) > 0 else -1
    if speeds[0] == speeds[1]:
        return 0
    return wishes[0] if speeds[0] > speeds[1] else wishes[1]
