"""What a sound captain orders for a unit: who is shot at, with what, and from where."""

from collections.abc import Iterator
from functools import cache

from engine.cortex.chances import (
    Dice,
    attack_dice,
    chance_of,
    defence_dice,
    fire_steps,
    odds,
)
from engine.cortex.default_targets import life
from engine.cortex.legal import COMMANDING, deed_of, hindrance, poised
from engine.cortex.model import HOLD, Battle, Order, Orders, VesselSheet, Weapon
from engine.cortex.queries import (
    active_in,
    band,
    is_immobile,
    marks,
    unit_of,
    weapon_of,
    worst_pilot,
)
from engine.cortex.tables import (
    EASY,
    FACTORS,
    MISSILES,
    MOST_IN_BATTERY,
    SCALES,
    SKIRMISH,
    SPACECRAFT,
    TENTHS,
    WARHEAD_DICE,
    sides,
)
from engine.cortex.turn_state import Turn
from engine.cortex.weapons import asked, counts_as, is_battery, reaches

_OUTFLOWN = 30
"""A missile is out-flown only where it works in so many cases of 100."""


@cache
def _expected(dice: Dice, defence: Dice | None) -> tuple[float, float]:
    """Return how likely an attack hits, and its mean Basic damage, 0 where it misses."""
    chance = mean = 0.0
    # Without a roll the defence is 3, for certain (CX-8).
    for needed, share in enumerate(odds(defence) if defence else (0, 0, 0, 1.0)):
        for total, part in enumerate(odds(dice)):
            if share and total >= max(needed, EASY):
                chance += share * part
                mean += share * part * (total - max(needed, EASY))
    return chance, mean


def mean_of(step: int) -> float:
    """Return the mean of a die."""
    return sum((one + 1) / 2 for one in sides(step))


def applied(
    battle: Battle, weapon: Weapon, target: VesselSheet, stun: float, wound: float
) -> float:
    """Return about how many of a target's points some damage takes (CX-11, CX-62)."""
    scales = (counts_as(battle, weapon.scale), counts_as(battle, target.scale))
    apart = SCALES.index(scales[0]) - SCALES.index(scales[1])
    factor = FACTORS[abs(apart)]
    found = 0.0
    for points, armour in ((stun, target.stun_armour), (wound, target.wound_armour)):
        if apart > 0:
            found += max(points * factor - armour, 0)
        else:
            # As in `weapons.applied`, but with means instead of whole points.
            found += max(points - armour * factor, 0) / factor
    return found


def missile_points(battle: Battle, by: str, name: str, at: str) -> float:
    """Return about how many of a target's points a missile takes, 0 for another weapon."""
    weapon = weapon_of(battle.sheets[by], name)
    if weapon is None or not weapon.missile:
        return 0.0
    total = WARHEAD_DICE * mean_of(MISSILES[weapon.scale][weapon.size][0])
    stun = 0.0 if weapon.warhead == "fragments" else total / 2
    return applied(battle, weapon, battle.sheets[at], stun, total - stun)


def worth(play: Turn, name: str, order: Order) -> float:
    """Return the share of a target's life that a shot takes on average."""
    battle = play.battle
    deed = deed_of(battle, name, order)
    weapon, at = weapon_of(battle.sheets[deed.pilot], order.weapon), str(order.at)
    assert weapon is not None
    target, left = battle.sheets[at], max(life(battle, at) / TENTHS, 1)
    if weapon.missile:
        return min(missile_points(battle, deed.pilot, weapon.name, at) / left, 1)
    dice = attack_dice(play, deed, fire_steps(play, deed))
    chance, basic = _expected(dice, defence_dice(play, at))
    if not chance:
        return 0.0
    guns = asked(play, deed.pilot, weapon, order.guns)
    # The second die of an extraordinary hit is left out: this is an estimate (CX-37).
    raised = len(deed.members) > 1 or (is_battery(battle, weapon) and guns > 1)
    mean = basic / chance
    hit = applied(battle, weapon, target, mean / 2, mean / 2 + mean_of(weapon.damage + raised))
    return chance * min(hit / left, 1)


