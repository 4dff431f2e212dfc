"""Why plans are refused: when they are filed (SF-41), and when an action's turn comes (SF-44)."""

from collections.abc import Callable, Collection, Mapping

from engine.i18n import say
from engine.seats import REFEREE, Seat
from engine.starfarer.model import (
    UNARMED,
    Action,
    Aftermath,
    Battle,
    Body,
    CharacterSheet,
    Done,
    End,
    Forfeit,
    Heal,
    Order,
    Plan,
    Weapon,
    distance,
    hurt,
    is_present,
    nearest,
    prisoners,
    weapon_of,
)
from engine.starfarer.tables import (
    AREAS,
    ARMS,
    HANDS,
    LEGS,
    LONG,
    MEDIUM_RANGE,
    MORTAL,
    MOST_ACTIONS,
    NEAREST,
    POINT_BLANK,
    SHOCK,
    SHORT,
)
from engine.starfarer.wounds import is_treatable

REASONS = {
    "over": say("the fight is over"),
    "not decided": say("the fight is not decided yet"),
    "not concerned": say("that character needs no such ruling"),
    "wrong round": say("that round is not the open one"),
    "unknown character": say("no such character is yours"),
    "out of the fight": say("that character is out of the fight"),
    "unconscious": say("that character is unconscious"),
    "too many actions": say("one action is possible in a phase, or up to four by the option"),
    "unknown action": say("there is no such action"),
    "unknown condition": say("there is no such condition"),
    "unknown weapon": say("that character has no such weapon"),
    "wrong weapon": say("PARRY needs a melee weapon"),
    "bad target": say("nobody there can be named for that"),
    "bad move": say("MOVE needs either a metre or a name"),
    "bad area": say("TREAT needs an area of the body, or shock"),
    "bad arm": say("a hand is right or left"),
    "twice": say("an action other than ATTACK is done once in a phase"),
    "down": say("the target is unconscious, and FINISH was not ordered"),
    "prone": say("only who stands can do that"),
    "not prone": say("only who lies on the ground can do that"),
    "disabled": say("a limb that it needs can't be used"),
    "out of reach": say("the target is out of reach"),
    "out of range": say("the target is out of range"),
    "nothing to treat": say("there is nothing to treat"),
}
"""The reason codes of refused plans and actions, each in words (SF-41, SF-44)."""

CONDITIONS = ("engaged", "clear", "hurt", "bleeding")
ABORTS = ("evade", "parry")


def refusal(battle: Battle, seat: Seat, order: Order) -> str | None:
    """Return the code of why an order is refused now, or None (SF-41)."""
    # A fight that is decided still takes the rulings on its aftermath (SF-40).
    if battle.over or (battle.decided and isinstance(order, Plan | End)):
        return "over"
    if isinstance(order, Plan | End) and order.round not in (None, battle.round):
        return "wrong round"
    if not isinstance(order, Plan):
        # Only the referee rules; from anybody else a ruling names no character.
        return _ruling(battle, order) if seat == REFEREE else "unknown character"
    sheet = battle.sheets.get(order.character)
    if sheet is None or sheet.seat != seat:
        return "unknown character"
    fate = battle.bodies[sheet.name].fate
    if fate != "active":
        return "unconscious" if fate == "unconscious" else "out of the fight"
    return _plan(battle, sheet, order)


def _ruling(battle: Battle, order: Order) -> str | None:
    """Return why a ruling is refused.

    A forfeit needs a seat that is still in the fight, and the aftermath a fight that is decided.
    """
    if isinstance(order, Aftermath):
        if not battle.decided:
            return "not decided"
        found = hurt(battle) if isinstance(order, Heal) else prisoners(battle)
        return None if isinstance(order, Done) or order.character in found else "not concerned"
    if not isinstance(order, Forfeit):
        return None
    theirs = [name for name, sheet in battle.sheets.items() if sheet.seat == order.seat]
    if not theirs:
        return "unknown character"
    return None if any(is_present(battle.bodies[n]) for n in theirs) else "out of the fight"


def _plan(battle: Battle, sheet: CharacterSheet, plan: Plan) -> str | None:
    most = MOST_ACTIONS if battle.options.multiple else 1
    for entry in plan.entries:
        if len(entry) > most:
            return "too many actions"
        # An action and its `else` one after the other, as SF-41 says.
        for action in (action for choices in entry for action in choices):
            reason = _action(battle, sheet, action)
            if reason is not None:
                return reason
    # Last of all tests, and with the code of an action (SF-41).
    return "unknown action" if plan.abort not in (None, *ABORTS) else None


def _action(battle: Battle, sheet: CharacterSheet, action: Action) -> str | None:
    if action.do not in _CHECKS:
        return "unknown action"
    if action.when is not None and action.when not in CONDITIONS:
        return "unknown condition"
    return _CHECKS[action.do](battle, sheet, action)


def _nothing(battle: Battle, sheet: CharacterSheet, action: Action) -> None:
    """Find no fault: the action has no use for any key."""


