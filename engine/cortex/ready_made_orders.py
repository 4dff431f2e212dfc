"""Ready-made standing orders for each of a seat's units."""

from collections.abc import Iterator, Sequence

from engine.cortex.model import HOLD, Battle, Order, Orders, Sheet
from engine.cortex.order_text import orders_text
from engine.cortex.queries import active, seat_of, unit_of, worst_pilot
from engine.cortex.tables import NEAREST_FOE, NEXT_MISSILE, PLANETCRAFT, SPACECRAFT
from engine.seats import Seat

_CLOSE = Order("close", at=NEAREST_FOE)
_DEFEND = Order("defend")


def preset(battle: Battle, seat: Seat, which: str) -> Sequence[str]:
    """Return the standing orders that a preset means for a seat's units and spotters.

    All close with the nearest and fire. A bold one does nothing else; a sound one defends as well,
    and flies away from a missile; a careful one opens the range once it is hurt. Point defence is
    silent for the sake of friends, unless there are twice as many enemies whom it would fire at.
    Members of a wing have orders too, since they may come to lead it. A spotter holds, because it
    is detected once it has spotted (CX-72).
    """
    lines = [
        line
        for name in active(battle)
        if seat_of(battle, name) == seat
        for line in _lines(battle, name, which)
    ]
    spotters = [one.name for one in battle.spotters.values() if one.seat == seat]
    return [*lines, *(f"ELSE: {orders_text(Orders(name, (Order(HOLD),)))}" for name in spotters)]


def _lines(battle: Battle, name: str, which: str) -> Iterator[str]:
    unit = unit_of(battle, name)
    # CX-36: the worst pilot of a wing fires for it.
    sheet = battle.sheets[worst_pilot(battle, unit) if unit[0] == name else name]
    attack = (_CLOSE, *_help(battle, name), *_guns(battle, sheet))
    if which != "bold":
        small = battle.sheets[name].scale != SPACECRAFT
        if small and "missiles" in battle.options and sheet.scale != "personal":
            away = Orders(name, (Order("outfly", missile=NEXT_MISSILE),))
            yield f"IF MISSILE AT ME: {orders_text(away)}"
        shielded = _shielded(battle, name)
        if which == "careful":
            yield from _rules(battle, name, ("HURT",), (Order("open"), *shielded))
        attack = (*shielded, *attack)
    yield from _rules(battle, name, (), attack)


def _rules(
    battle: Battle, name: str, when: tuple[str, ...], orders: tuple[Order, ...]
) -> Iterator[str]:
    """Yield a rule for a unit, and one before it for the time when no friend is left."""
    if _endangers(battle, name):
        yield _rule(("ALONE", *when), Orders(name, orders))
        orders = (Order("check_fire"), *orders)
    yield _rule(when, Orders(name, orders))


def _rule(when: tuple[str, ...], orders: Orders) -> str:
    head = f"IF {' AND '.join(when)}" if when else "ELSE"
    return f"{head}: {orders_text(orders)}"


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


def _guns(battle: Battle, sheet: Sheet) -> tuple[Order, ...]:
    """Return a shot of each gun at the nearest, of missiles a lock and a launch."""
    found: list[Order] = []
    for weapon in sheet.weapons:
        if not battle.vessels[sheet.name].guns[weapon.name]:
            continue
        missile = weapon.missile and "missiles" in battle.options
        kinds = ("lock", "launch") if missile else ("fire",)
        found += [Order(do, weapon=weapon.name, at=NEAREST_FOE) for do in kinds]
    return tuple(found)
