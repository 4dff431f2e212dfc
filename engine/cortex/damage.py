"""What a hit does: scale, armour, called shots, battle damage (CX-10 to CX-14, CX-33, CX-34)."""

from engine.cortex.attack_events import (
    Damaged,
    DamageRolled,
    GunsLost,
    HitLost,
    Resisted,
    Slowed,
    Struck,
)
from engine.cortex.events import Gone, Harm
from engine.cortex.model import Fate, VesselSheet, Weapon
from engine.cortex.queries import is_active
from engine.cortex.tables import (
    DAMAGE_DIE,
    MISSILES,
    RESISTED,
    ROWS,
    SCALES,
    SPACECRAFT,
    TENTHS,
    WARHEAD_DICE,
)
from engine.cortex.turn_state import Hit, Turn, succeeds
from engine.cortex.weapons import applied, counts_as


def split(basic: int) -> tuple[int, int]:
    """Return Basic damage as Stun and Wound, the odd point Stun (CX-10)."""
    return basic - basic // 2, basic // 2


def gun_harm(
    play: Turn, why: str, basic: int, weapon: Weapon, raised: int = 0, dice: int = 1
) -> Harm:
    """Throw a weapon's damage: Basic damage, and dice raised by steps (CX-10, CX-37)."""
    stun, wound = split(basic)
    thrown = (weapon.damage + raised,) * dice
    throw = play.throw_dice(f"damage to {why}", thrown)
    return Harm(basic, stun, wound + throw.total, thrown, throw.results)


def warhead(play: Turn, why: str, weapon: Weapon, dice: int) -> tuple[int, tuple[int, ...]]:
    """Throw dice of a missile's warhead, and return their step and results (CX-66)."""
    step = MISSILES[weapon.scale][weapon.size][0]
    return step, play.throw_dice(f"{weapon.name} at {why}", (step,) * dice).results


def blast(weapon: Weapon, step: int, results: tuple[int, ...], basic: int = 0) -> Harm:
    """Return what a warhead does, and Basic damage, each split by itself (CX-46, CX-67)."""
    stun, wound = split(basic)
    total = sum(results)
    # Fragments are all Wound, a blast is split like Basic damage (CX-46).
    more = (0, total) if weapon.warhead == "fragments" else split(total)
    return Harm(basic, stun + more[0], wound + more[1], (step,) * len(results), results)


def shot_harm(
    play: Turn, why: str, basic: int, weapon: Weapon, combined: bool, extraordinary: bool
) -> Harm:
    """Throw the damage of an attack roll that hit (CX-37, CX-40, CX-67)."""
    if weapon.missile:
        step, results = warhead(play, why, weapon, WARHEAD_DICE)
        return blast(weapon, step, results, basic)
    # The die is raised once, and thrown twice: not one die by two steps (CX-37).
    dice = 2 if combined and extraordinary else 1
    return gun_harm(play, why, basic, weapon, int(combined), dice)


def strike(play: Turn, hit: Hit) -> None:
    """Let a hit take effect, now or when all of this initiative have acted (CX-19)."""
    if play.hits is None:
        land(play, hit)
    else:
        play.hits.append(hit)


def land(play: Turn, hit: Hit) -> None:
    """Let a hit take effect on one member of the unit (CX-38)."""
    left = [name for name in hit.members if is_active(play.battle, name)]
    if not left:
        play.record(HitLost(hit.by, hit.members))
        return
    shield = play.doing[hit.members[0]].shield
    # The member that shields takes the hit, as long as it is active itself (CX-38).
    if shield in left:
        _take(play, shield, hit, None)
    elif len(left) == 1:
        _take(play, left[0], hit, None)
    else:
        die = play.dice.roll(len(left), f"which of {hit.members[0]}'s wing")
        _take(play, left[die - 1], hit, die)


