"""Orders as players write them, a unit a line or a block: read, put together, parse, format."""

from collections.abc import Iterable, Sequence

from engine.codec import change
from engine.cortex.model import Battle, Close, Draw, Filing, Forfeit, Orders, Weapon
from engine.cortex.reading import Known, read_body
from engine.cortex.units import active_in, left_to, seat_of, seats, unit_of, worst_pilot
from engine.cortex.vocabulary import VOCABULARY
from engine.cortex.wording import orders_text, words
from engine.i18n import say
from engine.order_parts import Asked, Parts, ruling
from engine.phrases import Token
from engine.piece_names import Names, callings, find
from engine.ruleset import Near
from engine.seats import REFEREE, Seat

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
    return [name for name in mine if name in left] or mine


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
