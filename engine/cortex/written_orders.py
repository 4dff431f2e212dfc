"""Orders as players write them, a unit a line or a block: read, put together, parse, format."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.codec import change
from engine.cortex.grammar import Known, read_body
from engine.cortex.model import Battle, Close, Draw, Filing, Forfeit, Order, Orders, Weapon
from engine.cortex.queries import active_in, left_to, seat_of, seats, unit_of, worst_pilot
from engine.cortex.tables import NEAREST_FOE, NEXT_MISSILE, WEAKEST_FOE
from engine.cortex.vocabulary import VOCABULARY
from engine.i18n import Said, say
from engine.names import Names, callings, find
from engine.orders.phrase_parser import Token
from engine.orders.piece_orders import Asked, Parts, ruling
from engine.ruleset import Near
from engine.seats import REFEREE, Seat

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


MOST_ORDERS = 24
"""The most orders of a unit in a turn; nobody has as many batteries and officers."""


def _own(battle: Battle, seat: Seat) -> Names:
    """Return what a seat's units may be called; those that are out only if all are."""
    return callings(_able(battle, seat), seats(battle))


def _able(battle: Battle, seat: Seat) -> list[str]:
    """Return the units that are left to a seat; all that it had if none is."""
    every = [*battle.sheets, *battle.spotters]
    mine = [name for name in every if seat_of(battle, name) == seat]
    left = left_to(battle, seat)
    # Where all are gone their names are still read, so that the refusal can say why.
    return [name for name in mine if name in left] or mine


def _barred(battle: Battle, seat: Seat, called: str) -> Said | None:
    """Return why a seat can't order who is called so, and is not its own or is out of it."""
    name = find(called, callings((*battle.sheets, *battle.spotters), seats(battle)))
    if name is None:
        return None
    if seat_of(battle, name) != seat:
        return say("{name} is not yours", name=name)
    piece = battle.vessels.get(name) or battle.spotters[name]
    return say("{name} is out of the battle: {fate}", name=name, fate=_FATES[piece.fate])


_FATES = {
    "disabled": say("disabled"),
    "destroyed": say("destroyed"),
    "surrendered": say("surrendered"),
    "withdrawn": say("withdrawn"),
    "jumped": say("jumped away"),
}


def _body(tokens: Sequence[Token], asked: Asked[Battle] | None) -> tuple[Orders, bool]:
    found = read_body(tokens, None if asked is None else _known(asked))
    return Orders("", found.orders, found.keep), found.corrected


def _known(asked: Asked[Battle]) -> Known:
    """Return whom and what a unit may name in its orders."""
    battle, own, owners = asked.state, asked.own, seats(asked.state)
    who = None if asked.who is None else find(asked.who, own)
    mine = [who] if who is not None else list(dict.fromkeys(own.values()))
    team = (battle.sheets.get(mine[0]) or battle.spotters[mine[0]]).team
    arms = [weapon for name in mine for weapon in _arms(battle, name)]
    friends = [name for name in battle.teams[team].vessels if name in active_in(battle, team)]
    helped = [weapon for name in friends for weapon in battle.sheets[name].weapons]
    # Commanders help other vessels' weapons, too.
    weapons = dict.fromkeys(weapon.name for weapon in (*arms, *helped))
    foes = battle.teams[1 - team].vessels
    ground = [*battle.sites, *battle.teams[1 - team].spotters]
    return Known(
        foes=callings(foes, owners),
        mates=callings(battle.teams[team].vessels, owners),
        marks=callings(ground, owners),
        rocks=callings((*battle.obstacles, *foes), owners),
        spotters=callings(battle.teams[team].spotters, owners),
        weapons=_several(weapons),
        # Of several units nobody knows which one means its only weapon.
        arms=tuple(arms) if len(mine) == 1 else (),
    )


def _arms(battle: Battle, name: str) -> tuple[Weapon, ...]:
    """Return the weapons that a unit's orders mean: those of its worst pilot (CX-36)."""
    if name not in battle.sheets:
        return ()
    return battle.sheets[worst_pilot(battle, unit_of(battle, name))].weapons


def _several(names: Iterable[str]) -> Names:
    """Return what weapons may be called: one, or several of them."""
    found = {name: name for name in names}
    for name in tuple(found):
        # A weapon's own name comes first: another may be called like the plural of this one.
        found.setdefault(f"{name}s", name)
    return found


def _joined(first: Orders, more: Orders) -> Orders:
    """Return a unit's orders with further ones."""
    return change(first, orders=(*first.orders, *more.orders), keep=first.keep or more.keep)


def _fault(filed: Orders) -> Near | None:
    """Return why orders are not whole, or None."""
    if not filed.orders:
        text = orders_text(filed)
        return Near(text, say("say what it is to do, such as FIRE, CLOSE ON or HOLD"), why=True)
    if len(filed.orders) > MOST_ORDERS:
        many = say("a unit has at most {most} orders in a turn", most=MOST_ORDERS)
        return Near(words(filed.orders[MOST_ORDERS]), many, why=True)
    return None


_PARTS: Parts[Battle, Orders] = Parts(
    vocabulary=VOCABULARY,
    own=_own,
    able=_able,
    barred=_barred,
    body=_body,
    piece=lambda filed: filed.unit,
    named=lambda filed, name: change(filed, unit=name),
    empty=lambda name: Orders(name, ()),
    text=orders_text,
    joined=_joined,
    fault=_fault,
    example="Lance: CLOSE ON Raider, FIRE cannon AT Raider",
)
read = _PARTS.read
gather = _PARTS.gather
parse_parts = _PARTS.parse


def parse(battle: Battle, seat: Seat, text: str) -> Filing:
    """Return one filing of a seat; raise UnreadableOrder, never IllegalOrder."""
    if seat == REFEREE:
        return ruling(text, Close(judged=True), Draw(), Forfeit)
    return _PARTS.parse_whole(battle, seat, text)


def format_order(order: Filing) -> str:
    """Return an order in its canonical text: `Lance: CLOSE ON Raider, FIRE cannon AT Raider`."""
    if isinstance(order, Orders):
        return orders_text(order)
    if isinstance(order, Forfeit):
        return f"FORFEIT {order.seat}"
    return "DRAW" if isinstance(order, Draw) else "END"
