"""Scenarios: their orders read, and the state in the replay format."""

from collections.abc import Mapping

from engine.blackskies.model import (
    Battle,
    Element,
    Fighter,
    Order,
    active,
    all_elements,
    design_of,
    is_crippled,
    points,
    to_order,
)
from engine.errors import SetupError
from engine.fields import text_or_none, truth, whole_or_none
from engine.seats import REFEREE, Seat


def scenario_order(battle: Battle, entry: object, index: int) -> tuple[Seat, Order]:
    """Return the seat and order of a scenario's entry; raise SetupError that names the field.

    An element that does not exist is left to the refusal of its order.
    """
    where = f"orders[{index}]"
    if not isinstance(entry, Mapping):
        raise SetupError(f"{where}: an object is needed")
    turn = whole_or_none(entry, "turn", where)
    if turn is None or turn < 1:
        raise SetupError(f"{where}.turn: a whole number of 1 or more is needed")
    # `end` counts whatever else the entry holds, so nothing else of it is read.
    if truth(entry, "end", where):
        return REFEREE, Order(command="end", turn=turn)
    name = text_or_none(entry, "element", where)
    command = text_or_none(entry, "command", where)
    if name is None:
        raise SetupError(f"{where}.element: a text is needed")
    order = Order(
        element=name,
        command="fly" if command is None else command,
        card=whole_or_none(entry, "card", where),
        option=text_or_none(entry, "option", where),
        by=whole_or_none(entry, "by", where),
        targets=_texts(entry, "targets", where),
        hold_fire=truth(entry, "hold_fire", where),
        turn=turn,
    )
    element = battle.elements.get(name)
    # No seat has that name, so the order is refused as one of an unknown element.
    return Seat("") if element is None else element.seat, order


def _texts(entry: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
    value = entry.get(key)
    given = [] if value is None else value
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise SetupError(f"{where}.{key}: a list of texts is needed")
    if not all(one.strip() for one in given):
        raise SetupError(f"{where}.{key}: texts that are not blank are needed")
    return tuple(given)


def scenario_state(battle: Battle) -> dict[str, object]:
    """Return the state in the replay format."""
    sides, score = [side.name for side in battle.sides], points(battle)
    return {
        "turn": None if battle.over else battle.turn,
        "to_order": to_order(battle),
        "first": None if battle.first is None else sides[battle.first],
        "over": battle.over,
        "winner": battle.winner,
        "points": dict(zip(sides, score, strict=True)),
        "elements": {
            name: {
                key: getattr(battle.elements[name], key)
                for key in ("heading", "speed", "retrograde")
            }
            for name in all_elements(battle)
            if active(battle, name)
        },
        "fighters": {
            one: _fighter(battle, battle.elements[name], battle.fighters[one])
            for name in all_elements(battle)
            for one in battle.elements[name].fighters
        },
    }


def _fighter(battle: Battle, element: Element, fighter: Fighter) -> dict[str, object]:
    flies = fighter.fate == "active"
    return {
        "fate": fighter.fate,
        # The record keeps the last place of one that is out, but the format has none.
        "q": fighter.q if flies else None,
        "r": fighter.r if flies else None,
        "hull": fighter.hull,
        "crippled": is_crippled(design_of(battle, element), fighter.hull),
        "kills": fighter.kills,
    }
