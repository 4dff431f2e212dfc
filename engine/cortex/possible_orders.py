"""What a unit could order now, each order with its chance, and how letters list them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from engine.codec import change
from engine.cortex.chances import chance_of
from engine.cortex.legal import COMMANDING, hindrance, poised
from engine.cortex.model import HOLD, Battle, Filing, Order, Orders, VesselSheet, Weapon
from engine.cortex.queries import active_in, band, marks, seat_of, to_order, unit_of, worst_pilot
from engine.cortex.tables import SKIRMISH
from engine.cortex.turn_state import Turn
from engine.cortex.view_types import MoveView, OwnView
from engine.cortex.written_orders import actions
from engine.ruleset import LegalOrder
from engine.seats import Seat

_PLAIN = (
    "defend", "evade", "open", "plot", "forward", "check_fire", "leave", "withdraw", "jump",
    "surrender",
)  # fmt: skip


class Offered(NamedTuple):
    """What a unit could do, mostly a single order, with the chance of the last of them."""

    unit: str
    orders: tuple[Order, ...]
    chance: int | None


def offers(battle: Battle, seat: Seat) -> list[LegalOrder[Filing]]:
    """Return what a seat may file for its units without orders."""
    return [
        LegalOrder(Orders(one.unit, one.orders), one.chance)
        for name in to_order(battle)
        if seat_of(battle, name) == seat
        for one in offered(battle, name)
    ]


class _Same(NamedTuple):
    """A battle that is equal to itself alone, so that what it offers can be cached."""

    battle: Battle

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.battle is other.battle

    def __hash__(self) -> int:
        return id(self.battle)


def offered(battle: Battle, name: str) -> tuple[Offered, ...]:
    """Return what a unit could do if it was its turn now."""
    return _offered(_Same(battle), name)


# A report asks twice: for its list of orders, and for the order that it prints as an example.
@lru_cache(maxsize=64)
def _offered(same: _Same, name: str) -> tuple[Offered, ...]:
    battle, play = same.battle, poised(same.battle)
    # To hold is always possible, so that no unit is without a legal order.
    found = [Offered(name, (Order(HOLD),), None)]
    for order in candidates(battle, name):
        if hindrance(play, name, order) is None:
            found.append(Offered(name, (order,), chance_of(play, name, order)))
    if name in battle.sheets:
        found += _closing(play, name)
    return tuple(found)


def candidates(battle: Battle, name: str) -> Iterator[Order]:
    """Yield every order that a unit might think of, at anybody who is there."""
    if name in battle.spotters:
        yield from (Order("spot", at=mark) for mark in marks(battle, name))
        return
    sheet = battle.sheets[name]
    foes = active_in(battle, 1 - sheet.team)
    yield from _courses(battle, name, foes)
    # The weapons are those of the unit's worst pilot, who shoots for all (CX-36).
    weapons = battle.sheets[worst_pilot(battle, unit_of(battle, name))].weapons
    for weapon in weapons:
        yield from _with(battle, weapon, sheet.team, foes)
    yield from _against_missiles(battle, name, foes)
    yield from _crew(battle, sheet, [weapon.name for weapon in weapons])
    yield from (Order(do) for do in _PLAIN)


def _courses(battle: Battle, name: str, foes: list[str]) -> Iterator[Order]:
    for foe in foes:
        # To close at skirmish range is legal, but only holds the range; it is left out.
        if band(battle, name, foe) != SKIRMISH:
            yield Order("close", at=foe)
        yield from (Order(do, at=foe) for do in ("strafe", "ram"))
    unit = unit_of(battle, name)
    for friend in active_in(battle, battle.sheets[name].team):
        yield Order("shield" if friend in unit else "join", at=friend)


def _with(battle: Battle, weapon: Weapon, team: int, foes: list[str]) -> Iterator[Order]:
    kinds: tuple[str, ...] = ("lock", "launch") if weapon.missile else ("fire", "aim")
    if weapon.missile and "missiles" not in battle.options:
        # Without the rule missiles are fired like other weapons (CX-1).
        kinds = ("fire",)
    for foe in foes:
        yield from (Order(do, weapon=weapon.name, at=foe) for do in kinds)
    for mark in (*battle.sites, *battle.spotters):
        yield Order("bombard", weapon=weapon.name, at=mark)
    if not weapon.missile:
        # Legal at any, but nobody wants to stop one that flies at an enemy.
        for missile in (one for one in battle.missiles if battle.sheets[one.at].team == team):
            yield Order("intercept", weapon=weapon.name, missile=missile.id)


def _against_missiles(battle: Battle, name: str, foes: list[str]) -> Iterator[Order]:
    unit = unit_of(battle, name)
    for missile in battle.missiles:
        if missile.at in unit:
            yield Order("outfly", missile=missile.id)
            for at in (*foes, *battle.obstacles):
                yield Order("trick", missile=missile.id, at=at)


def _crew(battle: Battle, sheet: VesselSheet, arms: Sequence[str]) -> Iterator[Order]:
    for station in COMMANDING:
        for to in ("pilot", "guns", "sensors", "comms", *arms):
            yield Order("assist", to=to, station=station)
    if "comms" in sheet.crew:
        for friend in active_in(battle, sheet.team):
            if friend != sheet.name:
                yield Order("assist", to="pilot", at=friend)
    yield from (Order("sense", to=to) for to in ("pilot", *arms))
    # The first draft presses with one weapon, the second with all (CX-55, CX-59).
    if "crew1" in battle.options:
        yield from (Order("press", weapon=weapon) for weapon in arms)
    else:
        yield Order("press")


def _closing(play: Turn, name: str) -> Iterator[Offered]:
    """Yield a course and a shot at each enemy that is in reach once the unit has closed with it."""
    battle = play.battle
    # In feet it depends on both Speeds which enemy is in reach then (CX-64).
    if battle.atmosphere:
        return
    by = worst_pilot(battle, unit_of(battle, name))
    for foe in active_in(battle, 1 - battle.sheets[name].team):
        course = Order("close", at=foe)
        if hindrance(play, name, course) is not None:
            continue
        for weapon in battle.sheets[by].weapons:
            shot = Order("fire", weapon=weapon.name, at=foe)
            near = band(battle, by, foe) - 1 == weapon.range
            if near and hindrance(play, name, shot) == "out of range":
                chance = chance_of(play, name, shot)
                yield Offered(name, (course, shot), chance)


def own(battle: Battle, seat: Seat) -> list[OwnView]:
    """Return what a seat's units without orders could do, with one entry for all that are alike."""
    found: list[OwnView] = []
    for name in to_order(battle):
        if seat_of(battle, name) == seat:
            moves = _listed(battle, name)
            same = next((one for one in found if _alike(one["moves"], moves)), None)
            if same is None:
                found.append({"names": [name], "moves": moves})
            else:
                same["names"].append(name)
    return found