def sound(battle: Battle, name: str) -> Orders:
    """Return what a sound captain orders for a unit."""
    play = poised(battle)
    if name in battle.spotters:
        found = [Order("spot", at=mark) for mark in marks(battle, name)[:1]]
    elif battle.sheets[name].scale == SPACECRAFT:
        found = [*_crew(play, name), *_course(play, name), *_broadside(play, name)]
    else:
        found = _fighter(play, name)
    return Orders(name, tuple(found) or (Order(HOLD),))


def _fighter(play: Turn, name: str) -> list[Order]:
    """Return the orders of a small unit: it defends, and shoots where that is worth most."""
    late = next((m for m in play.battle.missiles if m.at == name and m.turns == 1), None)
    if late is not None:
        away = Order("outfly", missile=late.id)
        free = hindrance(play, name, away) is None
        if free and (chance_of(play, name, away) or 0) >= _OUTFLOWN:
            return [away]
    defend = Order("defend")
    found = [defend] if hindrance(play, name, defend) is None else []
    # A pilot has three actions a turn, and to defend is one of them (CX-15).
    shots = _launches(play, name) or _shots(play, name)[: 3 - len(found)]
    course = _course(play, name)
    if course and _comes_near(play.battle, name, course[0]):
        after = _after(play, name, course[0])
        if not shots or (shots[0].do == "lock" and _pays(play, name, after, shots[-1])):
            shots = after
        elif shots[0].do == "lock":
            # At skirmish range nothing can be locked on.
            course = []
    return [*course, *found, *shots]


def _pays(play: Turn, name: str, after: list[Order], launch: Order) -> bool:
    """Return whether a shot from near is worth as much as a missile from afar."""
    return any(worth(play, name, one) >= worth(play, name, launch) for one in after)


def _comes_near(battle: Battle, name: str, course: Order) -> bool:
    """Return whether a course may bring a unit to skirmish range."""
    return course.at is not None and band(battle, name, course.at) == SKIRMISH + 1


def _after(play: Turn, name: str, course: Order) -> list[Order]:
    """Return a shot at the enemy that the course leads to."""
    battle = play.battle
    by = worst_pilot(battle, unit_of(battle, name))
    guns = [one for one in battle.sheets[by].weapons if not one.missile]
    guns = [one for one in guns if battle.vessels[by].guns[one.name]]
    best = max(guns, key=lambda one: one.damage, default=None)
    return [] if best is None else [Order("fire", weapon=best.name, at=course.at)]


def _launches(play: Turn, name: str) -> list[Order]:
    """Return the lock and the launch of a missile that is worth most, none where none can be."""
    battle = play.battle
    by = worst_pilot(battle, unit_of(battle, name))
    best: tuple[float, list[Order]] = (0.0, [])
    for weapon in battle.sheets[by].weapons:
        if not weapon.missile or not battle.vessels[by].guns[weapon.name]:
            continue
        for foe in active_in(battle, 1 - battle.sheets[name].team):
            lock, launch = (Order(do, weapon=weapon.name, at=foe) for do in ("lock", "launch"))
            flying = sum(missile.at == foe for missile in battle.missiles)
            # Missiles in flight may do it already: the further ones are worth less.
            found = worth(play, name, launch) / (1 + flying)
            if found <= best[0]:
                continue
            if hindrance(play, name, launch) is None:
                best = found, [launch]
            elif hindrance(play, name, lock) is None:
                best = found, [lock, launch]
    return best[1]


