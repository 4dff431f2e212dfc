"""What hits do (SF-18 to SF-31), and what wounds do at the end of a round (SF-32 to SF-38)."""

from engine.starfarer import chances
from engine.starfarer.chances import consciousness
from engine.starfarer.events import (
    Bled,
    ClockMoved,
    Hit,
    Out,
    OutOfDanger,
    ShockChecked,
    SurvivalChecked,
    WakingChecked,
    Wounded,
)
from engine.starfarer.model import Armour, Battle, Sheet, Weapon, everybody, is_present
from engine.starfarer.play import Telling
from engine.starfarer.tables import (
    ALWAYS_FAILS,
    AREAS,
    DIE,
    FATAL_SHOCK,
    FURTHER_WOUND,
    HEAD,
    HEAVY,
    LOCATIONS,
    MEDIUM,
    MORTAL,
    SEVERE,
    VITAL,
)
from engine.starfarer.wounds import (
    degree,
    half,
    is_deadly_shock,
    is_mortal,
    level_of,
    marked,
    modifier_of,
    shock_level,
    step,
    succeeds,
    worst_anywhere,
)


def land(telling: Telling, by: str, at: str, weapon: Weapon, roll: int, los: int) -> None:
    """Land a hit in the order of SF-27."""
    sheet, before = telling.of(at)
    area = LOCATIONS[roll % 10]
    armour = rating(sheet.armour, area, weapon.type)
    left = left_of(weapon, armour, sheet.mass if telling.battle.options.blow_through else None)
    applied = left * los if los else half(left)
    # A weapon that is weak for its target wounds less than it hurts (SF-21).
    wound = half(applied) if weapon.pr + weapon.dr < sheet.resilience else applied
    twice = 1 + (area == HEAD)
    shock, wound = applied * twice, wound * twice
    telling.tell(Hit(sheet.seat, by, at, area, armour, left, shock, wound))
    if not shock:
        return
    level = _mark(telling, at, area, level_of(wound, sheet.mass), weapon.blunt)
    if area in VITAL and wound > 2 * (5 * step(sheet.mass) + 1):
        telling.tell(Out(at, "dead", "wound", by))
    elif not succumb(telling, at, by) and before.fate == "active":
        # Only the active: who is out already has no consciousness to lose.
        severe = level >= (HEAVY if area in VITAL else SEVERE)
        if severe or shaken(sheet, before.shock, shock):
            lof = check_shock(telling, at, modifier_of(level), by)
            # A wound that counts as the worst level has none above it (SF-31).
            if lof >= FURTHER_WOUND and level < MORTAL:
                _mark(telling, at, area, level + 1, weapon.blunt, further=True)


def rating(pieces: tuple[Armour, ...], area: int, kind: str) -> int:
    """Return the highest rating that covers an area against a type of weapon (SF-19)."""
    return max((one.ratings.get(kind, 0) for one in pieces if area in one.covers), default=0)


def left_of(weapon: Weapon, armour: int, mass: int | None) -> int:
    """Return what armour, and the option of SF-20 with a mass, leave of a DR (SF-19)."""
    left = max(weapon.dr - max(armour - weapon.pr, 0), 0)
    return left if mass is None or left <= mass else max(mass, left - mass)


def _mark(
    telling: Telling, name: str, area: int, level: int, blunt: bool, further: bool = False
) -> int:
    """Mark a wound, and return the level that it counts as (SF-23, SF-35)."""
    _, body = telling.of(name)
    _, found = marked(body.wounds[area], level, further)
    bleeding = 0 if found is None else modifier_of(found)
    if blunt and telling.battle.options.blunt:
        bleeding = half(bleeding)
    telling.tell(Wounded(name, area, level, found, further, bleeding))
    counts = MORTAL if found is None else found
    intent = telling.intents.get(name)
    if intent is not None and counts >= MEDIUM:
        # A check passed holds only until the next such wound (SF-28).
        intent.passed.discard(area)
    return counts


