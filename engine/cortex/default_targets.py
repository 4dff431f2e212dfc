"""Whom an order means that names nobody: the nearest, the weakest, the missile at the unit."""

from collections.abc import Callable, Mapping

from engine.codec import change
from engine.cortex.model import HOLD, Battle, Missile, Order, Orders
from engine.cortex.queries import active_in, band, pair, unit_of, weapon_of, worst_pilot
from engine.cortex.tables import (
    NEAREST_FOE,
    NEXT_MISSILE,
    PERSONAL,
    SKIRMISH,
    SPACECRAFT,
    TENTHS,
    WEAKEST_FOE,
)
from engine.cortex.weapons import reaches

_OPEN = (NEAREST_FOE, WEAKEST_FOE)
"""What stands for an enemy who is not named."""


def meant(battle: Battle, filed: Orders) -> Orders:
    """Return orders with the names of whom they mean now.

    What means nobody stays, and is refused when its time comes. To hold is to have no order
    (CX-18).
    """
    if not any(
        one.at in _OPEN or one.missile == NEXT_MISSILE or one.do == HOLD for one in filed.orders
    ):
        return filed
    orders = [one for one in filed.orders if one.do != HOLD]
    # Named when it is filed, from what all know: a replay of the log needs no such words.
    if filed.unit in battle.sheets:
        orders = [_named(battle, filed.unit, one) for one in orders]
    return change(filed, orders=tuple(orders))


def _named(battle: Battle, name: str, order: Order) -> Order:
    changes: dict[str, str] = {}
    if order.at in _OPEN:
        target = target_of(battle, name, order)
        if target is not None:
            changes["at"] = target
    if order.missile == NEXT_MISSILE:
        missile = missile_of(battle, name, order)
        if missile is not None:
            changes["missile"] = missile.id
    return change(order, **changes) if changes else order


def target_of(battle: Battle, name: str, order: Order) -> str | None:
    """Return the enemy that an order means: as named, or the nearest or weakest that will do."""
    if order.at not in _OPEN:
        return order.at
    by = worst_pilot(battle, unit_of(battle, name))
    foes = active_in(battle, 1 - battle.sheets[name].team)
    for fits in _FITS.get(order.do, ()):
        # Where nobody will do now somebody may later in the turn.
        fitting = [foe for foe in foes if fits(battle, by, foe, order)]
        # Else all are left, and the nearest of those who will not do is named.
        if fitting:
            foes = fitting
            break
    if order.at == NEAREST_FOE:
        key = {foe: (battle.ranges[pair(battle, by, foe)], life(battle, foe)) for foe in foes}
    else:
        key = {foe: (life(battle, foe), 0) for foe in foes}
    # Of equals the first in setup order, as everywhere in the rules.
    return min(foes, key=lambda foe: key[foe], default=None)


def life(battle: Battle, name: str) -> int:
    """Return the tenths of Life Points that a vessel has left."""
    vessel = battle.vessels[name]
    return battle.sheets[name].lp * TENTHS - vessel.stun - vessel.wound


def missile_of(battle: Battle, name: str, order: Order) -> Missile | None:
    """Return the missile that an order means, the first to arrive of those that will do."""
    flying = battle.missiles
    if order.missile != NEXT_MISSILE:
        return next((one for one in flying if one.id == order.missile), None)
    unit, team = unit_of(battle, name), battle.sheets[name].team
    if order.do == "intercept":
        weapon = weapon_of(battle.sheets[worst_pilot(battle, unit)], order.weapon)
        # Point defence reaches a missile only when it is about to hit (CX-43).
        late = weapon is not None and weapon.pd
        found = [
            m for m in flying if battle.sheets[m.at].team == team and not (late and m.turns > 1)
        ]
    else:
        # Only the target's own unit can out-fly or trick a missile (CX-44, CX-45).
        found = [missile for missile in flying if missile.at in unit]
    return min(found, key=lambda missile: missile.turns, default=None)


_Fits = Callable[[Battle, str, str, Order], bool]


def _in_reach(battle: Battle, by: str, foe: str, order: Order) -> bool:
    weapon = weapon_of(battle.sheets[by], order.weapon)
    return weapon is None or reaches(battle, by, weapon, foe)


def _to_lock(battle: Battle, by: str, foe: str, order: Order) -> bool:
    near = band(battle, by, foe) == SKIRMISH
    return not near and _in_reach(battle, by, foe, order) and not _locked(battle, by, foe, order)


def _locked(battle: Battle, by: str, foe: str, order: Order) -> bool:
    return any((one.by, one.weapon, one.at) == (by, order.weapon, foe) for one in battle.locks)


def _to_strafe(battle: Battle, by: str, foe: str, order: Order) -> bool:
    sheet = battle.sheets[foe]
    # Ships, and installations (CX-31).
    return sheet.scale == SPACECRAFT or (sheet.fixed and sheet.scale != PERSONAL)


def _craft(battle: Battle, by: str, foe: str, order: Order) -> bool:
    # Persons are neither rammed nor flown close to (CX-30, CX-45).
    return battle.sheets[foe].scale != PERSONAL


_FITS: Mapping[str, tuple[_Fits, ...]] = {
    "fire": (_in_reach,),
    "lock": (_to_lock,),
    "launch": (_locked, _to_lock),
    "strafe": (_to_strafe,),
    "ram": (_craft,),
    "trick": (_craft,),
}
"""What an enemy should be for an order, by what it does; the first that some are counts."""
