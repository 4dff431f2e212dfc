"""Whether an action can be carried out when its turn comes (SF-9, SF-44)."""

from collections.abc import Collection

from engine.starfarer.model import (
    Action,
    Battle,
    Body,
    Sheet,
    Weapon,
    distance,
    is_present,
    nearest,
    opponents,
    weapon_of,
)
from engine.starfarer.tables import (
    AREAS,
    ARMS,
    HANDS,
    LEGS,
    LIGHT,
    LONG,
    MEDIUM_RANGE,
    MORTAL,
    NEAREST,
    POINT_BLANK,
    SHOCK,
    SHORT,
)
from engine.starfarer.wounds import is_deadly_shock, is_mortal, worst

TOO_FAR = "within"
"""What hinders an action whose target is farther off than its `within`; it is no refusal."""


def engaged(battle: Battle, name: str) -> bool:
    """Return whether an active opponent stands within its own reach of a character (SF-9)."""
    sheets = battle.sheets
    return any(distance(battle, name, foe) <= sheets[foe].reach for foe in opponents(battle, name))


def holds(battle: Battle, name: str, condition: str) -> bool:
    """Return whether an `if` holds for a character (SF-9)."""
    body = battle.bodies[name]
    if condition == "hurt":
        wounded = any(worst(circles) >= LIGHT for circles in body.wounds)
        return wounded or body.shock >= 2 * battle.sheets[name].basic_shock
    if condition == "bleeding":
        return any(body.bleeding)
    return engaged(battle, name) == (condition == "engaged")


def target_of(battle: Battle, name: str, action: Action) -> str | None:
    """Return whom an action is for, None where it is for nobody, or nobody is there."""
    named: str | None = None
    if action.do == "treat":
        named = name if action.at is None else action.at
    elif action.do == "move":
        named = action.toward
    elif action.do in ("attack", "aim"):
        named = NEAREST if action.at is None else action.at
    return nearest(battle, name) if named == NEAREST else named


def arms_of(sheet: Sheet, weapon: Weapon, arm: str | None) -> tuple[int, ...]:
    """Return the arms that a weapon is used with (SF-17)."""
    return ARMS if weapon.hands == 2 else (ARMS[HANDS.index(arm or sheet.hand)],)


def limbs_of(sheet: Sheet, body: Body, action: Action) -> tuple[int, ...]:
    """Return the limbs that an action uses, right before left (SF-26)."""
    if action.do in ("attack", "parry"):
        return arms_of(sheet, weapon_of(sheet, action), action.arm)
    if action.do == "treat":
        return (ARMS[HANDS.index(sheet.hand)],)
    if action.do in ("evade", "rise") or (action.do == "move" and not body.prone):
        return LEGS
    return ()


def is_disabled(body: Body, limb: int, failed: Collection[int]) -> bool:
    """Return whether a limb is maimed, or failed a check in this round (SF-28)."""
    return limb in failed or bool(body.wounds[limb][MORTAL - 1])


def bracket(weapon: Weapon, metres: int, close: bool) -> str | None:
    """Return the range bracket of a ranged weapon's target, None out of range (SF-12)."""
    if close:
        return "close"
    rating = weapon.range - 1
    for name, ends in _BRACKETS:
        if metres <= ends[rating]:
            return name
    return "extreme" if weapon.extreme and 2 * metres <= 3 * LONG[rating] else None


_BRACKETS = (
    ("point blank", POINT_BLANK),
    ("short", SHORT),
    ("medium", MEDIUM_RANGE),
    ("long", LONG),
)


def is_close(battle: Battle, name: str, target: str) -> bool:
    """Return whether an active target could strike back at who shoots at it (SF-12)."""
    return (
        battle.bodies[target].fate == "active"
        and distance(battle, name, target) <= battle.sheets[target].reach
    )


def hindrance(
    battle: Battle, name: str, action: Action, done: Collection[str], failed: Collection[int]
) -> str | None:
    """Return the code of why an action is refused when its turn comes, or None (SF-44).

    `done` are the kinds of action carried out in this phase, `failed` the character's limbs that
    failed a check in this round. TOO_FAR is no refusal, but an `if` that does not hold.
    """
    sheet, body, do = battle.sheets[name], battle.bodies[name], action.do
    if do in done and do not in ("attack", "hold"):
        return "twice"
    target = target_of(battle, name, action)
    if target is None:
        if do in ("attack", "aim") or (do == "move" and action.toward is not None):
            return "bad target"
    else:
        reason = _target(battle, name, action, target)
        if reason is not None:
            return reason
    if do in _POSTURES:
        wanted, reason = _POSTURES[do]
        if body.prone is not wanted:
            return reason
    if any(is_disabled(body, limb, failed) for limb in limbs_of(sheet, body, action)):
        return "disabled"
    if do == "attack" and target is not None:
        return _reach(battle, name, target, weapon_of(sheet, action))
    if do == "treat" and target is not None:
        return _treatment(battle, name, target, action)
    return None


_POSTURES = {"evade": (False, "prone"), "drop": (False, "prone"), "rise": (True, "not prone")}
"""Whether an action is for the prone, and why it is refused to others."""


def _target(battle: Battle, name: str, action: Action, target: str) -> str | None:
    body = battle.bodies[target]
    if not is_present(body):
        return "bad target"
    if action.do not in ("attack", "aim"):
        return None
    if action.within is not None and distance(battle, name, target) > action.within:
        return TOO_FAR
    return "down" if body.fate == "unconscious" and not action.finish else None


def _reach(battle: Battle, name: str, target: str, weapon: Weapon) -> str | None:
    metres = distance(battle, name, target)
    if weapon.melee:
        return "out of reach" if metres > weapon.reach else None
    found = bracket(weapon, metres, is_close(battle, name, target))
    return "out of range" if found is None else None


def _treatment(battle: Battle, name: str, target: str, action: Action) -> str | None:
    if distance(battle, name, target) > 1:
        return "out of reach"
    body = battle.bodies[target]
    if action.area == SHOCK:
        needed = is_deadly_shock(battle.sheets[target], body)
    else:
        area = AREAS.index(str(action.area))
        needed = body.bleeding[area] > 0 or is_mortal(body, area)
    return None if needed else "nothing to treat"
