"""Bots of three strengths, to practise against: easy, sound and sharp; and what the silent do."""

from collections import Counter
from collections.abc import Callable, Mapping

from engine.codec import change
from engine.dice import Dice, SeededDice
from engine.i18n import say
from engine.seats import REFEREE, Seat
from engine.starfarer import chances
from engine.starfarer.damage import left_of, rating
from engine.starfarer.if_conditions import is_met
from engine.starfarer.legal import bracket, hindrance
from engine.starfarer.model import (
    DEFAULT,
    UNARMED,
    Action,
    Battle,
    End,
    Order,
    Plan,
    Weapon,
    distance,
    nearest,
    opponents,
    to_plan,
)
from engine.starfarer.resolve import resolve
from engine.starfarer.tables import AREAS, LOCATIONS, LONG
from engine.starfarer.wounds import penalty, shock_level, worst_anywhere

_WHIM = 5
"""An easy bot does anything that comes to mind in three rounds of this many."""
_WHIMS = ("evade", "hold", "drop", "rise")
_TRIALS = 10
_ROUNDS = 2
"""How often a sharp bot plays each plan out, and for how many rounds."""
_MARGIN = 8
"""How much better than plain attack a plan must do on average: less may be luck."""


def easy(battle: Battle, seat: Seat, dice: Dice) -> Plan:
    """Return a beginner's plan: attack the nearest with what comes first, or do just anything."""
    name = _next(battle, seat)
    if dice.roll(_WHIM, "whim") <= 3:
        return Plan(name, (((Action(_WHIMS[dice.roll(len(_WHIMS), "anything") - 1]),),),))
    attack = Action("attack", at="nearest")
    return Plan(name, (((attack, Action("move", toward="nearest"), Action("evade")),),))


def sound(battle: Battle, seat: Seat, dice: Dice) -> Plan:
    """Return the plan of a bot that uses its best weapon, and takes care when it is hurt."""
    name = _next(battle, seat)
    plan = _attacking(battle, name)
    if not is_met(battle, name, "hurt") or not _can(battle, name, "evade"):
        return plan
    return change(plan, entries=(((Action("evade"), Action("rise")),), *plan.entries))


def _can(battle: Battle, name: str, do: str) -> bool:
    """Return whether nothing hinders an action that needs nothing but its verb."""
    return hindrance(battle, name, Action(do), (), ()) is None


def why(battle: Battle, seat: Seat, order: Order) -> str:
    """Return in at most five words why a sound bot gives a plan."""
    first = order.entries[0][0][0].do if isinstance(order, Plan) else ""
    return _WHY.get(first, say("best weapon against the nearest"))


_WHY = {"evade": say("who is hurt evades first"), "rise": say("up, then the best weapon")}


def _attacking(battle: Battle, name: str) -> Plan:
    """Return the plan that attacks the nearest with the best weapon, and closes in for it."""
    sheet = battle.sheets[name]
    best = max((*sheet.weapons, UNARMED), key=lambda weapon: _worth(battle, name, weapon))
    attack = Action("attack", at="nearest", weapon=best.name)
    close = Action("move", toward="nearest")
    choices = (attack, close, Action("evade"))
    if _can(battle, name, "rise"):
        return Plan(name, (((Action("rise"), *choices),), (choices,)))
    return Plan(name, ((choices,),))


_SHARES = Counter(LOCATIONS)
"""In how many of ten hits each area is hit (SF-18)."""


def _worth(battle: Battle, name: str, weapon: Weapon) -> int:
    """Return what a weapon is worth against the nearest: its chance now times what it does."""
    foe = nearest(battle, name)
    if foe is None:
        return 0
    other = battle.sheets[foe]
    metres = distance(battle, name, foe)
    mcs, delay = _chance(battle, name, foe, weapon, metres)
    # Each area counts as often as it is hit (SF-18), and armour is rated with what is left of it.
    left = sum(
        count * left_of(weapon, rating(other.armour, area, weapon.type), None)
        for area, count in _SHARES.items()
    )
    # A weak weapon wounds half as much (SF-21).
    if weapon.pr + weapon.dr < other.resilience:
        left //= 2
    # The chance counts twice, because a hit does damage by its LOS too (SF-19).
    return mcs * mcs * max(left, 1) // (1 + delay)


