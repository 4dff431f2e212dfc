"""Doctrines that everybody has: orders for each of a seat's units."""

from collections.abc import Iterator, Sequence

from engine.cortex.chances import reaches
from engine.cortex.model import HOLD, Battle, Order, Orders, VesselSheet, Weapon
from engine.cortex.queries import (
    active,
    active_in,
    left_to,
    pilot,
    seat_of,
    unit_of,
    worst_pilot,
)
from engine.cortex.sound_bot import missile_points
from engine.cortex.tables import (
    CAPITAL,
    MOST_ACTIONS,
    MOST_IN_BATTERY,
    NEAREST_FOE,
    NEXT_MISSILE,
    OUTFLOWN,
    PERSONAL,
    PLANETCRAFT,
    RANGES,
    SKIRMISH,
    SPACECRAFT,
    WEAKEST_FOE,
)
from engine.cortex.weapons import is_battery, is_linked
from engine.cortex.written_orders import MOST_ORDERS, orders_text
from engine.orders.line_shapes import LONGEST
from engine.seats import Seat

_DEFEND = Order("defend")
_MOST_SHOTS = 6
"""So often a weapon of a ship fires in a turn at most."""
_LONGEST = LONGEST * 3 // 4
"""The longest rule, in characters: it must be readable also in a language of longer words."""
_HARM = 4
"""A missile that takes fewer points is not worth a pilot's turn."""
_LIKELY = 0.3
"""A missile is out-flown only where one roll will do so often."""


def doctrine(battle: Battle, seat: Seat, which: str) -> Sequence[str]:
    """Return what a doctrine of everybody's means for a seat's units and spotters.

    All close until their guns reach, defend, launch missiles that do harm, and fire: a bold one at
    the weakest, the others at the nearest. A careful one that is hurt draws back and fires on; if
    its guns reach far, it draws back from nearer enemies alone. Point defence is silent for the
    sake of friends, unless there are twice as many enemies whom it would fire at. Members of a wing
    have orders too, since they may come to lead it. A spotter holds, because it is detected once it
    has spotted (CX-72).
    """
    lines = [
        line
        for name in active(battle)
        if seat_of(battle, name) == seat
        for line in _lines(battle, name, which)
    ]
    # An order for a spotter that is out can't be read, and would spoil the one above it.
    spotters = [one for one in left_to(battle, seat) if one in battle.spotters]
    return [*lines, *(f"ELSE: {orders_text(Orders(name, (Order(HOLD),)))}" for name in spotters)]


def _lines(battle: Battle, name: str, which: str) -> Iterator[str]:
    unit = unit_of(battle, name)
    # CX-36: the worst pilot of a wing fires for it.
    sheet = battle.sheets[worst_pilot(battle, unit) if unit[0] == name else name]
    shielded, helped = _shielded(battle, name), _help(battle, name)
    at = WEAKEST_FOE if which == "bold" else NEAREST_FOE
    if _outflies(battle, sheet):
        away = Orders(name, (Order("outfly", missile=NEXT_MISSILE),))
        yield f"IF MISSILE AT ME: {orders_text(away)}"
    launches, guns = _launches(battle, sheet, at), _guns(battle, sheet, at)
    if launches and sheet.scale != SPACECRAFT:
        # To launch one leaves a pilot no action for the guns (CX-15), nor can it be done from near.
        far = RANGES[max(one.range for one in _missiles(battle, sheet))]
        when = ("MISSILES >= 1", f"RANGE >= {RANGES[CAPITAL]}", f"RANGE <= {far}")
        yield from _rules(battle, name, when, (*shielded, *launches, *guns))
        launches = ()
    shots = (*helped, *launches, *guns)
    reach = _reach(sheet)
    if which == "careful":
        near = (f"RANGE <= {RANGES[reach - 1]}",) if reach > SKIRMISH else ()
        yield from _rules(battle, name, ("HURT", *near), (Order("open"), *shielded, *shots))
    if reach > SKIRMISH:
        yield from _rules(battle, name, (f"RANGE <= {RANGES[reach]}",), (*shielded, *shots))
    yield from _rules(battle, name, (), (*shielded, Order("close", at=at), *shots))


def _rules(
    battle: Battle, name: str, when: tuple[str, ...], orders: tuple[Order, ...]
) -> Iterator[str]:
    """Yield a rule for a unit, and one before it for the time when no friend is left."""
    if _endangers(battle, name):
        yield _rule(("ALONE", *when), name, orders)
        orders = (Order("check_fire"), *orders)
    yield _rule(when, name, orders)


