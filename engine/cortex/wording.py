"""The words of orders: `Lance: CLOSE ON Raider, FIRE 2 cannon AT engines OF Raider`."""

from collections.abc import Iterator, Mapping

from engine.cortex.model import Order, Orders
from engine.cortex.tables import NEAREST_FOE, NEXT_MISSILE, WEAKEST_FOE
from engine.cortex.vocabulary import VOCABULARY

_MEANT = {NEAREST_FOE: "nearest", WEAKEST_FOE: "weakest", NEXT_MISSILE: "missile"}
WORDS: Mapping[str, str] = {
    "close": "CLOSE ON",
    "shield": "SHIELD WITH",
    "sense": "SENSE FOR",
    "check_fire": "CHECK FIRE",
}
"""The verbs that are not the order's own name in capitals."""


def name_of(name: str) -> str:
    """Return a name as an order has it, or the word for whom it means."""
    return _MEANT.get(name) or VOCABULARY.name_text(name)


def words(order: Order) -> str:
    """Return one order in words: `FIRE 6 railgun AT Raider`."""
    return " ".join(_parts(order))


def _parts(order: Order) -> Iterator[str]:
    do = order.do
    if do == "assist" and order.station is not None:
        yield order.station.upper()
    yield WORDS.get(do, do.upper())
    if do in ("fire", "aim", "lock", "launch"):
        yield from _weapon(order)
        yield from _target(order)
    elif do in ("intercept", "outfly", "trick"):
        yield from _named(order.missile)
        yield from _with(order)
        yield from (f"AROUND {name}" for name in _named(order.at))
    elif do == "bombard":
        yield from _named(order.at)
        yield from _with(order)
    elif do in ("assist", "sense"):
        yield from _named(order.to)
        yield from (f"OF {name}" for name in _named(order.at))
    else:
        yield from _named(order.at)
        yield from _with(order)


def _named(name: str | None) -> Iterator[str]:
    if name is not None:
        yield _STATIONED.get(name) or name_of(name)


_STATIONED = {name: name for name in ("pilot", "guns", "sensors", "comms")}
"""What can be helped, in words; no weapon is called so."""


def _weapon(order: Order) -> Iterator[str]:
    if order.guns is not None:
        yield str(order.guns)
    if order.weapon is not None:
        yield name_of(order.weapon)


def _with(order: Order) -> Iterator[str]:
    if order.weapon is not None or order.guns is not None:
        yield "WITH"
        yield from _weapon(order)


def _target(order: Order) -> Iterator[str]:
    if order.at is not None:
        yield "ON" if order.do == "lock" else "AT"
        if order.called is not None:
            yield f"{order.called} OF"
        yield name_of(order.at)


def actions(filed: Orders) -> list[str]:
    """Return a unit's orders, each in words, and KEEP behind them."""
    found = [
        words(one) + ("" if one.spotter is None else f", SPOTTER {name_of(one.spotter)}")
        for one in filed.orders
    ]
    return [*found, "KEEP"] if filed.keep else found


def orders_text(filed: Orders) -> str:
    """Return a unit's orders on one line: `Lance: CLOSE ON Raider, FIRE cannon AT Raider`."""
    head = f"{VOCABULARY.name_text(filed.unit)}: " if filed.unit else ""
    return (head + ", ".join(actions(filed))).strip()
