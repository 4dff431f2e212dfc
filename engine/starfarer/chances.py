"""The chances of tasks: which traits, which Ease Factor, which penalties."""

from typing import NamedTuple

from engine.starfarer.legal import arms_of, bracket, is_close, limbs_of
from engine.starfarer.model import Action, Battle, Body, CharacterSheet, Weapon, distance, weapon_of
from engine.starfarer.tables import EASE, RANGE_EASE, SHOCK_EASE, SURVIVAL_EASE
from engine.starfarer.wounds import chance_of, modifier_of, penalty, shock_modifier, worst


class Aimed(NamedTuple):
    """The chance of an attack: its range bracket (None for melee), its Ease Factor, its MCS."""

    bracket: str | None
    ease: int
    mcs: int


def attack(
    battle: Battle, name: str, target: str, action: Action, handicap: int, aimed: bool
) -> Aimed:
    """Return the chance of an attack in range (SF-12 to SF-14).

    `handicap` is that of SF-11; `aimed` counts for ranged weapons.
    """
    sheet, body = battle.sheets[name], battle.bodies[name]
    other, weapon = battle.bodies[target], weapon_of(sheet, action)
    lost = penalty(sheet, body, arms_of(sheet, weapon, action.arm))
    skill = sheet.skills.get(weapon.skill, 0)
    # EF -1 for each further action of the entry, and for the other hand (SF-11, SF-14).
    ease = -handicap - _off_hand(sheet, weapon, action)
    if weapon.melee:
        found, trait = None, sheet.agility
        # In melee the better of both defences counts; one on the ground is easy to hit (SF-14).
        ease += EASE - max(other.evade, other.parry) + other.prone - body.prone
    else:
        metres = distance(battle, name, target)
        found, trait = bracket(weapon, metres, is_close(battle, name, target)), sheet.dexterity
        assert found is not None
        # Nobody parries a shot, so that a parry does not count (SF-14).
        ease += RANGE_EASE[found] - other.evade + aimed
        # From near it makes no difference that somebody lies down (SF-14).
        ease -= other.prone and found not in ("close", "point blank")
    return Aimed(found, ease, chance_of((trait, skill), lost, ease))


def _off_hand(sheet: CharacterSheet, weapon: Weapon, action: Action) -> bool:
    """Return whether a one-handed weapon is in the hand that is not its user's own (SF-14)."""
    return weapon.hands == 1 and action.arm not in (None, sheet.hand)


def defence(sheet: CharacterSheet, body: Body, action: Action, handicap: int) -> int:
    """Return the chance of evading or parrying (SF-15)."""
    ease = EASE - handicap
    if action.do == "evade":
        skill = sheet.skills.get("evade", 0)
    else:
        weapon = weapon_of(sheet, action)
        skill = sheet.skills.get(weapon.skill, 0)
        ease -= _off_hand(sheet, weapon, action)
    lost = penalty(sheet, body, limbs_of(sheet, body, action))
    return chance_of((sheet.agility, skill), lost, ease)


def treatment(sheet: CharacterSheet, body: Body, action: Action, handicap: int) -> int:
    """Return the chance of treating somebody (SF-36)."""
    lost = penalty(sheet, body, limbs_of(sheet, body, action))
    traits = sheet.skills.get("first aid", 0), sheet.dexterity
    return chance_of(traits, lost, EASE - handicap)


def stride(sheet: CharacterSheet, body: Body) -> int:
    """Return how many metres a character can move (SF-37)."""
    # Prone one crawls, for which no leg is needed (SF-26, SF-37).
    agility = max(sheet.agility - penalty(sheet, body, limbs_of(sheet, body, Action("move"))), 0)
    return agility // 2 if body.prone else 2 * agility


def disability(sheet: CharacterSheet, body: Body, limb: int) -> int:
    """Return the chance to use an injured limb (SF-28)."""
    ease = EASE - modifier_of(worst(body.wounds[limb]))
    return chance_of((sheet.endurance, sheet.willpower), 0, ease)


def consciousness(sheet: CharacterSheet, body: Body, wound: int) -> int:
    """Return the chance of a shock or waking check, by a wound's modifier (SF-30, SF-32)."""
    # The greater of the two counts; they do not add up (SF-30).
    ease = SHOCK_EASE - max(wound, shock_modifier(sheet, body))
    return chance_of((sheet.endurance, sheet.willpower), 0, ease)


def clotting(sheet: CharacterSheet, body: Body, area: int) -> int:
    """Return the chance that an area's bleeding becomes less by itself (SF-35)."""
    # One trait only, and no penalty: clocks take no more than what SF-35 says (SF-26).
    return chance_of((sheet.endurance,), 0, EASE - body.bleeding[area])


def survival(sheet: CharacterSheet, body: Body) -> int:
    """Return the chance to survive for another round (SF-33)."""
    # Each check that was passed makes the next one harder, by a point of each trait (SF-33).
    return chance_of((sheet.endurance, sheet.essence), body.dying, SURVIVAL_EASE)