def _armed(sheet: CharacterSheet, action: Action) -> str | None:
    # Everybody has `unarmed` (SF-13).
    known = (None, UNARMED.name, *(weapon.name for weapon in sheet.weapons))
    if action.weapon not in known:
        return "unknown weapon"
    return "wrong weapon" if action.do == "parry" and not weapon_of(sheet, action).melee else None


def _foe(battle: Battle, sheet: CharacterSheet, action: Action) -> str | None:
    if action.at in (None, NEAREST):
        return None
    # Its fate is looked at when its turn comes: a name may be filed that is gone (SF-42).
    foe = battle.sheets.get(str(action.at))
    return "bad target" if foe is None or foe.team == sheet.team else None


def _arm(action: Action) -> str | None:
    return None if action.arm in (None, *HANDS) else "bad arm"


def _attack(battle: Battle, sheet: CharacterSheet, action: Action) -> str | None:
    return _armed(sheet, action) or _foe(battle, sheet, action) or _arm(action)


def _parry(battle: Battle, sheet: CharacterSheet, action: Action) -> str | None:
    return _armed(sheet, action) or _arm(action)


def _move(battle: Battle, sheet: CharacterSheet, action: Action) -> str | None:
    toward = action.toward
    if toward not in (None, NEAREST) and (toward == sheet.name or toward not in battle.sheets):
        return "bad target"
    # Exactly one of the two: neither and both are wrong (SF-41).
    return "bad move" if (action.to is None) == (toward is None) else None


def _treat(battle: Battle, sheet: CharacterSheet, action: Action) -> str | None:
    patient = battle.sheets.get(sheet.name if action.at is None else action.at)
    if patient is None or patient.team != sheet.team:
        return "bad target"
    return None if action.area in (*AREAS, SHOCK) else "bad area"


_CHECKS: Mapping[str, Callable[[Battle, CharacterSheet, Action], str | None]] = {
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


TOO_FAR = "within"
"""What hinders an action whose target is farther off than its `within`; it is not a refusal."""


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


def arms_of(sheet: CharacterSheet, weapon: Weapon, arm: str | None) -> tuple[int, ...]:
    """Return the arms that a weapon is used with (SF-17)."""
    return ARMS if weapon.hands == 2 else (ARMS[HANDS.index(arm or sheet.hand)],)


def limbs_of(sheet: CharacterSheet, body: Body, action: Action) -> tuple[int, ...]:
    """Return the limbs that an action uses, right before left (SF-26)."""
    if action.do in ("attack", "parry"):
        return arms_of(sheet, weapon_of(sheet, action), action.arm)
    if action.do == "treat":
        return (ARMS[HANDS.index(sheet.hand)],)
    if action.do in ("evade", "rise") or (action.do == "move" and not body.prone):
        # One who is prone crawls, which takes no leg (SF-26).
        return LEGS
    return ()


def is_disabled(body: Body, limb: int, failed: Collection[int]) -> bool:
    """Return whether a limb is maimed, or failed a check in this round (SF-28)."""
    return limb in failed or bool(body.wounds[limb][MORTAL - 1])


def bracket(weapon: Weapon, metres: int, close: bool) -> str | None:
    """Return the range bracket of a ranged weapon's target, None out of range (SF-12)."""
    if close:
        # Who could strike back is Close, even where the weapon would be at Point Blank (SF-12).
        return "close"
    # Ratings count from 1, the tables of brackets from 0.
    rating = weapon.range - 1
    for name, ends in _BRACKETS:
        if metres <= ends[rating]:
            return name
    # To 1.5 times Long, in whole numbers (SF-12).
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
        # One who is unconscious strikes at nobody, however near.
        battle.bodies[target].fate == "active"
        and distance(battle, name, target) <= battle.sheets[target].reach
    )


def first_possible(battle: Battle, plan: Plan) -> Action:
    """Return what a plan does first as things stand, or what it names first if nothing can be."""
    ways = plan.entries[0][0]
    able = (way for way in ways if hindrance(battle, plan.character, way, (), ()) is None)
    return next(able, ways[0])


def hindrance(
    battle: Battle, name: str, action: Action, done: Collection[str], failed: Collection[int]
) -> str | None:
    """Return the code of why an action is refused when its turn comes, or None (SF-44).

    `done` are the kinds of action carried out in this phase, `failed` the character's limbs that
    failed a check in this round. TOO_FAR is not a refusal, but an `if` that does not hold.
    """
    sheet, body, do = battle.sheets[name], battle.bodies[name], action.do
    # Tested first: the order of these tests is that of SF-44, and replays list the reasons.
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
    # After posture and before distance, as SF-44 lists them.
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
    # One may move to and treat the unconscious; only attacks need `finish` (SF-17).
    if action.do not in ("attack", "aim"):
        return None
    # Before `down`, and no refusal: `within` is like an `if` (SF-9, SF-44).
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
    needed = is_treatable(battle.sheets[target], battle.bodies[target], str(action.area))
    return None if needed else "nothing to treat"
