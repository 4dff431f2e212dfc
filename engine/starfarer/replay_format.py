"""Scenarios: their orders read, and the state in the replay format."""

from engine import fields
from engine.errors import SetupError
from engine.fields import Data, text_or_none, truth, whole_or_none
from engine.seats import REFEREE, Seat
from engine.starfarer.model import (
    Action,
    Battle,
    Body,
    Choices,
    End,
    Entry,
    Order,
    Plan,
    everybody,
    to_plan,
)
from engine.starfarer.tables import AREAS, SHOCK


def scenario_order(battle: Battle, entry: object, index: int) -> tuple[Seat, Order]:
    """Return the seat and order of a scenario's entry; raise SetupError that names the field.

    A character that does not exist is left to the refusal of its plan.
    """
    where = f"orders[{index}]"
    value = fields.an_object(entry, where)
    number = whole_or_none(value, "round", where)
    if number is None or number < 1:
        raise SetupError(f"{where}.round: a whole number of 1 or more is needed")
    if truth(value, "end", where):
        return REFEREE, End(number)
    name = fields.text(value, "character", where)
    at = f"{where}.plan"
    plan = Plan(
        character=name,
        entries=tuple(
            _entry(one, f"{at}[{n}]") for n, one in enumerate(_full(value.get("plan"), at))
        ),
        abort=text_or_none(value, "abort", where),
        round=number,
        index=index,
    )
    sheet = battle.sheets.get(name)
    # No seat has that name, so the plan is refused as one of an unknown character.
    return Seat("") if sheet is None else sheet.seat, plan


def _full(found: object, where: str) -> list[object]:
    """Return a list that is not empty; raise SetupError."""
    if not isinstance(found, list) or not found:
        raise SetupError(f"{where}: a list that is not empty is needed")
    return found


def _entry(found: object, where: str) -> Entry:
    return tuple(_choices(one, f"{where}[{n}]") for n, one in enumerate(_full(found, where)))


def _choices(found: object, where: str) -> Choices:
    """Return an action with its `else`, the `else` of that, and so on."""
    value = fields.an_object(found, where)
    choices = [_action(value, where)]
    # Not by recursion: a file may be deeper than that.
    while value.get("else") is not None:
        where = f"{where}.else"
        value = fields.an_object(value["else"], where)
        choices.append(_action(value, where))
    return tuple(choices)


def _action(value: Data, where: str) -> Action:
    return Action(
        do=fields.text(value, "do", where),
        when=text_or_none(value, "if", where),
        at=text_or_none(value, "at", where),
        within=whole_or_none(value, "within", where),
        finish=truth(value, "finish", where),
        weapon=text_or_none(value, "with", where),
        arm=text_or_none(value, "arm", where),
        to=whole_or_none(value, "to", where),
        toward=text_or_none(value, "toward", where),
        area=text_or_none(value, "area", where),
    )


def scenario_state(battle: Battle) -> dict[str, object]:
    """Return the state in the replay format."""
    return {
        "round": None if battle.over else battle.round,
        "to_plan": to_plan(battle),
        "over": battle.over,
        "winner": battle.winner,
        "quiet": battle.quiet,
        "characters": {name: _body(battle.bodies[name]) for name in everybody(battle)},
    }


def _body(body: Body) -> dict[str, object]:
    return {
        "fate": body.fate,
        # The body keeps its last place, but in the replay format it has none once it left.
        "at": None if body.fate == "left" else body.at,
        "prone": body.prone,
        "ap": body.ap,
        "shock": body.shock,
        "wounds": {area: list(c) for area, c in zip(AREAS, body.wounds, strict=True)},
        "bleeding": dict(zip(AREAS, body.bleeding, strict=True)),
        "clock": dict(zip(AREAS, body.clock, strict=True)),
        "steadied": [one for one in (*AREAS, SHOCK) if one in body.steadied],
        "dying": body.dying,
        "wakes": body.wakes,
        "evade": body.evade,
        "parry": body.parry,
        "aim": body.aim,
    }
