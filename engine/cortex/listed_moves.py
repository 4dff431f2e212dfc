"""What a seat's units could order now, as its letters list it: alike orders on one line."""

from itertools import groupby

from engine.codec import change
from engine.cortex.facts import MoveView, OwnView
from engine.cortex.model import Battle, Order, Orders
from engine.cortex.offers import Offered, offered
from engine.cortex.units import seat_of, to_order
from engine.cortex.wording import actions
from engine.seats import Seat


def own(battle: Battle, seat: Seat) -> list[OwnView]:
    """Return what the units of a seat could do that have no orders yet, alike units together."""
    found: list[OwnView] = []
    for name in to_order(battle):
        if seat_of(battle, name) == seat:
            moves = _moves(battle, name)
            same = next((one for one in found if _alike(one["moves"], moves)), None)
            if same is None:
                found.append({"names": [name], "moves": moves})
            else:
                same["names"].append(name)
    return found


def _alike(ones: list[MoveView], others: list[MoveView]) -> bool:
    """Return whether two units can do the same; with whom they form wings does not count."""
    return [_bare(one) for one in ones] == [_bare(one) for one in others]


def _bare(move: MoveView) -> MoveView | int | None:
    return move["chance"] if move["order"].startswith("JOIN ") else move


def _moves(battle: Battle, name: str) -> list[MoveView]:
    """Return a unit's orders, those at several targets as one with the best chance first."""
    alike: dict[tuple[Order, ...], list[Offered]] = {}
    for one in offered(battle, name):
        alike.setdefault(tuple(change(order, at=None) for order in one.orders), []).append(one)
    return [_move(found) for found in alike.values()]


def _move(found: list[Offered]) -> MoveView:
    best, *others = sorted(found, key=_chance, reverse=True)
    return {
        "order": ", ".join(actions(Orders(best.unit, best.orders))),
        "chance": best.chance,
        "others": [
            {"names": [str(one.orders[-1].at) for one in same], "chance": chance}
            for chance, same in groupby(others, _chance)
        ],
    }


def _chance(one: Offered) -> int:
    return 0 if one.chance is None else one.chance
