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
from engine.starfarer.model import Armour, CharacterSheet, Weapon, everybody, is_present
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
from engine.starfarer.turn_state import Round
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


def land(play: Round, by: str, at: str, weapon: Weapon, roll: int, los: int) -> None:
    """Land a hit in the order of SF-27."""
    sheet, before = play.of(at)
    # The ones digit of the to-hit roll says where, so no other die is rolled (SF-18).
    area = LOCATIONS[roll % 10]
    armour = rating(sheet.armour, area, weapon.type)
    # What passes through a light body does no harm there (SF-20).
    left = left_of(weapon, armour, sheet.mass if play.battle.options.blow_through else None)
    applied = left * los if los else half(left)
    # A weapon that is weak for its target wounds less than it hurts (SF-21).
    wound = half(applied) if weapon.pr + weapon.dr < sheet.resilience else applied
    # Doubled last, after the half for a weak weapon (SF-21).
    twice = 1 + (area == HEAD)
    shock, wound = applied * twice, wound * twice
    play.record(Hit(sheet.seat, by, at, area, armour, left, shock, wound))
    if not shock:
        return
    level = _mark(play, at, area, level_of(wound, sheet.mass), weapon.blunt)
    # Death by a wound comes before the shock check: the dead make none (SF-27, SF-34).
    if area in VITAL and wound > 2 * (5 * step(sheet.mass) + 1):
        play.record(Out(at, "dead", "wound", by))
    elif not succumb(play, at, by) and before.fate == "active":
        # Only the active: the unconscious make no shock checks (SF-29).
        severe = level >= (HEAVY if area in VITAL else SEVERE)
        if severe or shaken(sheet, before.shock, shock):
            lof = check_shock(play, at, modifier_of(level), by)
            # A wound that counts as the worst level has none above it (SF-31).
            if lof >= FURTHER_WOUND and level < MORTAL:
                _mark(play, at, area, level + 1, weapon.blunt, further=True)


def rating(pieces: tuple[Armour, ...], area: int, kind: str) -> int:
    """Return the highest rating that covers an area against a type of weapon (SF-19)."""
    return max((one.ratings.get(kind, 0) for one in pieces if area in one.covers), default=0)


def left_of(weapon: Weapon, armour: int, mass: int | None) -> int:
    """Return what armour, and the option of SF-20 with a mass, leave of a DR (SF-19)."""
    left = max(weapon.dr - max(armour - weapon.pr, 0), 0)
    return left if mass is None or left <= mass else max(mass, left - mass)


def _mark(play: Round, name: str, area: int, level: int, blunt: bool, further: bool = False) -> int:
    """Mark a wound, and return the level that it counts as (SF-23, SF-35)."""
    _, body = play.of(name)
    _, found = marked(body.wounds[area], level, further)
    bleeding = 0 if found is None else modifier_of(found)
    if blunt and play.battle.options.blunt:
        bleeding = half(bleeding)
    play.record(Wounded(name, area, level, found, further, bleeding))
    counts = MORTAL if found is None else found
    intent = play.intents.get(name)
    if intent is not None and counts >= MEDIUM:
        # A check passed holds only until the next such wound (SF-28).
        intent.passed.discard(area)
    return counts


def shaken(sheet: CharacterSheet, before: int, shock: int) -> bool:
    """Return whether shock alone calls for a shock check (SF-29)."""
    # To reach a multiple of the basic shock is enough (SF-25, SF-29).
    rises = shock_level(sheet, before + shock) > shock_level(sheet, before)
    return rises or shock >= sheet.stun


def succumb(play: Round, name: str, by: str | None = None) -> bool:
    """Return whether a shock total has killed a character at once (SF-34)."""
    sheet, body = play.of(name)
    dies = body.shock > FATAL_SHOCK * sheet.basic_shock
    if dies:
        play.record(Out(name, "dead", "shock", by))
    return dies


def check_shock(play: Round, name: str, wound: int, by: str | None = None) -> int:
    """Make a shock check by the modifier of a wound, and return its LOF, 0 if it passed (SF-30)."""
    mcs = consciousness(*play.of(name), wound)
    roll = play.roll(f"{name} shock")
    if succeeds(roll, mcs):
        play.record(ShockChecked(name, mcs, roll, None, by))
        return 0
    lof = degree(roll, mcs)
    play.record(ShockChecked(name, mcs, roll, play.battle.round + lof, by))
    return lof


def upkeep(play: Round) -> None:
    """Play the upkeep step by step, each step for all in setup order (SF-38)."""
    # Each step for all before the next, so that all wake before anybody bleeds (SF-38).
    for happen in (_wake, _bleed, _clot, _survive):
        for name in everybody(play.battle):
            if is_present(play.battle.bodies[name]):
                happen(play, name)


def _wake(play: Round, name: str) -> None:
    """Let an unconscious character check whether it wakes, if it is time (SF-32)."""
    sheet, body = play.of(name)
    now = play.battle.round
    if body.wakes is None or now < body.wakes:
        return
    mcs = chances.consciousness(sheet, body, worst_anywhere(body))
    roll = play.roll(f"{name} wakes")
    if succeeds(roll, mcs):
        play.record(WakingChecked(name, mcs, roll, None))
        return
    falls = [play.dice.roll(DIE, f"{name} sleeps on") for _ in range(degree(roll, mcs))]
    # At least one round, even where the LOF is 0 and no die is rolled (SF-32).
    play.record(WakingChecked(name, mcs, roll, now + max(sum(falls), 1)))


def _bleed(play: Round, name: str) -> None:
    """Let a character take shock by its bleeding (SF-38)."""
    sheet, body = play.of(name)
    lost = sum(body.bleeding)
    if not lost:
        return
    play.record(Bled(name, lost))
    if succumb(play, name):
        return
    if body.fate == "active" and shaken(sheet, body.shock, lost):
        # Bleeding has no wound of its own, so the shock alone counts (SF-30).
        check_shock(play, name, 0)


def _clot(play: Round, name: str) -> None:
    """Move the clocks of the areas that bleed (SF-35)."""
    for area in range(len(AREAS)):
        sheet, body = play.of(name)
        bleeding, clock = body.bleeding[area], body.clock[area] + 1
        if not bleeding:
            continue
        if clock < bleeding:
            play.record(ClockMoved(name, area, clock))
            continue
        mcs = chances.clotting(sheet, body, area)
        roll = play.roll(f"{name} {AREAS[area]} bleeding")
        stopped = min(1 + degree(roll, mcs), bleeding) if succeeds(roll, mcs) else 0
        play.record(ClockMoved(name, area, 0, mcs, roll, stopped))


def _survive(play: Round, name: str) -> None:
    """Let a character whose life is in danger check its survival (SF-33)."""
    sheet, body = play.of(name)
    in_danger = is_deadly_shock(sheet, body) or any(
        is_mortal(body, area) for area in range(len(AREAS))
    )
    if not in_danger:
        if body.dying:
            # The run of checks is broken: the next one begins without a penalty (SF-33).
            play.record(OutOfDanger(name))
        return
    mcs = chances.survival(sheet, body)
    roll = play.roll(f"{name} survival", (min(mcs, ALWAYS_FAILS - 1),))
    passed = succeeds(roll, mcs)
    play.record(SurvivalChecked(name, mcs, roll, passed))
    if not passed:
        play.record(Out(name, "dead", "survival"))
