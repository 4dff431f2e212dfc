"""What a hit does: damage, wounds, death and the shock check (SF-18 to SF-31)."""

from engine.starfarer.chances import consciousness
from engine.starfarer.events import Hit, Out, ShockChecked, Wounded
from engine.starfarer.model import Armour, Sheet, Weapon
from engine.starfarer.tables import (
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
from engine.starfarer.telling import Telling
from engine.starfarer.wounds import (
    degree,
    half,
    level_of,
    marked,
    modifier_of,
    shock_level,
    step,
    succeeds,
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