def _alike(ones: list[MoveView], others: list[MoveView]) -> bool:
    """Return whether two units can do the same; which friends they join or help does not count."""
    return [_bare(one) for one in ones] == [_bare(one) for one in others]


def _bare(move: MoveView) -> MoveView | int | None:
    return move["chance"] if move["order"].startswith(("JOIN ", "ASSIST pilot OF ")) else move


def _listed(battle: Battle, name: str) -> list[MoveView]:
    """Return a unit's orders, those at several targets as one with the best chance first.

    Missiles are targets, too, but for TRICK, which names both one and an obstacle.
    """
    # One line for all targets of an order: twelve units with forty lines each would be no letter.
    alike: dict[tuple[Order, ...], list[Offered]] = {}
    for one in offered(battle, name):
        bare = tuple(
            change(order, missile=None) if order.at is None else change(order, at=None)
            for order in one.orders
        )
        alike.setdefault(bare, []).append(one)
    return [_move(found) for found in alike.values()]


def _move(found: list[Offered]) -> MoveView:
    best, *others = sorted(found, key=_chance, reverse=True)
    return {
        "order": ", ".join(actions(Orders(best.unit, best.orders))),
        "chance": best.chance,
        "others": [
            {"names": [_named(one.orders[-1]) for one in same], "chance": chance}
            for chance, same in groupby(others, _chance)
        ],
    }


def _named(order: Order) -> str:
    """Return what an order is at: its target, or else a missile."""
    return str(order.missile if order.at is None else order.at)


def _chance(one: Offered) -> int:
    return 0 if one.chance is None else one.chance
