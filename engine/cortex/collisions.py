"""Obstacles, rams, strafing runs, and flying close to somebody (CX-26 to CX-32)."""

from typing import Literal, NamedTuple

from engine.cortex.damage import split, strike
from engine.cortex.event_base import Harm
from engine.cortex.events import Avoided, RunMade
from engine.cortex.model import Members, Obstacle
from engine.cortex.tables import (
    EASY,
    PLANETCRAFT,
    RUNS,
    SIZES,
    SMALL_SIZES,
    SPACECRAFT,
    SPEEDS,
    VECTORS,
    by_least,
    size,
)
from engine.cortex.telling import Deed, Hit, Telling, succeeds
from engine.cortex.units import is_active, is_immobile, speed_of, unit_of, worst_pilot

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