def _rule(when: tuple[str, ...], name: str, orders: tuple[Order, ...]) -> str:
    head = f"IF {' AND '.join(when)}" if when else "ELSE"
    counts = range(min(len(orders), MOST_ORDERS), 0, -1)
    rules = (f"{head}: {orders_text(Orders(name, orders[:count]))}" for count in counts)
    return next(rule for rule in rules if len(rule) <= _LONGEST)


def _endangers(battle: Battle, name: str) -> bool:
    """Return whether a vessel's point defence harms its own side more than the enemy (CX-47)."""
    sheets, own = battle.sheets, battle.sheets[name].team
    small = [one for one in active(battle) if sheets[one].scale == PLANETCRAFT and one != name]
    friends = [one for one in small if sheets[one].team == own]
    return (
        "point_defence" in battle.options
        and any(weapon.pd for weapon in sheets[name].weapons)
        # It fires at all who come near, and against twice as many enemies that pays.
        and 2 * len(friends) > len(small) - len(friends)
    )


def _shielded(battle: Battle, name: str) -> tuple[Order, ...]:
    """Return the order to defend, where the rules have one (CX-58)."""
    ship = battle.sheets[name].scale == SPACECRAFT
    return () if ship and "crew2" in battle.options else (_DEFEND,)


def _outflies(battle: Battle, sheet: VesselSheet) -> bool:
    """Return whether a unit is likely to shake a missile off in one turn (CX-44)."""
    if sheet.scale in (SPACECRAFT, PERSONAL) or "missiles" not in battle.options:
        return False
    return reaches((sheet.agility, pilot(sheet).skill), OUTFLOWN) >= _LIKELY


def _help(battle: Battle, name: str) -> tuple[Order, ...]:
    """Return what officers do under the second draft: they help the guns."""
    crew = battle.sheets[name].crew
    if "crew2" not in battle.options:
        return ()
    helping = (
        Order("assist", to="guns", station=station)
        for station in ("commander", "executive")
        if station in crew
    )
    return (*helping, *((Order("plot"),) if "tactical" in crew else ()))


def _guns(battle: Battle, sheet: VesselSheet, at: str) -> tuple[Order, ...]:
    """Return shots of all guns; a missile without its rules is one (CX-1)."""
    found: list[Order] = []
    # On small vessels a shot is an action of the pilot (CX-15).
    most = _MOST_SHOTS if sheet.scale == SPACECRAFT else MOST_ACTIONS
    for weapon in sheet.weapons:
        left = battle.vessels[sheet.name].guns[weapon.name]
        if left and not (weapon.missile and "missiles" in battle.options):
            size = MOST_IN_BATTERY if is_battery(battle, weapon) else 1
            times = 1 if is_linked(battle, weapon) or weapon.missile else -(-left // size)
            shot = Order("fire", weapon=weapon.name, at=at)
            found += [shot] * min(times, most)
    return tuple(found)


def _reach(sheet: VesselSheet) -> int:
    """Return the range that all guns reach but those of point defence."""
    # A missile is used up, and point defence is for who comes near.
    guns = [one.range for one in sheet.weapons if not (one.missile or one.pd)]
    return min(guns, default=SKIRMISH)


def _missiles(battle: Battle, sheet: VesselSheet) -> list[Weapon]:
    """Return the missiles that do an enemy more harm than its armour stops."""
    foes = active_in(battle, 1 - sheet.team)
    return [
        one
        for one in sheet.weapons
        if "missiles" in battle.options
        and one.missile
        and battle.vessels[sheet.name].guns[one.name]
        and any(missile_points(battle, sheet.name, one.name, foe) >= _HARM for foe in foes)
    ]


def _launches(battle: Battle, sheet: VesselSheet, then: str) -> tuple[Order, ...]:
    """Return a lock and a launch of each missile that does harm, at an enemy of the vessel's own.

    Vessels of a team begin with different enemies, since a missile at one that others destroy is
    lost.
    """
    foes, missiles = active_in(battle, 1 - sheet.team), _missiles(battle, sheet)
    if not missiles:
        return ()
    own = foes[active_in(battle, sheet.team).index(sheet.name) % len(foes)]
    return tuple(
        Order(do, weapon=one.name, at=at)
        for one in missiles
        for at in (own, then)
        for do in ("lock", "launch")
    )
