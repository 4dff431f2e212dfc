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
from engine.cortex.queries import (
    active_in,
    is_active,
    is_immobile,
    leaders,
    pair,
    speed_of,
    unit_of,
    worst_pilot,
)
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
from engine.cortex.turn_state import Deed, Hit, Turn, succeeds


def leave(play: Turn, deed: Deed) -> None:
    """Leave a wing (CX-35)."""
    play.record(WingChanged(deed.unit, without(play.battle.wings, deed.unit)))


def join(play: Turn, deed: Deed) -> None:
    """Try to join a friend's wing, or to form one with it (CX-35)."""
    battle, name, at = play.battle, deed.unit, str(deed.order.at)
    friends = unit_of(battle, at)
    same = all(is_like(battle, name, friend) for friend in friends)
    # It must fly like every member, not only like the one it names (CX-35).
    needed = AVERAGE if same else HARD
    throw = play.fly((name,), f"joins {at}")
    passed = succeeds(throw, needed)
    play.record(Joined(name, at, needed, throw, passed))
    if not passed:
        return
    # Last in the order of the wing, in which its members come to lead it (CX-35).
    joined = (*friends, name)
    others = tuple(one for one in battle.wings if one != friends)
    play.record(WingChanged(name, (*others, joined)))
    # In space it was at the same ranges already, or could not have joined (CX-35).
    if battle.atmosphere:
        _fly_along(play, name, friends[0])


def is_like(battle: Battle, one: str, other: str) -> bool:
    """Return whether two vessels fly so much alike that a wing of them is easy (CX-35)."""
    strength = battle.sheets[one].strength == battle.sheets[other].strength
    return strength and battle.vessels[one].speed == battle.vessels[other].speed


def _fly_along(play: Turn, name: str, leader: str) -> None:
    """Bring a vessel to its leader's distances."""
    battle = play.battle
    enemies = active_in(battle, 1 - battle.sheets[name].team)
    taken = {pair(battle, name, foe): battle.ranges[pair(battle, leader, foe)] for foe in enemies}
    play.record(Ranged({key: feet for key, feet in taken.items() if feet != battle.ranges[key]}))


def withdraw(play: Turn, deed: Deed) -> None:
    """Leave the battle with the whole unit (CX-21)."""
    for name in deed.members:
        play.record(Gone(name, "withdrawn"))


def steer(play: Turn, deed: Deed) -> None:
    """Close with an enemy's unit, or open the range to all (CX-20)."""
    at = deed.order.at if deed.order.do == "close" else None
    if at is not None:
        for name in deed.members:
            play.doing[name].closing = unit_of(play.battle, at)
            play.doing[name].closing_at = at
    play.record(Signalled(deed.unit, deed.order.do, at))


def change_ranges(play: Turn) -> None:
    """Change the ranges between units by what they wish (CX-20, CX-64)."""
    battle = play.battle
    play.opened = battle.ranges
    units: tuple[list[Members], list[Members]] = ([], [])
    for name in leaders(battle):
        units[battle.sheets[name].team].append(unit_of(battle, name))
    wishes = dict[tuple[Members, Members], list[int]]()
    for team, own in enumerate(units):
        foes = {name: unit for unit in units[1 - team] for name in unit}
        for unit in own:
            doing = play.doing[unit[0]]
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
        play.record(Ranged(changed))


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
                # In feet both moves add up, and nobody comes nearer than 100 (CX-64).
                after = max(before + feet, NEAREST)
            else:
                after = min(max(before + _step(wishes, speeds), SKIRMISH), LONG)
            if after != before:
                found[key] = after
    return found


def _step(wishes: tuple[int, int], speeds: tuple[int, int]) -> int:
    """Return by how many steps a range changes: of opposite wishes the faster's counts."""
    if sum(wishes):
        # Both wishing the same is one step, not two (CX-20).
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


def obstacles(play: Turn) -> None:
    """Let the obstacles of this turn strike, as listed (CX-27)."""
    battle = play.battle
    if "collisions" not in battle.options:
        return
    for name, obstacle in battle.obstacles.items():
        against = obstacle.against
        # `turn` counts the turns played, so the one that is being played is one more.
        if obstacle.turn != battle.turn + 1 or against is None:
            continue
        if is_active(play.battle, against):
            strike_obstacle(play, unit_of(play.battle, against), name, obstacle)


def strike_obstacle(
    play: Turn, members: Members, name: str, obstacle: Obstacle, steps: int = 0
) -> bool:
    """Let a unit avoid an obstacle or collide with it, and return whether it avoided it."""
    danger = obstacle_danger(play, members, name, obstacle)
    roll = _avoid(play, members, danger, steps)
    if roll is not None:
        _collide(play, members, danger, roll)
    return roll is None


