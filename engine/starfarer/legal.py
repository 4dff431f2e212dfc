"""Why a plan is refused when it is filed, by the codes of SF-41."""

from collections.abc import Callable, Mapping

from engine.seats import REFEREE, Seat
from engine.starfarer.model import UNARMED, Action, Battle, End, Order, Plan, Sheet, weapon_of
from engine.starfarer.tables import AREAS, HANDS, MOST_ACTIONS, NEAREST, SHOCK

CONDITIONS = ("engaged", "clear", "hurt", "bleeding")
ABORTS = ("evade", "parry")


def refusal(battle: Battle, seat: Seat, order: Order) -> str | None:
    """Return the code of why an order is refused now, or None (SF-41)."""
    if battle.over:
        return "over"
    if order.round not in (None, battle.round):
        return "wrong round"
    if isinstance(order, End):
        # Only the referee ends a round; from anybody else it names no character.
        return None if seat == REFEREE else "unknown character"
    sheet = battle.sheets.get(order.character)
    if sheet is None or sheet.seat != seat:
        return "unknown character"
    fate = battle.bodies[sheet.name].fate
    if fate != "active":
        return "unconscious" if fate == "unconscious" else "out of the fight"
    return _plan(battle, sheet, order)


def _plan(battle: Battle, sheet: Sheet, plan: Plan) -> str | None:
    most = MOST_ACTIONS if battle.options.multiple else 1
    for entry in plan.entries:
        if len(entry) > most:
            return "too many actions"
        for action in (action for choices in entry for action in choices):
            reason = _action(battle, sheet, action)
            if reason is not None:
                return reason
    return "unknown action" if plan.abort not in (None, *ABORTS) else None


def _action(battle: Battle, sheet: Sheet, action: Action) -> str | None:
    if action.do not in _CHECKS:
        return "unknown action"
    if action.when is not None and action.when not in CONDITIONS:
        return "unknown condition"
    return _CHECKS[action.do](battle, sheet, action)


def _nothing(battle: Battle, sheet: Sheet, action: Action) -> None:
    """Find no fault: the action has no use for any key."""


def _armed(battle: Battle, sheet: Sheet, action: Action) -> str | None:
    known = (None, UNARMED.name, *(weapon.name for weapon in sheet.weapons))
    if action.weapon not in known:
        return "unknown weapon"
    return "wrong weapon" if action.do == "parry" and not weapon_of(sheet, action).melee else None


def _foe(battle: Battle, sheet: Sheet, action: Action) -> str | None:
    if action.at in (None, NEAREST):
        return None
    foe = battle.sheets.get(str(action.at))
    return "bad target" if foe is None or foe.team == sheet.team else None


def _arm(action: Action) -> str | None:
    return None if action.arm in (None, *HANDS) else "bad arm"


def _attack(battle: Battle, sheet: Sheet, action: Action) -> str | None:
    return _armed(battle, sheet, action) or _foe(battle, sheet, action) or _arm(action)


def _parry(battle: Battle, sheet: Sheet, action: Action) -> str | None:
    return _armed(battle, sheet, action) or _arm(action)


def _move(battle: Battle, sheet: Sheet, action: Action) -> str | None:
    toward = action.toward
    if toward not in (None, NEAREST) and (toward == sheet.name or toward not in battle.sheets):
        return "bad target"
    return "bad move" if (action.to is None) == (toward is None) else None


def _treat(battle: Battle, sheet: Sheet, action: Action) -> str | None:
    patient = battle.sheets.get(sheet.name if action.at is None else action.at)
    if patient is None or patient.team != sheet.team:
        return "bad target"
    return None if action.area in (*AREAS, SHOCK) else "bad area"


_CHECKS: Mapping[str, Callable[[Battle, Sheet, Action], str | None]] = {
    "attack": _attack,
    "aim": _foe,
    "evade": _nothing,
    "parry": _parry,
    "move": _move,
    "treat": _treat,
    "drop": _nothing,
    "rise": _nothing,
    "hold": _nothing,
    "yield": _nothing,
}