def _chance(battle: Battle, name: str, foe: str, weapon: Weapon, metres: int) -> tuple[int, int]:
    """Return an attack's chance, from where it is possible, and the phases until then."""
    sheet = battle.sheets[name]
    action = Action("attack", at=foe, weapon=weapon.name)
    if weapon.melee:
        aimed = chances.attack(battle, name, foe, action, 0, False)
        stride = max(chances.stride(sheet, battle.bodies[name]), 1)
        return aimed.mcs, -(-max(metres - weapon.reach, 0) // stride)
    # Out of range it has no chance now; 10 stands for a poor one once it has come near.
    if bracket(weapon, metres, False) is None:
        stride = max(chances.stride(sheet, battle.bodies[name]), 1)
        return 10, -(-max(metres - LONG[weapon.range - 1], 0) // stride)
    return chances.attack(battle, name, foe, action, 0, False).mcs, 0


def sharp(battle: Battle, seat: Seat, dice: Dice) -> Plan:
    """Return the plan that does best where it is tried out: everybody else is expected to attack.

    It tries each with the same dice, which are its own.
    """
    name = _next(battle, seat)
    seeds = [str(dice.roll(1_000_000, "trial")) for _ in range(_TRIALS)]
    # What others have filed is a secret.
    own = {n: plan for n, plan in battle.plans.items() if battle.sheets[n].seat == seat}
    known = change(battle, plans=own)
    plain, *others = _candidates(battle, name)
    # Worked out once, for all that is tried begins with it.
    begun = change(known, plans={**known.plans, **_expected(known, name)})
    best, most = plain, _tried(begun, name, plain, seeds) + _MARGIN * _TRIALS
    for plan in others:
        worth = _tried(begun, name, plan, seeds)
        if worth > most:
            best, most = plan, worth
    return best


def _candidates(battle: Battle, name: str) -> list[Plan]:
    """Return the plans that a sharp bot considers, plain attack first."""
    sheet, body = battle.sheets[name], battle.bodies[name]
    first = _attacking(battle, name)
    found = [first, change(first, abort="evade")]
    evade, close = Action("evade"), Action("move", toward="nearest")
    foes = sorted(opponents(battle, name), key=lambda foe: life(battle, foe))
    aims = dict.fromkeys((nearest(battle, name), *foes[:1]))
    for weapon in (*sheet.weapons, *([] if any(w.melee for w in sheet.weapons) else [UNARMED])):
        for at in aims:
            attack = (Action("attack", at=at, weapon=weapon.name), close, evade)
            found.append(Plan(name, ((attack,),)))
            found.append(Plan(name, ((attack,), ((evade,),))))
        if weapon.melee:
            parry = (Action("parry", when="engaged", weapon=weapon.name), close)
            found.append(Plan(name, ((parry,), (attack,))))
            found.append(Plan(name, ((attack,),), "parry"))
        else:
            found.append(Plan(name, (((Action("aim", at=at), evade),), (attack,))))
            if not body.prone:
                found.append(Plan(name, (((Action("drop"),),), (attack,))))
            found.append(Plan(name, (((_away(battle, name),),), (attack,))))
    found.append(Plan(name, (((evade, Action("rise")),),)))
    bleeding = max(range(7), key=lambda area: body.bleeding[area])
    if body.bleeding[bleeding]:
        found.append(Plan(name, (((Action("treat", area=AREAS[bleeding]),),), (attack,))))
    return found


def _away(battle: Battle, name: str) -> Action:
    """Return a move away from the nearest opponent, on the field."""
    here, foe = battle.bodies[name].at, nearest(battle, name)
    there = battle.bodies[foe].at if foe else here
    return Action("move", to=0 if there >= here else battle.field)


def _expected(battle: Battle, name: str) -> dict[str, Plan]:
    """Return what all others without a plan are expected to do."""
    return {other: _attacking(battle, other) for other in to_plan(battle) if other != name}


def _tried(battle: Battle, name: str, plan: Plan, seeds: list[str]) -> int:
    """Return how well a plan does on average: what is left of the own team, less of the others."""
    return sum(_played(battle, name, plan, seed) for seed in seeds)


def _played(battle: Battle, name: str, plan: Plan, seed: str) -> int:
    dice = SeededDice(b"sharp", seed, 0, b"")
    team = battle.sheets[name].team
    # In later rounds all others attack again; the plan that is tried is filed again, too.
    for number in range(_ROUNDS):
        plans = _expected(battle, name) if number else {}
        if battle.bodies[name].fate == "active":
            plans[name] = plan
        battle = change(battle, plans={**battle.plans, **plans})
        battle, _ = resolve(battle, {REFEREE: [End()]}, dice)
        if battle.over or battle.decided:
            break
    lives = [(life(battle, n), sheet.team == team) for n, sheet in battle.sheets.items()]
    return sum(life if own else -life for life, own in lives)


def life(battle: Battle, name: str) -> int:
    """Return what is left of a character, 100 for one that is unhurt."""
    sheet, body = battle.sheets[name], battle.bodies[name]
    # It may wake, so it is worth a little; the dead and those who left are worth nothing.
    if body.fate == "unconscious":
        return 12
    if body.fate != "active":
        return 0
    hurt = 9 * penalty(sheet, body, range(3, 7)) + 4 * shock_level(sheet, body.shock)
    return max(100 - hurt - 3 * sum(body.bleeding) - 3 * worst_anywhere(body), 20)


def _next(battle: Battle, seat: Seat) -> str:
    """Return the first of a seat's characters that has no plan yet."""
    return next(name for name in to_plan(battle) if battle.sheets[name].seat == seat)


BY_STRENGTH: Mapping[str, Callable[[Battle, Seat, Dice], Plan]] = {
    "easy": easy,
    "sound": sound,
    "sharp": sharp,
}


def cost(battle: Battle, strength: str) -> int:
    """Return about what a plan of a bot costs at most, in units of a Budget."""
    if strength == "sharp":
        return 150_000 * len(battle.sheets)
    return 200 if strength == "easy" else 400


def cautious(battle: Battle, seat: Seat) -> Plan:
    """Return what SF-7 says for the next character of a seat that has no plan yet."""
    name = next(name for name in to_plan(battle) if battle.sheets[name].seat == seat)
    return Plan(name, DEFAULT)