def shaken(sheet: Sheet, before: int, shock: int) -> bool:
    """Return whether shock alone calls for a shock check (SF-29)."""
    rises = shock_level(sheet, before + shock) > shock_level(sheet, before)
    return rises or shock >= sheet.stun


def succumb(telling: Telling, name: str, by: str | None = None) -> bool:
    """Return whether a shock total has killed a character at once (SF-34)."""
    sheet, body = telling.of(name)
    dies = body.shock > FATAL_SHOCK * sheet.basic_shock
    if dies:
        telling.tell(Out(name, "dead", "shock", by))
    return dies


def check_shock(telling: Telling, name: str, wound: int, by: str | None = None) -> int:
    """Make a shock check by the modifier of a wound, and return its LOF, 0 if it passed (SF-30)."""
    mcs = consciousness(*telling.of(name), wound)
    roll = telling.roll(f"{name} shock")
    if succeeds(roll, mcs):
        telling.tell(ShockChecked(name, mcs, roll, None, by))
        return 0
    lof = degree(roll, mcs)
    telling.tell(ShockChecked(name, mcs, roll, telling.battle.round + lof, by))
    return lof


def upkeep(telling: Telling) -> None:
    """Play the upkeep step by step, each step for all in setup order (SF-38)."""
    for happen in (_wake, _bleed, _clot, _survive):
        for name in _present(telling.battle):
            happen(telling, name)


def _present(battle: Battle) -> list[str]:
    bodies = battle.bodies
    return [name for name in everybody(battle) if is_present(bodies[name])]


def _wake(telling: Telling, name: str) -> None:
    """Let an unconscious character check whether it wakes, if it is time (SF-32)."""
    sheet, body = telling.of(name)
    now = telling.battle.round
    if body.wakes is None or now < body.wakes:
        return
    mcs = chances.consciousness(sheet, body, worst_anywhere(body))
    roll = telling.roll(f"{name} wakes")
    if succeeds(roll, mcs):
        telling.tell(WakingChecked(name, mcs, roll, None))
        return
    falls = [telling.dice.roll(DIE, f"{name} sleeps on") for _ in range(degree(roll, mcs))]
    telling.tell(WakingChecked(name, mcs, roll, now + max(sum(falls), 1)))


def _bleed(telling: Telling, name: str) -> None:
    """Let a character take shock by its bleeding (SF-38)."""
    sheet, body = telling.of(name)
    lost = sum(body.bleeding)
    if not lost:
        return
    telling.tell(Bled(name, lost))
    if succumb(telling, name):
        return
    if body.fate == "active" and shaken(sheet, body.shock, lost):
        check_shock(telling, name, 0)


def _clot(telling: Telling, name: str) -> None:
    """Move the clocks of the areas that bleed (SF-35)."""
    for area in range(len(AREAS)):
        sheet, body = telling.of(name)
        bleeding, clock = body.bleeding[area], body.clock[area] + 1
        if not bleeding:
            continue
        if clock < bleeding:
            telling.tell(ClockMoved(name, area, clock))
            continue
        mcs = chances.clotting(sheet, body, area)
        roll = telling.roll(f"{name} {AREAS[area]} bleeding")
        stopped = min(1 + degree(roll, mcs), bleeding) if succeeds(roll, mcs) else 0
        telling.tell(ClockMoved(name, area, 0, mcs, roll, stopped))


def _survive(telling: Telling, name: str) -> None:
    """Let a character whose life is in danger check its survival (SF-33)."""
    sheet, body = telling.of(name)
    in_danger = is_deadly_shock(sheet, body) or any(
        is_mortal(body, area) for area in range(len(AREAS))
    )
    if not in_danger:
        if body.dying:
            telling.tell(OutOfDanger(name))
        return
    mcs = chances.survival(sheet, body)
    roll = telling.roll(f"{name} survival", (min(mcs, ALWAYS_FAILS - 1),))
    passed = succeeds(roll, mcs)
    telling.tell(SurvivalChecked(name, mcs, roll, passed))
    if not passed:
        telling.tell(Out(name, "dead", "survival"))
