"""Whether orders can be carried out, asked before the turn is played."""

from collections.abc import Sequence

from engine.cortex.checks import own_refusal, spot_refusal
from engine.cortex.default_targets import meant
from engine.cortex.legal import KNOWN, spotters_refusal, vessels_refusal
from engine.cortex.model import HOLD, Battle, Order, Orders
from engine.cortex.telling import Deed, Doing, Telling
from engine.cortex.units import unit_of, wing_of, worst_pilot
from engine.dice import ListedDice

_FOR_GOOD = frozenset(
    {
        "unknown order", "out of the battle", "rule off", "wrong station", "wrong scale",
        "immobile", "bad target", "bad weapon", "bad battery", "no drive", "no equipment", "spent",
    }
)  # fmt: skip
"""What no other order of the turn can change."""


_NO_DICE = ListedDice([])


class _AtFirst(dict[str, Doing]):
    """What vessels have done when a turn begins: nothing, but their crews' help counts (CX-52)."""

    def __init__(self, battle: Battle) -> None:
        super().__init__()
        self.battle = battle

    def __missing__(self, name: str) -> Doing:
        self[name] = found = Doing(steps=dict(self.battle.vessels[name].next))
        return found


def poised(battle: Battle) -> Telling:
    """Return a battle as a turn begins, to ask what can be done in it; it has no dice."""
    telling = Telling(battle, _NO_DICE)
    telling.doing = _AtFirst(battle)
    telling.opened = battle.ranges
    return telling


def deed_of(battle: Battle, name: str, order: Order) -> Deed:
    """Return an order with the unit that carries it out now."""
    members = unit_of(battle, name)
    return Deed(name, order, members, worst_pilot(battle, members))


def hindrance(telling: Telling, name: str, order: Order) -> str | None:
    """Return the code of why an order would be refused if its time were now, or None."""
    battle = telling.battle
    if order.do == HOLD:
        gone = (battle.vessels.get(name) or battle.spotters[name]).fate != "active"
        return "out of the battle" if gone else None
    if order.do not in KNOWN:
        return "unknown order"
    if name in battle.spotters:
        return spotters_refusal(telling, name, order.do) or spot_refusal(telling, name, order.at)
    deed = deed_of(battle, name, order)
    return vessels_refusal(telling, deed) or own_refusal(telling, deed)


def hopeless(battle: Battle, filed: Orders) -> str | None:
    """Return the code of why none of a unit's orders can be carried out in this turn, or None.

    What other orders of the turn may still make possible counts as possible.
    """
    telling, first = poised(battle), None
    named = meant(battle, filed)
    if not named.orders:
        return hindrance(telling, filed.unit, Order(HOLD))
    for order in named.orders:
        reason = hindrance(telling, named.unit, order)
        if reason is None or not _for_good(battle, named, order, reason):
            return None
        first = first or reason
    return first


def _for_good(battle: Battle, filed: Orders, order: Order, reason: str) -> bool:
    do = order.do
    if reason in _FOR_GOOD or (reason == "out of range" and do == "bombard"):
        return True
    if reason == "no lock":
        return not _gives(filed.orders, "lock")
    if reason == "no missile":
        known = str(order.missile)
        return not known[1:].isdigit() or int(known[1:]) <= battle.launched
    if reason in ("in a wing", "bad wing"):
        if reason == "bad wing" and do == "join" and wing_of(battle, filed.unit) is None:
            return False
        return not _gives(filed.orders, "leave")
    return False


def _gives(orders: Sequence[Order], do: str) -> bool:
    return any(order.do == do for order in orders)