def obstacle_danger(play: Turn, members: Members, name: str, obstacle: Obstacle) -> Danger:
    """Return what a unit has to avoid that meets an obstacle (CX-26, CX-27)."""
    # The scale says how the damage is multiplied, as for a weapon of it (CX-27, CX-28).
    scale = PLANETCRAFT if obstacle.size in SMALL_SIZES else SPACECRAFT
    sizes = _size(play, worst_pilot(play.battle, members)), obstacle.size
    # The smaller size and the faster speed count (CX-26).
    speed = max(speed_of(play.battle, members), obstacle.speed)
    return Danger(name, scale, _needed(sizes, speed, obstacle.vector))


def pass_close(play: Turn, members: Members, at: str, steps: int = 0) -> Passage:
    """Let a unit fly close to another vessel (CX-29)."""
    other = unit_of(play.battle, at)
    danger, counter = dangers(play, members, at)
    roll = _avoid(play, members, danger, steps)
    if roll is None:
        return "avoided"
    # Both fly: only if neither pilot avoids the other they collide (CX-29).
    answer = _avoid(play, other, counter)
    if answer is None:
        return "spared"
    _collide(play, members, danger, roll)
    _collide(play, other, counter, answer)
    return "collided"


def ram(play: Turn, deed: Deed) -> None:
    """Ram a vessel: only its pilot can avoid it (CX-30)."""
    at = str(deed.order.at)
    other = unit_of(play.battle, at)
    danger, counter = dangers(play, deed.members, at)
    answer = _avoid(play, other, counter)
    if answer is not None:
        # A unit that rams does not try to avoid it, so no roll lessens its own damage.
        _collide(play, deed.members, danger, 0)
        _collide(play, other, counter, answer)


def strafe(play: Turn, deed: Deed) -> None:
    """Make a strafing run over a larger vessel (CX-31, CX-32)."""
    at = str(deed.order.at)
    # If only the other pilot avoided it, the run has failed as well (CX-31).
    if pass_close(play, deed.members, at) != "avoided":
        return
    needed = by_least(play.battle.sheets[at].strength, RUNS)
    throw = play.fly(deed.members, f"strafes {at}")
    passed = succeeds(throw, needed)
    play.record(RunMade(deed.unit, at, needed, throw, passed))
    if passed:
        # Each member is safe from the target's guns, also if it leaves the wing (CX-32, CX-35).
        for name in deed.members:
            play.doing[name].strafing = at


def _size(play: Turn, name: str) -> str:
    sheet = play.battle.sheets[name]
    return size(sheet.scale, sheet.strength)


def dangers(play: Turn, members: Members, at: str) -> tuple[Danger, Danger]:
    """Return what a unit has to avoid that flies close to a vessel, and what that one has to."""
    battle, flyer = play.battle, worst_pilot(play.battle, members)
    speed = max(speed_of(battle, members), speed_of(battle, unit_of(battle, at)))
    # The size of a wing that is flown at is that of the vessel named (CX-36).
    sizes = _size(play, flyer), _size(play, at)
    needed = _needed(sizes, speed, _vector(play, members, at))
    return (
        Danger(at, battle.sheets[at].scale, needed),
        Danger(flyer, battle.sheets[flyer].scale, needed),
    )


def _vector(play: Turn, members: Members, at: str) -> str:
    """Return how a vessel moves, seen from a unit that flies close to it (CX-29)."""
    doing = play.doing[at]
    if doing.course == "open":
        return "away"
    closing = any(name in doing.closing for name in members)
    return "toward" if closing else "perpendicular"


def _needed(sizes: tuple[str, str], speed: int, vector: str) -> int:
    """Return the Difficulty to avoid (CX-26)."""
    return min(SIZES[one] for one in sizes) + by_least(speed, SPEEDS) + VECTORS[vector]


def _avoid(play: Turn, members: Members, danger: Danger, steps: int = 0) -> int | None:
    """Let a unit avoid something; return None if it does, else what it rolled (CX-28)."""
    flyer, needed = worst_pilot(play.battle, members), danger.needed
    # Without the option every roll to avoid counts as made, without dice (CX-1, CX-26).
    if needed < EASY or "collisions" not in play.battle.options:
        play.record(Avoided(members[0], flyer, danger.name, needed, None, passed=True))
        return None
    if is_immobile(play.battle, members):
        play.record(Avoided(members[0], flyer, danger.name, needed, None, passed=False))
        return 0
    throw = play.fly(members, f"avoids {danger.name}", steps)
    passed = succeeds(throw, needed)
    play.record(Avoided(members[0], flyer, danger.name, needed, throw, passed))
    return None if passed else throw.total


def _collide(play: Turn, members: Members, danger: Danger, roll: int) -> None:
    # The Difficulty stands for the attack roll, the roll to avoid for the defence (CX-28).
    basic = max(danger.needed - roll, 0)
    harm = Harm(basic, *split(basic))
    strike(play, Hit(danger.name, members, danger.scale, harm))
