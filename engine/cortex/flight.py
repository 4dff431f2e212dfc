"""Wings, withdrawal, ranges and close passes: obstacles, rams, strafing (CX-20 to CX-35)."""

from typing import Literal, NamedTuple

from engine.cortex.apply import without
from engine.cortex.damage import split, strike
from engine.cortex.events import (
    Avoided,
    Gone,
    Harm,
    Joined,
    Ranged,
    RunMade,
    Signalled,
    WingChanged,
)
from engine.cortex.model import Battle, Members, Obstacle
from engine.cortex.play import Deed, Hit, Telling, succeeds
from engine.cortex.tables import (
    AVERAGE,
    EASY,
    HARD,
    LONG,
    NEAREST,
    PLANETCRAFT,
    RUNS,
    SIZES,
    SKIRMISH,
    SMALL_SIZES,
    SPACECRAFT,
    SPEEDS,
    STRIDE,
    VECTORS,
    by_least,
    size,
)
from engine.cortex.units import (
    active_in,
    is_active,
    is_immobile,
    leaders,
    pair,
    speed_of,
    unit_of,
    worst_pilot,
)


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


Passage = Literal["avoided", "spared", "collided"]
"""How it went: avoided by the flyer's own roll, by the other pilot's, or not at all (CX-29)."""


class Danger(NamedTuple):
    """What is to be avoided: by whose name, of what scale, and how hard it is (CX-26)."""

    name: str
    scale: str
    needed: int


def obstacles(telling: Telling) -> None:
    """Let the obstacles of this turn strike, as listed (CX-27)."""
    battle = telling.battle
    if "collisions" not in battle.options:
        return
    for name, obstacle in battle.obstacles.items():
        against = obstacle.against
        if obstacle.turn != battle.turn + 1 or against is None:
            continue
        if is_active(telling.battle, against):
            strike_obstacle(telling, unit_of(telling.battle, against), name, obstacle)


def strike_obstacle(
    telling: Telling, members: Members, name: str, obstacle: Obstacle, steps: int = 0
) -> bool:
    """Let a unit avoid an obstacle or collide with it, and return whether it avoided it."""
    danger = obstacle_danger(telling, members, name, obstacle)
    roll = _avoid(telling, members, danger, steps)
    if roll is not None:
        _collide(telling, members, danger, roll)
    return roll is None


def obstacle_danger(telling: Telling, members: Members, name: str, obstacle: Obstacle) -> Danger:
    """Return what a unit has to avoid that meets an obstacle (CX-26, CX-27)."""
    scale = PLANETCRAFT if obstacle.size in SMALL_SIZES else SPACECRAFT
    sizes = _size(telling, worst_pilot(telling.battle, members)), obstacle.size
    speed = max(speed_of(telling.battle, members), obstacle.speed)
    return Danger(name, scale, _needed(sizes, speed, obstacle.vector))


def pass_close(telling: Telling, members: Members, at: str, steps: int = 0) -> Passage:
    """Let a unit fly close to another vessel (CX-29)."""
    other = unit_of(telling.battle, at)
    danger, counter = dangers(telling, members, at)
    roll = _avoid(telling, members, danger, steps)
    if roll is None:
        return "avoided"
    answer = _avoid(telling, other, counter)
    if answer is None:
        return "spared"
    _collide(telling, members, danger, roll)
    _collide(telling, other, counter, answer)
    return "collided"


def ram(telling: Telling, deed: Deed) -> None:
    """Ram a vessel: only its pilot can avoid it (CX-30)."""
    at = str(deed.order.at)
    other = unit_of(telling.battle, at)
    danger, counter = dangers(telling, deed.members, at)
    answer = _avoid(telling, other, counter)
    if answer is not None:
        # Who rams does not try to avoid it, so that no roll lessens its own damage.
        _collide(telling, deed.members, danger, 0)
        _collide(telling, other, counter, answer)


def strafe(telling: Telling, deed: Deed) -> None:
    """Make a strafing run over a larger vessel (CX-31, CX-32)."""
    at = str(deed.order.at)
    if pass_close(telling, deed.members, at) != "avoided":
        return
    needed = by_least(telling.battle.sheets[at].strength, RUNS)
    throw = telling.fly(deed.members, f"strafes {at}")
    passed = succeeds(throw, needed)
    telling.tell(RunMade(deed.unit, at, needed, throw, passed))
    if passed:
        for name in deed.members:
            telling.doing[name].strafing = at


def _size(telling: Telling, name: str) -> str:
    sheet = telling.battle.sheets[name]
    return size(sheet.scale, sheet.strength)


def dangers(telling: Telling, members: Members, at: str) -> tuple[Danger, Danger]:
    """Return what a unit has to avoid that flies close to a vessel, and what that one has to."""
    battle, flyer = telling.battle, worst_pilot(telling.battle, members)
    speed = max(speed_of(battle, members), speed_of(battle, unit_of(battle, at)))
    # The size of a wing that is flown at is that of the vessel named (CX-36).
    sizes = _size(telling, flyer), _size(telling, at)
    needed = _needed(sizes, speed, _vector(telling, members, at))
    return (
        Danger(at, battle.sheets[at].scale, needed),
        Danger(flyer, battle.sheets[flyer].scale, needed),
    )


def _vector(telling: Telling, members: Members, at: str) -> str:
    """Return how a vessel moves, seen from a unit that flies close to it (CX-29)."""
    doing = telling.doing[at]
    if doing.course == "open":
        return "away"
    closing = any(name in doing.closing for name in members)
    return "toward" if closing else "perpendicular"


def _needed(sizes: tuple[str, str], speed: int, vector: str) -> int:
    """Return the Difficulty to avoid (CX-26)."""
    return min(SIZES[one] for one in sizes) + by_least(speed, SPEEDS) + VECTORS[vector]


def _avoid(telling: Telling, members: Members, danger: Danger, steps: int = 0) -> int | None:
    """Let a unit avoid something; return None if it does, else what it rolled (CX-28)."""
    flyer, needed = worst_pilot(telling.battle, members), danger.needed
    if needed < EASY or "collisions" not in telling.battle.options:
        telling.tell(Avoided(members[0], flyer, danger.name, needed, None, passed=True))
        return None
    if is_immobile(telling.battle, members):
        telling.tell(Avoided(members[0], flyer, danger.name, needed, None, passed=False))
        return 0
    throw = telling.fly(members, f"avoids {danger.name}", steps)
    passed = succeeds(throw, needed)
    telling.tell(Avoided(members[0], flyer, danger.name, needed, throw, passed))
    return None if passed else throw.total


def _collide(telling: Telling, members: Members, danger: Danger, roll: int) -> None:
    basic = max(danger.needed - roll, 0)
    harm = Harm(basic, *split(basic))
    strike(telling, Hit(danger.name, members, danger.scale, harm))