def _take(play: Turn, name: str, hit: Hit, die: int | None) -> None:
    battle = play.battle
    sheet, before = play.of(name)
    harm = hit.harm
    # Stun and Wound are each multiplied and armoured by themselves (CX-11).
    stun = applied(battle, harm.stun, hit.scale, sheet.scale, sheet.stun_armour)
    wound = applied(battle, harm.wound, hit.scale, sheet.scale, sheet.wound_armour)
    play.record(Struck(name, sheet.seat, hit.by, stun, wound, die))
    fate = fate_of(before.stun + stun, before.wound + wound, sheet.lp)
    if fate is not None:
        play.record(Gone(name, fate))
    # Wound is in tenths: less than a whole point has no further effect.
    elif wound >= TENTHS:
        if hit.called is not None:
            _resist(play, sheet, hit.scale, hit.called)
        # As it was before this hit: the first that wears a ship out breaks nothing yet.
        worn = before.wound * 2 >= sheet.lp * TENTHS
        if worn and sheet.scale == SPACECRAFT and "battle_damage" in battle.options:
            _battle_damage(play, name, wound // TENTHS)


def fate_of(stun: int, wound: int, lp: int) -> Fate | None:
    """Return what becomes of something with so much Stun and Wound, None if it lasts (CX-12)."""
    if wound >= lp * TENTHS:
        return "destroyed"
    return "disabled" if stun + wound >= lp * TENTHS else None


def _resist(play: Turn, sheet: VesselSheet, scale: str, called: str) -> None:
    """Let a vessel resist the effect of a called shot (CX-14, CX-63)."""
    battle = play.battle
    column = SCALES.index(counts_as(battle, sheet.scale))
    needed = RESISTED[counts_as(battle, scale)][column]
    # A weapon of its scale has no such effect on a target that small (CX-63).
    if needed is None:
        return
    throw = play.throw(f"{sheet.name} resists", sheet.strength, sheet.vitality)
    passed = succeeds(throw, needed)
    play.record(Resisted(sheet.name, called, needed, throw, passed))
    if not passed:
        what = {"engines": "speed", "weapon": "gun"}.get(called, called)
        _damage(play, sheet.name, what)


def _battle_damage(play: Turn, name: str, added: int) -> None:
    """Roll on the table of battle damage (CX-34)."""
    # The Wound is added, so the worst rows need a hit that goes deep (CX-34).
    die = play.dice.roll(DAMAGE_DIE, f"{name} battle damage")
    result = die + added
    if result > ROWS[-1][0]:
        play.record(DamageRolled(name, die, added, None))
        # Beyond the last row: twice, one after the other, with half the Wound each (CX-34).
        _battle_damage(play, name, added // 2)
        _battle_damage(play, name, added // 2)
        return
    rows = [what for last, what in ROWS if result <= last]
    # If something is broken already, the next row of the table counts (CX-34).
    found = next((what for what in rows if _can_be_damaged(play, name, what)), None)
    play.record(DamageRolled(name, die, added, found))
    if found is not None:
        _damage(play, name, found)


def _can_be_damaged(play: Turn, name: str, what: str) -> bool:
    sheet, vessel = play.of(name)
    if what == "speed":
        # Also without engines: only Speed 0 leaves this row without effect (CX-34).
        return vessel.speed > 0
    if what in ("gun", "weapon"):
        return any(vessel.guns.values())
    return what not in vessel.damaged and (what != "ftl" or sheet.ftl)


def _damage(play: Turn, name: str, what: str) -> None:
    """Damage a vessel, or leave as it is what cannot be damaged any more (CX-14)."""
    if not _can_be_damaged(play, name, what):
        return
    sheet, vessel = play.of(name)
    if what == "speed":
        play.record(Slowed(name, vessel.speed // 2))
    elif what == "gun":
        # Each gun is as likely, so a weapon with many guns loses one more often (CX-34).
        guns = [one.name for one in sheet.weapons for _ in range(vessel.guns[one.name])]
        lost = _pick(play, f"{name} loses a gun", guns)
        play.record(GunsLost(name, lost, vessel.guns[lost] - 1, "damage"))
    elif what == "weapon":
        left = [one.name for one in sheet.weapons if vessel.guns[one.name]]
        play.record(GunsLost(name, _pick(play, f"{name} loses a weapon", left), 0, "damage"))
    else:
        play.record(Damaged(name, what))


def _pick(play: Turn, why: str, names: list[str]) -> str:
    """Return one of some names by a die with as many sides; of one without a die (CX-34)."""
    # With one left no die is rolled (CX-34).
    return names[play.dice.roll(len(names), why) - 1] if len(names) > 1 else names[0]