def _shots(play: Turn, name: str) -> list[Order]:
    """Return the best shot of each weapon, the best first."""
    battle = play.battle
    by = worst_pilot(battle, unit_of(battle, name))
    foes = active_in(battle, 1 - battle.sheets[name].team)
    found: list[tuple[float, Order]] = []
    for weapon in battle.sheets[by].weapons:
        shots = [Order("fire", weapon=weapon.name, at=foe) for foe in foes]
        able = [one for one in shots if hindrance(play, name, one) is None]
        valued = [(worth(play, name, one), one) for one in able]
        if valued:
            found.append(max(valued, key=lambda one: one[0]))
    return [order for value, order in sorted(found, key=lambda one: -one[0]) if value]


def _broadside(play: Turn, name: str) -> Iterator[Order]:
    """Yield a ship's shots: each gun crew fires, batteries together, and missiles are launched."""
    battle = play.battle
    yield from _launches(play, name)
    for shot in _shots(play, name):
        weapon = weapon_of(battle.sheets[name], shot.weapon)
        assert weapon is not None
        left = battle.vessels[name].guns[weapon.name]
        size = MOST_IN_BATTERY if is_battery(battle, weapon) else 1
        linked = weapon.linked and "linked" in battle.options
        # Once a missile is fired like a gun it is gone.
        times = 1 if linked or weapon.missile else -(-left // size)
        yield from [shot] * min(times, 6)


def _crew(play: Turn, name: str) -> Iterator[Order]:
    """Yield what a ship's officers do: they help the guns."""
    battle = play.battle
    arms = [one for one in battle.sheets[name].weapons if battle.vessels[name].guns[one.name]]
    best = max(arms, key=lambda one: one.damage, default=None)
    second = "crew2" in battle.options
    # The first draft helps one weapon, the second all guns (CX-52, CX-57).
    to = "guns" if second else None if best is None else best.name
    orders = [Order("assist", to=to, station=station) for station in COMMANDING]
    orders += [Order("sense", to=to), Order("plot")]
    for order in orders:
        if hindrance(play, name, order) is None:
            yield order


def _course(play: Turn, name: str) -> list[Order]:
    """Return a course to the nearest enemy where its guns do not reach anybody yet."""
    battle = play.battle
    unit = unit_of(battle, name)
    by = worst_pilot(battle, unit)
    guns = [
        one
        for one in battle.sheets[by].weapons
        if battle.vessels[by].guns[one.name] and not one.missile and not one.pd
    ]
    foes = active_in(battle, 1 - battle.sheets[name].team)
    if not guns or not foes or is_immobile(battle, unit):
        return []
    # It is near enough to shoot, and a course is flown for that alone.
    if any(reaches(battle, by, gun, foe) for gun in guns for foe in foes):
        return []
    near = min(foes, key=lambda foe: (band(battle, by, foe), life(battle, foe)))
    course = Order("close", at=near)
    return [course] if hindrance(play, name, course) is None else []


_HULL = 10
"""Added to the Life Points of each vessel."""
_ARRIVE = 0.8
"""How many of the missiles in flight arrive."""


def strengths(battle: Battle) -> tuple[float, float]:
    """Return what each team's vessels are worth as they are now, first team first.

    A missile in flight is taken off its target.
    """
    found = [0.0, 0.0]
    expected = _missiles_take(battle)
    for team in (0, 1):
        for name in active_in(battle, team):
            lp = battle.sheets[name].lp
            left = max(life(battle, name) / TENTHS - expected.get(name, 0.0), 0.0)
            # A vessel that is nearly lost still shoots, so a third of its worth stays to the end.
            found[team] += (lp + _HULL) * (1 + 2 * left / lp) / 3
    return found[0], found[1]


def _missiles_take(battle: Battle) -> dict[str, float]:
    """Return about what the missiles in flight will take, of which some will be shaken off."""
    found: dict[str, float] = {}
    for one in battle.missiles:
        points = missile_points(battle, one.by, one.weapon, one.at)
        found[one.at] = found.get(one.at, 0.0) + points * _ARRIVE
    return found
